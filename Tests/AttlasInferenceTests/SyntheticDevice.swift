import AttlasTestSupport

@testable import AttlasInference

/// A device with a layout that the inference does not know. Nothing here uses its code.
struct SyntheticDevice {
    enum Kind: Equatable {
        case constant, opcode, counter, length, epoch, uptime, number, flags, text, random, open
    }

    /// A field of a value, as the device lays it out.
    struct Field {
        let kind: Kind
        let width: Int
        var isBigEndian = false
        var isSigned = false
        /// Of a number, its largest step; of an uptime, ticks per second.
        var scale = 1
    }

    enum Algorithm: Equatable, CaseIterable {
        case none, sum, xor, negatedSum, invertedSum, sum100
        case modbus, ccittFalse, xmodem, mcrf4xx, kermit, smbus, maxim, iso32, mpeg32, odd16
    }

    struct Check {
        var algorithm = Algorithm.none
        var isBigEndian = false
        var start = 0
        /// Octets after it, not covered.
        var trailer: [UInt8] = []

        var width: Int {
            switch algorithm {
            case .none: 0
            case .sum, .xor, .negatedSum, .invertedSum, .sum100, .smbus, .maxim: 1
            case .modbus, .ccittFalse, .xmodem, .mcrf4xx, .kermit, .odd16: 2
            case .iso32, .mpeg32: 4
            }
        }
    }

    /// Fields of each opcode; one list without opcodes.
    var layouts: [[Field]]
    var check: Check
    var count: Int
    var seed: UInt64

    /// Values, with their times and the layout of each.
    func values() -> [(octets: [UInt8], time: Int64, layout: Int)] {
        var random = SplitMix64(seed: seed)
        var states = layouts.map { $0.map { _ in UInt64.random(in: .min ... .max, using: &random) } }
        let constants = layouts[0].map { _ in UInt8.random(in: 1...254, using: &random) }
        let interval = Int64.random(in: 100...1_000, using: &random) * 1_000_000
        let start: Int64 = 1_795_000_000_000_000_000 + Int64.random(in: 0...1_000_000, using: &random) * 1_000_000
        let uptimeStart = Int64.random(in: 5_000...900_000_000, using: &random)
        let epochOffset = Int64.random(in: -3_600...3_600, using: &random)
        var time = start
        var sequence = UInt64.random(in: 0...200, using: &random)
        var values: [(octets: [UInt8], time: Int64, layout: Int)] = []
        for index in 0..<count {
            time += interval + Int64.random(in: -interval / 6...interval / 6, using: &random)
            let layout = index < layouts.count ? index : Int.random(in: 0..<layouts.count, using: &random)
            var octets: [UInt8] = []
            var lengthPlace: Int?
            for (place, field) in layouts[layout].enumerated() {
                var number: UInt64 = 0
                switch field.kind {
                case .constant:
                    octets += [UInt8](repeating: constants[min(place, constants.count - 1)], count: field.width)
                    continue
                case .opcode: number = UInt64(0x10 + 3 * layout)
                case .counter: number = sequence
                case .length:
                    lengthPlace = octets.count
                    octets.append(0)
                    continue
                case .epoch: number = UInt64(time / 1_000_000_000 + epochOffset)
                case .uptime:
                    let elapsed = uptimeStart + (time - start) / 1_000_000 + Int64.random(in: -15...0, using: &random)
                    number = UInt64(elapsed / Int64(1_000 / field.scale))
                case .number:
                    if index < layouts.count {
                        let middle: UInt64 = field.isSigned ? 0 : 0x80 << UInt64(8 * (field.width - 1))
                        states[layout][place] = middle &+ UInt64.random(in: 0...60, using: &random)
                    }
                    let step = Int64.random(in: -Int64(field.scale)...Int64(field.scale), using: &random)
                    states[layout][place] = UInt64(bitPattern: Int64(bitPattern: states[layout][place]) &+ step)
                    number = states[layout][place]
                case .flags:
                    if Int.random(in: 0..<5, using: &random) == 0 {
                        states[layout][place] ^= 1 << UInt64(Int.random(in: 0..<4, using: &random) * 2)
                    }
                    number = states[layout][place] & 0x55
                case .text:
                    octets += (0..<field.width).map { _ in UInt8.random(in: 0x61...0x7A, using: &random) }
                    continue
                case .random:
                    let width = field.width > 0 ? field.width : Int.random(in: 1...12, using: &random)
                    octets += (0..<width).map { _ in UInt8.random(in: 0...255, using: &random) }
                    continue
                case .open: number = UInt64([3, 90, 17].randomElement(using: &random) ?? 0)
                }
                let little = (0..<field.width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
                octets += field.isBigEndian ? little.reversed() : little
            }
            sequence += 1
            if let lengthPlace { octets[lengthPlace] = UInt8(octets.count - lengthPlace - 1) }
            let covered = Array(octets.dropFirst(check.start))
            let sum = Self.result(of: covered, check.algorithm)
            let little = (0..<check.width).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
            octets += check.isBigEndian ? little.reversed() : little
            octets += check.trailer
            values.append((octets, time, layout))
        }
        return values
    }

    static func result(of octets: [UInt8], _ algorithm: Algorithm) -> UInt32 {
        let sum = octets.reduce(0) { $0 + Int($1) }
        func crc(_ width: Int, _ polynomial: UInt64, _ initial: UInt64, reflected: Bool, final: UInt64 = 0) -> UInt32 {
            var register = initial
            let top = UInt64(1) << UInt64(width - 1)
            for octet in octets {
                for bit in 0..<8 {
                    let shift = UInt8(reflected ? bit : 7 - bit)
                    let feed = (register & top != 0) != (octet >> shift & 1 != 0)
                    register = register << 1 & (top << 1 - 1)
                    if feed { register ^= polynomial }
                }
            }
            if reflected {
                var reversed: UInt64 = 0
                for bit in 0..<width where register >> UInt64(bit) & 1 != 0 { reversed |= 1 << UInt64(width - 1 - bit) }
                register = reversed
            }
            return UInt32(register ^ final)
        }
        switch algorithm {
        case .none: return 0
        case .sum: return UInt32(sum & 0xFF)
        case .xor: return UInt32(octets.reduce(0, ^))
        case .negatedSum: return UInt32(-sum & 0xFF)
        case .invertedSum: return UInt32(~sum & 0xFF)
        case .sum100: return UInt32(sum % 100)
        case .modbus: return crc(16, 0x8005, 0xFFFF, reflected: true)
        case .ccittFalse: return crc(16, 0x1021, 0xFFFF, reflected: false)
        case .xmodem: return crc(16, 0x1021, 0, reflected: false)
        case .mcrf4xx: return crc(16, 0x1021, 0xFFFF, reflected: true)
        case .kermit: return crc(16, 0x1021, 0, reflected: true)
        case .smbus: return crc(8, 0x07, 0, reflected: false)
        case .maxim: return crc(8, 0x31, 0, reflected: true)
        case .iso32: return crc(32, 0x04C1_1DB7, 0xFFFF_FFFF, reflected: true, final: 0xFFFF_FFFF)
        case .mpeg32: return crc(32, 0x04C1_1DB7, 0xFFFF_FFFF, reflected: false)
        case .odd16: return crc(16, 0x6B2D, 0x1234, reflected: false)
        }
    }

    /// One of many devices: what it has depends on its number.
    init(number: Int) {
        seed = UInt64(number) &* 0x9E37 &+ 77
        var random = SplitMix64(seed: seed &+ 1)
        count = [50, 80, 120, 200, 400, 700, 1_000, 2_000, 3_000, 5_000][number % 10]
        var header: [Field] = []
        for _ in 0..<Int.random(in: 0...2, using: &random) { header.append(Field(kind: .constant, width: 1)) }
        let opcodes = number % 4 == 3 ? Int.random(in: 2...4, using: &random) : 1
        if opcodes > 1 { header.append(Field(kind: .opcode, width: 1)) }
        let hasLength = number % 5 == 2
        if hasLength { header.append(Field(kind: .length, width: 1)) }
        if Bool.random(using: &random) {
            let width = Int.random(in: 1...2, using: &random)
            header.append(Field(kind: .counter, width: width, isBigEndian: Bool.random(using: &random)))
        }
        layouts = []
        for _ in 0..<opcodes {
            var fields = header
            for _ in 0..<Int.random(in: 2...5, using: &random) {
                let isBigEndian = Bool.random(using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0: fields.append(Field(kind: .epoch, width: 4, isBigEndian: isBigEndian))
                case 1:
                    let scale = [1, 10, 100, 1_000].randomElement(using: &random) ?? 1
                    fields.append(Field(kind: .uptime, width: 4, isBigEndian: isBigEndian, scale: scale))
                case 2: fields.append(Field(kind: .flags, width: 1))
                case 3: fields.append(Field(kind: .text, width: Int.random(in: 4...8, using: &random)))
                case 4: fields.append(Field(kind: .open, width: 1))
                default:
                    let width = [1, 2, 2, 2, 3, 4].randomElement(using: &random) ?? 2
                    let scale = width == 1 ? 3 : [20, 60, 200].randomElement(using: &random) ?? 60
                    fields.append(
                        Field(
                            kind: .number, width: width, isBigEndian: isBigEndian,
                            isSigned: Bool.random(using: &random), scale: scale))
                }
            }
            if hasLength {
                fields.append(Field(kind: .random, width: 0))
            } else if number % 6 == 5 {
                fields.append(Field(kind: .random, width: 8))
            }
            layouts.append(fields)
        }
        check = Check()
        check.algorithm = Algorithm.allCases[number % Algorithm.allCases.count]
        check.isBigEndian = Bool.random(using: &random)
        // A calculated initial value contains the constant octets that precede the range.
        if header.first?.kind == .constant, check.algorithm != .none, check.algorithm != .odd16 {
            check.start = Int.random(in: 0...1, using: &random)
        }
        if check.algorithm != .none, number % 3 == 0 { check.trailer = [0x0D, 0x0A] }
    }
}

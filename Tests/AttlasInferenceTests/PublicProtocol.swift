import AttlasTestSupport

/// A device whose framing and check are documented in public. The messages have these; their contents are random numbers that change slowly.
struct PublicProtocol: Sendable {
    let name: String
    /// The project or the document that has the framing.
    let source: String
    /// The message without escapes, and what is sent.
    let message: @Sendable (inout Content) -> (plain: [UInt8], sent: [UInt8])
    /// Octets of a value.
    var part = 20
    var count = 120
    /// A value between some messages.
    var noise: [UInt8] = []
    /// nil if there is none.
    var check: Check?

    struct Check: Sendable {
        let title: String
        /// From the end of the message if it is negative.
        let place: Int
        var start = 0
    }

    struct Content {
        var random: SplitMix64
        var number = 0
        private var state: [UInt8] = []

        init(seed: UInt64) { random = SplitMix64(seed: seed) }

        /// Octets some of which change a little from one message to the next.
        mutating func octets(_ count: Int) -> [UInt8] {
            while state.count < count { state.append(UInt8.random(in: 0...255, using: &random)) }
            for index in 0..<count where index % 3 == 0 {
                state[index] &+= UInt8.random(in: 0...9, using: &random)
            }
            return Array(state.prefix(count))
        }

        mutating func one(of counts: [Int]) -> Int { counts.randomElement(using: &random) ?? counts[0] }
    }

    static func sum(_ octets: some Sequence<UInt8>) -> Int { octets.reduce(0) { $0 + Int($1) } }
    static func low(_ number: Int) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF)] }
    static func high(_ number: Int) -> [UInt8] { low(number).reversed() }
    static func modbus(_ octets: [UInt8]) -> [UInt8] { low(Int(SyntheticDevice.result(of: octets, .modbus))) }

    private static func same(_ octets: [UInt8]) -> (plain: [UInt8], sent: [UInt8]) { (octets, octets) }

    private static func escaped(_ octets: [UInt8], _ escape: UInt8, _ mask: UInt8, _ marks: [UInt8]) -> [UInt8] {
        octets.flatMap { marks.contains($0) || $0 == escape ? [escape, $0 ^ mask] : [$0] }
    }

    static let all: [PublicProtocol] = [
        PublicProtocol(
            name: "JK-BMS", source: "syssi/esphome-jk-bms",
            message: { content in
                content.number += 1
                let body =
                    [0x55, 0xAA, 0xEB, 0x90, UInt8(1 + content.number % 3), UInt8(content.number & 0xFF)]
                    + content.octets(293)
                return same(body + [UInt8(sum(body) & 0xFF)])
            }, noise: Array("AT\r\n".utf8), check: Check(title: "sum modulo 256", place: -1)),
        PublicProtocol(
            name: "JBD battery", source: "syssi/esphome-jbd-bms",
            message: { content in
                let count = content.one(of: [27, 8, 13, 34])
                let body = [UInt8(content.one(of: [3, 4, 5, 0xAA])), 0, UInt8(count)] + content.octets(count)
                return same([0xDD] + [body[0]] + body[1...] + high(0x1_0000 - sum(body[1...])) + [0x77])
            }, check: Check(title: "negated sum modulo 65536", place: -3, start: 2)),
        PublicProtocol(
            name: "Daly battery", source: "patman15/BMS_BLE-HA",
            message: { content in
                let body = [0xD2, 0x03, 0x7C] + content.octets(124)
                return same(body + modbus(body))
            }, check: Check(title: "CRC-16/MODBUS", place: -2)),
        PublicProtocol(
            name: "Sphero, 2nd version", source: "sphero/spherov2.py",
            message: { content in
                content.number += 1
                let count = content.one(of: [0, 4, 11, 26, 40])
                let body = [0x0A, 0x13, 0x0D, UInt8(content.number & 0xFF)] + content.octets(count)
                let inner = body + [UInt8(~sum(body) & 0xFF)]
                return ([0x8D] + inner + [0xD8], [0x8D] + escaped(inner, 0xAB, 0x88, [0x8D, 0xD8]) + [0xD8])
            }, count: 400, check: Check(title: "inverted sum modulo 256", place: -2, start: 1)),
        PublicProtocol(
            name: "Sphero, one value for each", source: "sphero/spherov2.py",
            message: { content in
                content.number += 1
                let body =
                    [0x0A, 0x13, 0x0D, UInt8(content.number & 0xFF)] + content.octets(content.one(of: [2, 5, 8]))
                let inner = body + [UInt8(~sum(body) & 0xFF)]
                return ([0x8D] + inner + [0xD8], [0x8D] + escaped(inner, 0xAB, 0x88, [0x8D, 0xD8]) + [0xD8])
            }, part: 40, count: 600, check: Check(title: "inverted sum modulo 256", place: -2, start: 1)),
        PublicProtocol(
            name: "Suunto EON Steel", source: "libdivecomputer, hdlc.c",
            message: { content in
                content.number += 1
                let body =
                    [0x24, 0x00] + low(content.number) + content.octets(content.one(of: [30, 55, 90, 120]))
                let crc = SyntheticDevice.result(of: body, .iso32)
                let inner = body + low(Int(crc & 0xFFFF)) + low(Int(crc >> 16))
                return ([0x7E] + inner + [0x7E], [0x7E] + escaped(inner, 0x7D, 0x20, [0x7E]) + [0x7E])
            }, check: Check(title: "CRC-32/ISO-HDLC", place: -5, start: 1)),
        PublicProtocol(
            name: "Shearwater", source: "libdivecomputer, slip.c",
            message: { content in
                content.number += 1
                let body =
                    [0xFF, 0x01, UInt8(content.number & 0xFF), 0] + content.octets(content.one(of: [9, 40, 130]))
                let sent = body.flatMap { $0 == 0xC0 ? [0xDB, 0xDC] : $0 == 0xDB ? [0xDB, 0xDD] : [$0] }
                return (body, sent + [0xC0])
            }),
        PublicProtocol(
            name: "Ninebot", source: "etransport/ninebot-docs",
            message: { content in
                let count = content.one(of: [2, 6, 16, 32])
                let body =
                    [UInt8(count), 0x20, 0x3E, 0x04, UInt8(content.one(of: [0x10, 0x25, 0xB0]))] + content.octets(count)
                return same([0x5A, 0xA5] + body + low(~sum(body)))
            }, check: Check(title: "inverted sum modulo 65536", place: -2, start: 2)),
        PublicProtocol(
            name: "Xiaomi M365", source: "CamiAlfa/M365-BLE-PROTOCOL",
            message: { content in
                let count = content.one(of: [2, 6, 16, 32])
                let body =
                    [UInt8(count + 2), 0x23, 0x01, UInt8(content.one(of: [0x1A, 0x25, 0xB0]))] + content.octets(count)
                return same([0x55, 0xAA] + body + low(~sum(body)))
            }, check: Check(title: "inverted sum modulo 65536", place: -2, start: 2)),
        PublicProtocol(
            name: "WalkingPad", source: "ph4r05/ph4-walkingpad",
            message: { content in
                let body = [0xA2, 0x01] + content.octets(14)
                return same([0xF7] + body + [UInt8(sum(body) & 0xFF), 0xFD])
            }, check: Check(title: "sum modulo 256", place: -2, start: 1)),
        PublicProtocol(
            name: "FitShow treadmill", source: "cagnulein/qdomyos-zwift",
            message: { content in
                let body = [0x51, UInt8(content.one(of: [0, 2, 3]))] + content.octets(content.one(of: [3, 9, 12]))
                return same([0x02] + body + [body.reduce(0, ^), 0x03])
            }, check: Check(title: "exclusive or", place: -2, start: 1)),
        PublicProtocol(
            name: "EcoFlow, outer packet", source: "rabits/ha-ef-ble",
            message: { content in
                let count = content.one(of: [34, 50, 98, 162])
                let body = [0x5A, 0x5A, 0x10, 0x01] + low(count + 2) + content.octets(count)
                return same(body + low(Int(crcARC(body))))
            }, part: 100, check: Check(title: "CRC-16/ARC", place: -2)),
        PublicProtocol(
            name: "Viatom oximeter", source: "MackeyStingray/o2r",
            message: { content in
                content.number += 1
                let count = content.one(of: [0, 13, 40, 150])
                let command = UInt8(content.one(of: [0x14, 0x17, 0x04]))
                let body = [0xAA, command, ~command] + low(content.number & 0xFF) + low(count) + content.octets(count)
                return same(body + [UInt8(SyntheticDevice.result(of: body, .smbus))])
            }, check: Check(title: "CRC-8/SMBUS", place: -1)),
        PublicProtocol(
            name: "Bluetti", source: "warhammerkid/bluetti_mqtt",
            message: { content in
                let count = content.one(of: [20, 80, 106, 200])
                let body = [0x01, 0x03, UInt8(count)] + content.octets(count)
                return same(body + modbus(body))
            }, check: Check(title: "CRC-16/MODBUS", place: -2)),
        PublicProtocol(
            name: "PETKIT fountain", source: "slespersen/PetkitW5BLEMQTT",
            message: { content in
                content.number += 1
                let count = content.one(of: [1, 4, 16, 26])
                let head = [0xFA, 0xFC, 0xFD, UInt8(content.one(of: [0xD2, 0xD3, 0xE6])), 2]
                return same(head + [UInt8(content.number & 0xFF), UInt8(count), 0] + content.octets(count) + [0xFB])
            }),
        PublicProtocol(
            name: "u-blox UBX", source: "u-blox interface description, 3.4",
            message: { content in
                let count = content.one(of: [92, 28, 40, 60])
                let body = [0x01, UInt8(content.one(of: [7, 3, 0x35]))] + low(count) + content.octets(count)
                var (first, second) = (0, 0)
                for octet in body {
                    first += Int(octet)
                    second += first
                }
                return same([0xB5, 0x62] + body + [UInt8(first & 0xFF), UInt8(second & 0xFF)])
            }, check: Check(title: "sum modulo 256", place: -2, start: 2)),
    ]

    private static func crcARC(_ octets: [UInt8]) -> UInt16 {
        var crc: UInt16 = 0
        for octet in octets {
            crc ^= UInt16(octet)
            for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0xA001 : crc >> 1 }
        }
        return crc
    }

    /// The values of messages, a part every 12 ms and a message every second, and the messages without escapes.
    func values(seed: UInt64) -> (values: [(octets: [UInt8], time: Int64)], messages: [[UInt8]]) {
        var content = Content(seed: seed)
        var values: [(octets: [UInt8], time: Int64)] = []
        var messages: [[UInt8]] = []
        var time: Int64 = 1_795_000_000_000_000_000
        for _ in 0..<count {
            time += Int64.random(in: 700...1_300, using: &content.random) * 1_000_000
            if !noise.isEmpty, Bool.random(using: &content.random) { values.append((noise, time - 100_000_000)) }
            let (plain, sent) = message(&content)
            messages.append(plain)
            for start in stride(from: 0, to: sent.count, by: part) {
                time += Int64.random(in: 8...40, using: &content.random) * 1_000_000
                values.append((Array(sent[start..<min(start + part, sent.count)]), time))
            }
        }
        return (values, messages)
    }
}

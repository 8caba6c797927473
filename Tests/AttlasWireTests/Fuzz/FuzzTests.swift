import AttlasTestSupport
import Testing

@testable import AttlasWire

/// Octets that mean nothing: no view may stop the program or run for ever, whatever it is given. The sequence is the
/// same in every run.
@Suite struct FuzzTests {
    var rounds = 2_000

    @Test func randomOctets() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<rounds {
            exerciseEverything(random.octets(upTo: 80))
        }
    }

    /// Codes that exist, lengths that fit or nearly do: gets further in.
    @Test func almostRightOctets() {
        var random = SplitMix64(seed: 2)
        let attOpcodes = (UInt8.min...UInt8.max).filter { ATTOpcode(rawValue: $0).definition != nil }
        let eventCodes: [UInt8] = [0x03, 0x05, 0x07, 0x08, 0x0E, 0x0F, 0x13, 0x30, 0x59]
        let subeventCodes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 0x0A, 0x0B, 0x0C, 0x0D, 0x14, 0x29]
        let commandOpcodes: [UInt16] = [
            0x0406, 0x1009, 0x2005, 0x2008, 0x2009, 0x200C, 0x200D, 0x2013, 0x2019, 0x201A, 0x2022, 0x2032, 0x2035,
            0x2037, 0x2038, 0x2042, 0x2043, 0x2085,
        ]
        for _ in 0..<rounds {
            var exercise = Exercise()
            let rest = random.octets(upTo: 80)
            let near = UInt8(clamping: rest.count + Int.random(in: -2...2, using: &random))

            let small = UInt8.random(in: 0...8, using: &random)
            exercise.att(([attOpcodes.randomElement(using: &random)!] + rest).wire)
            exercise.att(([attOpcodes.randomElement(using: &random)!, small] + rest).wire)
            exercise.smp(([UInt8.random(in: 0...0x0F, using: &random)] + rest).wire)
            exercise.signals(([UInt8.random(in: 0...0x1B, using: &random), 1, near, 0] + rest).wire)
            exercise.event(([eventCodes.randomElement(using: &random)!, near] + rest).wire)
            exercise.event(([0x3E, near, subeventCodes.randomElement(using: &random)!, small] + rest).wire)
            let opcode = commandOpcodes.randomElement(using: &random)!
            exercise.command(([UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8), near] + rest).wire)
            var structures: [UInt8] = []
            while structures.count < 60 {
                let data = random.octets(upTo: 20)
                let type = UInt8.random(in: 0...0x3F, using: &random)
                structures += [UInt8(data.count + 1), type == 0x3F ? 0xFF : type] + data
            }
            exercise.advertising(structures.wire)
            exercise.mesh(([small] + rest).wire)
            exercise.control(([UInt8.random(in: 0...0x3D, using: &random)] + rest).wire)
            exercise.air((hex("D6BE898E") + [UInt8.random(in: 0...0xFF, using: &random), near] + rest).wire)
        }
    }

    /// The octets that lengths are made of, at their extremes.
    @Test func extremeOctets() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<rounds {
            exerciseEverything(random.octets(upTo: 40).map { [0x00, 0x01, 0x02, 0x7F, 0x80, 0xFE, 0xFF][Int($0) % 7] })
        }
    }

    private func exerciseEverything(_ octets: [UInt8]) {
        var exercise = Exercise()
        exercise.att(octets.wire)
        exercise.everyATTView(octets.wire)
        exercise.smp(octets.wire)
        exercise.signals(octets.wire)
        exercise.event(octets.wire)
        exercise.command(octets.wire)
        exercise.advertising(octets.wire)
        exercise.mesh(octets.wire)
        exercise.framing(octets.wire)
        exercise.air(octets.wire)
    }
}

/// Ten times as many.
@Suite struct FuzzLongTests {
    private static let tests = FuzzTests(rounds: 20_000)

    @Test func randomOctets() { Self.tests.randomOctets() }
    @Test func almostRightOctets() { Self.tests.almostRightOctets() }
    @Test func extremeOctets() { Self.tests.extremeOctets() }
}

/// Calls every initializer, accessor and iterator. What comes of it is added up, so that nothing is left out.
struct Exercise {
    private var sum = 0

    mutating func use(_ value: some BinaryInteger) { sum &+= Int(truncatingIfNeeded: value) }
    mutating func use(_ value: some RawRepresentable<UInt8>) { use(value.rawValue) }
    mutating func use(_ value: some RawRepresentable<UInt16>) { use(value.rawValue) }
    mutating func use(_ value: Bool) { use(value ? 1 : 0) }
    mutating func use(_ value: BluetoothAddress) { use(value.value) }
    mutating func use(_ value: BluetoothUUID) { use(value.value) }
    mutating func use(_ value: String?) { use(value?.utf8.count ?? 0) }
    mutating func use(_ value: Bytes) {
        for offset in 0..<value.count { use(value[offset]) }
    }

    /// An iterator that returns more often than it has octets never ends.
    mutating func count(_ rounds: inout Int, within limit: Int) {
        rounds += 1
        precondition(rounds <= limit, "an iterator that does not advance")
    }

    mutating func framing(_ bytes: Bytes) {
        if let packet = try? ACLPacket(bytes) {
            use(packet.connectionHandle)
            use(packet.boundary.rawValue)
            use(packet.broadcastFlag)
            use(packet.data)
            use(packet.missing)
            use(packet.excess)
        }
        if let frame = try? L2CAPFrame(bytes) {
            use(frame.channel)
            use(frame.payload)
            use(frame.missing)
            use(frame.excess)
        }
        if let uuid = BluetoothUUID(bytes) {
            use(uuid)
            use(uuid.description)
        }
    }
}

import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Whatever a sniffer hears, decoding neither stops the program nor keeps more than it may.
@Suite struct AirFuzzTests {
    /// Mostly a few Access Addresses, with PDUs that lead somewhere, a key that is tried on all of them, and encryption that
    /// begins at any time.
    @Test(arguments: [0]) func randomPackets(seed: UInt64) {
        var random = SplitMix64(seed: seed &+ 77)
        var trace = Trace()
        trace.addLongTermKey(7)
        var sink = Reader()
        var air = Air()
        var maker = RecordMaker()
        for frame in 1...20_000 {
            air.accessAddress = [UInt8.random(in: 1...6, using: &random), 2, 3, 4]
            air.tellsDirection = Bool.random(using: &random)
            air.radio.crc = [.ok, .ok, .unchecked, .bad].randomElement(using: &random)!
            air.radio.isDecrypted = Int.random(in: 0..<20, using: &random) == 0
            air.radio.phy = [nil, LEPHY(rawValue: 1), LEPHY(rawValue: 2), LEPHY(rawValue: 9)].randomElement(
                using: &random)!
            let direction: Direction = [.tx, .rx, .unknown].randomElement(using: &random)!
            let (sn, nesn) = (Int.random(in: 0...1, using: &random), Int.random(in: 0...1, using: &random))
            let octets = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var packet: Packet
            switch Int.random(in: 0..<12, using: &random) {
            case 0: packet = air.connect()
            case 1:
                let type = UInt8.random(in: 0...15, using: &random)
                packet = air.advertising(([type, UInt8(octets.count)] + octets).map { octet($0) }.joined())
            case 2...4:
                let opcode = UInt8.random(in: 0...0x3D, using: &random)
                packet = air.data(direction, 3, sn: sn, nesn: nesn, [opcode] + octets)
            case 5: packet = air.control(direction, sn: sn, nesn: nesn, "05")
            case 6: packet = air.att(direction, sn: sn, nesn: nesn, "1B 0300 01")
            default:
                let event = UInt16.random(in: 0...200, using: &random)
                packet = air.data(
                    direction, UInt8.random(in: 0...3, using: &random), sn: sn, nesn: nesn, octets,
                    event: Bool.random(using: &random) ? event : nil)
            }
            if Int.random(in: 0..<10, using: &random) == 0 {
                packet.octets = Array(packet.octets.prefix(Int.random(in: 0...12, using: &random)))
            }
            if Int.random(in: 0..<10, using: &random) == 0, !packet.octets.isEmpty {
                packet.octets[Int.random(in: 0..<packet.octets.count, using: &random)] ^= 0x40
            }
            packet.time = Timestamp(
                seconds: Int64.random(in: -2...Int64(frame), using: &random),
                nanoseconds: UInt32.random(in: 0..<1_000_000_000, using: &random), precision: 6)
            packet.missing = Int.random(in: 0...3, using: &random)
            maker.make(packet) { trace.decode($0, into: &sink) }
        }
        trace.finish(into: &sink)
        #expect(sink.events >= 20_000)
    }

    /// CONNECT_IND after CONNECT_IND of ever new devices: no more live connections, centrals and peers than there may be.
    @Test func endlessConnectionsAreBounded() {
        var trace = Trace()
        var sink = Counter()
        var packet = Air().connect()
        var maker = RecordMaker()
        for number in 0..<6_000 {
            // InitA, AdvA and the Access Address begin at octets 6, 12 and 18; the CRC counts as checked.
            for place in [6, 12, 18] { packet.octets.replaceSubrange(place..<place + 2, with: little(number)) }
            var radio = RadioInfo()
            radio.crc = .ok
            packet.content = .air(radio)
            packet.time = Timestamp(seconds: Int64(number), nanoseconds: 0, precision: 6)
            maker.make(packet) { trace.decode($0, into: &sink) }
        }
        expect(trace.liveSlots.count, equals: TraceLimits.standard.connections)
        expect(trace.connections.count, equals: TraceLimits.standard.connections)
        expect(trace.controllers.count, equals: AirLinks.centralLimit + 1)
        #expect(trace.peers.count <= TraceLimits.standard.peers)
    }
}

@Suite struct AirFuzzLongTests {
    @Test(arguments: 1..<6) func randomPackets(seed: UInt64) { AirFuzzTests().randomPackets(seed: seed) }
}

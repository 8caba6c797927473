import AttlasInput
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasTrace

/// A sink that reads all there is in each event, so that every accessor after it runs.
struct Reader: EventSink {
    var recorder = Recorder()
    var events = 0

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        events += 1
        // What was kept is given back now and then: the lines themselves are of no interest.
        if events.isMultiple(of: 1000) { recorder = Recorder() }
        recorder.receive(event, in: trace)
    }
}

/// Whatever the records hold, decoding neither stops the program nor fails to end.
@Suite struct FuzzTests {
    static let types: [HCIPacketType] = [.command, .acl, .synchronous, .event, .isochronous]

    @Test(arguments: [0]) func randomRecords(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var trace = Trace()
        var sink = Reader()
        var maker = RecordMaker()
        for frame in 1...20_000 {
            var octets = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let type = Self.types.randomElement(using: &random)!
            // Mostly the few handles, channels and opcodes that lead somewhere.
            if type == .acl, octets.count >= 9 {
                octets[0] = UInt8.random(in: 0x40...0x43, using: &random)
                octets[1] = UInt8([0x00, 0x10, 0x20].randomElement(using: &random)!)
                if Bool.random(using: &random) { octets.replaceSubrange(2..<4, with: little(octets.count - 4)) }
                if Bool.random(using: &random) { octets.replaceSubrange(4..<6, with: little(octets.count - 8)) }
                octets.replaceSubrange(6..<8, with: [UInt8([4, 4, 4, 5, 6].randomElement(using: &random)!), 0])
                if Bool.random(using: &random) { octets[8] = UInt8.random(in: 0...0x23, using: &random) }
            }
            if type == .event, octets.count >= 12, Bool.random(using: &random) {
                octets.replaceSubrange(0..<6, with: [0x3E, UInt8(octets.count - 2), 0x01, 0x00, 0x40, 0x00])
            }
            let direction: Direction = [.tx, .rx, .unknown].randomElement(using: &random)!
            maker.make(shaken(Packet(.packet(type), direction, octets), frame, &random)) {
                trace.decode($0, into: &sink)
            }
        }
        trace.finish(into: &sink)
        #expect(sink.events >= 20_000)
    }

    @Test(arguments: [0]) func mutatedConversations(seed: UInt64) throws {
        var random = SplitMix64(seed: seed &+ 1000)
        let names = Repository.captureNames.filter { $0.hasSuffix(".btsnoop") && !$0.hasPrefix("l2cap-tester") }
        expect(names.count, equals: 23)
        for name in names {
            let records = try packets(of: name)
            for _ in 0..<8 {
                var trace = Trace()
                var sink = Reader()
                var maker = RecordMaker()
                func feed(_ packet: Packet) {
                    maker.make(shaken(packet, maker.frame + 1, &random)) { trace.decode($0, into: &sink) }
                }
                for var packet in records {
                    packet.octets = mutated(packet.octets, &random)
                    feed(packet)
                    // Sometimes a record comes twice, or another one comes in between.
                    if Int.random(in: 0..<30, using: &random) == 0, let other = records.randomElement(using: &random) {
                        feed(other)
                    }
                }
                trace.finish(into: &sink)
                #expect(sink.events > 0)
            }
        }
    }

    private func packets(of name: String) throws -> [Packet] {
        var reader = try CaptureReader(capture: name)
        var packets: [Packet] = []
        while let record = try reader.next() {
            guard case .packet = record.content else { continue }
            packets.append(Packet(record.content, record.direction, record.bytes.copy()))
        }
        return packets
    }

    private func mutated(_ octets: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var octets = octets
        guard !octets.isEmpty, Int.random(in: 0..<4, using: &random) == 0 else { return octets }
        let place = Int.random(in: 0..<octets.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: octets[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: octets[place] = [0x00, 0x01, 0x7F, 0x80, 0xFF].randomElement(using: &random)!
        case 2: octets.removeSubrange(place...)
        case 3: octets.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default: octets.append(contentsOf: octets[place...])
        }
        return octets
    }

    /// The packet as a capture might have it that cuts, loses and does not know.
    private func shaken(_ packet: Packet, _ frame: Int, _ random: inout SplitMix64) -> Packet {
        var packet = packet
        packet.missing = Int.random(in: 0..<10, using: &random) == 0 ? Int.random(in: 0...300, using: &random) : 0
        packet.time = Timestamp(
            seconds: Int64.random(in: 0...1, using: &random) * Int64(frame), nanoseconds: 0, precision: 6)
        if Int.random(in: 0..<40, using: &random) == 0 { packet.direction = .unknown }
        packet.controller = UInt16.random(in: 0...1, using: &random)
        packet.lost = Int.random(in: 0..<200, using: &random) == 0 ? 1 : 0
        return packet
    }
}

@Suite struct FuzzLongTests {
    @Test(arguments: 1..<8) func randomRecords(seed: UInt64) { FuzzTests().randomRecords(seed: seed) }
    @Test(arguments: 1..<4) func mutatedConversations(seed: UInt64) throws {
        try FuzzTests().mutatedConversations(seed: seed)
    }
}

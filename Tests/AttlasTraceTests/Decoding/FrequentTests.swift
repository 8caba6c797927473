import AttlasInput
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasTrace

/// The frequent packets, decoded as such and in the general way: events and state are the same, whether records come in a row or each by
/// itself, and whether or not the sink wants packets.
@Suite struct FrequentTests {
    /// What was told, and what is left.
    private struct Outcome<Sink: LineKeeper>: Equatable {
        let lines: [String]
        let connections: String

        init(_ packets: [Packet], generally: Bool, as _: Sink.Type) {
            var trace = Trace()
            trace.takesGeneralWay = generally
            var sink = Sink()
            trace.decode(packets, into: &sink)
            trace.finish(into: &sink)
            lines = sink.lines
            connections = "\(trace.connections)"
        }

        init(path: String, generally: Bool, as _: Sink.Type) throws {
            var trace = Trace()
            trace.takesGeneralWay = generally
            var sink = Sink()
            var reader = try CaptureReader(path: path)
            if generally {
                while let record = try reader.next() { trace.decode(record, into: &sink) }
            } else {
                while let row = try reader.nextRow() { trace.decode(row, into: &sink) }
            }
            trace.finish(into: &sink)
            lines = sink.lines
            connections = "\(trace.connections)"
        }
    }

    private func compare(_ packets: [Packet], _ location: SourceLocation = #_sourceLocation) {
        func compare<Sink: LineKeeper>(_ type: Sink.Type) {
            let (fast, general) = (
                Outcome(packets, generally: false, as: type), Outcome(packets, generally: true, as: type)
            )
            expect(fast.lines, equals: general.lines, sourceLocation: location)
            expect(fast.connections, equals: general.connections, sourceLocation: location)
        }
        compare(Recorder.self)
        compare(WithoutPackets.self)
    }

    @Test func captures() throws {
        for name in Repository.captureNames {
            let path = Repository.capture(name)
            try expect(
                Outcome(path: path, generally: false, as: Recorder.self),
                equals: Outcome(path: path, generally: true, as: Recorder.self))
            try expect(
                Outcome(path: path, generally: false, as: WithoutPackets.self),
                equals: Outcome(path: path, generally: true, as: WithoutPackets.self))
        }
    }

    /// Each opcode at each length, as a request, an answer, and an answer to what was not asked, both ways.
    @Test func everyOpcodeAndLength() {
        var packets: [Packet] = [.connected()]
        let octets: [UInt8] = [0x03, 0x00, 0x01, 0x00, 0x05, 0x06, 0x07, 0x08]
        for length in 0...octets.count {
            for opcode in UInt8.min...UInt8.max {
                let pdu = [opcode] + octets.prefix(length)
                for side in [Direction.tx, .rx] {
                    packets.append(att(side, pdu))
                    packets.append(att(side == .tx ? .rx : .tx, [opcode &+ 1] + octets.prefix(length)))
                    packets.append(att(side, [opcode &+ 1]))
                }
            }
        }
        compare(packets)
    }

    /// The frequent methods in any order, of known and unknown attributes, with fragments, losses, steps of the clock and lost octets
    /// between.
    @Test(arguments: 0..<16) func anyOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var packets: [Packet] = [.connected()]
        if seed & 1 == 0 {
            packets += [
                .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 12 0300 192A"),
                .att(.tx, "02 4000"), .att(.rx, "03 4000"),
            ]
        }
        let opcodes: [UInt8] = [0x0A, 0x0B, 0x0C, 0x0D, 0x12, 0x13, 0x1B, 0x52, 0x1D, 0x1E, 0x01]
        for _ in 0..<2_000 {
            let opcode = opcodes.randomElement(using: &random)!
            var pdu = [opcode]
            let handle = UInt8.random(in: 0...5, using: &random)
            if ![0x0B, 0x0D, 0x13, 0x1E].contains(opcode) { pdu += [handle, 0x00] }
            if opcode == 0x0C { pdu += [UInt8([0, 22, 44].randomElement(using: &random)!), 0x00] }
            if ![0x0A, 0x0C, 0x13, 0x1E].contains(opcode) {
                let length = [0, 1, 2, 18, 19, 20, 22, 23].randomElement(using: &random)!
                pdu += (0..<length).map { _ in UInt8.random(in: 0...3, using: &random) }
            }
            var packet = att([.tx, .rx].randomElement(using: &random)!, pdu)
            switch Int.random(in: 0..<40, using: &random) {
            case 0: packet.direction = .unknown
            case 1: packet.lost = 1
            case 2: packet.missing = 1
            case 3: packet.octets[1] |= 0x10
            case 4: packet.octets.append(0)
            case 5: packet.octets[2] &+= 1
            case 6: packet.octets[4] &+= 1
            case 7: packet = Packet(.packet(.event), .rx, [0x13, 5, 1, 0x40, 0, 2, 0])
            case 8: packet = Packet(.packet(.event), .rx, [0x13, 5, 1, 0x41, 0, 2, 0])
            case 9: packet = Packet(.packet(.event), .rx, [0x13, 9, 2, 0x40, 0, 2, 0, 0x41, 0, 1, 0])
            case 10: packet = Packet(.packet(.event), .rx, [0x13, 5, 1, 0x40, 0, 2])
            case 11:
                packet.time = Timestamp(
                    seconds: Int64.random(in: 0...200_000, using: &random), nanoseconds: 0, precision: 6)
            default: break
            }
            packets.append(packet)
        }
        compare(packets)
    }

    /// A whole ATT PDU in one packet of the connection.
    private func att(_ side: Direction, _ pdu: [UInt8]) -> Packet {
        let frame = little(pdu.count) + [0x04, 0x00] + pdu
        return Packet(.packet(.acl), side, [0x40, side == .tx ? 0x00 : 0x20] + little(frame.count) + frame)
    }
}

/// A sink that keeps events as lines.
private protocol LineKeeper: EventSink {
    init()
    var lines: [String] { get }
}

extension Recorder: LineKeeper {}

/// All events but packets.
private struct WithoutPackets: LineKeeper {
    private var recorder = Recorder()
    var lines: [String] { recorder.lines }
    var wantsPackets: Bool { false }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) { recorder.receive(event, in: trace) }
}

import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// What carried an ATT PDU, and what waits in the controller.
@Suite struct CarriageTests {
    /// Notes the octets of L2CAP that each ATT PDU took.
    private struct Sink: EventSink {
        var octets: [Int] = []

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            if case .att(let operation) = event.detail { octets.append(operation.l2capOctets) }
        }
    }

    private struct Outcome {
        let octets: [Int]
        let connections: [Connection]
        let controllers: [Controller]
    }

    private func decode(_ packets: [Packet]) -> Outcome {
        var trace = Trace()
        var sink = Sink()
        trace.decode(packets, into: &sink)
        return Outcome(octets: sink.octets, connections: trace.connections, controllers: trace.controllers)
    }

    @Test func aPDUOfTheFixedChannelHasOneHeader() {
        let whole = decode([.connected(), .att(.tx, "52 1000 AABB")])
        expect(whole.octets, equals: [9])
        let cut = decode([.connected(), .att(.tx, "52 1000 AABB", missing: 5)])
        expect(cut.octets, equals: [14])
        let fragments = decode([.connected(), .start(.tx, "0500 0400 52"), .more(.tx, "1000 AABB")])
        expect(fragments.octets, equals: [9])
    }

    @Test func anEnhancedBearerAddsTheSDULengthAndAHeaderForEachFrame() {
        let enhanced: [Packet] = [
            .connected(), .frame(.tx, channel: 5, hex("17 01 0A00 2700 6400 4000 0800 4000")),
            .frame(.rx, channel: 5, hex("18 01 0A00 6400 4000 0800 0000 5000")),
        ]
        let one = decode(enhanced + [.frame(.rx, channel: 0x40, hex("0400 1B 1000 AA"))])
        expect(one.octets, equals: [4 + 2 + 4])
        let three = decode(
            enhanced + [
                .frame(.rx, channel: 0x40, hex("0600 1B 1000")), .frame(.rx, channel: 0x40, hex("AABB")),
                .frame(.rx, channel: 0x40, hex("CC")), .frame(.rx, channel: 0x40, hex("0400 1B 1000 AA")),
            ])
        expect(three.octets, equals: [3 * 4 + 2 + 6, 4 + 2 + 4])
    }

    @Test func packetsAreInFlightUntilTheyAreCompleted() {
        let sent: [Packet] = [
            .connected(), .connected(Address.probe, handle: 0x41), .att(.tx, "52 1000 AA"), .att(.tx, "52 1000 AA"),
            .att(.tx, "52 1000 AA", handle: 0x41), .att(.rx, "1B 1000 AA"),
        ]
        func buffers(_ packets: [Packet]) -> [ControllerBuffers] { decode(packets).connections.map(\.buffers) }
        expect(buffers(sent).map(\.inFlight), equals: [2, 1])
        // Number Of Completed Packets names both handles: 1 and 1.
        let completed = buffers(sent + [.event("13 09 02 4000 0100 4100 0100"), .att(.tx, "52 1000 AA", handle: 0x41)])
        expect(completed.map(\.sent), equals: [2, 2])
        expect(completed.map(\.completed), equals: [1, 1])
        expect(completed.map(\.inFlight), equals: [1, 1])
        expect(completed.map(\.mostInFlight), equals: [2, 1])
        // More than were seen, and of a handle that is no connection.
        let more = buffers(sent + [.event("13 09 02 4000 FFFF 4200 0100")])
        expect(more.map(\.inFlight), equals: [0, 1])
    }

    @Test func aNewConnectionHasNothingInFlight() {
        let outcome = decode([
            .connected(), .att(.tx, "52 1000 AA"), .disconnected(), .connected(), .att(.tx, "52 1000 AA"),
        ])
        expect(outcome.connections.map(\.buffers.inFlight), equals: [1])
    }

    /// Vol 4, Part E, 7.4.5 and 7.8.2.
    @Test func controllersTellTheirBuffers() {
        func controller(_ events: String...) -> Controller? {
            decode(events.map { .event($0) }).controllers.first
        }
        expect(controller("0E 07 01 0220 00 FB00 08")?.lowEnergyBuffers, equals: 8)
        expect(controller("0E 0A 01 6020 00 FB00 0C 0000 00")?.lowEnergyBuffers, equals: 12)
        let shared = controller("0E 07 01 0220 00 0000 00", "0E 0B 01 0510 00 FD03 40 0A01 0800")
        #expect(shared?.lowEnergyBuffers == nil)
        expect(shared?.classicBuffers, equals: 0x010A)
        // It failed, or it is cut.
        #expect(controller("0E 07 01 0220 0C FB00 08") == nil)
        #expect(controller("0E 06 01 0220 00 FB00") == nil)
    }
}

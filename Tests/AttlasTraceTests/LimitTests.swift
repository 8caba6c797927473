import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Each limit is told once, when it is reached, and the rest is still decoded.
@Suite struct LimitTests {
    private func limits(_ change: (inout TraceLimits) -> Void) -> TraceLimits {
        var limits = TraceLimits.standard
        change(&limits)
        return limits
    }

    @Test func theOldestConnectionGivesWay() {
        var feeder = Feeder(limits: limits { $0.connections = 2 })
        for handle in 0x40..<0x42 { feeder.connect(handle: handle, number: handle) }
        #expect(feeder.sink.limits.isEmpty)
        for handle in 0x42..<0x48 { feeder.connect(handle: handle, number: handle) }
        expect(feeder.sink.limits, equals: [.connections])
        expect(feeder.trace.limitsReached, equals: [.connections])
        expect(feeder.trace.connections.count, equals: 2)
        // The last one lives.
        let events = feeder.sink.events
        feeder.feed(.att(.rx, "1B 1900 01", handle: 0x47))
        #expect(feeder.sink.events > events)
    }

    @Test func thePeerGoneForLongestIsForgotten() {
        var feeder = Feeder(
            limits: limits {
                $0.peers = 3
                $0.connections = 1
            })
        for number in 0..<5 {
            feeder.connect(handle: 0x40, number: number)
            feeder.feed(.disconnected())
        }
        expect(feeder.sink.limits, equals: [.peers])
        expect(feeder.trace.peers.count, equals: 3)
        let addresses = feeder.trace.peers.compactMap { $0.address.map { $0.value & 0xFF } }
        expect(addresses.sorted(), equals: [2, 3, 4])
    }

    /// Two connections that live: nobody's table can be emptied for the other's.
    @Test func tablesOfConnectedPeersEndTogether() {
        var feeder = Feeder(limits: limits { $0.attributes = 20 })
        for connection in 0..<2 {
            feeder.connect(handle: 0x40 + connection, number: connection)
            for handle in 1...30 {
                feeder.feed(.att(.tx, "04 0100 FFFF", handle: 0x40 + connection))
                feeder.feed(
                    .frame(.rx, channel: 4, [0x05, 0x01] + little(handle) + hex("0229"), handle: 0x40 + connection))
            }
        }
        expect(feeder.sink.limits, equals: [.attributes])
        expect(feeder.trace.peers.map(\.table.count), equals: [20, 0])
    }

    @Test func aServerHasSoManyAttributes() {
        var feeder = Feeder(limits: limits { $0.attributesOfAServer = 5 })
        feeder.feed(.connected())
        for handle in 1...9 {
            feeder.feed(.att(.tx, "04 0100 FFFF"))
            feeder.feed(.frame(.rx, channel: 4, [0x05, 0x01] + little(handle) + hex("0229")))
        }
        expect(feeder.sink.limits, equals: [.attributesOfAServer])
        expect(feeder.trace.peers[0].table.count, equals: 5)
    }

    @Test func connectionsShareTheirChannels() {
        var feeder = Feeder(limits: limits { $0.channels = 3 })
        for connection in 0..<2 {
            feeder.connect(handle: 0x40 + connection, number: connection)
            for channel in 0x40..<0x42 {
                let request = [0x14, UInt8(channel), 0x0A, 0x00, 0x80, 0x00] + little(channel) + hex("FFFF FFFF 0100")
                let response = [0x15, UInt8(channel), 0x0A, 0x00] + little(channel) + hex("FFFF FFFF 0100 0000")
                feeder.feed(.frame(.tx, channel: 5, request, handle: 0x40 + connection))
                feeder.feed(.frame(.rx, channel: 5, response, handle: 0x40 + connection))
            }
        }
        expect(feeder.sink.limits, equals: [.channels])
        expect(feeder.trace.connections.map(\.channels.channels.count), equals: [2, 1])
    }

    /// Frames that begin and never end, on many connections: the largest are given up, each with a fault that names it, and
    /// what begins then is joined as ever.
    @Test func unfinishedFramesAreGivenUp() {
        var feeder = Feeder(limits: limits { $0.unfinishedOctets = 65_536 })
        let half = [UInt8](repeating: 0xAA, count: 1_000)
        for handle in 0x40..<0xC0 {
            feeder.connect(handle: handle, number: handle)
            feeder.feed(.fragment(.rx, boundary: 2, hex("FFFF 0400") + half, handle: handle))
        }
        expect(feeder.sink.limits, equals: [.unfinishedOctets])
        #expect(feeder.sink.faults >= 60)
        #expect(feeder.trace.connections.reduce(0) { $0 + $1.heldOctets } <= 65_536)
        let events = feeder.sink.events
        feeder.feed(.fragment(.rx, boundary: 2, hex("0400 0400 1B"), handle: 0xBF))
        feeder.feed(.fragment(.rx, boundary: 1, hex("1900 01"), handle: 0xBF))
        // The frame that was under way is abandoned for the new one, of which the L2CAP frame and the notification come.
        expect(feeder.sink.events, equals: events + 3)
    }

    /// The list of an SDU's frames can be longer than the SDU.
    @Test func framesOfOneOctetAreCounted() {
        var feeder = Feeder(limits: limits { $0.unfinishedOctets = 65_536 })
        feeder.feed(.connected())
        for channel in 0x40..<0x60 {
            let request = [0x14, UInt8(channel), 0x0A, 0x00, 0x80, 0x00] + little(channel) + hex("FFFF FFFF FF7F")
            let response = [0x15, UInt8(channel), 0x0A, 0x00] + little(channel) + hex("FFFF FFFF FF7F 0000")
            feeder.feed(.frame(.tx, channel: 5, request))
            feeder.feed(.frame(.rx, channel: 5, response))
            feeder.feed(.frame(.rx, channel: channel, hex("FFFF AA")))
        }
        for number in 0..<50_000 { feeder.feed(.frame(.rx, channel: 0x40 + number % 0x20, [0xAA])) }
        expect(feeder.sink.limits, equals: [.unfinishedOctets])
        #expect(feeder.trace.connections[0].heldOctets <= 65_536)
    }

    /// What was given up is not taken for whole when its end comes.
    @Test func aPreparedWriteThatWasGivenUpIsNotExecuted() {
        var queue = PrepareQueue()
        let value: [UInt8] = [1, 2, 3]
        _ = queue.append(handle: 1, offset: 0, value: Bytes(value.span), frame: 1)
        expect(queue.attributes.map(\.handle), equals: [1])
        queue.giveUp()
        _ = queue.append(handle: 1, offset: 3, value: Bytes(value.span), frame: 2)
        #expect(queue.attributes.isEmpty)
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// A capture that was begun after the connection was made, and ACL data that is none.
@Suite struct PresumedConnectionTests {
    @Test func trafficThatMakesSenseIsAConnection() {
        let recorder = decode([.att(.rx, "1B 1900 01"), .att(.tx, "0A 1900"), .att(.rx, "0B 57")])
        expect(
            recorder.lines(),
            equals: [
                "connection 1 1 0040 presumed LE", "att 1 rx 1B peer 0019", "att 2 tx 0A peer 0019",
                "att 3 rx 0B peer 0019 answers 2 after 1000",
            ])
    }

    @Test func aFrameThatBeginsInAFragmentIsAConnectionToo() {
        let recorder = decode([.start(.rx, "0700 0400 1B 1900"), .more(.rx, "01020304")])
        expect(
            recorder.lines("connection", "att", "data"),
            equals: [
                "connection 1 1 0040 presumed LE", "att 2 rx 1B peer 0019 frames=1,2",
            ])
    }

    @Test func signallingAndSecurityManagerFramesAreAConnection() {
        // Connection Parameter Update Response; Security Request; on BR/EDR an Information Request.
        let recorder = decode([
            .frame(.tx, channel: 5, hex("13 01 0200 0000")), .frame(.rx, channel: 6, hex("0B 01"), handle: 0x41),
            .frame(.tx, channel: 1, hex("0A 01 0200 0200"), handle: 0x0B),
        ])
        expect(
            recorder.lines("connection"),
            equals: [
                "connection 1 1 0040 presumed LE", "connection 2 2 0041 presumed LE",
                "connection 3 3 000B presumed BR/EDR",
            ])
    }

    @Test func aCutRecordThatMayBeATTIsAConnection() {
        let recorder = decode([.start(.rx, "1B00 0400", missing: 27)])
        expect(recorder.lines("connection"), equals: ["connection 1 1 0040 presumed LE"])
    }

    @Test func continuationsOfAFrameBeforeTheCaptureDoNotCountAgainstAConnection() {
        let recorder = decode([.more(.rx, "0102"), .att(.rx, "1B 1900 01")])
        expect(
            recorder.lines("connection", "data"),
            equals: [
                "data 1 type 2 handle 0040 length 6", "connection 2 1 0040 presumed LE",
            ])
    }

    @Test func channelsOpenedBeforeTheCaptureDoNotCountAgainstAConnection() {
        let recorder = decode([.frame(.rx, channel: 0x40, hex("0200 0102")), .att(.rx, "1B 1900 01")])
        expect(
            recorder.lines("connection", "data"),
            equals: [
                "data 1 type 2 handle 0040 length 12", "connection 2 1 0040 presumed LE",
            ])
    }

    @Test func afterOtherTrafficThreeFramesInARowAreNeeded() {
        let nonsense = Packet.frame(.rx, channel: 0x2000, hex("0102"))
        let notification = Packet.att(.rx, "1B 1900 01")
        let recorder = decode([
            nonsense, notification, notification, nonsense, notification, notification, notification, notification,
        ])
        expect(
            recorder.lines("connection", "att"),
            equals: [
                "connection 7 1 0040 presumed LE", "att 7 rx 1B peer 0019", "att 8 rx 1B peer 0019",
            ])
    }

    @Test func reservedHandlesAreNoConnections() {
        let recorder = decode((0..<4).map { _ in .att(.rx, "1B 1900 01", handle: 0x0F00) })
        expect(recorder.lines("connection", "att"), equals: [])
    }

    @Test func aConnectionEventEndsWhatWasPresumed() {
        let recorder = decode([.att(.rx, "1B 1900 01"), .connected(), .att(.rx, "1B 1900 01")])
        expect(
            recorder.lines("connection", "att"),
            equals: [
                "connection 1 1 0040 presumed LE", "att 1 rx 1B peer 0019", "connection 2 1 0040 superseded",
                "connection 2 2 0040 made F2:F2:F2:F2:F2:F2 LE central 24/0/72", "att 3 rx 1B peer connection 2 0019",
            ])
    }

    /// What Qualcomm's controllers send on 0x0EDC: 182 octets of ACL data, 178 of "L2CAP", a running number as channel.
    func debugMessage(_ number: Int, _ payload: String = "0A00") -> Packet {
        .fragment(
            .rx, boundary: 0b10,
            hex("B200") + little(number) + hex(payload)
                + Array(repeating: 0x5A, count: 178 - hex(payload).count), handle: 0x0EDC)
    }

    @Test func debugMessagesAreNeverATTAndAreCounted() {
        var trace = Trace()
        let recorder = decode((0..<200).map { debugMessage($0) }, with: &trace)
        expect(hex("DC2E B600 B200 0000 0A00"), equals: Array(debugMessage(0).octets.prefix(10)))
        expect(recorder.lines("connection", "att", "fault", "l2cap"), equals: [])
        expect(recorder.lines("data").count, equals: 200)
        expect(recorder.lines("data").first, equals: "data 1 type 2 handle 0EDC length 186")
        expect(trace.unconnectedPackets.map(\.handle), equals: [0x0EDC])
        expect(trace.unconnectedPackets.map(\.packets), equals: [200])
    }

    @Test(arguments: ["0B", "1B1900", "521900", "1D1900", "0D"]) func debugMessagesThatLookLikeATTAreNot(
        payload: String
    ) {
        // The log begins at the very number that looks like the ATT channel, and the numbers come round again.
        let recorder = decode(
            (4..<200).map { debugMessage($0, payload) } + (0..<200).map { debugMessage($0, payload) })
        expect(recorder.lines("connection", "att", "fault", "l2cap"), equals: [])
    }

    @Test func theDebugHandleMayBeAConnectionAllTheSame() {
        let recorder = decode([.connected(handle: 0x0EDC), .att(.rx, "1B 1900 01", handle: 0x0EDC)])
        expect(recorder.lines("att"), equals: ["att 2 rx 1B peer 0019"])
    }

    // MARK: Links of which nobody knows what they carry

    /// Whole frames on 0x003A, which the specification does not define, from both sides.
    @Test func framesOfAVendorsChannelInBothDirectionsAreAConnection() {
        let sent = Packet.frame(.tx, channel: 0x3A, hex("0102"))
        let received = Packet.frame(.rx, channel: 0x3A, hex("0304"))
        let recorder = decode([sent, received, sent, received, sent])
        expect(recorder.lines("connection"), equals: ["connection 4 1 0040 presumed LE"])
        expect(recorder.lines("l2cap"), equals: ["l2cap 4 rx channel 003A 0304", "l2cap 5 tx channel 003A 0102"])
    }

    @Test func framesOfAVendorsChannelInOneDirectionAreNone() {
        let recorder = decode((0..<20).map { _ in .frame(.rx, channel: 0x3A, hex("0304")) })
        expect(recorder.lines("connection", "l2cap"), equals: [])
    }

    @Test func packetsThatTheControllerCountsAreAConnection() {
        // Two packets of the host on a channel that was opened before, and Number Of Completed Packets for both. 7.7.19.
        let frame = Packet.frame(.tx, channel: 0x45, hex("0200 0102"))
        let recorder = decode([frame, frame, .event("13 05 01 4000 0200"), frame])
        expect(recorder.lines("connection"), equals: ["connection 4 1 0040 presumed LE"])
    }

    @Test func packetsThatTheHostDidNotSendAreNotCounted() {
        let frame = Packet.frame(.rx, channel: 0x45, hex("0200 0102"))
        let recorder = decode([frame, .event("13 05 01 4000 0100"), frame])
        expect(recorder.lines("connection"), equals: [])
    }
}

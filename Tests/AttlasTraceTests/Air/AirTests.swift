import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// Connections heard on the air. Core Specification, Vol 6, Part B, 4.5.
@Suite struct AirTests {
    private let air = Air()

    private let request = "0A 0300"
    private let response = "0B 55"

    @Test func aConversation() {
        let recorder = decode([
            air.connect(),
            air.att(.tx, sn: 0, nesn: 0, request),
            air.empty(.rx, sn: 0, nesn: 1),
            air.empty(.tx, sn: 1, nesn: 1),
            air.att(.rx, sn: 1, nesn: 0, response),
            air.control(.tx, sn: 0, nesn: 0, "02 13"),
        ])
        expect(
            recorder.lines(),
            equals: [
                "connection 1 1 12345678 made 66:55:44:33:22:11 LE central 24/0/72",
                "att 2 tx 0A peer 0003",
                "att 5 rx 0B peer 0003 answers 2 after 3000",
                "connection 6 1 12345678 ended by host: Remote User Terminated Connection",
            ])
        expect(
            recorder.lines("air"),
            equals: [
                "air 1 ?? CONNECT_IND taken", "air 2 tx data 2 030004000A0300 taken", "air 3 rx data 1  taken",
                "air 4 tx data 1  taken", "air 5 rx data 2 020004000B55 taken", "air 6 tx LL_TERMINATE_IND taken",
            ])
    }

    /// 4.5.9: a packet with the sequence number of the one before is that packet again.
    @Test func whatIsSentAgainCountsOnce() {
        let recorder = decode([
            air.connect(),
            air.att(.tx, sn: 0, nesn: 0, request),
            air.att(.rx, sn: 0, nesn: 1, "1B 0300 01"),
            air.att(.tx, sn: 1, nesn: 0, "0A 0500"),
            // The central did not hear it: its NESN stayed.
            air.att(.rx, sn: 0, nesn: 0, "1B 0300 01"),
            air.empty(.tx, sn: 0, nesn: 1),
            // The same value again is another packet.
            air.att(.rx, sn: 1, nesn: 1, "1B 0300 01"),
        ])
        expect(
            recorder.lines("att").map { $0.prefix(9) }, equals: ["att 2 tx ", "att 3 rx ", "att 4 tx ", "att 7 rx "])
        #expect(recorder.lines("missed", "fault").isEmpty)
        expect(recorder.lines("air").filter { $0.hasSuffix("retransmission") }.count, equals: 1)
    }

    @Test func aWrongCRCIsLeftOut() {
        var checked = air
        checked.radio.crc = .bad
        let recorder = decode([
            air.connect(),
            // By the CRC that the sniffer did not check, and by what it says.
            air.att(.tx, sn: 0, nesn: 0, request, bad: true),
            checked.att(.tx, sn: 0, nesn: 0, request),
            air.att(.tx, sn: 0, nesn: 0, request),
        ])
        expect(recorder.lines("att"), equals: ["att 4 tx 0A peer 0003"])
        expect(recorder.lines("air").filter { $0.hasSuffix("bad CRC") }.count, equals: 2)
        #expect(recorder.lines("fault").isEmpty)
    }

    /// What the sniffer checked is not checked again: who decrypts or cuts a packet leaves its CRC.
    @Test func theSniffersCheckCounts() {
        var checked = air
        checked.radio.crc = .ok
        let recorder = decode([air.connect(), checked.att(.tx, sn: 0, nesn: 0, request, bad: true)])
        expect(recorder.lines("att"), equals: ["att 2 tx 0A peer 0003"])
    }

    // MARK: What was missed

    /// The same sequence number and other contents: one packet of that side went by. 4.5.9.
    @Test func aMissedPacketIsNoticedByTheSequenceNumber() {
        let recorder = decode([
            air.connect(), air.att(.tx, sn: 0, nesn: 0, "52 0300 00"),
            air.att(.tx, sn: 1, nesn: 0, "52 0300 01"),
            air.att(.tx, sn: 1, nesn: 0, "52 0300 03"),
        ])
        expect(recorder.lines("missed"), equals: ["missed 4 tx central 1 peripheral 0"])
        expect(recorder.lines("att").count, equals: 3)
    }

    /// The central's NESN changes: it received a packet that nobody else heard.
    @Test func aMissedPacketIsNoticedByItsAcknowledgement() {
        let recorder = decode([
            air.connect(),
            air.att(.tx, sn: 0, nesn: 0, request),
            air.att(.tx, sn: 1, nesn: 1, "0A 0500"),
        ])
        expect(recorder.lines("missed"), equals: ["missed 3 tx central 0 peripheral 1"])
    }

    /// The sniffer's own count, and the time when it has none: 30 ms an event. 4.5.1.
    @Test func missedEventsAreCounted() {
        let counted = decode([
            air.connect(),
            air.att(.tx, sn: 0, nesn: 0, "52 0300 01", event: 0, time: 2_000_000),
            air.att(.tx, sn: 1, nesn: 0, "52 0300 02", channel: 6, event: 4, time: 2_120_000),
        ])
        expect(counted.lines("missed"), equals: ["missed 3 tx central 3 peripheral 0"])
        let timed = decode([
            air.connect(),
            air.att(.tx, sn: 0, nesn: 0, "52 0300 01", time: 2_000_000),
            air.att(.tx, sn: 1, nesn: 0, "52 0300 02", channel: 6, time: 2_060_040),
        ])
        expect(timed.lines("missed"), equals: ["missed 3 tx central 1 peripheral 0"])
        let none = decode([
            air.connect(),
            air.att(.tx, sn: 0, nesn: 0, "52 0300 01", time: 2_000_000),
            air.att(.tx, sn: 1, nesn: 0, "52 0300 02", channel: 6, time: 2_029_960),
        ])
        #expect(none.lines("missed").isEmpty)
    }

    /// The first packet after them has a wrong CRC.
    @Test func missedEventsBeforeAWrongCRCAreCounted() {
        let recorder = decode([
            air.connect(), air.att(.tx, sn: 0, nesn: 0, "52 0300 01", event: 0, time: 2_000_000),
            air.att(.tx, sn: 1, nesn: 0, "52 0300 02", bad: true, channel: 6, event: 4, time: 2_120_000),
            air.att(.tx, sn: 1, nesn: 0, "52 0300 02", channel: 7, event: 5, time: 2_150_000),
        ])
        expect(recorder.lines("missed"), equals: ["missed 4 tx central 3 peripheral 0"])
    }

    /// Two events of the sniffer's count, 1 ms apart, as programs that write times late give them.
    @Test func theSniffersCountTellsEventsApart() {
        let recorder = decode([
            air.connect(), air.empty(.tx, sn: 0, nesn: 0, event: 0, time: 2_000_000),
            air.empty(.rx, sn: 0, nesn: 1, event: 0, time: 2_000_500),
            air.empty(.tx, sn: 1, nesn: 1, event: 1, time: 2_001_000),
            air.empty(.rx, sn: 1, nesn: 0, event: 1, time: 2_001_500),
            air.att(.tx, sn: 0, nesn: 0, "52 0300 01", event: 2, time: 2_060_000),
        ])
        #expect(recorder.lines("missed").isEmpty)
    }

    /// Times that are late do not make the sniffer's count false: more than an interval of 30 ms within the first event, and later.
    @Test func theCountHoldsAgainstTheTimes() {
        let recorder = decode([
            air.connect(time: 1_000_000), air.empty(.tx, sn: 0, nesn: 0, event: 0, time: 1_010_000),
            air.empty(.rx, sn: 0, nesn: 1, event: 0, time: 1_050_000),
            air.empty(.tx, sn: 1, nesn: 1, event: 1, time: 1_060_000),
            air.empty(.rx, sn: 1, nesn: 0, event: 1, time: 1_160_000),
            air.att(.tx, sn: 0, nesn: 0, "52 0300 01", event: 2, time: 1_400_000),
        ])
        #expect(recorder.lines("missed").isEmpty)
    }

    /// Where two events were not heard, the sequence numbers of the peripheral are as if nothing was missed: its frame is given up.
    @Test func framesDoNotContinueAcrossMissedEvents() {
        let packets = [
            air.connect(time: 1_000_000), air.empty(.tx, sn: 0, nesn: 0, event: 0, time: 1_010_000),
            air.data(.rx, 2, sn: 0, nesn: 1, hex("0600 0400 1B 0300"), event: 0, time: 1_010_300),
        ]
        func heard(at event: UInt16) -> [String] {
            decode(
                packets + [
                    air.empty(.tx, sn: 1, nesn: 1, event: event, time: 1_010_000 + 30_000 * Int(event)),
                    air.data(
                        .rx, 1, sn: 1, nesn: 0, hex("010203"), event: event, time: 1_010_300 + 30_000 * Int(event)),
                ]
            ).lines("att", "fault").map { String($0.prefix(5)) }
        }
        expect(heard(at: 1), equals: ["att 5"])
        expect(heard(at: 3), equals: ["fault", "fault"])
    }

    /// Nothing of a connection was heard after CONNECT_IND, by the end of the capture or the next one of the same two.
    @Test func aConnectionOfWhichNothingWasHeard() {
        let silent = decode([air.connect(time: 1_000_000)], finish: true)
        expect(silent.lines("connection").last, equals: "connection 1 1 12345678 unheard")
        let packets = [air.connect(time: 1_000_000), air.empty(.tx, sn: 0, nesn: 0, time: 1_010_000)]
        let recorder = decode(packets, finish: true)
        expect(recorder.lines("connection").count, equals: 1)
    }

    /// After missed events an empty packet with the number of the one before may be another. 4.5.9.
    @Test func anEmptyPacketAfterMissedEventsIsNoRetransmission() {
        func again(from event: UInt16) -> Int {
            let time = 1_000_000 + Int(event) * 30_000
            return decode([
                air.connect(time: 970_000), air.empty(.tx, sn: 0, nesn: 0, event: 0, time: 1_000_000),
                air.empty(.rx, sn: 0, nesn: 1, event: 0, time: 1_000_230),
                air.empty(.tx, sn: 1, nesn: 1, event: event, time: time),
                air.empty(.rx, sn: 0, nesn: 1, event: event, time: time + 230),
            ]).lines("air").filter { $0.hasSuffix("retransmission") }.count
        }
        expect(again(from: 1), equals: 1)
        expect(again(from: 3), equals: 0)
    }

    // MARK: A peripheral that sleeps

    /// With a latency of 3 the peripheral may skip three events: the central's empty packets there are not sent again because
    /// something went wrong. 4.5.1.
    @Test(arguments: [0, 3]) func emptyPollsAreNoRetransmissions(latency: Int) {
        var connect = air.connect(time: 1_000_000)
        // CONNECT_IND's Latency. 2.3.3.1.
        connect.octets[30] = UInt8(latency)
        connect.octets.replaceSubrange(40..., with: linkLayerCRC(Array(connect.octets[4..<40]), initial: 0x55_5555))
        let polls = (1...5).map { air.empty(.tx, sn: 1, nesn: 1, event: UInt16($0), time: 1_030_000 + 30_000 * $0) }
        let recorder = decode(
            [
                connect, air.empty(.tx, sn: 0, nesn: 0, event: 0, time: 1_030_000),
                air.empty(.rx, sn: 0, nesn: 1, event: 0, time: 1_030_230),
            ] + polls)
        // The peripheral has to listen in the fourth event after that in which it was heard; the fifth goes beyond.
        let again = recorder.lines("air").filter { $0.hasSuffix("retransmission") }.map { $0.prefix(5) }
        expect(again, equals: (latency == 0 ? ["air 5", "air 6", "air 7", "air 8"] : ["air 8"]))
    }

    // MARK: Sequence numbers that never change

    /// What a program writes that is no controller: SN and NESN of the central are always 0, and its empty packets are not there.
    private func synthetic(_ count: Int, from time: Int) -> [Packet] {
        var packets = [air.connect(time: time)]
        for index in 0..<count {
            packets.append(
                air.att(
                    .tx, sn: 0, nesn: 0, "52 0300 \(index < 10 ? "0" : "")\(index)", event: UInt16(index),
                    time: time + 30_000 * (index + 1)))
            packets.append(
                air.empty(
                    .rx, sn: index & 1, nesn: 1 - index & 1, event: UInt16(index),
                    time: time + 30_000 * (index + 1) + 300))
        }
        return packets
    }

    @Test func sequenceNumbersThatNeverChangeAreSaidOnce() {
        let recorder = decode(
            synthetic(40, from: 1_000_000) + [air.control(.tx, sn: 0, nesn: 0, "02 13", time: 2_500_000)]
                + synthetic(40, from: 3_000_000))
        expect(recorder.lines("att").count, equals: 80)
        // Three packets whose numbers stay might be chance. In the second connection none is.
        expect(
            recorder.lines("missed", "connection").map { $0.split(separator: " ").dropFirst().joined(separator: " ") },
            equals: [
                "1 1 12345678 made 66:55:44:33:22:11 LE central 24/0/72", "8 1 12345678 constant host",
                "82 1 12345678 ended by host: Remote User Terminated Connection",
                "83 2 12345678 made 66:55:44:33:22:11 LE central 24/0/72", "90 2 12345678 constant host again",
            ])
    }

    /// The first packets already show that the other side's numbers change and these do not: nothing was missed.
    @Test(arguments: [Direction.tx, .rx]) func nothingIsMissedUntilNumbersChange(constant: Direction) {
        let packets = (0..<6).flatMap { index in
            let (sn, time) = (index & 1, 1_030_000 + 30_000 * index)
            return [
                air.att(
                    .tx, sn: constant == .tx ? 0 : sn, nesn: constant == .tx ? 0 : sn, "52 0300 0\(index)", time: time),
                air.att(
                    .rx, sn: constant == .rx ? 0 : sn, nesn: constant == .rx ? 0 : 1 - sn, "1B 0300 0\(index)",
                    time: time + 300),
            ]
        }
        let recorder = decode([air.connect(time: 1_000_000)] + packets)
        #expect(recorder.lines("missed").isEmpty)
        expect(recorder.lines("connection").count { $0.contains("constant") }, equals: 1)
    }

    /// The same PDU again is another one, when no number says otherwise.
    @Test func withoutSequenceNumbersNothingIsSentAgain() {
        let write = air.att(.tx, sn: 0, nesn: 0, "52 0300 01")
        expect(decode(synthetic(4, from: 1_000_000) + [write, write]).lines("att").count, equals: 6)
        expect(decode([air.connect(), write, write]).lines("att").count, equals: 1)
    }

    /// Programs that attack devices write another header now and then.
    @Test func oneHeaderAmongManyThatDiffers() {
        let recorder = decode(
            synthetic(10, from: 1_000_000) + [air.att(.tx, sn: 1, nesn: 0, "52 0300 0A", time: 1_400_000)]
                + synthetic(10, from: 1_400_000).dropFirst())
        #expect(recorder.lines("missed").isEmpty)
    }

    /// A side whose numbers change has a controller: what was missed of it counts, also in the connection after one of a program.
    @Test func sequenceNumbersThatChangeAreOnes() {
        var packets = synthetic(4, from: 1_000_000) + [air.connect(time: 3_000_000)]
        for (index, sn) in [0, 1, 1, 1, 1, 1].enumerated() {
            packets.append(
                air.att(
                    .tx, sn: sn, nesn: 0, "52 0300 0\(index)", event: UInt16(index), time: 3_030_000 + 30_000 * index))
        }
        let recorder = decode(packets)
        expect(recorder.lines("missed").suffix(2).map { $0.prefix(9) }, equals: ["missed 15", "missed 16"])
    }

    // MARK: Frames

    /// A Write Command of eight octets in two packets.
    private let first = hex("0800 0400 52 0300")
    private let second = hex("01 02 03 04 05")

    @Test func fragmentsAreJoined() {
        let recorder = decode([
            air.connect(), air.data(.tx, 2, sn: 0, nesn: 0, first), air.empty(.rx, sn: 0, nesn: 1),
            air.data(.tx, 1, sn: 1, nesn: 1, second),
        ])
        expect(recorder.lines("att"), equals: ["att 4 tx 52 peer 0003 frames=2,4"])
    }

    @Test func aFrameWithAHoleIsAFault() {
        let recorder = decode([
            air.connect(), air.data(.tx, 2, sn: 0, nesn: 0, first), air.empty(.rx, sn: 0, nesn: 1),
            // SN stays at 0 and the contents differ: the packet between was missed.
            air.data(.tx, 1, sn: 0, nesn: 1, second),
            air.att(.tx, sn: 1, nesn: 1, "52 0300 09"),
        ])
        expect(
            recorder.lines("fault", "att", "missed"),
            equals: [
                "fault 4 l2cap: a packet of this frame was missed, need 12 have 7 by missed packets frames=2",
                "fault 4 l2cap: continuation of a frame whose beginning was not captured, need 1 have 0 by missed packets",
                "missed 5 tx central 1 peripheral 0", "att 5 tx 52 peer 0003",
            ])
    }

    /// When packets of both sides are missing, the next response may answer another request.
    @Test func aResponseBehindALossAnswersNothing() {
        let recorder = decode([
            air.connect(), air.att(.tx, sn: 0, nesn: 0, request),
            // The peripheral acknowledged two packets of the central, the central one of the peripheral.
            air.data(.tx, 1, sn: 0, nesn: 1, []),
            air.att(.rx, sn: 1, nesn: 1, response),
        ])
        expect(recorder.lines("att"), equals: ["att 2 tx 0A peer 0003", "att 4 rx 0B peer"])
    }

    // MARK: Who sent it

    /// LINKTYPE_BLUETOOTH_LE_LL says nothing: within an event the two alternate, 150 µs apart, and the central begins.
    @Test func directionsByAlternation() {
        var air = air
        air.tellsDirection = false
        // Requests take 8 × (10 + 7) = 136 µs, empty packets 80 µs. 2.1 and 4.1.1.
        let recorder = decode([
            air.connect(time: 1_000_000),
            air.att(.tx, sn: 0, nesn: 0, request, time: 1_030_000),
            air.empty(.rx, sn: 0, nesn: 1, time: 1_030_286),
            // The next event, on another channel: the central again.
            air.data(.tx, 1, sn: 1, nesn: 1, [], channel: 12, time: 1_060_000),
            air.att(.rx, sn: 1, nesn: 0, response, channel: 12, time: 1_060_230),
        ])
        expect(recorder.lines("att"), equals: ["att 2 tx 0A peer 0003", "att 5 rx 0B peer 0003 answers 2 after 30230"])
    }

    /// The central's packet was missed: the first that is heard in the event is the peripheral's, as its numbers say.
    @Test func theFirstOfAnEventMayBeThePeripherals() {
        var air = air
        air.tellsDirection = false
        let recorder = decode([
            air.connect(time: 1_000_000),
            air.att(.tx, sn: 0, nesn: 0, request, time: 1_030_000),
            air.empty(.rx, sn: 0, nesn: 1, time: 1_030_286),
            // Missed: the central's empty packet with SN 1 and NESN 1.
            air.att(.rx, sn: 1, nesn: 0, response, channel: 12, time: 1_060_230),
            // And one whose numbers fit nobody: the central would repeat SN 0 or continue with 1 and 0.
            air.att(.tx, sn: 1, nesn: 1, "1B 0300 01", channel: 3, time: 1_090_000),
        ])
        expect(
            recorder.lines("att"),
            equals: [
                "att 2 tx 0A peer 0003", "att 4 rx 0B peer 0003 answers 2 after 30230", "att 5 ?? 1B peer 0003",
            ])
    }

    /// The third packet of an event, 150 µs after the peripheral's and in answer to it, is not the peripheral's, whatever the
    /// sniffer says. Without an answer's numbers it is right.
    @Test func aDirectionThatTheEventContradicts() {
        let recorder = decode([
            air.connect(time: 1_000_000),
            air.empty(.tx, sn: 0, nesn: 0, time: 1_030_000),
            air.empty(.rx, sn: 0, nesn: 1, time: 1_030_230),
            air.att(.rx, sn: 1, nesn: 1, request, time: 1_030_460),
        ])
        expect(recorder.lines("att"), equals: ["att 4 tx 0A peer 0003"])
        let credible = decode([
            air.connect(time: 1_000_000),
            air.empty(.tx, sn: 0, nesn: 0, time: 1_030_000),
            air.empty(.rx, sn: 0, nesn: 1, time: 1_030_230),
            air.att(.rx, sn: 1, nesn: 0, request, time: 1_030_690),
        ])
        expect(credible.lines("att"), equals: ["att 4 rx 0A local 0003"])
    }

    /// Nobody says which side the first packet of a connection is from that began before the capture.
    @Test func directionsOfAnUnknownBeginningStayUnknown() {
        var air = air
        air.tellsDirection = false
        air.radio.crc = .ok
        let recorder = decode([air.att(.tx, sn: 0, nesn: 0, request)])
        expect(recorder.lines(), equals: ["connection 1 1 12345678 presumed LE", "att 1 ?? 0A peer 0003"])
    }

    // MARK: Which connection

    /// Noise has Access Addresses, too: a second packet must come out with the same CRCInit. 3.1.1.
    @Test func aConnectionFromBeforeTheCapture() {
        let recorder = decode([
            air.att(.tx, sn: 0, nesn: 0, "52 0300 01"), air.att(.tx, sn: 1, nesn: 0, "52 0300 02"),
            air.att(.tx, sn: 0, nesn: 0, "52 0300 03", bad: true), air.att(.tx, sn: 0, nesn: 0, "52 0300 04"),
        ])
        expect(
            recorder.lines(),
            equals: [
                "connection 2 1 12345678 presumed LE", "att 2 tx 52 peer 0003", "att 4 tx 52 peer 0003",
            ])
        expect(
            recorder.lines("air").map { $0.split(separator: " ").last },
            equals: ["unconfirmed", "taken", "CRC", "taken"])
    }

    @Test func noiseIsNoConnection() {
        var noise = air
        let recorder = decode(
            (0..<50).map { index in
                noise.accessAddress = little(index) + [7, 7]
                noise.crcInit = UInt32(index * 77)
                return noise.att(.tx, sn: 0, nesn: 0, request)
            })
        #expect(recorder.lines().isEmpty)
    }

    /// Programs that are no controllers use one Access Address for all connections: each CONNECT_IND begins another, whose events and
    /// sequence numbers begin with 0. 2.1.2, 4.5.1, 4.5.9.
    @Test func anAccessAddressThatIsUsedAgain() {
        let recorder = decode([
            air.connect(time: 1_000_000), air.att(.tx, sn: 0, nesn: 0, "52 0300 01", time: 1_030_000),
            air.att(.rx, sn: 0, nesn: 1, "1B 0300 01", time: 1_030_286),
            air.connect(time: 2_000_000),
            // The numbers of the first connection would make it an acknowledged repetition, and these hundreds of missed events.
            air.att(.tx, sn: 0, nesn: 0, "52 0300 01", time: 3_930_000),
            air.control(.tx, sn: 1, nesn: 0, "18 02 02 0200", time: 3_960_000),
            air.empty(.tx, sn: 0, nesn: 0, time: 3_990_000),
        ])
        expect(
            recorder.lines(),
            equals: [
                "connection 1 1 12345678 made 66:55:44:33:22:11 LE central 24/0/72", "att 2 tx 52 peer 0003",
                "att 3 rx 1B peer 0003", "connection 4 1 12345678 superseded",
                "connection 4 2 12345678 made 66:55:44:33:22:11 LE central 24/0/72",
                "att 5 tx 52 peer connection 2 0003", "connection 6 2 12345678 announced PHY 2 2 at 2",
                "connection 7 2 12345678 PHY 2 2",
            ])
    }

    /// Several radios hear the same CONNECT_IND.
    @Test func aConnectionRequestThatIsHeardTwice() {
        let recorder = decode([air.connect(), air.connect(), air.att(.tx, sn: 0, nesn: 0, "52 0300 01")])
        expect(recorder.lines("connection").count, equals: 1)
    }

    /// The acknowledgement of LL_TERMINATE_IND belongs to no new connection. 5.1.6.
    @Test func whatFollowsTheEndIsNoConnection() {
        let recorder = decode([
            air.connect(), air.control(.rx, sn: 0, nesn: 0, "02 13"), air.empty(.tx, sn: 0, nesn: 1),
            air.empty(.tx, sn: 0, nesn: 1),
        ])
        expect(
            recorder.lines(),
            equals: [
                "connection 1 1 12345678 made 66:55:44:33:22:11 LE central 24/0/72",
                "connection 2 1 12345678 ended by peer: Remote User Terminated Connection",
            ])
        expect(recorder.lines("air").filter { $0.hasSuffix("ended") }.count, equals: 2)
    }

    @Test func connectedAnew() {
        var second = air
        second.accessAddress = hex("99887766")
        let recorder = decode([air.connect(), air.connect(), second.connect()])
        expect(
            recorder.lines(),
            equals: [
                "connection 1 1 12345678 made 66:55:44:33:22:11 LE central 24/0/72",
                "connection 3 1 12345678 unheard", "connection 3 1 12345678 superseded",
                "connection 3 2 66778899 made 66:55:44:33:22:11 LE central 24/0/72",
            ])
    }

    /// Two links between other devices, and each has its own reassembly and requests.
    @Test func twoLinksAtOnce() {
        var other = air
        other.accessAddress = hex("99887766")
        other.crcInit = 0x77_7777
        let recorder = decode([
            air.connect(), air.data(.tx, 2, sn: 0, nesn: 0, first),
            other.att(.tx, sn: 0, nesn: 0, request), other.att(.tx, sn: 1, nesn: 0, request),
            air.data(.tx, 1, sn: 1, nesn: 0, second),
        ])
        expect(
            recorder.lines("att"), equals: ["att 4 tx 0A peer connection 2 0003", "att 5 tx 52 peer 0003 frames=2,5"])
    }

    // MARK: Faults

    @Test func aRecordThatIsCutIsNotMalformed() {
        var packet = air.att(.tx, sn: 0, nesn: 0, "52 0300 01020304")
        var checked = air
        checked.radio.crc = .ok
        packet = checked.att(.tx, sn: 0, nesn: 0, "52 0300 01020304")
        packet.octets.removeLast(6)
        packet.missing = 6
        let recorder = decode([air.connect(), packet])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "att 2 tx 52 peer 0003 ! att: PDU not captured to its end, need 7 have 4 by captured length"
            ])
    }

    @Test func aLengthBeyondTheRecordIsAFault() {
        var packet = air.att(.tx, sn: 0, nesn: 0, "52 0300 01")
        packet.octets[5] = 0x84
        let recorder = decode([air.connect(), packet, air.att(.tx, sn: 0, nesn: 0, "52 0300 01")])
        expect(
            recorder.lines("att", "fault"),
            equals: [
                "fault 2 link layer: record ends before the length in the PDU's header, need 134 have 13 by captured length",
                "att 3 tx 52 peer 0003",
            ])
    }

    @Test func aPacketWithoutAHeaderIsAFault() {
        let packet = Packet(.air(RadioInfo()), .unknown, hex("78563412 01"))
        expect(
            decode([packet]).lines(),
            equals: [
                "fault 1 link layer: packet without the header of its PDU, need 6 have 5 by captured length"
            ])
    }

    @Test func theReservedLLIDIsAFault() {
        let recorder = decode([air.connect(), air.data(.tx, 0, sn: 0, nesn: 0, [1])])
        expect(
            recorder.lines("fault"),
            equals: [
                "fault 2 link layer: data PDU of the reserved LLID 0b00, need 1 have 0 by link layer length"
            ])
    }
}

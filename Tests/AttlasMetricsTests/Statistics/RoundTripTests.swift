import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasMetrics

@Suite struct RoundTripTests {
    @Test func twentyReadsOf50Milliseconds() throws {
        var talk = Talk()
        talk.connect(at: 0)
        for index in 0..<20 { talk.read(at: 100 + 100 * Double(index), answeredAfter: 50) }
        let row = try talk.exchange()
        expect(row.key.opcode.rawValue, equals: 0x0A)
        expect(row.key.direction, equals: .tx)
        expect(row.key.attribute?.handle, equals: 0x0003)
        expect(row.roundTrips.count, equals: 20)
        for percent in [50.0, 90, 99] { expect(row.roundTrips.percentile(percent), equals: 50_000) }
        expect(row.roundTrips.maximum, equals: 50_000)
        // 50 ms ÷ (24 × 1.25 ms), in hundredths, cut.
        expect(row.intervals.percentile(50), equals: 166)
        expect([row.unanswered, row.timedOut, row.overlapping, row.untimed], equals: [0, 0, 0, 0])
    }

    @Test func intervalsAreThoseInForceWhenTheAnswerCame() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "0A 0300", at: 100)
        // LE Connection Update Complete: 12 × 1.25 ms. Vol 4, Part E, 7.7.65.3.
        talk.event("3E 0A 03 00 4000 0C00 0000 4800", at: 120)
        talk.att(.rx, "0B 57", at: 160)
        try expect(talk.exchange().intervals.maximum, equals: 400)
    }

    @Test func oneSlowOfAHundredIsTheMaximumOnly() throws {
        var talk = Talk()
        talk.connect(at: 0)
        for index in 0..<99 { talk.read(at: 100 + 20 * Double(index), answeredAfter: 10) }
        talk.read(at: 3_000, answeredAfter: 1_000)
        let row = try talk.exchange()
        expect(row.roundTrips.percentile(50), equals: 10_000)
        expect(row.roundTrips.percentile(99), equals: 10_000)
        expect(row.roundTrips.maximum, equals: 1_000_000)
        let slowest = try #require(talk.measure().groups(by: .connection).first?.slowest)
        expect(slowest.count, equals: 10)
        // The hundredth read, then the first nine of equal ones.
        expect(slowest.map(\.requestFrame), equals: [200] + stride(from: 2, through: 18, by: 2))
        expect(slowest.map(\.frame), equals: [201] + stride(from: 3, through: 19, by: 2))
        expect(slowest[0].nanoseconds, equals: 1_000_000_000)
    }

    @Test func anErrorIsAnAnswer() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "0A 0300", at: 100)
        talk.att(.rx, "01 0A 0300 05", at: 130)
        try expect(talk.exchange().roundTrips.maximum, equals: 30_000)
    }

    @Test func anIndicationAndItsConfirmationAreARoundTrip() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, "1D 0300 01", at: 100)
        talk.att(.tx, "1E", at: 107)
        let row = try talk.exchange()
        expect(row.key.opcode.rawValue, equals: 0x1D)
        expect(row.key.direction, equals: .rx)
        expect(row.roundTrips.maximum, equals: 7_000)
    }

    @Test func bothSidesMayAskAtOnce() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "0A 0300", at: 100)
        talk.att(.rx, "0A 0300", at: 101)
        talk.att(.tx, "0B 01", at: 111)
        talk.att(.rx, "0B 02", at: 130)
        let rows = try #require(talk.measure().groups(by: .connection).first?.exchanges)
        expect(rows.map(\.key.direction), equals: [.tx, .rx])
        expect(rows.map(\.roundTrips.maximum), equals: [30_000, 10_000])
        expect(rows.map(\.overlapping), equals: [0, 0])
    }

    @Test func aSearchIsAboutNoAttribute() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "10 0100 FFFF 0028", at: 100)
        talk.att(.rx, "11 06 0100 0500 0018", at: 120)
        talk.att(.tx, "10 0600 FFFF 0028", at: 200)
        talk.att(.rx, "01 10 0600 0A", at: 240)
        let rows = try #require(talk.measure().groups(by: .connection).first?.exchanges)
        expect(rows.count, equals: 1)
        #expect(rows[0].key.attribute == nil)
        expect(rows[0].roundTrips.count, equals: 2)
    }

    // MARK: What went wrong

    @Test func aRequestBeforeTheLastWasAnsweredOverlaps() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "0A 0300", at: 100)
        talk.att(.tx, "0A 0300", at: 110)
        talk.att(.rx, "0B 57", at: 150)
        let row = try talk.exchange()
        expect(row.overlapping, equals: 1)
        expect(row.unanswered, equals: 0)
        // The answer is that of the later request.
        expect(row.roundTrips.maximum, equals: 40_000)
    }

    @Test(arguments: [(20.0, 0), (29_999.9, 0), (30_000, 1), (45_000, 1)])
    func whatIsNotAnsweredByTheEndOfTheConnection(wait: Double, timedOut: Int) throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "0A 0300", at: 100)
        talk.disconnect(at: 100 + wait)
        let row = try talk.exchange()
        expect(row.unanswered, equals: 1)
        expect(row.timedOut, equals: timedOut)
        expect(row.roundTrips.count, equals: 0)
    }

    @Test func whatIsNotAnsweredByTheEndOfTheCapture() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "0A 0300", at: 100)
        talk.att(.rx, "1B 0300 01", at: 31_000)
        let row = try talk.exchange()
        expect(row.unanswered, equals: 1)
        expect(row.timedOut, equals: 1)
    }

    @Test func anAnswerBehind30SecondsIsTimedOut() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.read(at: 100, answeredAfter: 30_000)
        talk.read(at: 40_000, answeredAfter: 29_999)
        let row = try talk.exchange()
        expect(row.timedOut, equals: 1)
        expect(row.unanswered, equals: 0)
        expect(row.roundTrips.maximum, equals: 30_000_000)
    }

    @Test func behindALossNobodyKnowsWhatWasAnswered() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "0A 0300", at: 100)
        talk.att(.rx, "1B 0300 01", at: 200, lost: 3)
        talk.disconnect(at: 300)
        let row = try talk.exchange()
        expect([row.answerMissed, row.unanswered, row.timedOut, row.overlapping], equals: [1, 0, 0, 0])
    }

    /// The third record has more octets than it says that it was cut from.
    @Test func behindAnUnreadableRecordNobodyKnowsWhatWasAnswered() throws {
        let request = hex("02 40 00 07 00 03 00 04 00 0A 03 00")
        let notification = hex("02 40 20 08 00 04 00 04 00 1B 03 00 01")
        let records = [notification, request, hex("00"), request].enumerated().flatMap { index, octets in
            btsnoopRecord(
                octets, flags: index == 0 ? 1 : 0, original: index == 2 ? 0 : nil,
                time: btsnoopTime + UInt64(index) * 1_000)
        }
        var reader = try CaptureReader(bytes: btsnoopHeader() + records, name: "a")
        var trace = Trace()
        var collector = StatisticsCollector()
        let extent = try trace.decode(&reader, into: &collector)
        trace.finish(into: &collector)
        collector.finish(in: trace)
        expect(extent.unreadable, equals: 1)
        let row = try #require(collector.groups(by: .connection).first?.exchanges.first)
        expect([row.answerMissed, row.overlapping], equals: [1, 0])
    }

    @Test func whatIsAskedBehindALossDoesNotOverlap() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "0A 0300", at: 100)
        talk.att(.tx, "0A 0300", at: 200, lost: 3)
        talk.att(.rx, "0B 57", at: 250)
        let row = try talk.exchange()
        expect([row.answerMissed, row.unanswered, row.timedOut, row.overlapping], equals: [1, 0, 0, 0])
        expect(row.roundTrips.maximum, equals: 50_000)
    }

    // MARK: What a sniffer missed

    private let air = Air()

    private func rows(_ packets: [Packet]) -> [ExchangeRow] {
        var talk = Talk()
        for (index, packet) in ([air.connect()] + packets).enumerated() { talk.add(packet, at: 30 * Double(index)) }
        return talk.measure().groups(by: .connection).first?.exchanges ?? []
    }

    /// The central's NESN changes: it received a packet of the peripheral that may have been the answer. Core Specification, Vol 6,
    /// Part B, 4.5.9.
    @Test func anAnswerThatTheSnifferMissed() throws {
        let end = air.control(.tx, sn: 0, nesn: 1, "02 13", event: 4)
        let packets = [
            air.att(.tx, sn: 0, nesn: 0, "0A 0300", event: 1), air.att(.tx, sn: 1, nesn: 1, "0A 0300", event: 2),
        ]
        let row = try #require(rows(packets).first)
        expect([row.answerMissed, row.unanswered, row.overlapping, row.open], equals: [1, 0, 0, 1])
        // The one that comes after all is counted as usual.
        let late = air.att(.rx, sn: 1, nesn: 0, "0B 57", event: 3)
        let answered = try #require(rows(packets + [late, end]).first)
        expect([answered.answerMissed, answered.unanswered, answered.overlapping], equals: [1, 0, 0])
        expect(answered.roundTrips.count, equals: 1)
    }

    /// A packet of the central cannot have been the peripheral's answer.
    @Test func anAnswerThatWasNotMissed() throws {
        let row = try #require(
            rows([
                air.att(.tx, sn: 0, nesn: 0, "0A 0300", event: 1), air.empty(.rx, sn: 0, nesn: 1, event: 2),
                // The central's packet with SN 1 was missed: the peripheral acknowledges it.
                air.empty(.rx, sn: 1, nesn: 0, event: 3), air.control(.rx, sn: 0, nesn: 0, "02 13", event: 4),
            ]).first)
        expect([row.answerMissed, row.unanswered, row.overlapping], equals: [0, 1, 0])
    }

    /// LL_START_ENC_REQ without LL_ENC_REQ: nothing that follows can be read.
    @Test func anAnswerThatIsEncrypted() throws {
        let row = try #require(
            rows([
                air.att(.tx, sn: 0, nesn: 0, "0A 0300", event: 1), air.control(.rx, sn: 0, nesn: 1, "05", event: 2),
                air.data(.tx, 2, sn: 1, nesn: 1, hex("7A70D664 15226DF2 6B17839A 06040559"), event: 3),
            ]).first)
        expect([row.answerMissed, row.unanswered], equals: [1, 0])
    }

    // MARK: What else went wrong

    @Test func anAnswerThatCannotBeReadMayHaveBeenOne() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.tx, "0A 0300", at: 100)
        // An Error Response that ends after its opcode.
        talk.att(.rx, "01", at: 150)
        talk.disconnect(at: 300)
        let row = try talk.exchange()
        expect([row.answerMissed, row.unanswered, row.roundTrips.count], equals: [1, 0, 0])
    }

    @Test func nothingIsTimedAcrossAJumpOfTheClock() throws {
        var talk = Talk()
        talk.connect(at: 10_000)
        talk.att(.tx, "0A 0300", at: 10_100)
        // More than a day later.
        talk.att(.rx, "0B 57", at: 100_000_000)
        talk.read(at: 100_000_100, answeredAfter: 50)
        let row = try talk.exchange()
        expect(row.untimed, equals: 1)
        expect(row.timedOut, equals: 0)
        expect(row.roundTrips.count, equals: 1)
        expect(row.roundTrips.maximum, equals: 50_000)
    }

    @Test func aResponseWithoutItsRequestIsNoRoundTrip() {
        var talk = Talk()
        talk.connect(at: 0)
        talk.att(.rx, "0B 57", at: 100)
        #expect(talk.measure().groups(by: .connection)[0].exchanges.isEmpty)
    }

    // MARK: Selection and limits

    @Test func anAnswerOutsideTheSelectionIsStillAnAnswer() throws {
        var talk = Talk()
        talk.connect(at: 0)
        talk.read(at: 100, answeredAfter: 50)
        // Requests only.
        let collector = talk.measure { $0.isSelected = $1 == 2 }
        expect(collector.groups(by: .connection).map(\.exchanges.count), equals: [0])
        // Answers only.
        let answers = talk.measure { $0.isSelected = $1 == 3 }
        expect(answers.groups(by: .connection)[0].exchanges.map(\.roundTrips.maximum), equals: [50_000])
        // Nothing.
        #expect(talk.measure { collector, _ in collector.isSelected = false }.groups(by: .connection).isEmpty)
    }

    @Test func rowsHaveALimit() {
        var talk = Talk()
        talk.connect(at: 0)
        for handle in 1...StatisticsCollector.rowLimit + 5 {
            talk.add(.frame(.tx, channel: 4, [0x0A] + little(handle)), at: Double(handle))
            talk.add(.frame(.rx, channel: 4, [0x0B]), at: Double(handle) + 0.5)
        }
        let collector = talk.measure()
        expect(collector.groups(by: .connection)[0].exchanges.count, equals: StatisticsCollector.rowLimit)
        // Request, answer and value.
        expect(collector.operationsLeftOut, equals: 15)
    }
}

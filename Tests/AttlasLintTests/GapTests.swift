import AttlasInput
import AttlasLint
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Testing

/// What is missing from a capture silences the rules that need it, and only as long as they need it.
@Suite struct GapTests {
    private func found(_ text: String) -> [String] {
        Conversation(text).lint().findings.map { "\($0.rule.id)@\($0.frame)" }
    }

    /// There is one exchange in a connection. Core Specification, Vol 3, Part F, 3.4.2.1.
    @Test func anExchangedMTUStays() {
        let tooLong = "> 52 0300 \(repeated("41", 21).replacing("\n", with: " "))"
        expect(found("connect\n> 02 1700\n< 03 1700\nlose\n\(tooLong)"), equals: ["att/pdu-above-mtu@4"])
        // The exchange may have been lost.
        expect(found("connect\n> 0A 0300\nlose\n\(tooLong)"), equals: [])
    }

    /// One request is answered before the next. Vol 3, Part F, 3.3.2.
    @Test func aResponseIsUnexpectedOnceARequestWasAnswered() {
        expect(found("connect\n> 0A 0300\nlose\n< 0B 57"), equals: [])
        expect(found("connect\n> 0A 0300\nlose\n> 0A 0300\n< 0B 57\n< 0B 58"), equals: ["att/unexpected-response@5"])
        expect(found("connect presumed\n> 0A 0300\n< 0B 57\n< 0B 58"), equals: ["att/unexpected-response@4"])
    }

    /// Each loss may have held a request.
    @Test func asManyResponsesAreExpectedAsThereWereLosses() {
        let losses = "lose\nadvertise 010000000000\nlose\nadvertise 010000000000\n"
        expect(found("connect\n> 0A 0300\n\(losses)< 0B 57\n< 0B 57"), equals: [])
        expect(found("connect\n> 0A 0300\n\(losses)< 0B 57\n< 0B 57\n< 0B 57"), equals: ["att/unexpected-response@7"])
    }

    @Test func aConfirmationIsUnexpectedOnceAnIndicationWasConfirmed() {
        expect(found("connect\n< 1D 0300 01\nlose\n> 1E"), equals: [])
        expect(
            found("connect\n< 1D 0300 01\nlose\n< 1D 0300 01\n> 1E\n> 1E"), equals: ["att/unexpected-confirmation@5"])
    }

    /// The configuration of Temperature, written to 0 after the gap; and before it, when the write may have been lost.
    @Test func aConfigurationThatIsWrittenAfterAGapIsKnown() {
        let write = "> 12 1300 0000\n< 13\n"
        let notification = "< 1B 1200 0100"
        expect(found("\(table)lose\n\(write)\(notification)"), equals: ["gatt/not-subscribed@12"])
        expect(found("\(table)\(write)lose\n\(notification)"), equals: [])
        expect(found("\(table)lose\n\(notification)"), equals: [])
    }

    /// A record that cannot be read may have been the response. The second record says that it has more octets than it was cut
    /// from.
    @Test func anUnreadableRecordIsAGap() throws {
        let request = hex("02 40 00 07 00 03 00 04 00 0A 03 00")
        let records = [request, hex("00"), request].enumerated().flatMap { index, octets in
            btsnoopRecord(octets, original: index == 1 ? 0 : nil, time: btsnoopTime + UInt64(index) * 1_000)
        }
        var reader = try CaptureReader(bytes: btsnoopHeader() + records, name: "a")
        var trace = Trace()
        var collector = Interpreted(library: .shipped) { LintCollector(values: $0) }
        let extent = try trace.decode(&reader, into: &collector)
        let model = collector.finish(in: trace, CaptureIntegrity(extent, in: trace))
        expect(model.integrity.extent.unreadable, equals: 1)
        expect(model.findings.map(\.rule.id), equals: [])
        #expect(model.silent.contains("att/request-overlap"))
    }

    /// Losses before a connection silence nothing, and those of a capture without a loss neither.
    @Test func rulesAreNamedOnlyWhereAConnectionHasAGap() {
        expect(Conversation("lose\nconnect\n> 0A 0300\n< 0B 57").lint().silent, equals: [])
        #expect(Conversation("connect\n> 0A 0300\nlose\n< 0B 57").lint().silent.contains("att/wrong-response"))
        #expect(!Conversation("connect\n> 0A 0300\nlose\n< 0B 57").lint().silent.contains("att/malformed-pdu"))
    }

    /// What a sniffer reads is not encrypted, whatever it missed: SN stays and the contents differ. Vol 6, Part B, 4.5.9.
    @Test func whatIsReadOnTheAirIsNotEncrypted() {
        let air = Air()
        let packets = [
            air.connect(), air.att(.tx, sn: 0, nesn: 0, "08 0100 FFFF 0328"),
            air.empty(.rx, sn: 0, nesn: 1), air.att(.rx, sn: 1, nesn: 1, "09 07 0200 12 0300 372A"),
            air.att(.rx, sn: 1, nesn: 1, "1B 0300 00 48"),
        ]
        let model = document(of: packets) { LintCollector(values: $0) }
        expect(model.findings.map { "\($0.rule.id)@\($0.frame)" }, equals: ["security/personal-unencrypted@5"])
    }

    /// The answer came in an event that the sniffer missed, of which only the central's packet is certain. Vol 6, Part B, 4.5.1.
    @Test func anAnswerInMissedEventsIsNotDemanded() {
        let air = Air()
        func found(_ event: UInt16) -> [String] {
            let time = 1_000_000 + Int(event) * 30_000
            let sn = Int(event) & 1
            let packets = [
                air.connect(time: 970_000), air.att(.tx, sn: 0, nesn: 0, "0A 0300", event: 0, time: 1_000_000),
                air.empty(.rx, sn: 0, nesn: 1, event: 0, time: 1_000_300),
                air.att(.tx, sn: sn, nesn: 1, "0A 0500", event: event, time: time),
            ]
            return document(of: packets) { LintCollector(values: $0) }.findings.map { "\($0.rule.id)@\($0.frame)" }
        }
        expect(found(1), equals: ["att/request-overlap@4"])
        expect(found(3), equals: [])
    }

    /// 100 Write Commands of 24 octets, 28 with the L2CAP header: of two packets each, or of one.
    @Test(arguments: [27, 251])
    func aBulkTransferOnTheAirIsSeenInItsPackets(longest: Int) {
        let air = Air()
        var packets = [air.connect(time: 0)]
        var count = 0
        func exchange(_ llid: UInt8, _ octets: [UInt8], _ answer: [UInt8] = []) {
            let time = 10_000 + count * 30_000
            packets.append(air.data(.tx, llid, sn: count % 2, nesn: count % 2, octets, time: time))
            packets.append(
                air.data(
                    .rx, answer.isEmpty ? 1 : 2, sn: count % 2, nesn: (count + 1) % 2, answer, time: time + 500))
            count += 1
        }
        exchange(2, hex("0300 0400 02 F700"), hex("0300 0400 03 F700"))
        let write = hex("1800 0400 52 0300") + Array(repeating: 0x41, count: 21)
        for _ in 0..<100 {
            exchange(2, Array(write.prefix(longest)))
            if write.count > longest { exchange(1, Array(write.dropFirst(longest))) }
        }
        let model = document(of: packets) { LintCollector(values: $0) }
        let rules = model.findings.map(\.rule.id).filter { $0.hasPrefix("link/") }
        expect(rules, equals: longest == 27 ? ["link/no-data-length-extension"] : [])
    }

    /// A clock that was set, by a day and more, makes nothing long: neither an attempt nor a scan nor a connection.
    @Test func aJumpOfTheClockMakesNothingLong() {
        let connect = "command 0D20 19 6000 3000 00 01 F2F2F2F2F2F2 01 1800 1800 0000 4800 0000 0000\n"
        expect(found("\(connect)wait 90000000\nadvertise 0102030405C0"), equals: [])
        expect(
            found(
                "command 0B20 07 01 6000 6000 00 00\ncommand 0C20 02 01 00\nconnect\nwait 90000000\n"
                    + "advertise 0102030405C0\ncommand 0C20 02 00 00"), equals: [])
        let subscribed = "\(table)> 12 1300 0100\n< 13\n< 1B 1200 C409\ndisconnect\n"
        expect(found("\(subscribed)connect\n> 02 F700\n< 03 F700\nwait 90000000\ndisconnect"), equals: [])
    }
}

import AttlasInput
import AttlasTestSupport
import AttlasValues
import Testing

@testable import AttlasConversation
@testable import AttlasPage
@testable import AttlasTrace

/// Captures whose first records are days older than the conversation, and captures that look like it.
@Suite struct TimeOriginTests {
    private static let day: UInt32 = 86_400
    private static let begin: UInt32 = 1_767_225_600

    /// HCI_Reset and its Command Complete; later LE Connection Complete. Core Specification, Vol 4, Part E, 7.3.2 and 7.7.65.1.
    private func packetLogger(pause: UInt32) -> [UInt8] {
        let file = PacketLoggerRecords()
        let later = Self.begin + pause
        return file.record(0x00, hex("030C00"), seconds: Self.begin)
            + file.record(0x01, hex("0E 04 01 030C 00"), seconds: Self.begin, microseconds: 500_000)
            + file.record(0x01, Packet.connected().octets, seconds: later, microseconds: 500_001)
            + file.record(0x01, Packet.disconnected().octets, seconds: later + 2, microseconds: 500_001)
    }

    private func show(_ octets: [UInt8]) throws -> (lines: [Substring], origin: TimeOrigin?) {
        var options = ConversationText.Options()
        options.showsHCI = true
        var sink = Interpreted(library: .shipped) { ConversationText(values: $0, options: options) }
        var reader = try CaptureReader(bytes: octets, name: "phone.pklg")
        var trace = Trace()
        try trace.settleOrigin(&reader)
        let extent = try trace.decode(&reader, into: &sink)
        sink.sink.begin(reader.info, extent, origin: trace.origin)
        return (sink.sink.lines.string.split(separator: "\n"), trace.origin)
    }

    @Test func timesCountFromTheConversationAfterOlderRecords() throws {
        let (lines, origin) = try show(packetLogger(pause: 3 * Self.day))
        expect(origin?.frame, equals: 3)
        #expect(lines.contains("Times count from frame 3: the 2 records before it are 3 days older."))
        #expect(lines.contains { $0.contains("-259200.500001") && $0.contains("Reset") })
        #expect(lines.contains { $0.contains(" 0.000000") && $0.contains("connected") })
        #expect(lines.contains { $0.contains(" 2.000000") && $0.contains("ended by the peer") })
    }

    /// Less than a day is a wait.
    @Test func aCaptureThatWaitsCountsFromItsFirstRecord() throws {
        let (lines, origin) = try show(packetLogger(pause: Self.day - 1))
        #expect(origin == nil)
        #expect(!lines.contains { $0.contains("Times count from") })
        #expect(lines.contains { $0.contains(" 0.000000") && $0.contains("Reset") })
        #expect(lines.contains { $0.contains("86399.500001") && $0.contains("connected") })
    }

    @Test func aLeapInTheConversationDoesNotMoveTheOrigin() throws {
        let file = PacketLoggerRecords()
        let octets =
            file.record(0x01, Packet.connected().octets, seconds: Self.begin)
            + file.record(0x01, Packet.disconnected().octets, seconds: Self.begin + 3 * Self.day)
        let (lines, origin) = try show(octets)
        #expect(origin == nil)
        #expect(lines.contains { $0.contains(" 0.000000") && $0.contains("connected") })
        #expect(lines.contains { $0.contains("259200.000000") && $0.contains("ended by the peer") })
    }

    @Test func aSingleOlderRecord() {
        let origin = TimeOrigin(frame: 2, time: Timestamp(microseconds: 0), age: 86_400_000_001)
        expect(origin.sentence, equals: "Times count from frame 2: the record before it is 1 day older.")
    }

    // MARK: The axis of a report

    /// 10 s, a leap of 3 days and 10 s: the gap takes a 25th of what remains.
    @Test func anAxisBreaksAtALeap() {
        let (second, leap) = (Int64(1_000_000_000), Int64(259_200_000_000_000))
        let axis = TimeAxis(span: leap + 20 * second, leaps: [.init(end: leap + 10 * second, length: leap)])
        #expect(abs(axis.share(of: 10 * second) - 10 / 20.8) < 1e-9)
        #expect(abs(axis.share(of: leap + 10 * second) - 10.8 / 20.8) < 1e-9)
        expect(axis.share(of: leap + 20 * second), equals: 1)
    }

    /// Leaps that overlap, because the clock went back between them, and times at the limits.
    @Test func anAxisKeepsNoLeapThatOverlaps() {
        let axis = TimeAxis(
            span: 100, leaps: [.init(end: 50, length: 40), .init(end: 60, length: 40), .init(end: .max, length: .max)])
        expect(axis.leaps.map(\.end), equals: [50])
        #expect(axis.share(of: .min) == 0 && axis.share(of: .max) == 1)
    }

    @Test func aReportMarksALeap() throws {
        let threeDays = 3.0 * 86_400_000
        let packets: [Packet] = [
            .connected().at(milliseconds: 0), .disconnected().at(milliseconds: 10_000),
            .connected().at(milliseconds: 10_000 + threeDays), .disconnected().at(milliseconds: 20_000 + threeDays),
        ]
        let page = try page(of: packets)
        #expect(page.contains("data-leaps=\"10.000000 259210.000000\""))
        #expect(page.contains("<rect class=\"gap\" y=\"0\" height=\"56\" x=\"48.08%\" width=\"3.85%\""))
        #expect(page.contains("the clock leapt ahead by 3 d 0 h</title>"))
    }

    @Test func aReportOfOlderRecordsBeginsWithTheConversation() throws {
        let threeDays = 3.0 * 86_400_000
        let packets: [Packet] = [
            .command("030C00").at(milliseconds: 0), .connected().at(milliseconds: threeDays),
            .disconnected().at(milliseconds: threeDays + 10_000),
        ]
        let page = try page(of: packets)
        #expect(page.contains("data-span=\"10.000000\"") && !page.contains("data-leaps"))
    }

    private func page(of packets: [Packet]) throws -> String {
        let model = document(of: packets) { ReportCollector(selection: .init(), values: $0) }
        return try printed { output in
            var page = ReportPage(ReportOptions(title: "a"), values: ValueInterpreter(library: .shipped))
            page.write(model, file: "a.btsnoop", number: 1)
            page.finish(into: &output)
        }
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// Tables of Saleae Logic, with one line for each octet of a UART.
@Suite struct SerialExportTests {
    private func row(_ name: String, _ time: String, _ octet: String) -> String {
        "\"\(name)\",\"data\",\(time),8.68e-05,0x\(octet)\n"
    }

    /// Octets of a packet, 87 µs apart.
    private func rows(_ name: String, at seconds: Double, _ octets: [UInt8]) -> String {
        octets.enumerated().map { row(name, "\(seconds + Double($0) * 87e-6)", String($1, radix: 16)) }.joined()
    }

    private let head = "name,type,start_time,duration,data\n"

    @Test func eachAnalyzerIsADirection() {
        let text =
            head + rows("Async Serial", at: 0.25, hex("01030C00"))
            + rows("Async Serial [1]", at: 0.5, hex("040E0401030C00"))
            + rows("Async Serial", at: 0.75, Sample.acl)
        let reading = Reading(Array(text.utf8))
        expect(reading.records.map(\.bytes), equals: [hex("030C00"), hex("0E0401030C00"), Sample.aclPacket])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .tx])
        expect(reading.records.map(\.time.nanoseconds), equals: [250_000_000, 500_000_000, 750_000_000])
        #expect(reading.error == nil && reading.info?.isText == true)
    }

    /// Lines of both directions alternate, with times such as 8.7e-05.
    @Test func linesMayAlternate() {
        let first = hex("01030C00").enumerated().map {
            (Double($0) * 1e-3, row("TX", "\(Double($0) * 1e-3)", String($1, radix: 16)))
        }
        let second = hex("04130501 4000 0100").enumerated().map {
            (8.7e-5 + Double($0) * 1e-3, row("RX", "\(8.7e-5 + Double($0) * 1e-3)", String($1, radix: 16)))
        }
        let text = head + (first + second).sorted { $0.0 < $1.0 }.map(\.1).joined()
        let reading = Reading(Array(text.utf8))
        expect(reading.records.map(\.bytes), equals: [hex("030C00"), hex("130501 4000 0100")])
        expect(reading.records.map(\.time.nanoseconds), equals: [0, 87_000])
    }

    /// The table of one analyzer, and that of an older version.
    @Test(arguments: [
        "Time [s],Value,Parity Error,Framing Error\n", "Time [s],Analyzer Name,Decoded Protocol Result,Value\n",
    ])
    func otherHeads(head: String) {
        let isOld = head.contains("Analyzer")
        let rows = hex("01030C00").enumerated().map {
            isOld ? "0.00\($0)00,UART,x,'?' (0x\(String($1, radix: 16)))" : "0.00\($0)000,0x\(String($1, radix: 16)),,"
        }
        expect(
            Reading(Array((head + rows.joined(separator: "\r\n")).utf8)).records.map(\.bytes), equals: [hex("030C00")])
    }

    /// Noise before a packet; a packet that is broken off, and the next one after a pause.
    @Test func octetsThatAreNoPacketAreReported() {
        let cut =
            head + rows("TX", at: 0, hex("01030C00")) + rows("TX", at: 0.01, hex("0103"))
            + rows("RX", at: 0.02, hex("04"))
        expect(
            Reading(Array(cut.utf8)).records.map(\.fault),
            equals: [nil, "2 octets that are no packet", "1 octet that is no packet"])
        let noise = head + rows("TX", at: 0, hex("FF00")) + rows("TX", at: 0.01, hex("01030C00"))
        expect(Reading(Array(noise.utf8)).records.map(\.fault), equals: ["2 octets that are no packet", nil])
        let broken = head + rows("TX", at: 0, hex("0103")) + rows("TX", at: 1, hex("01030C00"))
        let reading = Reading(Array(broken.utf8))
        expect(reading.records.map(\.fault), equals: ["2 octets that are no packet", nil])
        expect(reading.records.map(\.frame), equals: [1, 2])
    }

    /// Octets before the trigger have negative times; Excel writes a byte order mark.
    @Test func theTriggerMayBeInTheMiddle() {
        let text =
            "\u{FEFF}" + head + rows("TX", at: -0.25, hex("01030C00")) + rows("RX", at: 0.5, hex("040E0401030C00"))
        let reading = Reading(Array(text.utf8))
        expect(reading.records.map(\.direction), equals: [.tx, .rx])
        expect(reading.records.map(\.time.seconds), equals: [-1, 0])
        expect(reading.records.map(\.time.nanoseconds), equals: [750_000_000, 500_000_000])
    }

    @Test(arguments: [
        "name,type,start_time,duration,data\n\"TX\",\"data\",nan,1,0x01\n,,,,\n",
        "Time [s],Value\n0.1,21.5\n0.2,21.6\n",
    ])
    func aTableWithoutPacketsIsRefused(text: String) {
        let reading = Reading(Array(text.utf8))
        expect(reading.records.count, equals: 0)
        expect(reading.error?.reason, equals: "a table of a logic analyzer without HCI packets")
    }
}

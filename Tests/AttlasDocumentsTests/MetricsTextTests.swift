import AttlasCapture
import AttlasTestSupport
import AttlasTrace
import Testing

@testable import AttlasDocuments
@testable import AttlasMetrics
@testable import AttlasText

@Suite struct MetricsTextTests {
    private func lines(_ packets: [Packet]) -> [Substring] {
        var trace = Trace()
        var traffic = TrafficCounts()
        let extent = trace.decode(packets, into: &traffic)
        trace.finish(into: &traffic)
        var counts = LiveCounts(traffic, extent)
        counts.recordsNotShown = 3
        counts.recordsNotRecorded = 4
        counts.isRecordingFailed = true
        var output = Output.keeping()
        var text = MetricsText(counts)
        text.write(into: &output)
        return String(decoding: output.kept ?? [], as: UTF8.self).split(separator: "\n")
    }

    /// A bucket holds what is at most its limit, and those after it hold that, too.
    @Test func roundTripsAreInTheirBuckets() {
        let found = lines([
            .connected().at(milliseconds: 0),
            .att(.tx, "0A 0300").at(microseconds: 10_000), .att(.rx, "0B 41").at(microseconds: 20_000),
            .att(.tx, "0A 0300").at(microseconds: 30_000), .att(.rx, "0B 41").at(microseconds: 40_001),
            .att(.tx, "0A 0300").at(milliseconds: 1_000), .att(.rx, "0B 41").at(milliseconds: 36_000),
        ])
        let trips = found.filter { $0.hasPrefix("attlas_att_round_trip_seconds") }
        let label = #"{method="Read Request""#
        #expect(trips.contains(#"attlas_att_round_trip_seconds_bucket\#(label),le="0.005"} 0"#))
        #expect(trips.contains(#"attlas_att_round_trip_seconds_bucket\#(label),le="0.01"} 1"#))
        #expect(trips.contains(#"attlas_att_round_trip_seconds_bucket\#(label),le="0.02"} 2"#))
        #expect(trips.contains(#"attlas_att_round_trip_seconds_bucket\#(label),le="30"} 2"#))
        #expect(trips.contains(#"attlas_att_round_trip_seconds_bucket\#(label),le="+Inf"} 3"#))
        #expect(trips.contains(#"attlas_att_round_trip_seconds_count\#(label)} 3"#))
        #expect(trips.contains(#"attlas_att_round_trip_seconds_sum\#(label)} 35.020001"#))
    }

    @Test func errorsAndDisconnectionsHaveTheirCodes() {
        let found = lines([
            .connected(), .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 05"),
            // The end of a search: Vol 3, Part G, 4.4.1.
            .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "01 10 0100 0A"), .att(.rx, "1B 1000 5A"),
            .disconnected(reason: 0x08),
        ])
        #expect(found.contains(#"attlas_att_errors_total{code="0x05",name="Insufficient Authentication"} 1"#))
        expect(found.count { $0.hasPrefix("attlas_att_errors_total") }, equals: 1)
        #expect(found.contains(#"attlas_disconnections_total{code="0x08",name="Connection Timeout"} 1"#))
        #expect(found.contains("attlas_connections_ended_total 1"))
        #expect(found.contains(#"attlas_att_pdus_total{method="Handle Value Notification",direction="rx"} 1"#))
        #expect(found.contains(#"attlas_att_pdus_total{method="Error Response",direction="rx"} 2"#))
    }

    @Test func whatWasLostIsCounted() {
        let found = lines([.connected(), .att(.tx, "0A 0300").losing(7)])
        #expect(found.contains("attlas_records_lost_total 7") && found.contains("attlas_records_total 2"))
        #expect(found.contains("attlas_records_not_shown_total 3"))
        #expect(found.contains("attlas_records_not_recorded_total 4"))
        #expect(found.contains("attlas_recording_failed 1"))
    }

    /// However many devices there are: a name of one is in no line.
    @Test func devicesAddNoLines() {
        let one = lines([
            .advertisement(of: Address.strap, hex("05 09 48524D37")), .connected(), .att(.rx, "1B 1000 5A"),
            .disconnected(),
        ])
        var packets: [Packet] = []
        for number in 0..<100 {
            let address = "0102030405" + (number < 16 ? "0" : "") + String(number, radix: 16)
            packets += [.connected(address), .att(.rx, "1B 1000 5A"), .disconnected()]
        }
        expect(lines(packets).count, equals: one.count)
        #expect(!one.contains { $0.contains("HRM7") || $0.contains("F2") })
    }
}

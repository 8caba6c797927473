import AttlasCapture
import AttlasIncidents
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasWire

/// Counts of a live source.
package struct LiveCounts: Sendable {
    package var traffic: TrafficCounts
    package var extent: CaptureExtent
    /// Records that were not decoded or not recorded, because an output or a disk took too little.
    package var recordsNotShown = 0
    package var recordsNotRecorded = 0
    package var isRecordingFailed = false
    private var incidents: [Incident.Kind: Int] = [:]
    private var weights: [Incident.Weight: Int] = [:]

    package init(_ traffic: TrafficCounts = TrafficCounts(), _ extent: CaptureExtent = CaptureExtent()) {
        self.traffic = traffic
        self.extent = extent
    }

    package mutating func note(_ incident: IncidentCollector.News) {
        incidents[incident.kind, default: 0] += 1
        weights[incident.weight, default: 0] += 1
    }

    fileprivate func count(_ kind: Incident.Kind) -> Int { incidents[kind] ?? 0 }
    fileprivate func count(_ weight: Incident.Weight) -> Int { weights[weight] ?? 0 }
}

/// Counts in Prometheus' text format. https://prometheus.io/docs/instrumenting/exposition_formats
///
/// The number of its lines does not depend on how many devices there are, and none has a name, an address or a value.
package struct MetricsText {
    private var text = TextBuffer()
    private var metric: StaticString = ""

    /// The text of every file: an earlier one is recognized by it.
    package static let beginning = "# HELP attlas_build_info "

    package init(_ counts: LiveCounts) { write(counts) }

    package mutating func write(into output: inout Output) { output.write(&text) }

    private mutating func write(_ counts: LiveCounts) {
        begin("attlas_build_info", "gauge", "The version of attlas.")
        sample([("version", "\(AttlasVersion.text)")], 1)
        begin("attlas_records_total", "counter", "Records decoded.")
        sample(counts.extent.records)
        begin("attlas_records_lost_total", "counter", "Records missing from the source or from what is decoded.")
        sample(Int(clamping: counts.extent.lost))
        begin("attlas_records_unreadable_total", "counter", "Records that could not be read.")
        sample(counts.extent.unreadable)
        begin("attlas_records_not_shown_total", "counter", "Records not decoded because the output took too little.")
        sample(counts.recordsNotShown)
        begin("attlas_records_not_recorded_total", "counter", "Records not recorded because the disk took too little.")
        sample(counts.recordsNotRecorded)
        begin("attlas_recording_failed", "gauge", "1 if something is missing from the recording.")
        sample(counts.isRecordingFailed ? 1 : 0)
        if let last = counts.extent.last {
            begin("attlas_last_record_timestamp_seconds", "gauge", "Time of the last record, by its own clock.")
            sample([], seconds: last.nanoseconds(since: .epoch))
        }
        begin("attlas_clock_steps_total", "counter", "Times that the clock of the records was set.")
        sample(counts.traffic.totals.clockSteps)
        write(counts.traffic)
        begin("attlas_incidents_total", "counter", "Incidents by kind: attlas help what-broke.")
        for kind in Incident.Kind.allCases { sample([("kind", kind.rawValue)], counts.count(kind)) }
        begin("attlas_incidents_by_weight_total", "counter", "Incidents by weight.")
        for weight in Incident.Weight.allCases { sample([("weight", weight.rawValue)], counts.count(weight)) }
    }

    private mutating func write(_ traffic: TrafficCounts) {
        let totals = traffic.totals
        begin("attlas_connections_total", "counter", "Connections begun or found.")
        sample(totals.connections)
        begin("attlas_connections_ended_total", "counter", "Connections ended.")
        sample(traffic.connectionsEnded)
        begin("attlas_disconnections_total", "counter", "Disconnections by their reason.")
        for (code, count) in traffic.disconnections.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            sample([("code", Self.hexadecimal(code.rawValue)), ("name", code.name)], count)
        }
        begin("attlas_faults_total", "counter", "PDUs that could not be decoded.")
        sample([("kind", "malformed")], totals.malformed)
        sample([("kind", "cut_by_capture")], totals.cutShort)
        sample([("kind", "missed_by_sniffer")], totals.holes)
        begin("attlas_att_pdus_total", "counter", "ATT PDUs. tx: from the host or the central.")
        for opcode in UInt8.min...UInt8.max {
            for direction in [Direction.tx, .rx, .unknown] {
                let count = traffic.pdus(opcode, direction)
                guard count > 0 else { continue }
                sample([("method", ATTOpcode(rawValue: opcode).name), ("direction", "\(direction.word)")], count)
            }
        }
        begin("attlas_att_errors_total", "counter", "Error Responses, without those that end a discovery.")
        for (code, count) in traffic.errors.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            sample([("code", Self.hexadecimal(code.rawValue)), ("name", code.name)], count)
        }
        begin("attlas_att_round_trip_seconds", "histogram", "Time from an ATT request to its response.")
        for (opcode, trips) in traffic.roundTrips.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            write(trips, of: opcode.name)
        }
    }

    private mutating func write(_ trips: TrafficCounts.RoundTrips, of method: String) {
        var sum = 0
        for (index, count) in trips.counts.enumerated() {
            sum += count
            let limit =
                index < TrafficCounts.roundTripLimits.count
                ? Self.decimal(TrafficCounts.roundTripLimits[index] * 1_000) : "+Inf"
            sample([("method", method), ("le", limit)], sum, suffix: "_bucket")
        }
        sample([("method", method)], seconds: trips.sum, suffix: "_sum")
        sample([("method", method)], sum, suffix: "_count")
    }

    // MARK: Lines

    private mutating func begin(_ name: StaticString, _ type: StaticString, _ help: StaticString) {
        metric = name
        text.append("# HELP \(name) \(help)\n# TYPE \(name) \(type)\n")
    }

    private mutating func sample(_ number: Int) { sample([], number) }

    private mutating func sample(_ labels: [(String, String)], _ number: Int, suffix: StaticString = "") {
        beginSample(labels, suffix)
        text.append("\(number)\n")
    }

    private mutating func sample(_ labels: [(String, String)], seconds: Int64, suffix: StaticString = "") {
        beginSample(labels, suffix)
        text.append("\(own: Self.decimal(seconds))\n")
    }

    private mutating func beginSample(_ labels: [(String, String)], _ suffix: StaticString) {
        text.append("\(metric)\(suffix)")
        if !labels.isEmpty {
            // Names of the specification: none has a quote, a backslash or a line break.
            text.append("{\(own: labels.map { "\($0)=\"\($1)\"" }.joined(separator: ","))}")
        }
        text.append(" ")
    }

    private static func hexadecimal(_ code: UInt8) -> String {
        "0x" + (code < 16 ? "0" : "") + String(code, radix: 16, uppercase: true)
    }

    /// Nanoseconds as seconds, exactly.
    private static func decimal(_ nanoseconds: Int64) -> String {
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var digits = String(rest + 1_000_000_000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return (nanoseconds < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : ".\(digits)")
    }
}

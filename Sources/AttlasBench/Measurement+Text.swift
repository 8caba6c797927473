import AttlasText

extension StageTimes.Stage {
    /// The stage's title in the output.
    var title: StaticString {
        switch self {
        case .read: "read"
        case .frames: "HCI + L2CAP"
        case .operations: "ATT + match"
        case .attributes: "tree"
        case .dissection: "dissect"
        case .sink: "sink"
        }
    }

    /// Its key in JSON.
    var key: StaticString {
        switch self {
        case .read: "read"
        case .frames: "hci_l2cap"
        case .operations: "att_match"
        case .attributes: "tree"
        case .dissection: "dissect"
        case .sink: "sink"
        }
    }
}

extension TextBuffer {
    /// Appends the measurement as text for people.
    package mutating func append(_ measurement: Measurement) {
        let counts = measurement.counts
        append(display: measurement.info.file)
        append(" · ")
        append(display: measurement.info.format)
        append(" · ")
        append(grouped: counts.records)
        append(" records · ")
        append(fixed: Double(measurement.octets) / 1e6, decimals: 1)
        append(" MB · ")
        append(grouped: counts.operations)
        append(" ATT PDUs · ")
        append(grouped: counts.fields)
        append(" fields\n\nEverything decoded, every value dissected, nothing printed\n")
        append("                  records/s       MB/s  ATT PDUs/s  ns/record   runs  spread\n")
        append("  from memory ", measurement.fromMemory, measurement)
        append("  from disk   ", measurement.fromDisk, measurement)
        append(stages: measurement)
        append(latency: measurement.latency)
        if let allocations = measurement.allocations {
            append("\nHeap allocations (in a separate pass)\n  per million records        ")
            append(fixed: perMillion(allocations.total, of: allocations.records), decimals: 1)
            append("\n  per million whole ATT PDUs ")
            append(fixed: perMillion(allocations.inWholePDUs, of: allocations.wholePDUs), decimals: 1)
            append(", in the second half of the capture\n")
        }
        append("\nPeak memory, reading from disk: ")
        append(fixed: Double(measurement.peakMemory) / 1e6, decimals: 1)
        append(" MB\n")
    }

    package mutating func append(_ together: ParallelMeasurement) {
        append("\nAll files at once, on ")
        append(decimal: together.threads)
        append(together.threads == 1 ? " thread: " : " threads: ")
        append(grouped: Int(Double(together.records) / together.time.median * 1e9))
        append(" records/s, ")
        append(fixed: Double(together.octets) / together.time.median * 1e3, decimals: 1)
        append(" MB/s, spread ")
        append(fixed: together.time.spread * 100, decimals: 1)
        append(" %\n")
    }

    private mutating func append(_ title: StaticString, _ sample: Sample, _ measurement: Measurement) {
        let second = sample.median / 1e9
        append(title)
        append(right: 13) { $0.append(grouped: Int(Double(measurement.counts.records) / second)) }
        append(right: 11) { $0.append(fixed: Double(measurement.octets) / second / 1e6, decimals: 1) }
        append(right: 12) { $0.append(grouped: Int(Double(measurement.counts.operations) / second)) }
        append(right: 11) { $0.append(fixed: sample.median / Double(max(1, measurement.counts.records)), decimals: 1) }
        append(right: 7) { $0.append(decimal: sample.times.count) }
        append(right: 7) { $0.append(fixed: sample.spread * 100, decimals: 1) }
        append(" %\n")
    }

    private mutating func append(stages measurement: Measurement) {
        append("\nStages, ns/record (batches of the same ")
        append(decimal: StageTimes.batch)
        append(
            " records through pipelines that are each a stage longer;\nin separate passes, because the clock costs too)\n"
        )
        for stage in StageTimes.Stage.allCases {
            append("  ")
            let start = count
            append(stage.title)
            append(repeating: UInt8(ascii: " "), count: 12 - (count - start))
            append(right: 13) { $0.append(fixed: measurement.stages.nanoseconds[stage.rawValue], decimals: 1) }
            append("\n")
        }
    }

    private mutating func append(latency: Latency) {
        append("\nLatency of a record, ns (a separate pass: one record of ")
        append(decimal: Latency.interval)
        append(" timed, ")
        append(grouped: latency.samples)
        append(" in all;\nthe clock's own ")
        append(decimal: latency.clockCost)
        append(" ns subtracted)\n  p50 ")
        append(grouped: latency.percentile(50))
        append("   p90 ")
        append(grouped: latency.percentile(90))
        append("   p99 ")
        append(grouped: latency.percentile(99))
        append("   p99.9 ")
        append(grouped: latency.percentile(99.9))
        append("   max ")
        append(grouped: latency.max)
        append("\n")
    }

    private mutating func append(right width: Int, _ write: (inout TextBuffer) -> Void) {
        var text = TextBuffer()
        write(&text)
        append(repeating: UInt8(ascii: " "), count: width - text.count)
        append(contentsOf: text)
    }

    /// `1 000 000`
    private mutating func append(grouped number: Int) {
        var groups: [Int] = []
        var rest = number
        while rest >= 1_000 {
            groups.append(rest % 1_000)
            rest /= 1_000
        }
        append(decimal: rest)
        for group in groups.reversed() {
            append(" ")
            append(decimal: group, minimumDigits: 3)
        }
    }
}

func perMillion(_ count: Int, of whole: Int) -> Double {
    Double(count) * 1e6 / Double(max(1, whole))
}

extension TextBuffer {
    /// `number` with a number of decimal places; `–` if it is not finite.
    package mutating func append(fixed number: Double, decimals: Int) {
        guard number.isFinite, abs(number) < 1e15 else { return append("0") }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int((abs(number) * Double(scale)).rounded())
        if number < 0, scaled != 0 { append("-") }
        append(decimal: scaled / scale)
        guard decimals > 0 else { return }
        append(".")
        append(decimal: scaled % scale, minimumDigits: decimals)
    }
}

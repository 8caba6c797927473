import AttlasText

extension TextBuffer {
    /// All measurements as one document, described by Documentation/schemas/bench.schema.json.
    package mutating func append(jsonOf measurements: [Measurement], together: ParallelMeasurement?) {
        append("{\"schema\":\"attlas/bench/1\",\"files\":[")
        for (index, measurement) in measurements.enumerated() {
            if index > 0 { append(",") }
            append(jsonOf: measurement)
        }
        append("]")
        if let together {
            append(",\"together\":{\"threads\":")
            append(decimal: together.threads)
            append(",\"records\":")
            append(decimal: together.records)
            append(",")
            append(jsonOf: together.time, records: together.records, octets: together.octets)
            append("}")
        }
        append("}\n")
    }

    private mutating func append(jsonOf measurement: Measurement) {
        let counts = measurement.counts
        append("{\"file\":")
        append(jsonString: measurement.info.file)
        append(",\"format\":")
        append(jsonString: measurement.info.format)
        append(",\"octets\":")
        append(decimal: measurement.octets)
        append(",\"records\":")
        append(decimal: counts.records)
        append(",\"att_pdus\":")
        append(decimal: counts.operations)
        append(",\"fields\":")
        append(decimal: counts.fields)
        append(",\"from_memory\":{")
        append(jsonOf: measurement.fromMemory, records: counts.records, octets: measurement.octets)
        append("},\"from_disk\":{")
        append(jsonOf: measurement.fromDisk, records: counts.records, octets: measurement.octets)
        append("},\"stages\":{\"batch\":")
        append(decimal: StageTimes.batch)
        append(",\"ns_per_record\":{")
        for stage in StageTimes.Stage.allCases {
            append(stage == .read ? "\"" : ",\"")
            append(stage.key)
            append("\":")
            append(fixed: measurement.stages.nanoseconds[stage.rawValue], decimals: 2)
        }
        append("}},\"record_ns\":{\"count\":")
        let latency = measurement.latency
        append(decimal: latency.samples)
        append(",\"sampled_one_in\":")
        append(decimal: Latency.interval)
        append(",\"clock_cost\":")
        append(decimal: latency.clockCost)
        for (key, percent) in [("p50", 50.0), ("p90", 90), ("p99", 99), ("p99_9", 99.9)] as [(StaticString, Double)] {
            append(",\"")
            append(key)
            append("\":")
            append(decimal: latency.percentile(percent))
        }
        append(",\"max\":")
        append(decimal: latency.max)
        append("}")
        if let allocations = measurement.allocations {
            append(",\"allocations\":{\"per_million_records\":")
            append(fixed: perMillion(allocations.total, of: allocations.records), decimals: 2)
            append(",\"per_million_whole_pdus\":")
            append(fixed: perMillion(allocations.inWholePDUs, of: allocations.wholePDUs), decimals: 2)
            append("}")
        }
        append(",\"peak_memory_octets\":")
        append(decimal: measurement.peakMemory)
        append("}")
    }

    private mutating func append(jsonOf sample: Sample, records: Int, octets: Int) {
        append("\"median_us\":")
        append(fixed: sample.median / 1e3, decimals: 3)
        append(",\"runs\":")
        append(decimal: sample.times.count)
        append(",\"spread\":")
        append(fixed: sample.spread, decimals: 4)
        append(",\"ns_per_record\":")
        append(fixed: sample.median / Double(max(1, records)), decimals: 2)
        append(",\"records_per_s\":")
        append(fixed: Double(records) / sample.median * 1e9, decimals: 0)
        append(",\"megabytes_per_s\":")
        append(fixed: Double(octets) / sample.median * 1e3, decimals: 2)
    }
}

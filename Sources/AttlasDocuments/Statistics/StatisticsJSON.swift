import AttlasCapture
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The statistics of one capture as one JSON document, described by Documentation/schemas/stats.schema.json.
package struct StatisticsJSON {
    var json = JSONWriter()
    let model: StatisticsModel
    let names: UUIDNames
    private let grouping: StatisticsGrouping

    package init(_ model: StatisticsModel, grouping: StatisticsGrouping) {
        self.model = model
        names = model.names
        self.grouping = grouping
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/stats/1")
        json.member("file", file)
        json.key("connections")
        json.beginArray()
        for life in model.connections where life.isSelected {
            write(life)
            output.drain(&json.text)
        }
        json.endArray()
        json.member("by", grouping.rawValue)
        json.key("groups")
        json.beginArray()
        for group in model.groups(by: grouping) {
            write(group)
            output.drain(&json.text)
        }
        json.endArray()
        write("streams_without_connection", model.streams(ofConnection: nil))
        json.write(onlySide: model.integrity.onlySide)
        json.member("connections_left_out", model.connectionsLeftOut)
        json.member("operations_left_out", model.operationsLeftOut)
        json.write(model.integrity)
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ group: StatisticsGroup) {
        json.beginObject()
        json.array("connections", group.connections.map { model.connections[$0].number }) { $0.number($1) }
        json.key("round_trips")
        json.beginArray()
        for row in group.exchanges { write(row) }
        json.endArray()
        json.key("slowest")
        json.beginArray()
        for exchange in group.slowest {
            json.beginObject()
            json.member("request_frame", exchange.requestFrame)
            json.member("frame", exchange.frame)
            json.key("rtt_us")
            json.value { $0.append(microsecondsOf: exchange.nanoseconds) }
            write(exchange.key)
            json.endObject()
        }
        json.endArray()
        json.key("values")
        json.beginArray()
        for row in group.values { write(row) }
        json.endArray()
        json.endObject()
    }

    private mutating func write(_ row: ExchangeRow) {
        json.beginObject()
        write(row.key)
        json.write("rtt_us", row.roundTrips) { json, value in json.number(value) }
        if row.intervals.count > 0 {
            json.write("rtt_connection_intervals", row.intervals) { json, value in json.number(Double(value) / 100) }
        }
        if row.roundTrips.count > 0 {
            json.objects("histogram", row.roundTrips.parts(StatisticsText.parts)) { json, part in
                json.member("from_us", part.from)
                json.member("to_us", part.to)
                json.member("count", part.count)
            }
        }
        json.member("unanswered", row.unanswered)
        json.member("answer_missed", row.answerMissed)
        json.member("timed_out", row.timedOut)
        json.member("overlapping", row.overlapping)
        json.member("untimed", row.untimed)
        json.endObject()
    }

    private mutating func write(_ row: ValueRow) {
        json.beginObject()
        write(row.key)
        json.member("count", row.count)
        write(row.octets)
        json.member("best_second_octets", row.bestSecond)
        json.member("octets_per_s", row.octetsPerSecond)
        json.member("per_s", row.perSecond)
        if row.gaps.count > 0 {
            json.write("gap_us", row.gaps) { json, value in json.number(value) }
        }
        json.member("jitter_us", row.jitter)
        json.endObject()
    }

    // MARK: Members

    mutating func write(_ octets: Octets) {
        json.member("value_octets", octets.value)
        json.member("l2cap_octets", octets.l2cap)
        json.member("hci_octets", octets.hci)
    }

    private mutating func write(_ key: RowKey) {
        json.member("method", literal: key.opcode.definition?.name ?? "Unknown")
        json.write(key.direction)
        if let attribute = key.attribute { write(attribute) }
    }

    mutating func write(_ attribute: RowAttribute) {
        json.member("server", attribute.server.rawValue)
        json.member("handle", attribute.handle)
        write("service", attribute.service, .service)
        write("characteristic", attribute.characteristic, .characteristic)
        write("descriptor", attribute.descriptor, .descriptor)
    }

    private mutating func write(_ key: StaticString, _ index: UUIDIndex?, _ kind: NameKind) {
        if let index { json.write(key, names[index], name: names.knownName(index, kind)) }
    }
}

extension JSONWriter {
    /// A member with the figures of a distribution, each written by `number`.
    mutating func write(
        _ name: StaticString, _ distribution: Distribution, _ number: (inout JSONWriter, Int) -> Void
    ) {
        key(name)
        beginObject()
        key("count")
        self.number(distribution.count)
        let figures: [(StaticString, Int?)] = [
            ("min", distribution.minimum), ("p50", distribution.percentile(50)), ("p90", distribution.percentile(90)),
            ("p99", distribution.percentile(99)), ("max", distribution.maximum),
        ]
        for case (let name, let value?) in figures {
            key(name)
            number(&self, value)
        }
        endObject()
    }
}

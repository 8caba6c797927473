import AttlasCapture
import AttlasMetrics
import AttlasProcedures
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The statistics of one capture as one JSON document, described by Documentation/schemas/stats.schema.json.
package struct StatisticsJSON {
    private var json = JSONWriter()
    private let model: StatisticsModel
    private let grouping: StatisticsGrouping

    package init(_ model: StatisticsModel, grouping: StatisticsGrouping) {
        self.model = model
        self.grouping = grouping
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/stats/1")
        json.member("file", file)
        json.objects("connections", model.connections.lazy.filter(\.isSelected)) { json, life in
            json.write(life, model)
            output.drain(&json.text)
        }
        json.member("by", grouping.rawValue)
        json.objects("groups", model.groups(by: grouping)) { json, group in
            json.array("connections", group.connections) { $0.number(model.connections[$1].number) }
            json.objects("procedures", group.procedures) { $0.write($1) }
            json.objects("round_trips", group.exchanges) { $0.write($1, model.names) }
            json.objects("slowest", group.slowest) { json, exchange in
                json.member("request_frame", exchange.requestFrame)
                json.member("frame", exchange.frame)
                json.member("rtt_us", microsecondsOf: exchange.nanoseconds)
                json.write(exchange.key, model.names)
            }
            json.objects("values", group.values) { $0.write($1, model.names) }
            output.drain(&json.text)
        }
        if !model.attempts.isEmpty { json.objects("attempts_without_connection", model.attempts) { $0.write($1) } }
        json.write("streams_without_connection", model.streams(ofConnection: nil))
        json.write(onlySide: model.integrity.onlySide)
        json.member("connections_left_out", model.connectionsLeftOut)
        json.member("operations_left_out", model.operationsLeftOut)
        if model.streamsLeftOut > 0 { json.member("streams_left_out", model.streamsLeftOut) }
        if model.channelPacketsLeftOut > 0 { json.member("channel_packets_left_out", model.channelPacketsLeftOut) }
        if model.connectionsLeftOut + model.operationsLeftOut > 0 {
            let others = model.others
            json.object("others") { json in
                json.objects("links", others.directions) { json, direction in
                    json.write(direction)
                    if let traffic = others.links[direction] { json.write(traffic) }
                }
                json.objects("round_trips", others.exchanges) { $0.write($1, model.names) }
                json.objects("values", others.values) { $0.write($1, model.names) }
            }
        }
        json.endDocument(model.integrity, into: &output)
    }
}

extension JSONWriter {
    /// The members `time` and `frame`.
    mutating func write(_ moment: Moment) {
        member("time", moment.time)
        member("frame", moment.frame)
    }

    mutating func write(_ row: ProcedureRow) {
        member("kind", row.kind.rawValue)
        writeFigures(row)
    }

    /// The members of a row that differences have as well.
    mutating func writeFigures(_ row: ProcedureRow) {
        member("count", row.count)
        write("duration_us", row.durations) { $0.number($1) }
        object("outcomes") { json in
            for word in Procedure.Outcome.Word.allCases where row.count(of: word) > 0 {
                json.key(named: "\(word)")
                json.number(row.count(of: word))
            }
        }
    }

    fileprivate mutating func write(_ row: ExchangeRow, _ names: UUIDNames) {
        write(row.key, names)
        write("rtt_us", row.roundTrips) { $0.number($1) }
        if row.intervals.count > 0 {
            write("rtt_connection_intervals", row.intervals) { $0.number(Double($1) / 100) }
        }
        if row.roundTrips.count > 0 {
            objects("histogram", row.roundTrips.parts(StatisticsText.parts)) { json, part in
                json.member("from_us", part.from)
                json.member("to_us", part.to)
                json.member("count", part.count)
            }
        }
        member("unanswered", row.unanswered)
        member("answer_missed", row.answerMissed)
        member("open", row.open)
        member("timed_out", row.timedOut)
        member("overlapping", row.overlapping)
        member("untimed", row.untimed)
    }

    fileprivate mutating func write(_ row: ValueRow, _ names: UUIDNames) {
        write(row.key, names)
        member("count", row.count)
        member("value_octets", row.octets.value)
        member("l2cap_octets", row.octets.l2cap)
        member("hci_octets", row.octets.hci)
        writeRates(row)
    }

    /// The members of a row that differences have as well.
    mutating func writeRates(_ row: ValueRow) {
        member("best_second_octets", row.bestSecond)
        member("octets_per_s", row.octetsPerSecond)
        member("per_s", row.perSecond)
        if row.gaps.count > 0 { write("gap_us", row.gaps) { $0.number($1) } }
        member("jitter_us", row.jitter)
    }

    fileprivate mutating func write(_ key: RowKey, _ names: UUIDNames) {
        member("method", literal: key.opcode.definition?.name ?? "Unknown")
        write(key.direction)
        if let attribute = key.attribute { write(attribute, names) }
    }

    mutating func write(_ attribute: RowAttribute, _ names: UUIDNames) {
        member("server", attribute.server.rawValue)
        member("handle", attribute.handle)
        write("service", attribute.service, .service, names)
        write("characteristic", attribute.characteristic, .characteristic, names)
        write("descriptor", attribute.descriptor, .descriptor, names)
    }

    /// A member with the figures of a distribution, each written by `number`.
    mutating func write(
        _ name: StaticString, _ distribution: Distribution, _ number: (inout JSONWriter, Int) -> Void
    ) {
        let figures: [(StaticString, Int?)] = [
            ("min", distribution.minimum), ("p50", distribution.percentile(50)), ("p90", distribution.percentile(90)),
            ("p99", distribution.percentile(99)), ("max", distribution.maximum),
        ]
        object(name) { json in
            json.member("count", distribution.count)
            for case (let name, let value?) in figures {
                json.key(name)
                number(&json, value)
            }
        }
    }
}

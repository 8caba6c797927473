import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Differences between two captures as one JSON document, described by Documentation/schemas/diff.schema.json.
package struct DifferenceJSON {
    private var json = JSONWriter()
    private let values: ValueInterpreter

    package init(values: ValueInterpreter) {
        self.values = values
    }

    package mutating func write(
        _ difference: CaptureDifference, _ verdict: DifferenceVerdict, into output: inout Output
    ) {
        json.beginDocument("attlas/diff/1")
        json.member("a", difference.first.file)
        json.member("b", difference.second.file)
        json.objects("peers", difference.servers) { json, server in
            json.write("a", server.first)
            json.write("b", server.second)
            json.objects("changes", server.changes) { $0.write($1, values) }
        }
        json.objects("procedures", difference.procedures) { json, pair in
            json.member("kind", pair.key.rawValue)
            for case (let key, let row?) in [("a", pair.first), ("b", pair.second)] as [(StaticString, ProcedureRow?)] {
                json.object(key) { $0.writeFigures(row) }
            }
        }
        json.objects("round_trips", difference.exchanges) { json, pair in
            json.write(pair.key, values)
            json.write("a", pair.first)
            json.write("b", pair.second)
        }
        json.objects("values", difference.values) { json, pair in
            json.write(pair.key, values)
            json.write("a", pair.first)
            json.write("b", pair.second)
        }
        json.objects("fields", difference.fields) { json, field in
            json.write("attribute", field.key.uuid, .characteristic, values)
            json.member("field", field.key.field)
            json.member("unit", field.key.unit)
            json.write("a", field.first)
            json.write("b", field.second)
        }
        json.objects("incidents", difference.incidents) { $0.write($1, values) }
        json.objects("failed", verdict.failures) { json, failure in
            json.member("fail_on", failure.criterion.rawValue)
            switch failure {
            case .tree(let server):
                json.write("a", server.first)
                json.write("b", server.second)
            case .slower(let key, let percentile, let before, let after):
                json.write(key, values)
                json.member("percentile", percentile)
                json.member("a_us", before)
                json.member("b_us", after)
            case .incidents(let pair): json.write(pair, values)
            case .incomplete(let snapshot): json.member("file", snapshot.file)
            }
        }
        json.objects("not_compared", verdict.notCompared) { json, pair in
            json.write(pair.key, values)
            json.member("a_count", pair.first?.roundTrips.count ?? 0)
            json.member("b_count", pair.second?.roundTrips.count ?? 0)
        }
        json.object("integrity") { json in
            json.write(difference.first.integrity, as: "a")
            json.write(difference.second.integrity, as: "b")
        }
        json.endDocument(into: &output)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ pair: CaptureDifference.IncidentDifference, _ values: ValueInterpreter) {
        guard let either = pair.first ?? pair.second else { return }
        member("kind", either.key.kind.rawValue)
        member("server", either.key.server?.rawValue)
        write("service", either.key.service, .service, values)
        write("characteristic", either.key.characteristic, .characteristic, values)
        write("descriptor", either.key.descriptor, .descriptor, values)
        member("handle", either.key.handle)
        write("a", pair.first, pair.rates.first)
        write("b", pair.second, pair.rates.second)
    }

    private mutating func write(_ key: StaticString, _ incidents: CaptureSnapshot.Incidents?, _ rate: Rate) {
        guard let incidents else { return }
        object(key) { json in
            if incidents.peer != nil { json.write(peer: incidents.peer, name: incidents.peerName) }
            json.member("weight", incidents.weight.rawValue)
            json.member("title", incidents.title)
            json.member("frame", incidents.frame)
            json.member("count", incidents.count)
            json.member("per_hour", rate.rate)
        }
    }

    fileprivate mutating func write(_ key: StaticString, _ server: CaptureSnapshot.Server?) {
        guard let server else { return }
        object(key) { json in
            if let address = server.address { json.write(address) }
            json.member("name", server.name)
            json.member("attributes", server.attributes.count)
        }
    }

    fileprivate mutating func write(_ change: CaptureDifference.AttributeChange, _ values: ValueInterpreter) {
        for step in change.path {
            let key: StaticString =
                switch step.kind {
                case .service: "service"
                case .characteristic: "characteristic"
                case .descriptor: "descriptor"
                }
            object(key) { json in
                if let uuid = step.uuid { json.write(uuid, name: values.knownName(uuid, step.kind)) }
                json.member("occurrence", step.occurrence + 1)
            }
        }
        write("a", change.first)
        write("b", change.second)
    }

    private mutating func write(_ key: StaticString, _ attribute: CaptureSnapshot.Attribute?) {
        guard let attribute else { return }
        object(key) { json in
            json.member("handle", attribute.handle)
            if let properties = attribute.properties { json.write(properties) }
        }
    }

    fileprivate mutating func write(_ key: CaptureSnapshot.MeasureKey, _ values: ValueInterpreter) {
        member("method", literal: key.opcode.definition?.name ?? "Unknown")
        write(key.direction)
        member("server", key.server?.rawValue)
        write("service", key.service, .service, values)
        write("characteristic", key.characteristic, .characteristic, values)
        write("descriptor", key.descriptor, .descriptor, values)
    }

    fileprivate mutating func write(
        _ key: StaticString, _ uuid: BluetoothUUID?, _ kind: NameKind, _ values: ValueInterpreter
    ) {
        if let uuid { write(key, uuid, name: values.knownName(uuid, kind)) }
    }

    fileprivate mutating func write(_ key: StaticString, _ row: ExchangeRow?) {
        guard let row else { return }
        object(key) { json in
            json.write("rtt_us", row.roundTrips) { $0.number($1) }
            json.member("unanswered", row.unanswered)
            json.member("timed_out", row.timedOut)
            json.member("overlapping", row.overlapping)
        }
    }

    fileprivate mutating func write(_ key: StaticString, _ row: ValueRow?) {
        guard let row else { return }
        object(key) { json in
            json.member("count", row.count)
            json.member("value_octets", row.octets.value)
            json.writeRates(row)
        }
    }

    fileprivate mutating func write(_ key: StaticString, _ range: FieldRanges.Range?) {
        guard let range else { return }
        object(key) { json in
            json.member("count", range.count)
            json.key("min")
            json.value { $0.append(number: range.least) }
            json.key("max")
            json.value { $0.append(number: range.greatest) }
        }
    }
}

import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// What differs between two captures as one JSON document, described by Documentation/schemas/diff.schema.json.
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
        json.key("peers")
        json.beginArray()
        for server in difference.servers {
            json.beginObject()
            write("a", server.first)
            write("b", server.second)
            json.key("changes")
            json.beginArray()
            for change in server.changes { write(change) }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.key("round_trips")
        json.beginArray()
        for pair in difference.exchanges {
            json.beginObject()
            write(pair.key)
            write("a", pair.first)
            write("b", pair.second)
            json.endObject()
        }
        json.endArray()
        json.key("values")
        json.beginArray()
        for pair in difference.values {
            json.beginObject()
            write(pair.key)
            write("a", pair.first)
            write("b", pair.second)
            json.endObject()
        }
        json.endArray()
        json.key("fields")
        json.beginArray()
        for field in difference.fields {
            json.beginObject()
            write("attribute", field.key.uuid, .characteristic)
            json.member("field", field.key.field)
            json.member("unit", field.key.unit)
            write("a", field.first)
            write("b", field.second)
            json.endObject()
        }
        json.endArray()
        json.key("incidents")
        json.beginArray()
        for pair in difference.incidents {
            json.beginObject()
            write(pair)
            json.endObject()
        }
        json.endArray()
        write(verdict)
        json.key("integrity")
        json.beginObject()
        json.write(difference.first.integrity, as: "a")
        json.write(difference.second.integrity, as: "b")
        json.endObject()
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ verdict: DifferenceVerdict) {
        json.key("failed")
        json.beginArray()
        for failure in verdict.failures {
            json.beginObject()
            json.member("fail_on", failure.criterion.rawValue)
            switch failure {
            case .tree(let server):
                write("a", server.first)
                write("b", server.second)
            case .slower(let key, let percentile, let before, let after):
                write(key)
                json.member("percentile", percentile)
                json.member("a_us", before)
                json.member("b_us", after)
            case .incidents(let pair): write(pair)
            case .incomplete(let snapshot): json.member("file", snapshot.file)
            }
            json.endObject()
        }
        json.endArray()
        json.key("not_compared")
        json.beginArray()
        for pair in verdict.notCompared {
            json.beginObject()
            write(pair.key)
            json.member("a_count", pair.first?.roundTrips.count ?? 0)
            json.member("b_count", pair.second?.roundTrips.count ?? 0)
            json.endObject()
        }
        json.endArray()
    }

    private mutating func write(_ pair: CaptureDifference.IncidentDifference) {
        guard let either = pair.first ?? pair.second else { return }
        json.member("kind", either.key.kind.rawValue)
        json.member("server", either.key.server?.rawValue)
        write("service", either.key.service, .service)
        write("characteristic", either.key.characteristic, .characteristic)
        write("descriptor", either.key.descriptor, .descriptor)
        json.member("handle", either.key.handle)
        write("a", pair.first)
        write("b", pair.second)
    }

    private mutating func write(_ key: StaticString, _ incidents: CaptureSnapshot.Incidents?) {
        guard let incidents else { return }
        json.key(key)
        json.beginObject()
        if let peer = incidents.peer {
            json.key("peer")
            json.beginObject()
            json.write(peer)
            json.member("name", incidents.peerName)
            json.endObject()
        }
        json.member("weight", incidents.weight.rawValue)
        json.member("title", incidents.title)
        json.member("frame", incidents.frame)
        json.member("count", incidents.count)
        json.endObject()
    }

    private mutating func write(_ key: StaticString, _ server: CaptureSnapshot.Server?) {
        guard let server else { return }
        json.key(key)
        json.beginObject()
        if let address = server.address {
            json.write(address)
        }
        json.member("name", server.name)
        json.member("attributes", server.attributes.count)
        json.endObject()
    }

    private mutating func write(_ change: CaptureDifference.AttributeChange) {
        json.beginObject()
        for step in change.path {
            switch step.kind {
            case .service: json.key("service")
            case .characteristic: json.key("characteristic")
            case .descriptor: json.key("descriptor")
            }
            json.beginObject()
            if let uuid = step.uuid { json.write(uuid, name: values.knownName(uuid, step.kind)) }
            json.member("occurrence", step.occurrence + 1)
            json.endObject()
        }
        write("a", change.first)
        write("b", change.second)
        json.endObject()
    }

    private mutating func write(_ key: StaticString, _ attribute: CaptureSnapshot.Attribute?) {
        guard let attribute else { return }
        json.key(key)
        json.beginObject()
        json.member("handle", attribute.handle)
        if let properties = attribute.properties {
            json.write(properties)
        }
        json.endObject()
    }

    private mutating func write(_ key: CaptureSnapshot.MeasureKey) {
        json.member("method", literal: key.opcode.definition?.name ?? "Unknown")
        json.write(key.direction)
        json.member("server", key.server?.rawValue)
        write("service", key.service, .service)
        write("characteristic", key.characteristic, .characteristic)
        write("descriptor", key.descriptor, .descriptor)
    }

    private mutating func write(_ key: StaticString, _ uuid: BluetoothUUID?, _ kind: NameKind) {
        if let uuid { json.write(key, uuid, name: values.knownName(uuid, kind)) }
    }

    private mutating func write(_ key: StaticString, _ row: ExchangeRow?) {
        guard let row else { return }
        json.key(key)
        json.beginObject()
        json.write("rtt_us", row.roundTrips) { json, value in json.number(value) }
        json.member("unanswered", row.unanswered)
        json.member("timed_out", row.timedOut)
        json.member("overlapping", row.overlapping)
        json.endObject()
    }

    private mutating func write(_ key: StaticString, _ row: ValueRow?) {
        guard let row else { return }
        json.key(key)
        json.beginObject()
        json.member("count", row.count)
        json.member("value_octets", row.octets.value)
        json.member("best_second_octets", row.bestSecond)
        json.member("octets_per_s", row.octetsPerSecond)
        json.member("per_s", row.perSecond)
        if row.gaps.count > 0 { json.write("gap_us", row.gaps) { json, value in json.number(value) } }
        json.member("jitter_us", row.jitter)
        json.endObject()
    }

    private mutating func write(_ key: StaticString, _ range: FieldRanges.Range?) {
        guard let range else { return }
        json.key(key)
        json.beginObject()
        json.member("count", range.count)
        json.key("min")
        json.value { $0.append(number: range.least) }
        json.key("max")
        json.value { $0.append(number: range.greatest) }
        json.endObject()
    }
}

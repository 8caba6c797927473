import AttlasMetrics
import AttlasText

/// Groups of captures compared, as one JSON document, described by Documentation/schemas/fleet.schema.json.
package struct FleetJSON {
    private var json = JSONWriter()

    package init() {}

    package mutating func write(_ comparisons: [FleetComparison], into output: inout Output) {
        json.beginDocument("attlas/fleet/1")
        json.objects("comparisons", comparisons) { json, comparison in
            json.object("a") { $0.write(comparison.base) }
            json.object("b") { $0.write(comparison.subject) }
            json.objects("differences", comparison.differences) { $0.write($1) }
            json.objects("new_incidents", comparison.newIncidents) { json, incidents in
                json.member("kind", incidents.kind.rawValue)
                json.member("count", incidents.count)
                json.member("captures", incidents.places.count)
                json.objects("open", incidents.places.prefix(FleetIncidents.shownPlaces)) { json, place in
                    json.member("file", place.file)
                    json.member("frame", place.frame)
                }
            }
        }
        json.endDocument(into: &output)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ group: FleetGroup) {
        member("name", group.name)
        member("captures", group.captures)
        member("connections", group.connections)
        member("hours", group.hours)
        member("connected_hours", group.connectedHours)
    }

    fileprivate mutating func write(_ difference: FleetComparison.Difference) {
        member("measure", difference.measure.name)
        member("unit", difference.measure.unit.rawValue)
        member("verdict", difference.verdict.rawValue)
        object("a") { $0.write(difference.base) }
        object("b") { $0.write(difference.subject) }
        member("change", difference.change)
        member("p", difference.probability)
    }

    private mutating func write(_ figure: FleetComparison.Figure) {
        member("count", figure.count)
        member("exposure", figure.exposure)
        member("value", figure.value)
        if let interval = figure.interval {
            array("interval", [interval.lowerBound, interval.upperBound]) { $0.number($1) }
        }
    }
}

import AttlasIncidents
import AttlasTrace
import AttlasValues

/// A sink that collects incidents in the form of findings, for the formats that CI reads: a rule for each kind of incident.
public struct IncidentFindings: DocumentCollector {
    private var incidents: IncidentCollector

    /// - Parameter values: of the `Interpreted` that hands on the events.
    package init(values: ValueInterpreter) {
        incidents = IncidentCollector(values: values)
    }

    public var wantsPackets: Bool { incidents.wantsPackets }
    public var wantsControl: Bool { incidents.wantsControl }
    public var wantsCompletedPackets: Bool { incidents.wantsCompletedPackets }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        incidents.receive(event, in: trace)
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> LintModel {
        LintModel(incidents.finish(in: trace, integrity), in: trace)
    }
}

extension LintModel {
    /// The incidents as findings.
    fileprivate init(_ incidents: IncidentsModel, in trace: borrowing Trace) {
        self.init(
            LintFindings(), incidents.names, incidents.integrity, [], disabled: Set(LintRule.all.map(\.id)),
            hasGap: false, in: trace)
        removeRules()
        isOfExpectations = false
        for kind in Incident.Kind.allCases {
            let found = incidents.incidents.filter { $0.kind == kind }
            add(
                LintRule(kind, .error), found.map { LintFinding($0) },
                unchecked: found.isEmpty ? incidents.met.missing(kind.requires) : nil, in: trace)
        }
    }
}

extension LintFinding {
    fileprivate init(_ incident: Incident) {
        let cause = "Cause (\(incident.cause.certainty.rawValue)): \(incident.cause.text)"
        self.init(
            LintRule(incident.kind, LintRule.Severity(incident.weight)), incident,
            "\(incident.title). \(incident.what) \(cause) Next: \(incident.next)")
    }
}

extension LintRule {
    fileprivate init(_ kind: Incident.Kind, _ severity: Severity) {
        self.init(
            "incident/\(kind.rawValue.replacing(" ", with: "-"))", severity, title: kind.rawValue,
            explanation: "attlas help what-broke describes this kind of incident.", section: "", advice: "", needs: "")
    }
}

extension LintRule.Severity {
    /// - Parameter weight: of an incident.
    package init(_ weight: Incident.Weight) {
        self =
            switch weight {
            case .broke: .error
            case .hindered: .warning
            case .noted: .info
            }
    }
}

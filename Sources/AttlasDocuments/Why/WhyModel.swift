import AttlasIncidents
import AttlasLint
import AttlasTrace
import AttlasValues
import AttlasWire

/// The incidents of a capture; and for one characteristic or peer its whole story.
public struct WhyModel: CaptureDocument {
    package struct Sentence: Sendable, Equatable {
        package let text: String
        /// The record that shows it; nil if no single record does.
        package let frame: Int?
        /// The kind of the incident that the sentence reports.
        package let incident: Incident.Kind?

        init(_ text: String, _ frame: Int? = nil, incident: Incident.Kind? = nil) {
            self.text = text
            self.frame = frame
            self.incident = incident
        }
    }

    /// The answer about one characteristic of one device, or about one peer.
    package struct Answer: Sendable {
        package let address: BluetoothAddress?
        package let name: String?
        /// Server of the attribute; nil for a peer.
        package let server: ServerSide?
        package let service: UUIDIndex?
        package let characteristic: UUIDIndex?
        package let handle: AttributeHandle?
        /// In the order of their records.
        package let sentences: [Sentence]
        package let findings: [LintFinding]
        /// Advice, the most important first.
        package let advice: [String]
        /// Missing data about it, and the reason.
        package let untold: [String]
    }

    /// The subject of the question; nil for the incidents alone.
    package let subject: String?
    package let incidents: IncidentsModel
    package let answers: [Answer]
    /// Errors and warnings of `attlas lint` that no incident reports; nil if the capture is too long, and with a subject.
    package let findings: [LintFinding]?
    /// Known characteristics and peers, shown when there is no answer.
    package let known: [String]
    public var integrity: CaptureIntegrity { incidents.integrity }
    /// The names of the UUIDs in the answers.
    package var names: UUIDNames { incidents.names }

    init(
        _ incidents: IncidentsModel, findings: [LintFinding]? = nil, subject: String? = nil, answers: [Answer] = [],
        known: [String] = []
    ) {
        self.incidents = incidents
        self.findings = findings
        self.subject = subject
        self.answers = answers
        self.known = known
    }
}

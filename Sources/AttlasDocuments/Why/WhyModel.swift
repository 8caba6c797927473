import AttlasIncidents
import AttlasLint
import AttlasTrace
import AttlasValues
import AttlasWire

/// What broke in a capture; and of one characteristic or peer its whole story.
public struct WhyModel: CaptureDocument {
    package struct Sentence: Sendable, Equatable {
        package let text: String
        /// The record that shows it; nil of what no single record shows.
        package let frame: Int?
        /// The kind of the incident that the sentence reports.
        package let incident: Incident.Kind?

        init(_ text: String, _ frame: Int? = nil, incident: Incident.Kind? = nil) {
            self.text = text
            self.frame = frame
            self.incident = incident
        }
    }

    /// Of one characteristic of one device, or of one peer.
    package struct Answer: Sendable {
        package let address: BluetoothAddress?
        package let name: String?
        /// Whose attribute it is; nil of a peer.
        package let server: ServerSide?
        package let service: UUIDIndex?
        package let characteristic: UUIDIndex?
        package let handle: AttributeHandle?
        /// In the order of their records.
        package let sentences: [Sentence]
        package let findings: [LintFinding]
        /// What to try, the most important first.
        package let advice: [String]
        /// What the capture does not show of it, and why.
        package let untold: [String]
    }

    /// What was asked for; nil for the incidents alone.
    package let subject: String?
    package let incidents: IncidentsModel
    package let answers: [Answer]
    /// The characteristics and the peers that one can ask for: when there is no answer.
    package let known: [String]
    public var integrity: CaptureIntegrity { incidents.integrity }
    /// The UUIDs that answers name by their numbers.
    package var names: UUIDNames { incidents.names }

    init(_ incidents: IncidentsModel, subject: String? = nil, answers: [Answer] = [], known: [String] = []) {
        self.incidents = incidents
        self.subject = subject
        self.answers = answers
        self.known = known
    }
}

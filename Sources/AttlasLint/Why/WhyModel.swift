import AttlasIncidents
import AttlasTrace
import AttlasValues
import AttlasWire

/// What broke in a capture; and of one characteristic or peer its whole story.
public struct WhyModel: CaptureDocument {
    public struct Sentence: Sendable, Equatable {
        public let text: String
        /// The record that shows it; nil of what no single record shows.
        public let frame: Int?
        /// The kind of the incident that the sentence reports.
        public let incident: Incident.Kind?

        init(_ text: String, _ frame: Int? = nil, incident: Incident.Kind? = nil) {
            self.text = text
            self.frame = frame
            self.incident = incident
        }
    }

    /// Of one characteristic of one device, or of one peer.
    public struct Answer: Sendable {
        public let address: BluetoothAddress?
        public let name: String?
        /// Whose attribute it is; nil of a peer.
        public let server: ServerSide?
        public let service: UUIDIndex?
        public let characteristic: UUIDIndex?
        public let handle: AttributeHandle?
        /// In the order of their records.
        public let sentences: [Sentence]
        public let findings: [LintFinding]
        /// What to try, the most important first.
        public let advice: [String]
        /// What the capture does not show of it, and why.
        public let untold: [String]
    }

    /// What was asked for; nil for the incidents alone.
    public let subject: String?
    public let incidents: IncidentsModel
    public let answers: [Answer]
    /// The characteristics and the peers that one can ask for: when there is no answer.
    public let known: [String]
    public var integrity: CaptureIntegrity { incidents.integrity }
    /// The UUIDs that answers name by their numbers.
    public var names: UUIDNames { incidents.names }

    init(_ incidents: IncidentsModel, subject: String? = nil, answers: [Answer] = [], known: [String] = []) {
        self.incidents = incidents
        self.subject = subject
        self.answers = answers
        self.known = known
    }
}

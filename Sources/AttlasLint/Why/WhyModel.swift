import AttlasTrace
import AttlasValues
import AttlasWire

/// What a capture shows of one characteristic, or of one peer, from its discovery to the end of the link; and what to try.
public struct WhyModel: CaptureDocument {
    public struct Sentence: Sendable, Equatable {
        public let text: String
        /// The record that shows it; nil of what no single record shows.
        public let frame: Int?

        init(_ text: String, _ frame: Int? = nil) {
            self.text = text
            self.frame = frame
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
        public let sentences: [Sentence]
        public let findings: [LintFinding]
        /// What to try, the most important first.
        public let advice: [String]
        /// What the capture does not show of it, and why.
        public let untold: [String]
    }

    /// What was asked for; nil for every peer.
    public let subject: String?
    public let answers: [Answer]
    /// The characteristics and the peers that one can ask for: when there is no answer.
    public let known: [String]
    /// The UUIDs that answers name by their numbers.
    public let names: UUIDNames
    public let integrity: CaptureIntegrity
}

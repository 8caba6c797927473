import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasWire

/// Something that a rule found, once or several times on the same attribute of the same connection.
public struct LintFinding: Sendable {
    package internal(set) var rule: LintRule
    /// The record in which it was seen first.
    package let frame: Int
    package let time: Timestamp
    /// Earlier records that are part of it: the request that was still open, the first exchange.
    package let related: [Int]
    /// How often it was seen, and where last.
    package internal(set) var count = 1
    package internal(set) var lastFrame: Int
    package let place: Place
    /// Distinguishes findings of one attribute.
    let field: Int
    /// The first occurrence, in a sentence.
    package let sentence: String
    /// The same in a second recording of the same fault. 32 hexadecimal digits.
    package internal(set) var fingerprint = ""

    /// A finding of a project's rule.
    package init(_ rule: LintRule, frame: Int, _ time: Timestamp, _ place: Place, _ sentence: String) {
        self.init(
            rule: rule, frame: frame, time: time, related: [], lastFrame: frame, place: place, field: 0,
            sentence: sentence)
    }

    /// An incident that a rule of a project does not allow.
    package init(_ rule: LintRule, _ incident: Incident, _ sentence: String) {
        var place = Place()
        place.connection = incident.place.connection
        place.peer = incident.place.peer
        place.server = incident.place.server
        place.handle = incident.place.handle
        place.attribute = incident.place.attribute
        self.init(
            rule: rule, frame: incident.frame, time: incident.time,
            related: incident.frames.filter { $0 < incident.frame },
            lastFrame: incident.occurrences.last ?? incident.frame, place: place, field: 0, sentence: sentence)
        count = incident.count
    }

    init(
        rule: LintRule, frame: Int, time: Timestamp, related: [Int], lastFrame: Int, place: Place, field: Int,
        sentence: String
    ) {
        self.rule = rule
        self.frame = frame
        self.time = time
        self.related = related
        self.lastFrame = lastFrame
        self.place = place
        self.field = field
        self.sentence = sentence
    }

    /// Whether the log can show it.
    package func holds(in trace: borrowing Trace) -> Bool { CaptureConditions(of: trace).allow(rule.requires) }

    /// The connection, device and attribute of the finding, as far as it has one.
    package struct Place: Sendable {
        /// Who did it: the last two of a connection captured from the air.
        package enum Party: String, Sendable {
            case host, peer, central, peripheral
        }

        package var party: Party?
        /// Number of the connection.
        package var connection: Int?
        /// The peer's address at the time of the finding.
        package var peer: BluetoothAddress?
        package var server: ServerSide?
        package var handle: AttributeHandle?
        package var attribute: AttributeUUIDs?

        package init() {}
    }
}

/// The findings of one capture. Memory ends at `limit` findings of each rule: those beyond are counted.
package struct LintFindings: Sendable {
    static let limit = 256

    package private(set) var findings: [LintFinding] = []
    /// Findings of each rule that were not kept.
    package private(set) var leftOut: [String: Int] = [:]
    private var places: [Key: Int] = [:]
    private var counts: [String: Int] = [:]

    private struct Key: Hashable {
        let rule: String
        let connection: Int?
        let peer: BluetoothAddress?
        let server: ServerSide?
        let handle: AttributeHandle?
        let party: LintFinding.Place.Party?
        let field: Int

        /// One place has no more keys than rules: the numbers suffice, and hashing a text takes longer than the rest.
        func hash(into hasher: inout Hasher) {
            hasher.combine(connection ?? -1)
            hasher.combine(peer?.value ?? 0)
            hasher.combine(Int(handle ?? 0) | field << 16)
        }
    }

    /// In the order of their first records.
    package var sorted: [LintFinding] {
        findings.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
    }

    /// - Parameters:
    ///   - field: distinguishes findings of one attribute.
    ///   - sentence: put together for the first of its kind only.
    mutating func add(
        _ rule: LintRule, _ moment: Moment, related: [Int], _ place: LintFinding.Place, field: Int,
        _ sentence: () -> String
    ) {
        let frame = moment.frame
        let key = Key(
            rule: rule.id, connection: place.connection, peer: place.connection == nil ? place.peer : nil,
            server: place.server, handle: place.handle, party: place.party, field: field)
        if let place = places[key] {
            findings[place].count += 1
            findings[place].lastFrame = frame
            return
        }
        guard counts[rule.id, default: 0] < Self.limit else {
            leftOut[rule.id, default: 0] += 1
            return
        }
        counts[rule.id, default: 0] += 1
        places[key] = findings.count
        findings.append(
            LintFinding(
                rule: rule, frame: frame, time: moment.time, related: related, lastFrame: frame, place: place,
                field: field, sentence: sentence()))
    }
}

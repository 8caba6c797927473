import AttlasIncidents
import AttlasProcedures
import AttlasTrace

/// A property of an event in a filter. The raw value is the name in an expression. Documentation/filter.md describes each.
///
/// To add one: its value in `FilterMatcher`, and a row with an example in Documentation/filter.md.
enum FilterProperty: String, CaseIterable {
    case bearer
    case characteristic = "char"
    case company, connection, controller, descriptor, direction, encrypted, ended, error, fault, field, frame, handle,
        incident,
        known
    case knownFrom = "known_from"
    case loss, method, opcode, outcome, peer, procedure, reason, rssi, rtt, server, service
    case serviceData = "service_data"
    case uuid, value

    init?(name: String) {
        // The name of the NDJSON key and of the option.
        self.init(rawValue: name == "characteristic" ? "char" : name)
    }

    /// Whether it is true or false and takes no comparison.
    var isCondition: Bool {
        switch self {
        case .encrypted, .ended, .fault, .known, .loss: true
        default: false
        }
    }

    /// The valid operands of a comparison, as messages name them.
    var expectation: String {
        switch self {
        case .characteristic, .service, .descriptor, .uuid, .serviceData: "a UUID, or a name in quotes"
        case .company: "a number, such as 0x004C, or a name in quotes"
        case .peer: "a name in quotes, or an address"
        case .method: "the name of an ATT PDU: notification, read, \"Write Command\""
        case .handle, .opcode, .frame, .connection, .controller: "a whole number, such as 25 or 0x0019"
        case .error: "a code, such as 0x05, or its name in quotes"
        case .reason: "a code, such as 0x08, or its name in quotes"
        case .rssi: "dBm, such as -70"
        case .rtt: "a duration, such as 100ms"
        case .value: "octets in hexadecimal"
        case .field: "a number, or text in quotes"
        case .direction, .server, .knownFrom: words.joined(separator: ", ")
        case .incident: "a kind in quotes, such as \"link lost\""
        case .procedure: "a kind, such as pairing or \"long read\""
        case .outcome: words.joined(separator: ", ")
        case .bearer: "att, bredr, eatt, or one channel, such as eatt:0x0050"
        case .encrypted, .ended, .fault, .known, .loss: "nothing"
        }
    }

    /// All valid operands of a comparison, if they are few.
    var words: [String] {
        switch self {
        case .direction: ["rx", "tx", "unknown"]
        case .server: ServerSide.allCases.map(\.rawValue)
        case .knownFrom: KnownFrom.allCases.map(\.rawValue)
        case .bearer: ["att", "bredr", "eatt"]
        case .incident: Incident.Kind.allCases.map { "\"\($0.rawValue)\"" }
        case .procedure: Procedure.Kind.allCases.map { $0.rawValue.contains(" ") ? "\"\($0.rawValue)\"" : $0.rawValue }
        case .outcome: Self.outcomes.map { "\($0)" }
        default: []
        }
    }

    /// Those that end with an event: others have none that could be shown.
    static let outcomes: [Procedure.Outcome.Word] = [.done, .cancelled, .late, .refused]

    var comparisons: [FilterComparison] {
        switch self {
        case .characteristic, .service, .descriptor, .uuid, .serviceData, .company, .peer, .value:
            [.equal, .notEqual, .contains, .begins]
        case .method: [.equal, .notEqual, .contains]
        case .handle, .opcode, .frame, .connection, .controller, .rssi, .rtt:
            [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        case .error, .direction, .server, .knownFrom, .bearer, .incident, .outcome, .procedure, .reason:
            [.equal, .notEqual]
        case .field: FilterComparison.allCases
        case .encrypted, .ended, .fault, .known, .loss: []
        }
    }
}

/// A comparison of a property with its operand. The raw value is the sign.
enum FilterComparison: String, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains, begins

    init?(_ token: FilterToken) {
        switch token.kind {
        case .sign("~"): self = .contains
        case .sign(let sign): self.init(rawValue: sign)
        case .word(let word) where word == "contains" || word == "begins": self.init(rawValue: word)
        default: return nil
        }
    }

    var isOrder: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }

    /// Whether `first` and `second` meet it.
    func holds<Number: Comparable>(_ first: Number, _ second: Number) -> Bool {
        switch self {
        case .equal: first == second
        case .notEqual: first != second
        case .less: first < second
        case .lessOrEqual: first <= second
        case .greater: first > second
        case .greaterOrEqual: first >= second
        case .contains, .begins: false
        }
    }
}

import AttlasDissection

/// A filter expression: `service == "Heart Rate" and method == notification`. Documentation/filter.md describes the language.
package struct Filter: Sendable {
    var expression: FilterExpression
    /// As it was written; empty of a filter that was not.
    private(set) var text = ""
    /// How many UUID tests there are.
    var uuidCount: Int
    /// The names of the fields that are tested.
    var fields: [String]

    /// Names that an expression may begin with.
    package static var names: [String] { FilterProperty.allCases.map(\.rawValue) }

    /// - Parameter library: the names that can be known; a name that is in none of its tables is a mistake.
    package init(_ text: String, library: DissectorLibrary) throws(FilterMistake) {
        var parser = try FilterParser(text, library: library)
        self = try parser.parse()
        self.text = text
    }

    init(_ expression: FilterExpression, uuidCount: Int = 0) {
        self.expression = expression
        self.uuidCount = uuidCount
        fields = []
    }

    /// All problems: errors, faults, records lost, and incidents that are more than noted.
    package static let trouble = Filter(
        .any([.test(.has(.error)), .test(.has(.fault)), .test(.has(.loss)), .test(.incidentOf(.hindered))]))

    /// Whether it tests incidents, which are found by following every event.
    var needsIncidents: Bool {
        expression.contains { test in
            switch test {
            case .has(.incident), .incident, .incidentOf: true
            default: false
            }
        }
    }

    /// Whether it needs HCI commands and events.
    var needsControl: Bool { needsIncidents || findsPackets }

    /// Whether it tests properties that only packets below ATT, and advertisements, have.
    package var findsPackets: Bool {
        expression.contains { test in
            switch test {
            case .has(.rssi), .number(.rssi, _, _), .has(.company), .has(.serviceData), .advertised: true
            default: false
            }
        }
    }
}

extension FilterExpression {
    fileprivate func contains(_ isWanted: (FilterTest) -> Bool) -> Bool {
        switch self {
        case .test(let test): isWanted(test)
        case .not(let inside): inside.contains(isWanted)
        case .all(let terms), .any(let terms): terms.contains { $0.contains(isWanted) }
        }
    }
}

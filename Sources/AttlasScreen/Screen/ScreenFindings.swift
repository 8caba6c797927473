import AttlasConversation
import AttlasLint
import AttlasMetrics
import AttlasTrace
import AttlasValues

/// Lint findings while the screen is watched, collected for a paused screen even if not requested. Its memory ends with that of
/// `LintFindings`.
struct ScreenFindings {
    /// About one attribute.
    struct Known {
        var count = 0
        var last: LintFinding
    }

    private(set) var lines = FindingLines()
    /// Whether the screen shows them.
    let isShown: Bool
    /// Not only information.
    private(set) var hasTrouble = false
    private var known: [AttributePlace: Known] = [:]

    init() { isShown = false }

    init(following values: ValueInterpreter, isShown: Bool) {
        lines = FindingLines(following: values)
        self.isShown = isShown
    }

    subscript(_ place: AttributePlace) -> Known? { known[place] }

    mutating func use(_ values: ValueInterpreter) { lines.use(values) }

    /// - Returns: the event's findings, and the attributes that they are about.
    mutating func follow(
        _ event: borrowing Event, in trace: borrowing Trace
    ) -> [(finding: LintFinding, place: AttributePlace?)] {
        if case .identified(let identification) = event.detail { known.follow(identification) }
        let new = lines.take(after: event, isShown: true, hasLine: true, in: trace)
        guard isShown else { return [] }
        return new.map { finding in
            if finding.rule.severity > .info { hasTrouble = true }
            guard let server = finding.place.server, let handle = finding.place.handle, let slot = event.connection
            else {
                return (finding, nil)
            }
            // A descriptor's finding belongs to its characteristic.
            let place = AttributePlace(
                owner: TableOwner(server, slot, in: trace), handle: finding.place.attribute?.valueHandle ?? handle)
            known[place, default: Known(last: finding)].count += 1
            known[place]?.last = finding
            return (finding, place)
        }
    }

    /// All of them, with those that the end of the conversation settles.
    mutating func takeAll(in trace: borrowing Trace) -> [LintFinding] {
        guard isShown else { return [] }
        _ = lines.takeLast(in: trace)
        return lines.all(in: trace)
    }
}

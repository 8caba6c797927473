import ArgumentParser
import AttlasIncidents
import AttlasSources

/// The part of a live source that is recorded when something breaks.
struct FlightOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With --write: record only around incidents, this time before and after each (90s, 10m, 1h).",
            valueName: "time"))
    var keep: Interval?

    @Option(
        help: ArgumentHelp(
            "With --keep: the incidents, by kind or weight, with commas between: incident (any), broke, \"link lost,request refused\". (default: broke)",
            valueName: "kinds"), completion: .list(IncidentChoice.words))
    var on: IncidentChoice?

    @Option(
        help: ArgumentHelp(
            "With --keep: keep records up to this size in memory. (default: 64M)", valueName: "size"))
    var keepMemory: ByteCount?

    func validate() throws {
        if keep == nil, on != nil || keepMemory != nil { throw ValidationError("--on and --keep-memory need --keep.") }
    }

    var window: FlightRecorder.Window? {
        keep.map { FlightRecorder.Window(seconds: $0.seconds, octets: keepMemory?.octets ?? 64_000_000) }
    }

    /// Incidents that are recorded; nil for none.
    var choice: IncidentChoice? { keep == nil ? nil : on ?? .broke }
}

/// Kinds of incidents, and weights.
struct IncidentChoice: ExpressibleByArgument {
    private var kinds: Set<Incident.Kind> = []
    private var weights: Set<Incident.Weight> = []

    static let broke = IncidentChoice(weights: [.broke])

    private init(weights: Set<Incident.Weight>) {
        self.weights = weights
    }

    static let words =
        ["incident"] + Incident.Weight.allCases.map(\.rawValue)
        + Incident.Kind.allCases.map { $0.rawValue.split(separator: " ").joined(separator: "-") }

    /// A shell needs no quotes for `link-lost`.
    init?(argument: String) {
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split { $0 == " " || $0 == "-" }.joined(separator: " ")
            if words == "incident" {
                weights = Set(Incident.Weight.allCases)
            } else if let weight = Incident.Weight(rawValue: words) {
                weights.insert(weight)
            } else if let kind = Incident.Kind(rawValue: words) {
                kinds.insert(kind)
            } else {
                return nil
            }
        }
    }

    func holds(_ incident: IncidentCollector.News) -> Bool {
        weights.contains(incident.weight) || kinds.contains(incident.kind)
    }
}

import AttlasDefinitions
import AttlasDissection
import AttlasTrace

/// One parser of untrusted input. It may refuse it in any way but by stopping the program.
///
/// To add one: a case here. `OutputInspector` has the requirements on its output.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Every capture reader, compressed and in archives: a file.
    case captures
    /// Texts with packets in them: a file.
    case texts
    /// Records to every output: a `RecordList` after an octet that chooses the outputs.
    case pipeline
    /// Records to the full screen: a `RecordList` after a head of options and a script (`ScreenScript`).
    case screen
    /// Advertising reports and their structures: AD structures.
    case advertising
    /// Pairing: SMP PDUs, each after its length.
    case pairing
    /// Every built-in definition: two octets that choose it, one for the ATT operation, and a value.
    case dissection
    /// A user's definitions: YAML.
    case definitions
    /// Code in every language of random definitions (`RandomDefinition`): octets that choose one.
    case code
    /// Findings and incidents of one reading, printed by another: a `RecordList` after an octet of options.
    case notes
    /// A filter expression.
    case filter
    /// GATT tables: a file.
    case imports

    /// Octets before a `RecordList`.
    package var headLength: Int {
        switch self {
        case .pipeline, .notes: 1
        case .screen: 64
        case .captures, .texts, .advertising, .pairing, .dissection, .definitions, .code, .filter, .imports: 0
        }
    }
}

/// Runs targets, and counts.
package final class Fuzzer {
    package internal(set) var inputs = 0
    package internal(set) var records = 0

    let library: DissectorLibrary
    /// A new trace for each output.
    let makeTrace: () -> Trace
    package let inspector = OutputInspector()
    let conversation = SampleConversation.records

    /// Results that take long to compute, computed once.
    static let keys = (DissectorLibrary.shipped.definitions + DissectorLibrary.shipped.packetDefinitions).map(\.key)
    static let fieldNames =
        Array(DissectorLibrary.shipped.fieldNames.sorted().prefix(40)) + [
            "Heart Rate Measurement Value", "Battery Level",
        ]

    package init(library: DissectorLibrary = .shipped, makeTrace: @escaping () -> Trace = { Trace() }) {
        self.library = library
        self.makeTrace = makeTrace
    }

    package func run(_ target: FuzzTarget, _ input: [UInt8]) {
        if target != .captures, target != .texts { inputs += 1 }
        switch target {
        case .captures: captures(input)
        case .texts: texts(input)
        case .pipeline: pipeline(input)
        case .screen: screen(input)
        case .advertising: advertising(input)
        case .pairing: pairing(input)
        case .dissection: dissection(input)
        case .definitions: definitions(input)
        case .code:
            var definition = RandomDefinition(input)
            definitions(Array(definition.yaml().utf8))
        case .notes: notes(input)
        case .filter: filter(input)
        case .imports: imports(input)
        }
    }
}

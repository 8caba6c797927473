import AttlasCapture
import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasFilter
import AttlasImport
import AttlasInput
import AttlasTrace

/// An invalid option, or one that names a file that cannot be used.
struct RequestMistake: Error {
    let message: String

    init(_ message: String) { self.message = message }

    /// The host requested the end.
    static let interruption = RequestMistake("interrupted")

    /// A selection that matches nothing, and why.
    init(nothing reason: String) { message = "the selection matches nothing: \(reason)" }
}

/// Why a request fails, for its caller.
func message(_ error: any Error) -> String {
    // An interrupted read causes the other errors.
    if PythonSignals.haveInterrupted { return RequestMistake.interruption.message }
    return switch error {
    case let mistake as RequestMistake: mistake.message
    case let failure as CaptureError: failure.detailedDescription
    default: "\(error)"
    }
}

/// A capture, and the options for reading it, which attlas.h describes.
struct CaptureRequest {
    let path: String
    private(set) var library: DissectorLibrary
    /// As it was given.
    private(set) var selection = Selection()
    private var keys = GivenKeys()
    private var tables: [ImportedTable] = []
    /// The file's digest, if already known.
    private(set) var sha256: String?
    /// Whether a selection may match nothing.
    private(set) var mayMatchNothing = false

    private static let names =
        [
            "dissectors", "show_keys", "gatt_db", "keys", "peer", "characteristic", "frames", "from", "to", "filter",
            "sha256", "may_match_nothing",
        ] + GivenKeys.Kind.allCases.map(\.rawValue)

    /// - Parameter options: texts `name=value`.
    init(path: String, options: [String]) throws(RequestMistake) {
        self.path = path
        var values: [String: [String]] = [:]
        for option in options {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard Self.names.contains(name) else {
                throw RequestMistake(
                    "there is no option \(name)\(NearestWord.suggestion(for: name, among: Self.names))")
            }
            guard parts.count == 2 else { throw RequestMistake("the option \(name) has no value") }
            values[name, default: []].append(String(parts[1]))
        }
        library = try Self.library(values["dissectors"] ?? [], showsKeys: values["show_keys"]?.last == "1")
        try addKeys(values)
        try addSelection(values)
        try addDigest(values["sha256"]?.last)
        mayMatchNothing = values["may_match_nothing"]?.last == "1"
        for path in values["gatt_db"] ?? [] {
            let database = GATTDatabase(path: path, makeTrace: makeTrace)
            if let mistake = database.mistakes.first { throw RequestMistake(mistake) }
            tables += database.tables
        }
    }

    private static func library(_ paths: [String], showsKeys: Bool) throws(RequestMistake) -> DissectorLibrary {
        let shipped: DissectorLibrary = showsKeys ? .shipped.showingKeys() : .shipped
        guard !paths.isEmpty else { return shipped }
        let sources: [DefinitionSource]
        do {
            sources = try paths.flatMap(DefinitionSource.files)
        } catch {
            throw RequestMistake("\(error)")
        }
        let loader = DefinitionLoader(sources, above: .shipped)
        if let mistake = loader.mistakes.first { throw RequestMistake("\(mistake)") }
        return shipped.adding(loader.files)
    }

    private mutating func addKeys(_ values: [String: [String]]) throws(RequestMistake) {
        for kind in GivenKeys.Kind.allCases {
            for text in values[kind.rawValue] ?? [] where !keys.add(kind, text) {
                throw RequestMistake("\(kind.rawValue) takes \(kind.expectation)")
            }
        }
        for path in values["keys"] ?? [] {
            let file = GivenKeys(file: path)
            if let mistake = file.mistakes.first { throw RequestMistake(mistake) }
            keys.add(file)
        }
    }

    private mutating func addSelection(_ values: [String: [String]]) throws(RequestMistake) {
        selection.peer = values["peer"]?.last
        selection.characteristic = values["characteristic"]?.last
        if let text = values["frames"]?.last {
            guard let frames = FrameRange(text) else {
                throw RequestMistake("frames takes 120, 100-200, 100- or -200, not \(text)")
            }
            selection.frames = frames.range
        }
        selection.from = try Self.time("from", values)
        selection.to = try Self.time("to", values)
        if let text = values["filter"]?.last {
            do throws(FilterMistake) {
                selection.filter = try Filter(text, library: library)
            } catch {
                throw RequestMistake("filter, \(error)")
            }
        }
    }

    private mutating func addDigest(_ text: String?) throws(RequestMistake) {
        if let text, text.utf8.count != 64 || !text.allSatisfy({ $0.isASCII && $0.isHexDigit }) {
            throw RequestMistake("sha256 takes 64 hexadecimal digits, not \(text)")
        }
        sha256 = text?.lowercased()
    }

    private static func time(_ name: String, _ values: [String: [String]]) throws(RequestMistake) -> TimeBound? {
        guard let text = values[name]?.last else { return nil }
        guard let bound = TimeBound(text) else {
            throw RequestMistake(
                "\(name) takes seconds from the first record, or UTC such as 09:55:20.5 or 2026-11-21T09:55:20.5Z, not \(text)"
            )
        }
        return bound
    }

    /// A trace that knows the keys and the tables.
    func makeTrace() -> Trace {
        var trace = Trace()
        keys.add(to: &trace)
        for table in tables { trace.import(table) }
        return trace
    }

    /// With the peers that it names anywhere in the capture.
    func makeSelection() -> Selection { selection.knowingPeers(of: path, makeTrace) }
}

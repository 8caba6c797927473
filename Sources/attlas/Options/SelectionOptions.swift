import ArgumentParser
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasReport
import AttlasTrace

/// The part of a conversation that is shown.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show only what matches an expression: 'service == \"Heart Rate\" and method == notification', 'error', 'rtt > 100ms', "
                + "'field(\"Battery Level\") < 20', 'not known'. Documentation/filter.md has every name.",
            valueName: "expr"), completion: .filterNames)
    var filter: String?

    @Option(help: "Show only the peer whose name or address contains this text.", completion: .peers)
    var peer: String?

    @Option(
        help: "Show only the characteristic with this UUID, with these first digits, or with this text in its name.",
        completion: .characteristics)
    var characteristic: String?

    @Option(help: ArgumentHelp("Show only these records: 120, 100-200, 100- or -200.", valueName: "a-b"))
    var frames: FrameRange?

    @Option(
        help: ArgumentHelp(
            "Start at this time: seconds from the first record, or a UTC time such as 2026-11-21T09:55:20.5Z.",
            valueName: "time"))
    var from: TimeBound?

    @Option(help: ArgumentHelp("End at this time.", valueName: "time"))
    var to: TimeBound?

    @Option(
        name: [.customShort("C"), .customLong("context")],
        help: ArgumentHelp(
            "Show matches (default: errors, faults, losses) with N lines of context.", valueName: "n"))
    var context: Int?

    private static let contextLimit = 1_000

    func validate() throws {
        if let context, !(0...Self.contextLimit ~= context) {
            throw ValidationError("-C takes 0 to \(Self.contextLimit) lines.")
        }
    }

    func selection(_ library: DissectorLibrary) throws -> Selection {
        var selection = Selection()
        selection.peer = peer
        selection.characteristic = characteristic
        selection.frames = frames?.range
        selection.from = from
        selection.to = to
        selection.context = context
        do throws(FilterMistake) {
            selection.filter = try filter.map { text throws(FilterMistake) in try Filter(text, library: library) }
        } catch {
            printError("--filter, \(error)", excerpt: error.excerpt)
            throw ExitCode.validationFailure
        }
        return selection
    }
}

extension SelectionOptions {
    /// Of commands that print no conversation.
    func refuseContext() throws {
        if context != nil { throw ValidationError("-C works with show and live only.") }
    }
}

extension Selection {
    /// The same of a capture that is open; joined files are not read twice.
    func knowingPeers(of info: CaptureInfo, _ makeTrace: () -> Trace) -> Selection {
        info.joined.isEmpty ? knowingPeers(of: info.file, makeTrace) : self
    }

    /// Knows the peers that `peer` names in the whole of a capture: a first reading looks for names that come late. What cannot
    /// be read twice is selected by the names known so far.
    func knowingPeers(of path: String, _ makeTrace: () -> Trace) -> Selection {
        guard let peer, SystemCalls.regularFileSize(path) != nil, var reader = try? CaptureReader(path: path) else {
            return self
        }
        var search = PeerSearch()
        var trace = makeTrace()
        // An error is reported by the reading that shows what was decoded before it.
        while !Interruption.isRequested, let record = try? reader.next() {
            trace.decodeUnspecialized(record, into: &search)
        }
        var selection = self
        selection.peers = search.peers(named: peer, in: trace)
        return selection
    }
}

/// `120`, `100-200`, `100-`, `-200`.
struct FrameRange: ExpressibleByArgument {
    let range: ClosedRange<Int>

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), argument != "-" else { return nil }
        guard let first = parts[0].isEmpty ? 1 : Int(parts[0]), let end = parts.last else { return nil }
        guard let last = end.isEmpty ? Int.max : Int(end), first >= 1, first <= last else { return nil }
        range = first...last
    }
}

import ArgumentParser
import AttlasConversation
import AttlasDissection
import AttlasFilter

/// The part of a conversation that is shown.
struct SelectionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Select the events that match an expression: 'service == \"Heart Rate\" and method == notification', 'error', 'rtt > 100ms', "
                + "'field(\"Battery Level\") < 20', 'not known'. attlas help filter lists every name.",
            valueName: "expr"), completion: .filterNames)
    var filter: String?

    @Option(help: "Select the peer whose name or address contains this text.", completion: .peers)
    var peer: String?

    @Option(
        help: "Select the characteristic by UUID, the first digits of its UUID, or part of its name.",
        completion: .characteristics)
    var characteristic: String?

    @Option(help: ArgumentHelp("Select these records: 120, 100-200, 100- or -200.", valueName: "a-b"))
    var frames: FrameRange?

    @Option(
        help: ArgumentHelp(
            "Start at this time: seconds from the first record, or UTC: 09:55:20.5 or 2026-11-21T09:55:20.5Z.",
            valueName: "time"))
    var from: TimeBound?

    @Option(help: ArgumentHelp("End at this time.", valueName: "time"))
    var to: TimeBound?

    func validate() throws {
        if let from, let to, to.isBefore(from) { throw ValidationError("--to is before --from.") }
    }

    func selection(_ library: DissectorLibrary) throws -> Selection {
        var selection = Selection()
        selection.peer = peer
        selection.characteristic = characteristic
        selection.frames = frames?.range
        selection.from = from
        selection.to = to
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
    /// Whether it is less than the whole conversation.
    var isSet: Bool {
        filter != nil || peer != nil || characteristic != nil || frames != nil || from != nil || to != nil
    }
}

/// Lines around the selection, for commands that print a conversation.
struct ContextOptions: ParsableArguments {
    @Option(
        name: [.customShort("C"), .customLong("context")],
        help: ArgumentHelp(
            "N lines around each match. Without a filter, matches are errors, faults, losses and incidents.",
            valueName: "n"))
    var context: Int?

    private static let limit = 1_000

    func validate() throws {
        if let context, !(0...Self.limit ~= context) {
            throw ValidationError("-C takes 0 to \(Self.limit) lines.")
        }
    }
}

extension TimeBound: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument)
    }
}

extension FrameRange: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument)
    }
}

import ArgumentParser
import AttlasReport

/// What part of a conversation is shown.
struct SelectionOptions: ParsableArguments {
    @Option(help: "Only the peer with this in its name or address.")
    var peer: String?

    @Option(help: "Only the characteristic with this UUID, or with this in its name.")
    var characteristic: String?

    @Option(help: ArgumentHelp("Only these records: 120, 100-200, 100- or -200.", valueName: "a-b"))
    var frames: FrameRange?

    var selection: Selection {
        var selection = Selection()
        selection.peer = peer
        selection.characteristic = characteristic
        selection.frames = frames?.range
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

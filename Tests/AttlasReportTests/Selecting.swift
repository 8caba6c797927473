import AttlasDefinitions
import AttlasFilter
import AttlasInput
import AttlasTrace
import AttlasValues
import Foundation

@testable import AttlasReport

/// Shows a capture of the project through a selection.
enum Selecting {
    /// Frames of the ATT operations that a filter selects.
    static func frames(_ filter: String, in capture: String) throws -> [Int] {
        try select(filter, in: capture).frames
    }

    static func select(_ filter: String, in capture: String) throws -> EventCollector {
        var selection = Selection()
        selection.filter = try Filter(filter, library: .withExamples)
        return try show(selection, capture) { _ in EventCollector() }
    }

    static func text(
        of capture: String, options: ConversationText.Options = .init(), _ change: (inout Selection) throws -> Void
    ) throws -> [String] {
        var selection = Selection()
        try change(&selection)
        let text = try show(selection, capture) { ConversationText(values: $0, options: options) }
        return text.lines.string.split(separator: "\n").map(String.init)
    }

    static func show<Sink: LineSink>(
        _ selection: Selection, _ capture: String, _ makeSink: (ValueInterpreter) -> Sink
    ) throws -> Sink {
        var reader = try CaptureReader(
            path: RecordedConversationTests.folder.appendingPathComponent(capture).path)
        var selected = Interpreted(library: .withExamples) {
            Selected(sink: makeSink($0), selection: selection, values: $0)
        }
        var trace = Trace()
        while let record = try reader.next() { trace.decode(record, into: &selected) }
        trace.finish(into: &selected)
        return selected.sink.sink
    }
}

/// Notes the ATT operations and the losses that come through.
struct EventCollector: LineSink {
    var lines = TextBuffer()
    var frames: [Int] = []
    var losses = 0
    var others = 0

    mutating func separateGroups() {}

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .att: frames.append(event.frame)
        case .loss: losses += 1
        default: others += 1
        }
    }
}

import AttlasDefinitions
import AttlasDissection
import AttlasFilter
import AttlasTestSupport
import AttlasValues
import Foundation

@testable import AttlasReport

/// The lines of a conversation that a test writes down, a packet a second.
func printedLines<Sink: LineSink>(of packets: [Packet], _ makeSink: (ValueInterpreter) -> Sink) -> String {
    decoded(packets, as: RecordMaker(step: 1_000_000), into: makeSink).lines.string
}

/// The lines of a capture of the project, as a selection leaves them.
func printedLines<Sink: LineSink>(
    ofCapture capture: String, _ selection: Selection = Selection(), _ makeSink: (ValueInterpreter) -> Sink
) throws -> String {
    try decoded(capture: capture) { values in
        Selected(sink: makeSink(values), selection: selection, values: values)
    }.sink.lines.string
}

/// … as text, line by line.
func printedText(
    ofCapture capture: String, options: ConversationText.Options = .init(), _ change: (inout Selection) throws -> Void
) throws -> [String] {
    var selection = Selection()
    try change(&selection)
    return try printedLines(ofCapture: capture, selection) { ConversationText(values: $0, options: options) }
        .split(separator: "\n").map(String.init)
}

/// What is written.
func printed(_ write: (inout Output) -> Void) throws -> String {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) {
        let path = try folder.write([], to: "output")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        var output = Output(descriptor: file.fileDescriptor)
        write(&output)
        try file.close()
        return try String(contentsOfFile: path, encoding: .utf8)
    }
}

extension TextBuffer {
    var string: String { String(decoding: bytes, as: UTF8.self) }
}

import AttlasConversation
import AttlasDefinitions
import AttlasDissection
import AttlasFilter
import AttlasText
import AttlasValues
import Foundation

/// The lines of a conversation that a test writes down, a packet a second.
package func printedLines<Sink: LineSink>(of packets: [Packet], _ makeSink: (ValueInterpreter) -> Sink) -> String {
    decoded(packets, as: RecordMaker(step: 1_000_000), into: makeSink).lines.string
}

/// The lines of a capture of the project, as a selection leaves them.
package func printedLines<Sink: LineSink>(
    ofCapture capture: String, _ selection: Selection = Selection(), _ makeSink: (ValueInterpreter) -> Sink
) throws -> String {
    try decoded(capture: capture) { values in
        Selected(sink: makeSink(values), selection: selection, values: values)
    }.sink.lines.string
}

/// … as text, line by line.
package func printedText(
    ofCapture capture: String, options: ConversationText.Options = .init(), _ change: (inout Selection) throws -> Void
) throws -> [String] {
    var selection = Selection()
    try change(&selection)
    return try printedLines(ofCapture: capture, selection) { ConversationText(values: $0, options: options) }
        .split(separator: "\n").map(String.init)
}

/// What is written.
package func printed(_ write: (inout Output) -> Void) throws -> String {
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
    package var string: String { String(decoding: bytes, as: UTF8.self) }
}

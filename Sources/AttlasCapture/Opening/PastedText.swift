import AttlasWire

/// A text with logs of packets in it, each a capture: an issue, a mail, the output of a serial port.
///
/// The first has the name of the file, the others "name!/log-2" and so on.
final class PastedText: CaptureContainer {
    let name: String
    let isCompressionOnly = false
    private let text: TextReader
    private var logs = 0

    /// - Parameters:
    ///   - start: Octets before the first log.
    ///   - format: Format of that log.
    init(_ input: consuming InputBuffer, start: Int, _ format: any FormatReader.Type) {
        name = input.name
        text = TextReader(input, start: start, format)
    }

    func next() throws(CaptureError) -> ContainerItem? {
        guard let format = try text.findNext() else { return nil }
        logs += 1
        let name = logs == 1 ? name : "\(name)!/log-\(logs)"
        let text = text
        let source = ByteSource(name: name) { text.read(into: &$0) }
        var input = InputBuffer(source, offset: text.offset)
        input.textKind = text.kind
        return .capture(input, format)
    }

    // A text in which nothing was found is none of these.
    func refusal(_ held: HeldNames) -> CaptureError {
        CaptureError(.unknownFormat, file: name, "it contains no capture")
    }
}

/// The lines of one log after the other.
private final class TextReader {
    private var input: InputBuffer
    /// Octets before a log that was found and not yet read.
    private var start: (distance: Int, format: any FormatReader.Type)?
    /// Octets of the line that is read, and whether the log ends before the next one.
    private var left = 0
    private var isAtEnd = true

    init(_ input: consuming InputBuffer, start: Int, _ format: any FormatReader.Type) {
        self.input = input
        self.start = (start, format)
    }

    var offset: UInt64 { input.offset }
    var kind: TextKind? { input.textKind }

    /// Moves to the next log, and returns its format.
    func findNext() throws(CaptureError) -> (any FormatReader.Type)? {
        if start == nil {
            try skipLog()
            switch try input.findText() {
            case .log(let distance): start = (distance, TextLog.self)
            case .appLog(let distance): start = (distance, AppLog.self)
            case .snooz, .nothing: return nil
            }
        }
        guard let (distance, format) = start.take() else { return nil }
        input.consume(distance)
        isAtEnd = false
        return format
    }

    private func skipLog() throws(CaptureError) {
        while try moveToLine() {
            input.consume(left)
            left = 0
        }
        // The line that ended it.
        if case .octets(let length) = try input.line(at: 0) { input.consume(length) }
    }

    /// Whether octets of this log follow.
    private func moveToLine() throws(CaptureError) -> Bool {
        guard left == 0, !isAtEnd else { return left > 0 }
        switch try input.line(at: 0) {
        case .octets(let length):
            isAtEnd = input.bytes.prefix(length).isTextBoundary
            left = isAtEnd ? 0 : length
        case .beyondLimit: left = input.available
        case .end: isAtEnd = true
        }
        return left > 0
    }

    func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        do throws(CaptureError) {
            while buffer.freeCapacity > 0, try moveToLine() {
                let count = min(left, buffer.freeCapacity)
                input.move(count, to: &buffer)
                left -= count
                // A pipe is not waited for when there is something to hand on.
                if left == 0, input.available == 0 { break }
            }
            return .octets
        } catch {
            return ByteSource.Outcome(error)
        }
    }
}

import AttlasCapture
import AttlasWire

/// A text with logs of packets in it, each a capture: an issue, a mail, the output of a serial port.
///
/// The first has the name of the file, the others "name!/log-2" and so on.
final class PastedText: CaptureContainer {
    let name: String
    let isCompressionOnly = false
    private let text: TextReader
    private var logs = 0

    /// - Parameter start: Octets before the first log.
    init(_ input: consuming InputBuffer, start: Int) {
        name = input.name
        text = TextReader(input, start: start)
    }

    func next() throws(CaptureError) -> ContainerItem? {
        guard try text.findNext() else { return nil }
        logs += 1
        let name = logs == 1 ? name : "\(name)!/log-\(logs)"
        let text = text
        let source = ByteSource(name: name) { text.read(into: &$0) }
        return .capture(InputBuffer(source, offset: text.offset), TextLog.self)
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
    private var start: Int?
    /// Octets of the line that is read, and whether the log ends before the next one.
    private var left = 0
    private var isAtEnd = true

    init(_ input: consuming InputBuffer, start: Int) {
        self.input = input
        self.start = start
    }

    var offset: UInt64 { input.offset }

    /// Moves to the next log.
    func findNext() throws(CaptureError) -> Bool {
        if start == nil {
            try skipLog()
            guard case .log(let distance) = try input.findText() else { return false }
            start = distance
        }
        input.consume(start ?? 0)
        start = nil
        isAtEnd = false
        return true
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
            guard case .system(let number) = error.kind else { return .damaged(error.reason) }
            return .failed(number)
        }
    }
}

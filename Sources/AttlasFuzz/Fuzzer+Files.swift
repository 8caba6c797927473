import AttlasConversation
import AttlasDocuments
import AttlasImport
import AttlasInput
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Whole files: captures, archives of them, and GATT tables.
extension Fuzzer {
    /// The outcome of a file.
    struct FileOutcome: Sendable, Equatable {
        var captures = 0
        /// Records that were handed on, and of those the broken ones.
        var records = 0
        var broken = 0
        /// Messages of `CaptureError`.
        var errors: [String] = []
        /// Frames of records that became nothing at all.
        var unaccounted: [Int] = []
    }

    func captures(_ input: [UInt8]) {
        read(input, name: "fuzz")
        compareWithPieces(input)
        compareWays(input)
    }

    /// A text has no signature: input that begins with no log is read as if it did.
    func texts(_ input: [UInt8]) {
        read(input, name: "fuzz")
        try? compareWithPieces(input, TextLog.self)
        try? compareWithPieces(input, AppLog.self)
        compareWays(input)
    }

    /// Reads a capture whole, where plain records are read together, and octet by octet, where each is read by itself: the records
    /// are the same.
    package func compareWithPieces(_ input: [UInt8]) {
        guard let format = CaptureReader.formats.first(where: { $0.recognizes(Bytes(input.span)) }) else { return }
        // The header of a file is read in one way only.
        try? compareWithPieces(input, format)
    }

    private func compareWithPieces(_ input: [UInt8], _ format: any FormatReader.Type) throws(CaptureError) {
        var position = 0
        let pieces = ByteSource(name: "fuzz") { output in
            if position < input.count { output.append(input[position]) }
            position += 1
            return .octets
        }
        var whole = try CaptureReader(InputBuffer(input, name: "fuzz"), format)
        var slow = try CaptureReader(InputBuffer(pieces), format)
        func next(_ reader: inout CaptureReader) -> String? {
            do throws(CaptureError) {
                guard let record = try reader.next() else { return nil }
                return "\(RecordCopy(record))"
            } catch {
                return "\(error)"
            }
        }
        while true {
            let (expected, found) = (next(&slow), next(&whole))
            precondition(
                expected == found, "read together: \(found ?? "nothing"); one by one: \(expected ?? "nothing")")
            if expected == nil { break }
        }
        precondition("\(slow.info)" == "\(whole.info)", "the captures say different things of themselves")
    }

    /// All data of a record.
    private struct RecordCopy {
        let frame: Int
        let offset: UInt64
        let time: Timestamp
        let content: Record.Content
        let direction: Direction
        let controller: UInt16
        let bytes: [UInt8]
        let missing: Int
        let lost: UInt32
        let comments: [String]

        init(_ record: Record) {
            frame = record.frame
            offset = record.offset
            time = record.time
            content = record.content
            direction = record.direction
            controller = record.controller
            bytes = record.bytes.copy()
            missing = record.missing
            lost = record.lost
            comments = record.comments
        }
    }

    /// Reads every capture in the file, decodes it, and holds the reader to its promises: frames count up.
    @discardableResult
    func read(_ input: [UInt8], name: String) -> FileOutcome {
        inputs += 1
        var outcome = FileOutcome()
        var captures = CaptureSet(bytes: input, name: name)
        var isAtEnd = false
        while !isAtEnd, outcome.captures + outcome.errors.count < 256 {
            do throws(CaptureError) {
                if var reader = try captures.next() {
                    outcome.captures += 1
                    try read(&reader, &outcome)
                } else {
                    isAtEnd = true
                }
            } catch {
                outcome.errors.append(error.detailedDescription)
                var text = TextBuffer()
                text.append(display: error.detailedDescription)
                inspector.inspect(.text, &text)
            }
        }
        // Files with this number of errors have them in different places.
        precondition(isAtEnd || outcome.errors.last != outcome.errors.dropLast().last, "an error without end")
        return outcome
    }

    private func read(_ reader: inout CaptureReader, _ outcome: inout FileOutcome) throws(CaptureError) {
        var sink = Interpreted(library: library) { values in
            SinkPair(
                first: SinkPair(first: ConversationText(values: values, options: hciOptions), second: Accounting()),
                second: ConversationJSON(values: values, showsHCI: true, file: "a"))
        }
        var trace = Trace()
        var frame = 0
        var frames: [Int] = []
        sink.sink.second.begin(reader.info)
        defer {
            trace.finish(into: &sink)
            sink.sink.second.end(CaptureIntegrity(CaptureExtent(), reader.info, in: trace), reader.info)
            inspector.inspect(.text, &sink.sink.first.first.lines)
            inspector.inspect(inputs & 7 == 0 ? .json : .jsonUnparsed, &sink.sink.second.lines)
            outcome.unaccounted += frames.filter { !sink.sink.first.second.has($0) }
        }
        while let record = try reader.next() {
            outcome.records += 1
            records += 1
            if case .broken = record.content { outcome.broken += 1 }
            precondition(record.frame >= frame, "frames count backwards")
            frame = record.frame
            if !record.isEmptyFragment { frames.append(frame) }
            sink.sink.first.first.note(record.comments, of: record.frame)
            sink.sink.second.note(record.comments, of: record.frame)
            trace.decode(record, into: &sink)
            inspector.inspect(.text, &sink.sink.first.first.lines)
            if inputs & 7 == 0 {
                inspector.inspect(.json, &sink.sink.second.lines)
            } else {
                sink.sink.second.lines.removeAll()
            }
        }
    }

    private var hciOptions: ConversationText.Options {
        var options = ConversationText.Options()
        options.showsHCI = true
        return options
    }

    /// The importers open their files themselves.
    func imports(_ input: [UInt8]) {
        let file = ScratchFile()
        file.write(input)
        let database = GATTDatabase(path: file.path)
        for mistake in database.mistakes {
            var text = TextBuffer()
            text.append(display: mistake)
            inspector.inspect(.text, &text)
        }
        var trace = Trace()
        for table in database.tables { trace.import(table) }
        var sink = Interpreted(library: library) { values in
            SinkPair(
                first: ConversationText(values: values, options: hciOptions), second: TreeCollector(values: values))
        }
        conversation.forEachRecord { trace.decode($0, into: &sink) }
        trace.finish(into: &sink)
        inspector.inspect(.text, &sink.sink.first.lines)
        let trees = sink.sink.second.finish(in: trace, CaptureIntegrity(CaptureExtent(), in: trace))
        inspector.inspect(.json) { output in
            var tree = TreeJSON(trees)
            tree.write(file: "a", into: &output)
        }
    }
}

extension Record {
    /// An ACL packet that continues a frame by nothing.
    fileprivate var isEmptyFragment: Bool {
        guard case .packet(.acl) = content else { return false }
        return bytes.count == 4 && missing == 0 && bytes[1] & 0x30 == 0x10
    }
}

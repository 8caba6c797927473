import AttlasDissection
import CYAML

/// libyaml, whose events come in the order of the text. No other file knows it.
@safe struct YAMLParser: ~Copyable {
    struct Event {
        enum Content {
            case documentStart, documentEnd, streamEnd
            case listStart, listEnd
            case mappingStart, mappingEnd
            /// With its line breaks, and its escapes resolved.
            case scalar(String)
            case alias
        }

        var content: Content
        /// Position of the anchor or the tag in front of a node, when it has one.
        var position: SourcePosition
        var hasAnchor: Bool
    }

    /// libyaml keeps pointers to both.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) {
        let utf8 = text.utf8
        unsafe self.text = .allocate(capacity: utf8.count)
        _ = unsafe self.text.initialize(from: utf8)
        unsafe parser = .allocate(capacity: 1)
        let isInitialized = unsafe yaml_parser_initialize(parser) == 1
        precondition(isInitialized, "no memory is left for a YAML parser")
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// - Throws: the first invalid YAML, and its place. No event follows it, nor `streamEnd`.
    mutating func next() throws(CompileMistake) -> Event {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw mistake }
        defer { unsafe yaml_event_delete(&event) }
        let position = unsafe SourcePosition(event.start_mark)
        var hasAnchor = false
        let content: Event.Content
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: return try next()
        case YAML_DOCUMENT_START_EVENT: content = .documentStart
        case YAML_DOCUMENT_END_EVENT: content = .documentEnd
        case YAML_SEQUENCE_START_EVENT:
            content = .listStart
            hasAnchor = unsafe event.data.sequence_start.anchor != nil
        case YAML_SEQUENCE_END_EVENT: content = .listEnd
        case YAML_MAPPING_START_EVENT:
            content = .mappingStart
            hasAnchor = unsafe event.data.mapping_start.anchor != nil
        case YAML_MAPPING_END_EVENT: content = .mappingEnd
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            content = .scalar(
                unsafe String(
                    decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self))
            hasAnchor = unsafe scalar.anchor != nil
        case YAML_ALIAS_EVENT: content = .alias
        default: content = .streamEnd
        }
        return Event(content: content, position: position, hasAnchor: hasAnchor)
    }

    private var mistake: CompileMistake {
        let start = SourcePosition(line: 1, column: 1)
        guard let problem = unsafe parser.pointee.problem.map({ unsafe String(cString: $0) }) else {
            return CompileMistake(position: start, message: "not readable as YAML")
        }
        // libyaml reports no line for non-text.
        guard unsafe parser.pointee.error != YAML_READER_ERROR else {
            return CompileMistake(position: start, message: problem)
        }
        let context = unsafe parser.pointee.context.map { context in
            unsafe " (\(String(cString: context)), from line \(SourcePosition(parser.pointee.context_mark).line))"
        }
        return CompileMistake(
            position: unsafe SourcePosition(parser.pointee.problem_mark), message: problem + (context ?? ""))
    }
}

extension SourcePosition {
    /// libyaml counts from 0.
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}

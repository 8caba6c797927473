import AttlasColumns
import AttlasTables
import AttlasText
import CArrow
import Glibc

/// Memory that a consumer frees through a callback.
@safe private final class Allocations {
    private var pointers: [UnsafeMutableRawPointer] = unsafe []

    deinit {
        while let pointer = unsafe pointers.popLast() { unsafe pointer.deallocate() }
    }

    /// A copy, aligned as Arrow recommends.
    func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutableRawPointer {
        let size = max(elements.count * MemoryLayout<Element>.stride, 1)
        let pointer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        unsafe elements.withUnsafeBytes { octets in
            if let base = octets.baseAddress { unsafe pointer.copyMemory(from: base, byteCount: octets.count) }
        }
        unsafe pointers.append(pointer)
        return unsafe pointer
    }

    func text(_ text: String) -> UnsafePointer<CChar> {
        unsafe UnsafePointer(copy(Array(text.utf8CString)).assumingMemoryBound(to: CChar.self))
    }

    func room<Element>(for count: Int, of type: Element.Type) -> UnsafeMutablePointer<Element> {
        let size = max(count * MemoryLayout<Element>.stride, 1)
        let pointer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        unsafe pointers.append(pointer)
        return unsafe pointer.bindMemory(to: type, capacity: count)
    }
}

/// Releases the reference that a callback's `Unmanaged` retained.
private func free(_ allocations: UnsafeMutableRawPointer?) {
    guard let allocations = unsafe allocations else { return }
    unsafe Unmanaged<Allocations>.fromOpaque(allocations).release()
}

// MARK: Schema

extension ArrowSchema {
    /// A structure with a child for each column.
    init(_ table: Table) {
        let allocations = Allocations()
        let columns = table.columns
        let room = unsafe allocations.room(for: columns.count, of: ArrowSchema.self)
        let children = unsafe allocations.room(for: columns.count, of: UnsafeMutablePointer<ArrowSchema>?.self)
        for (index, column) in columns.enumerated() {
            unsafe (room + index).initialize(to: ArrowSchema(column))
            unsafe children[index] = room + index
        }
        unsafe self.init(
            format: allocations.text("+s"), name: allocations.text(table.name), metadata: nil, flags: 0,
            n_children: Int64(columns.count), children: children, dictionary: nil, release: releaseSchema,
            private_data: Unmanaged.passRetained(allocations).toOpaque())
    }

    private init(_ column: TableColumn) {
        let allocations = Allocations()
        let metadata = unsafe column.unit.map { unsafe allocations.copy(Self.metadata(["unit": $0])) }
        let words = unsafe allocations.room(for: 1, of: ArrowSchema.self)
        if column.kind == .word { unsafe words.initialize(to: ArrowSchema.words) }
        unsafe self.init(
            format: allocations.text(column.kind.format), name: allocations.text(column.name),
            metadata: unsafe metadata.map { unsafe UnsafePointer($0.assumingMemoryBound(to: CChar.self)) },
            flags: column.isOptional ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: 0, children: nil,
            dictionary: column.kind == .word ? words : nil, release: releaseSchema,
            private_data: Unmanaged.passRetained(allocations).toOpaque())
    }

    /// The schema of the texts that a column of words counts.
    private static var words: ArrowSchema {
        let allocations = Allocations()
        return unsafe ArrowSchema(
            format: allocations.text("u"), name: allocations.text(""), metadata: nil, flags: 0, n_children: 0,
            children: nil,
            dictionary: nil, release: releaseSchema, private_data: Unmanaged.passRetained(allocations).toOpaque())
    }

    /// The number of pairs, then the length and the octets of each key and value.
    private static func metadata(_ pairs: KeyValuePairs<String, String>) -> [UInt8] {
        var octets: [UInt8] = []
        func append(_ number: Int) {
            unsafe withUnsafeBytes(of: Int32(number)) { unsafe octets.append(contentsOf: $0) }
        }
        append(pairs.count)
        for (key, value) in pairs {
            for text in [key, value] {
                append(text.utf8.count)
                octets.append(contentsOf: text.utf8)
            }
        }
        return octets
    }
}

extension TableColumn.Kind {
    /// https://arrow.apache.org/docs/format/CDataInterface.html#data-type-description-format-strings
    fileprivate var format: String {
        switch self {
        case .integer: "l"
        case .real: "g"
        case .boolean: "b"
        case .text: "u"
        // Indices; the dictionary has the texts.
        case .word: "i"
        case .octets: "z"
        case .time: "tsn:UTC"
        case .duration: "tDn"
        }
    }
}

private func releaseSchema(_ schema: UnsafeMutablePointer<ArrowSchema>?) {
    guard let schema = unsafe schema else { return }
    for index in 0..<Int(unsafe schema.pointee.n_children) {
        if let child = unsafe schema.pointee.children[index] { unsafe child.pointee.release?(child) }
    }
    if let words = unsafe schema.pointee.dictionary { unsafe words.pointee.release?(words) }
    let allocations = unsafe schema.pointee.private_data
    unsafe schema.pointee.release = nil
    unsafe free(allocations)
}

// MARK: Batches

extension ArrowArray {
    /// A structure with a child for each column.
    init(_ batch: ArrowBatch) {
        let (columns, rows) = (batch.columns, batch.rows)
        let allocations = Allocations()
        let room = unsafe allocations.room(for: columns.count, of: ArrowArray.self)
        let children = unsafe allocations.room(for: columns.count, of: UnsafeMutablePointer<ArrowArray>?.self)
        for (index, column) in columns.enumerated() {
            unsafe (room + index).initialize(to: ArrowArray(column, rows: rows))
            unsafe children[index] = room + index
        }
        let buffers = unsafe allocations.room(for: 1, of: UnsafeRawPointer?.self)
        unsafe buffers[0] = nil
        unsafe self.init(
            length: Int64(rows), null_count: 0, offset: 0, n_buffers: 1, n_children: Int64(columns.count),
            buffers: buffers, children: children, dictionary: nil, release: releaseArray,
            private_data: Unmanaged.passRetained(allocations).toOpaque())
    }

    private init(_ column: ArrowColumn, rows: Int) {
        let allocations = Allocations()
        let buffers = unsafe allocations.room(for: 3, of: UnsafeRawPointer?.self)
        unsafe buffers[0] = column.nullCount > 0 ? UnsafeRawPointer(allocations.copy(column.validity)) : nil
        unsafe buffers[2] = nil
        var count = 2
        switch column.kind {
        case .integer, .time, .duration, .real: unsafe buffers[1] = UnsafeRawPointer(allocations.copy(column.numbers))
        case .boolean: unsafe buffers[1] = UnsafeRawPointer(allocations.copy(column.bits))
        case .word: unsafe buffers[1] = UnsafeRawPointer(allocations.copy(column.indices))
        case .text, .octets:
            count = 3
            unsafe buffers[1] = UnsafeRawPointer(allocations.copy(column.offsets))
            unsafe buffers[2] = UnsafeRawPointer(allocations.copy(column.octets))
        }
        let words = unsafe allocations.room(for: 1, of: ArrowArray.self)
        if column.kind == .word { unsafe words.initialize(to: ArrowArray(column.words)) }
        unsafe self.init(
            length: Int64(rows), null_count: Int64(column.nullCount), offset: 0, n_buffers: Int64(count),
            n_children: 0, buffers: buffers, children: nil, dictionary: column.kind == .word ? words : nil,
            release: releaseArray, private_data: Unmanaged.passRetained(allocations).toOpaque())
    }

    private init(_ words: WordList) {
        let allocations = Allocations()
        let buffers = unsafe allocations.room(for: 3, of: UnsafeRawPointer?.self)
        unsafe buffers[0] = nil
        unsafe buffers[1] = UnsafeRawPointer(allocations.copy(words.offsets))
        unsafe buffers[2] = UnsafeRawPointer(allocations.copy(words.octets))
        unsafe self.init(
            length: Int64(words.count), null_count: 0, offset: 0, n_buffers: 3, n_children: 0, buffers: buffers,
            children: nil, dictionary: nil, release: releaseArray,
            private_data: Unmanaged.passRetained(allocations).toOpaque())
    }
}

private func releaseArray(_ array: UnsafeMutablePointer<ArrowArray>?) {
    guard let array = unsafe array else { return }
    for index in 0..<Int(unsafe array.pointee.n_children) {
        if let child = unsafe array.pointee.children[index] { unsafe child.pointee.release?(child) }
    }
    if let words = unsafe array.pointee.dictionary { unsafe words.pointee.release?(words) }
    let allocations = unsafe array.pointee.private_data
    unsafe array.pointee.release = nil
    unsafe free(allocations)
}

// MARK: Streams

/// The state of a stream: the table, or the error that prevented it.
@safe private final class StreamState {
    let reader: TableReader?
    private let texts = Allocations()
    private(set) var error: UnsafePointer<CChar>?

    init(_ reader: TableReader) {
        self.reader = reader
        unsafe error = nil
    }

    /// Remembers why there are no more rows, if that is not their end.
    func fail() -> Bool {
        guard let reader, !reader.isInterrupted, let mistake = reader.mistake else { return false }
        if unsafe error == nil { unsafe error = texts.text(mistake.message) }
        return true
    }

    init(error: String) {
        reader = nil
        unsafe self.error = texts.text(error)
    }

    static func of(_ stream: UnsafeMutablePointer<ArrowArrayStream>?) -> StreamState? {
        guard let data = unsafe stream?.pointee.private_data else { return nil }
        return unsafe Unmanaged<StreamState>.fromOpaque(data).takeUnretainedValue()
    }
}

extension ArrowArrayStream {
    private init(_ state: StreamState) {
        unsafe self.init(
            get_schema: { stream, schema in
                guard let table = unsafe StreamState.of(stream)?.reader?.tables.first else { return EIO }
                unsafe schema?.initialize(to: ArrowSchema(table))
                return 0
            },
            get_next: { stream, array in
                guard let state = unsafe StreamState.of(stream), let reader = state.reader else { return EIO }
                PythonSignals.begin()
                if let (_, batch) = reader.next() {
                    unsafe array?.initialize(to: ArrowArray(batch))
                } else if state.fail() {
                    return EIO
                } else {
                    // The end is an array that was released.
                    unsafe array?.initialize(to: ArrowArray())
                }
                return 0
            },
            get_last_error: { unsafe StreamState.of($0)?.error },
            release: { stream in
                guard let data = unsafe stream?.pointee.private_data else { return }
                unsafe stream?.pointee.release = nil
                unsafe stream?.pointee.private_data = nil
                unsafe Unmanaged<StreamState>.fromOpaque(data).release()
            },
            private_data: Unmanaged.passRetained(state).toOpaque())
    }

    init(path: String, table: String, options: [String]) {
        do {
            let table = try Table(named: table)
            let request = try CaptureRequest(path: path, options: options)
            unsafe self.init(StreamState(try TableReader(request, tables: [table])))
        } catch {
            unsafe self.init(StreamState(error: message(error)))
        }
    }
}

/// attlas.h describes it.
@_cdecl("attlas_read_table")
public func readTable(
    _ path: UnsafePointer<CChar>, _ table: UnsafePointer<CChar>, _ options: UnsafePointer<UnsafePointer<CChar>?>?,
    _ stream: UnsafeMutableRawPointer
) {
    PythonSignals.begin()
    let stream = unsafe stream.bindMemory(to: ArrowArrayStream.self, capacity: 1)
    unsafe stream.initialize(
        to: ArrowArrayStream(path: String(cString: path), table: String(cString: table), options: texts(options)))
}

/// attlas.h describes it.
@_cdecl("attlas_version")
public func version() -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(AttlasVersion.text.utf8Start).assumingMemoryBound(to: CChar.self)
}

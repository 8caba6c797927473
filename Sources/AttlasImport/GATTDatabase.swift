import AttlasInput
import AttlasTrace
import Glibc

/// GATT tables read from a file: attlas's own `tree --json`, BlueZ's files about a device, or another capture.
///
/// The format is detected from the first octets. A file with a mistake gives no tables, a capture that cannot be read to its end gives
/// those of the part before; `mistakes` has the errors.
package struct GATTDatabase: Sendable {
    /// More than the trees of the largest captures.
    static let sizeLimit = 64 << 20
    /// The number that a trace remembers.
    static let tableLimit = 4_096

    package let path: String
    /// Those that hold something.
    package private(set) var tables: [ImportedTable] = []
    /// Whole sentences without a full stop, the path in front.
    package private(set) var mistakes: [String] = []

    /// - Parameter makeTrace: Makes the trace that decodes a capture.
    package init(path: String, makeTrace: () -> Trace = { Trace() }) {
        self.path = path
        do {
            switch try Self.contents(of: path) {
            case .text(let text): add(try Self.tables(in: text, path: path))
            case .capture(nil): read(CaptureSet(path: path), makeTrace)
            case .capture(let octets?): read(CaptureSet(bytes: octets, name: path), makeTrace)
            }
        } catch {
            mistakes.append("\(path): \(error)")
        }
        if tables.isEmpty && mistakes.isEmpty { mistakes.append("\(path): it contains no GATT table") }
    }

    private mutating func add(_ tables: [ImportedTable]) {
        self.tables += tables.filter { !$0.isEmpty }.prefix(Self.tableLimit - self.tables.count)
    }

    // MARK: Files

    private enum Contents {
        case text(String)
        /// Set if the file can be read only once.
        case capture([UInt8]?)
    }

    private static func contents(of path: String) throws(ImportMistake) -> Contents {
        // A file that cannot be opened may be a capture inside an archive; otherwise the reader of captures reports the error.
        let file = SystemCalls.open(path, O_RDONLY)
        guard file >= 0 else { return .capture(nil) }
        defer { close(file) }
        guard var octets = read(4_096, of: file) else { return .capture(nil) }
        let isText = octets.first { !" \t\r\n".utf8.contains($0) && ![0xEF, 0xBB, 0xBF].contains($0) }
            .map { "{[".utf8.contains($0) }
        let isRegular = lseek(file, 0, SEEK_CUR) >= 0
        if isText != true && isRegular { return .capture(nil) }

        while octets.count <= sizeLimit, let more = read(1 << 20, of: file), !more.isEmpty { octets += more }
        guard octets.count <= sizeLimit else { throw ImportMistake("it is larger than \(sizeLimit >> 20) MiB") }
        return isText == true ? .text(String(decoding: octets, as: UTF8.self)) : .capture(octets)
    }

    /// As many octets as these, fewer at the end of the file; nil if it cannot be read.
    private static func read(_ count: Int, of file: CInt) -> [UInt8]? {
        var error: CInt = 0
        let octets = [UInt8](capacity: count) { octets in
            while octets.freeCapacity > 0 {
                let count = SystemCalls.read(file, into: &octets)
                if count == 0 { return }
                if count < 0, errno != EINTR { error = errno }
                if count < 0, errno != EINTR || Interruption.isRequested { return }
            }
        }
        return error == 0 ? octets : nil
    }

    private static func tables(in text: String, path: String) throws(ImportMistake) -> [ImportedTable] {
        if text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "{" {
            return try TreeDocument.tables(in: text)
        }
        return [try BlueZStorage.table(in: text, owner: BlueZStorage.owner(path: path))]
    }

    // MARK: Captures

    private mutating func read(_ captures: consuming CaptureSet, _ makeTrace: () -> Trace) {
        var isAtEnd = false
        while !isAtEnd {
            do throws(CaptureError) {
                guard var reader = try captures.next() else { return }
                var trace = makeTrace()
                // Data decoded before an error counts.
                defer {
                    add(trace.peers.indices.compactMap { ImportedTable(peer: $0, in: trace) })
                    add(trace.controllers.indices.compactMap { ImportedTable(controller: $0, in: trace) })
                }
                var sink = Nowhere()
                while let record = try reader.next() { trace.decodeUnspecialized(record, into: &sink) }
            } catch {
                mistakes.append(error.detailedDescription)
            }
            isAtEnd = Interruption.isRequested
        }
    }

    private struct Nowhere: EventSink {
        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {}
    }
}

/// The mistake in a file: a clause that follows the file's name.
struct ImportMistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

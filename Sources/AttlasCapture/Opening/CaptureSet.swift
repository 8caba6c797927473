import AttlasSystem
import AttlasWire

/// Every capture of one file: the file itself, or each capture inside it when it is compressed, an archive, or an Android bug
/// report. Those inside are named `archive.zip!/path/in/it`.
///
/// ```swift
/// var captures = CaptureSet(path: "bugreport.zip")
/// while var reader = try captures.next() { … }
/// ```
/// Archives inside archives are opened one level deep. Other files are skipped. All is read as a stream.
public struct CaptureSet: ~Copyable {
    /// An archive, one inside it, and a text inside that.
    private static let depthLimit = 2

    package let name: String
    /// The path to open first.
    private var path: String?
    /// The only capture wanted.
    private var wanted: String?
    private var file: InputBuffer?
    private let kind: TextKind?
    /// The innermost is the last.
    private var open: [Level] = []
    private let expansion = Expansion()
    /// nil to refuse compressed files.
    private let decompression: (any Decompression.Type)?

    private struct Level {
        let container: any CaptureContainer
        var held = HeldNames()
        /// Whether a capture was found, or something that was to be one.
        var hasFound = false
    }

    /// A file, which `next` opens; `-` is standard input. A path with `!/` in it that is not a file is the capture of that name.
    ///
    /// - Parameter kind: The kind of a hex dump in it; nil if the dump shows it.
    package init(path: String, as kind: TextKind? = nil, _ decompression: (any Decompression.Type)?) {
        self.decompression = decompression
        name = path
        self.path = path
        self.kind = kind
        file = nil
    }

    package init(_ input: consuming InputBuffer, _ decompression: (any Decompression.Type)?) {
        self.decompression = decompression
        name = input.name
        path = nil
        kind = nil
        file = consume input
    }

    /// The next capture; the one before must have been read. Nil after the last.
    ///
    /// - Throws: An error in one capture, or in the whole file. The next call continues after it.
    public mutating func next() throws(CaptureError) -> CaptureReader? {
        while let reader = try nextOfAny() {
            if isWanted(reader.info.file) { return reader }
        }
        guard let wanted else { return nil }
        self.wanted = nil
        throw CaptureError(
            .system(SystemCalls.Failure(.missing).number), file: wanted, "the file does not contain this capture")
    }

    /// Whether the last capture was a log in a text, which may contain others.
    package var isOfLogs: Bool { open.last?.container is PastedText }

    private mutating func isWanted(_ name: String) -> Bool {
        guard let wanted else { return true }
        guard name == wanted else { return false }
        // There is no other capture, and the errors after this one are not reported.
        self.wanted = nil
        open.removeAll()
        return true
    }

    private mutating func openPath() throws(CaptureError) {
        guard let path = path.take() else { return }
        do throws(CaptureError) {
            file = InputBuffer(try ByteSource(path: path))
        } catch {
            let parts = path.split(separator: "!/", maxSplits: 1)
            guard error.kind == .system(SystemCalls.Failure(.missing).number), parts.count == 2, let outer = parts.first
            else { throw error }
            file = InputBuffer(try ByteSource(path: String(outer)))
            wanted = path
        }
    }

    private mutating func nextOfAny() throws(CaptureError) -> CaptureReader? {
        try openPath()
        if let input = file.take() {
            if let reader = try look(into: input) { return reader }
        }
        while let container = open.last?.container {
            // That was reported, and would be again by each of the rest.
            guard expansion.excess == nil else {
                open.removeAll()
                break
            }
            do throws(CaptureError) {
                guard let item = try container.next() else {
                    try close()
                    continue
                }
                if let reader = try reader(item) { return reader }
            } catch {
                // The earlier error is enough: "no capture" would add nothing.
                markFound()
                throw error
            }
        }
        return nil
    }

    private mutating func reader(_ item: consuming ContainerItem) throws(CaptureError) -> CaptureReader? {
        switch consume item {
        case .input(let input): return try look(into: input)
        case .capture(let input, let format):
            markFound()
            return try CaptureReader(input, format)
        case .unreadable(let name):
            open[open.count - 1].held.insert(name)
            return nil
        }
    }

    /// nil when it is not a capture: then it is skipped, or its contents come next.
    private mutating func look(into input: consuming InputBuffer) throws(CaptureError) -> CaptureReader? {
        let name = input.name
        var input = input
        input.textKind = kind ?? LogReaders.kindInUse
        switch try input.kind() {
        case .capture(let format):
            markFound()
            return try CaptureReader(input, format)
        case .archive(let signature) where open.count < Self.depthLimit:
            guard let decompression else { throw CaptureError(compressed: name) }
            open.append(
                Level(
                    container: try decompression.archive(input, signature, expansion, isOutermost: open.isEmpty)))
        case .utf16(let isBigEndian) where open.count < Self.depthLimit:
            open.append(Level(container: UTF16Text(input, isBigEndian: isBigEndian)))
        case .log(let start, let format):
            open.append(Level(container: PastedText(input, start: start, format)))
        case .text(let refusal):
            guard let decompression else { throw refusal }
            open.append(
                Level(
                    container: BugReport(input, refusal, expansion, isOutermost: open.isEmpty, decompression)))
        case .archive, .utf16:
            open[open.count - 1].held.insert(name)
        case .unknown(let refusal):
            guard let level = open.last, !level.container.isCompressionOnly else { throw refusal }
            open[open.count - 1].held.insert(name)
        }
        return nil
    }

    private mutating func markFound() {
        for index in open.indices { open[index].hasFound = true }
    }

    private mutating func close() throws(CaptureError) {
        guard let level = open.popLast(), !level.hasFound else { return }
        guard let outer = open.last, !outer.container.isCompressionOnly else {
            throw level.container.refusal(level.held)
        }
        open[open.count - 1].held.insert(level.container.name)
    }
}

extension CaptureSet {
    /// - Throws: also when there is none.
    package mutating func first() throws(CaptureError) -> CaptureReader {
        guard let first = try next() else {
            throw CaptureError(.unknownFormat, file: name, "it contains no capture")
        }
        return first
    }
}

extension CaptureReader {
    /// Opens a file that is not compressed; `-` is standard input. `init(path:)` of AttlasInput also opens archives. Returns when the
    /// format is known.
    public init(file path: String) throws(CaptureError) {
        var captures = CaptureSet(path: path, nil)
        self = try captures.first()
    }

    /// A capture in memory that is not compressed. `name` stands for its path in messages.
    public init(octets: [UInt8], name: String) throws(CaptureError) {
        var captures = CaptureSet(InputBuffer(octets, name: name), nil)
        self = try captures.first()
    }
}

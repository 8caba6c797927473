import AttlasCapture
import AttlasWire
import Glibc

/// Writes records to a file while they come.
///
/// The file ends with a whole record at every moment between two calls: records are written in one piece, and when the disk is full the
/// file is cut back to the last whole one.
package final class RecordWriter {
    /// When a file is long enough and the next one begins, and how many there are. nil: never, and any number.
    package struct Rotation: Sendable {
        var octets: Int?
        var seconds: Int64?
        /// The oldest files of this recording are removed when there are more, or more octets, than this.
        var keptFiles: Int?
        var keptOctets: Int?
        /// Whether names have the time at which the file was begun, and not a number.
        var isNamedByTime: Bool

        package init(
            octets: Int? = nil, seconds: Int64? = nil, keptFiles: Int? = nil, keptOctets: Int? = nil,
            isNamedByTime: Bool = false
        ) {
            self.octets = octets
            self.seconds = seconds
            self.keptFiles = keptFiles
            self.keptOctets = keptOctets
            self.isNamedByTime = isNamedByTime
        }
    }

    /// The system's calls, so that a test can simulate them.
    struct System {
        var write: (CInt, Span<UInt8>) -> Int = { SystemCalls.write($0, $1) }
        /// Nanoseconds of a monotonic clock.
        var clock: () -> Int64 = { SystemCalls.nanoseconds(CLOCK_MONOTONIC) }
        /// Seconds since 1970.
        var date: () -> Int64 = { Int64(SystemCalls.time(CLOCK_REALTIME).tv_sec) }
    }

    private let output: OutputPath
    /// Whether the file gets its name with `complete`, and is not there before.
    private let isWhole: Bool
    private let rotation: Rotation
    private let system: System
    private var encoder: RecordEncoder
    /// nil between the pieces of a recording in pieces.
    private var file: RecordingFile?
    /// When the file was begun.
    private var began: Int64
    /// Number of the last name; -1 before the first.
    private var number = -1
    /// Files that are complete, the oldest first, if there is a limit for them.
    private var complete: [RecordingFile] = []
    private var completeOctets = 0
    /// The first file of the recording that is still there.
    package private(set) var firstName: String?
    /// Why no more is written.
    package private(set) var failure: CaptureError?
    /// Other messages.
    private var notices: [CaptureError] = []
    private var hasToldTime = false

    /// A recording: btsnoop of datalink 2001, or pcapng when the name ends in `.pcapng`.
    package convenience init(
        path: String, rotation: Rotation = Rotation(), replaces: Bool = false
    ) throws(CaptureError) {
        try self.init(OutputPath(path, .recording, replaces: replaces), rotation, System())
    }

    /// A recording in pieces: each is a file, from `beginPiece` to `endPiece`. Whether one could begin is checked now.
    package convenience init(piecesOf path: String, rotation: Rotation, replaces: Bool) throws(CaptureError) {
        let output = OutputPath(path, .recording, replaces: replaces)
        try output.check()
        try RecordingFile.checkFolder(of: output)
        try self.init(output, rotation, System(), isInPieces: true)
    }

    /// A file that appears when it is `complete`, in the place of the one before.
    ///
    /// - Parameter about: The capture that the records are from; nil for a recording.
    package convenience init(
        whole output: OutputPath, _ format: RecordFormat, about: CaptureInfo? = nil
    ) throws(CaptureError) {
        let encoder = about.map { RecordEncoder(format, about: $0) } ?? RecordEncoder(format)
        try self.init(output, .init(), System(), encoder, isWhole: true)
    }

    init(
        _ output: OutputPath, _ rotation: Rotation, _ system: System, _ encoder: RecordEncoder? = nil,
        isWhole: Bool = false, isInPieces: Bool = false
    ) throws(CaptureError) {
        self.output = output
        self.isWhole = isWhole
        self.rotation = rotation
        self.system = system
        self.encoder = encoder ?? RecordEncoder(output.path.hasSuffix(".pcapng") ? .pcapng : .btsnoop)
        began = system.clock()
        if !isInPieces { try begin(skipsTaken: rotation.isNamedByTime) }
    }

    deinit {
        flush()
    }

    package func takeNotices() -> [CaptureError] {
        defer { notices = [] }
        return notices
    }

    /// Whether times were rounded down to the format's resolution.
    package var hasRoundedTime: Bool { encoder.hasRoundedTime }

    /// The record goes to the file with the next `flush`.
    ///
    /// - Parameters:
    ///   - source: The interfaces of the capture that it is from; nil for a recording.
    ///   - comments: Options of pcapng, which are written after its own.
    /// - Returns: false if it was left out.
    @discardableResult
    package func write(
        _ record: borrowing Record, of source: [CaptureInterface]? = nil, comments: [UInt8] = []
    ) -> Bool {
        guard failure == nil, file != nil else { return false }
        if needsRotation {
            flush()
            beginNext()
            guard failure == nil else { return false }
        }
        let outcome = encoder.append(record, of: source, comments: comments)
        if case .refused(let reason, let advice) = outcome { stop(.unsupported, reason, advice: advice) }
        if encoder.hasMovedTime, !hasToldTime {
            hasToldTime = true
            notices.append(
                CaptureError(
                    .unsupported, file: file?.name ?? output.path,
                    "the time of frame \(record.frame) is outside the range of the format: the nearest time is written")
            )
        }
        if encoder.octets.count >= 1 << 16 { flush() }
        return outcome == .written
    }

    /// Hands everything to the system. Call it when the next record has to be waited for.
    package func flush() {
        guard failure == nil, let file, !encoder.octets.isEmpty else { return }
        makeRoom()
        let written = RecordingFile.write(encoder.octets.span, to: file.descriptor, by: system.write)
        let reason = errno
        if written == encoder.octets.count {
            self.file?.length += written
        } else {
            self.file?.length += encoder.whole(written)
            stop(
                .system(reason), SystemCalls.message(reason),
                advice: CaptureError.advice(writing: reason))
        }
        encoder.removeAll()
    }

    /// The descriptor of a whole file before it has its name, with all records so far; nil if they could not be written.
    package var unfinishedFile: CInt? {
        flush()
        return failure == nil ? file?.descriptor : nil
    }

    /// Ends a file that was begun as a whole one.
    ///
    /// - Parameter isKept: Whether it gets its name; otherwise nothing is left of it.
    package func complete(isKept: Bool) throws(CaptureError) {
        flush()
        if isKept, failure == nil { try file?.complete() }
        file = nil
        if let failure { throw failure }
    }

    private func stop(_ kind: CaptureError.Kind, _ reason: String, advice: String?) {
        guard !isWhole, let file else {
            failure = CaptureError(kind, file: output.path, reason, advice: advice)
            return
        }
        let isEmpty = file.length <= encoder.headLength
        let state = isEmpty ? "; without a record, the file was removed" : "; the file ends with a complete record"
        failure = CaptureError(kind, file: file.name, "\(reason): recording stopped\(state)", advice: advice)
        if !isEmpty {
            _ = ftruncate(file.descriptor, off_t(file.length))
        } else if file.remove() == 0, firstName == file.name {
            firstName = nil
        }
    }

    // MARK: Files

    private var needsRotation: Bool {
        if let octets = rotation.octets, let length = file?.length, length + encoder.octets.count >= octets {
            return true
        }
        guard let seconds = rotation.seconds else { return false }
        return system.clock() - began >= seconds * 1_000_000_000
    }

    private func beginNext() {
        guard failure == nil else { return }
        let former = file
        do throws(CaptureError) {
            try begin(skipsTaken: true)
            if let former { complete(former) }
            // Not before: a file that cannot begin is to cost none.
            makeRoom()
        } catch {
            failure = error
        }
    }

    /// - Parameter skipsTaken: Whether to skip names that are taken.
    private func begin(skipsTaken: Bool) throws(CaptureError) {
        encoder.begin()
        defer { encoder.removeAll() }
        number += 1
        let next = try nextFile(skipsTaken: skipsTaken)
        file = next
        if firstName == nil { firstName = next.name }
        began = system.clock()
    }

    private func complete(_ file: RecordingFile) {
        file.close()
        guard rotation.keptFiles != nil || rotation.keptOctets != nil else { return }
        complete.append(file)
        completeOctets += file.length
    }

    /// Begins the next file of a recording in pieces.
    ///
    /// - Returns: Its name; nil if no more is written.
    package func beginPiece() -> String? {
        beginNext()
        return failure == nil ? file?.name : nil
    }

    package func endPiece() {
        flush()
        guard failure == nil, let file else { return }
        complete(file)
        self.file = nil
    }

    /// Removes the oldest files that are too many, or too long with the next record.
    private func makeRoom() {
        while let oldest = complete.first,
            complete.count >= rotation.keptFiles ?? .max
                || completeOctets + (file?.length ?? 0) + encoder.octets.count > rotation.keptOctets ?? .max
        {
            let status = oldest.remove()
            if status != 0 {
                notices.append(
                    CaptureError(
                        .system(status), file: oldest.name, "cannot be removed: \(SystemCalls.message(status))"))
            }
            complete.removeFirst()
            completeOctets -= oldest.length
            firstName = complete.first?.name ?? file?.name
        }
    }

    /// The first file after `number` whose name is not taken. A recording that has begun does not end because of a name.
    private func nextFile(skipsTaken: Bool) throws(CaptureError) -> RecordingFile {
        var stem = output.path
        if rotation.isNamedByTime {
            stem = Self.inserting(SystemCalls.utcName(of: system.date()), in: stem)
            number = 0
        }
        let replaces = output.replaces && !rotation.isNamedByTime
        while true {
            let name = number == 0 ? stem : Self.inserting("\(number)", in: stem)
            do throws(CaptureError) {
                return try RecordingFile(
                    OutputPath(name, output.kind, replaces: replaces), head: encoder.octets.span,
                    appears: !isWhole, write: system.write)
            } catch {
                guard error.kind == .system(EEXIST), skipsTaken else { throw error }
                number += 1
            }
        }
    }

    /// `a/b.1.btsnoop` for `a/b.btsnoop`.
    private static func inserting(_ part: String, in path: String) -> String {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        guard let dot = path[slash...].lastIndex(of: "."), dot > slash else { return "\(path).\(part)" }
        return "\(path[..<dot]).\(part)\(path[dot...])"
    }
}

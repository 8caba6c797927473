/// Rotated logs: several files read as one.
extension CaptureReader {
    /// The captures of all files as one timeline, in the order of their first records' times; the counts of frames go on from
    /// file to file. Captures without a record with a time come last, and equal ones stay in the order of `paths`.
    ///
    /// Each file is opened twice: to see where it begins, and to read it. One is open at a time.
    ///
    /// A file that cannot be read to its end costs what is missing of it: a broken record says so, and the error is thrown
    /// behind the last file.
    /// - Throws: When one of them is no capture, or is standard input, which cannot be read twice.
    public init(joining paths: [String]) throws(CaptureError) {
        var timeline = Timeline(paths, try CaptureLocation.all(in: paths))
        guard let first = timeline.next() else {
            throw CaptureError(.empty, file: "", "there is nothing to join")
        }
        try self.init(first.open(), timeline)
    }
}

/// Where a capture is.
struct CaptureLocation {
    let path: String
    /// Which of the captures of that file, counted from 0.
    let number: Int
    /// The time of its first record.
    let start: Timestamp?

    static func all(in paths: [String]) throws(CaptureError) -> [CaptureLocation] {
        var locations: [CaptureLocation] = []
        for path in paths {
            guard path != "-" else {
                throw CaptureError(
                    .unsupported, file: "standard input", "it cannot be joined, as it can be read only once",
                    advice: "Save it to a file first.")
            }
            var captures = CaptureSet(path: path)
            var number = 0
            while var reader = try captures.next() {
                locations.append(CaptureLocation(path: path, number: number, start: reader.firstTime()))
                number += 1
            }
        }
        // Swift's sort is stable.
        return locations.sorted { one, other in
            guard let start = one.start else { return false }
            return other.start.map { start.nanoseconds(since: $0) < 0 } ?? true
        }
    }

    func open() throws(CaptureError) -> CaptureReader {
        var captures = CaptureSet(path: path)
        var skipped = 0
        while let reader = try captures.next() {
            if skipped == number { return reader }
            skipped += 1
        }
        throw CaptureError(.unreadable, file: path, "it has changed while it was read")
    }
}

extension CaptureReader {
    fileprivate mutating func firstTime() -> Timestamp? {
        do throws(CaptureError) {
            while let record = try next() {
                if case .broken = record.content { continue }
                return record.time
            }
        } catch {
            // It is told when the file is read.
        }
        return nil
    }
}

/// What a joined capture has behind it and before it.
struct Timeline {
    /// False for a capture that stands for itself.
    let isJoined: Bool
    private let paths: [String]
    private var rest: ArraySlice<CaptureLocation>
    /// What the files before the current one said about themselves.
    private var infos: [CaptureInfo] = []
    var lastTime = Timestamp.epoch
    /// Whether the current file has ended with an error.
    private(set) var hasFileFailed = false
    /// The first file that could not be read to its end.
    private(set) var failure: CaptureError?

    init(_ paths: [String], _ locations: [CaptureLocation]) {
        self.paths = paths
        isJoined = !locations.isEmpty
        rest = locations[...]
    }

    mutating func next() -> CaptureLocation? { rest.popFirst() }

    mutating func leave(_ format: any FormatReader) {
        hasFileFailed = false
        infos.append(format.info)
    }

    /// Remembers what is wrong with the current file, and says it in its place.
    mutating func fail(_ error: CaptureError, frame: Int) -> RecordHeader {
        failure = failure ?? error
        hasFileFailed = true
        return RecordHeader(
            frame: frame, offset: error.offset ?? 0, time: lastTime,
            broken: .kept(.init("\(error.file): \(error.reason)")))
    }

    /// What all files say, as far as they have been read.
    func info(_ current: CaptureInfo) -> CaptureInfo {
        guard isJoined else { return current }
        var info = current
        info.joined = paths
        guard let first = infos.first else { return info }
        info.file = "\(first.file) and \(infos.count) more"
        for other in infos {
            if !info.format.split(separator: ", ").contains(other.format[...]) { info.format += ", \(other.format)" }
            info.linkTypes += other.linkTypes.filter { !info.linkTypes.contains($0) }
            info.skipped = info.skipped.addingSaturating(other.skipped)
            info.lostAtEnd = info.lostAtEnd.addingSaturating(other.lostAtEnd)
        }
        return info
    }
}

/// The files before and after the current one of a joined capture.
struct Timeline {
    /// False for a capture that is not joined.
    let isJoined: Bool
    private let paths: [String]
    /// Opens the next capture; nil after the last.
    let openNext: () throws(CaptureError) -> CaptureReader?
    /// The files before the current one: their number, their properties taken together, and their formats.
    private var count = 0
    private var past: CaptureInfo?
    private var formats: [String] = []
    /// Time of the last record.
    private(set) var lastTime = Timestamp.epoch
    private var pauses: [CaptureInfo.Pause] = []
    /// The next record is the first of a capture after another one.
    private var isBetween = false
    /// Whether the current file has ended with an error.
    private(set) var hasFileFailed = false
    /// The first file that could not be read to its end.
    private(set) var failure: CaptureError?

    /// For a capture that is not joined.
    init() {
        isJoined = false
        paths = []
        openNext = { nil }
    }

    init(_ paths: [String], _ openNext: @escaping () throws(CaptureError) -> CaptureReader?) {
        isJoined = true
        self.paths = paths
        self.openNext = openNext
    }

    /// - Parameters:
    ///   - first: Time of the first record of those that were read together, and its frame.
    ///   - last: Time of the last one.
    mutating func note(first: Timestamp, frame: Int, last: Timestamp, of file: String) {
        if isBetween {
            isBetween = false
            let pause = first.nanoseconds(since: lastTime)
            if pause >= CaptureInfo.Pause.least, lastTime != .epoch, pauses.count < CaptureInfo.Pause.limit {
                pauses.append(CaptureInfo.Pause(file: file, frame: frame, nanoseconds: pause))
            }
        }
        lastTime = last
    }

    mutating func leave(_ format: any RecordSource) {
        isBetween = true
        hasFileFailed = false
        count += 1
        let info = format.info
        past = past.map { $0.adding(info) } ?? info
        if !formats.contains(info.format) { formats.append(info.format) }
    }

    /// Keeps the error of the current file and reports it in its place.
    mutating func fail(_ error: CaptureError, frame: Int) -> RecordHeader {
        failure = failure ?? error
        hasFileFailed = true
        return RecordHeader(
            frame: frame, offset: error.offset ?? 0, time: lastTime,
            broken: .kept(.init("\(error.file): \(error.reason)")))
    }

    /// The properties of all files, as far as they have been read.
    func info(_ current: CaptureInfo) -> CaptureInfo {
        guard isJoined else { return current }
        var info = current
        info.joined = paths
        info.pauses = pauses
        guard let past else { return info }
        info = info.adding(past)
        info.file = "\(past.file) and \(count) more"
        info.format = ([current.format] + formats.filter { $0 != current.format }).joined(separator: ", ")
        return info
    }
}

extension CaptureInfo {
    /// With the link types and the numbers of another capture.
    fileprivate func adding(_ other: CaptureInfo) -> CaptureInfo {
        var info = self
        info.linkTypes += other.linkTypes.filter { !info.linkTypes.contains($0) }
        info.skipped = info.skipped.addingSaturating(other.skipped)
        info.lostAtEnd = info.lostAtEnd.addingSaturating(other.lostAtEnd)
        if let use = other.radioClock { info.add(use) }
        return info
    }
}

/// The files before and after the current one of a joined capture.
struct Timeline {
    /// False for a capture that is not joined.
    let isJoined: Bool
    private let paths: [String]
    /// Opens the next capture; nil after the last.
    let openNext: () throws(CaptureError) -> CaptureReader?
    /// The properties of the files before the current one.
    private var infos: [CaptureInfo] = []
    var lastTime = Timestamp.epoch
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

    mutating func leave(_ format: any FormatReader) {
        hasFileFailed = false
        infos.append(format.info)
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

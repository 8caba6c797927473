/// What a joined capture has behind it and before it.
struct Timeline {
    /// False for a capture that stands for itself.
    let isJoined: Bool
    private let paths: [String]
    /// Opens the next capture; nil behind the last.
    let openNext: () throws(CaptureError) -> CaptureReader?
    /// What the files before the current one said about themselves.
    private var infos: [CaptureInfo] = []
    var lastTime = Timestamp.epoch
    /// Whether the current file has ended with an error.
    private(set) var hasFileFailed = false
    /// The first file that could not be read to its end.
    private(set) var failure: CaptureError?

    /// Of a capture that stands for itself.
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

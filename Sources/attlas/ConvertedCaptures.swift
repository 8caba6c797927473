import AttlasCapture
import AttlasInput
import AttlasTrace

/// The first capture of each input, merged by time.
struct ConvertedCaptures: ~Copyable {
    var merge: RecordMerge
    private let files: [File]

    /// The captures of a file are read after one another.
    private final class File {
        var captures: CaptureSet
        let source: RecordMerge.Source

        init(
            _ path: String, as kind: TextKind?, _ clock: ClockCorrection,
            settling trace: (inout CaptureReader) throws(CaptureError) -> Void
        ) throws(CaptureError) {
            var captures = CaptureSet(path: path, as: kind)
            var reader = try captures.first()
            try trace(&reader)
            if kind != nil, !reader.info.isText {
                throw CaptureError(
                    .unsupported, file: path, "is not a text: --as says what the lines of a hex dump are")
            }
            source = RecordMerge.Source(reader, clock: clock)
            self.captures = captures
        }
    }

    /// - Parameters:
    ///   - clocks: Corrections for the inputs, if they differ.
    ///   - trace: Gets the origin of relative times, if there is one input.
    init(
        _ paths: [String], as kind: TextKind? = nil, clocks: [ClockCorrection] = [], settling trace: inout Trace
    ) throws(CaptureError) {
        var files: [File] = []
        for (index, path) in paths.enumerated() {
            let clock = index < clocks.count ? clocks[index] : ClockCorrection()
            files.append(
                try File(path, as: kind, clock) { reader throws(CaptureError) in
                    if paths.count == 1 { try trace.settleOrigin(&reader) }
                })
        }
        self.files = files
        merge = RecordMerge(files.map(\.source))
    }

    /// As far as the captures were read.
    var infos: [CaptureInfo] { files.map(\.source.info) }
    var failures: [CaptureError] { files.compactMap(\.source.failure) }

    /// The metadata of all captures together.
    var about: CaptureInfo {
        let infos = infos
        var about = infos[0]
        for info in infos.dropFirst() {
            about.comments += info.comments
            about.recorder += info.recorder
            about.recorderOptions += info.recorderOptions
        }
        return about
    }

    /// Says which captures were not read.
    func reportOthers() {
        for file in files {
            guard let other = try? file.captures.next() else { continue }
            printError(
                "\(file.captures.name): only the first capture was converted; another one is \(other.info.file)")
        }
    }
}

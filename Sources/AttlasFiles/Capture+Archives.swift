// Code that opens archives also reads captures: one import for both.
@_exported import Attlas
import AttlasInput

extension Capture {
    /// Opens a file, or the first capture inside it when it is compressed, an archive or an Android bug report. `bugreport.zip!/log` is the
    /// capture of that name.
    /// - Throws: when it cannot be opened, or has no capture.
    public init(archive path: String, dissectors: [Dissector] = []) throws(CaptureError) {
        try self.init(named: path, dissectors: dissectors) { () throws(CaptureError) in try CaptureReader(path: path) }
    }

    /// Rotated logs as one capture, in the order of their times.
    /// - Throws: when one of them cannot be opened, or is not a capture.
    public init(joining paths: [String], dissectors: [Dissector] = []) throws(CaptureError) {
        try self.init(named: paths.joined(separator: ", "), dissectors: dissectors) { () throws(CaptureError) in
            try CaptureReader(joining: paths)
        }
    }

    /// The captures in a file: the file itself, or each one inside it.
    /// - Throws: an error in the file or in a capture in it.
    public static func all(in path: String, dissectors: [Dissector] = []) throws(CaptureError) -> [Capture] {
        var set = CaptureSet(path: path)
        var names: [String] = []
        while var reader = try set.next() {
            names.append(reader.info.file)
            // In an archive, the next capture is found after the records of this one. Reading it reports their faults.
            while (try? reader.next()) != nil {}
        }
        return try names.map { (name) throws(CaptureError) in try Capture(archive: name, dissectors: dissectors) }
    }
}

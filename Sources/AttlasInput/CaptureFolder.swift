import AttlasCapture
import Glibc

/// The capture files in a folder, not those in folders below it.
package struct CaptureFolder {
    /// Paths, in the order of names.
    private(set) var captures: [String] = []
    /// Files and folders in it that are not captures.
    private(set) var others = 0

    /// - Returns: nil if `path` is not a folder.
    /// - Throws: when it cannot be read, or has no captures.
    init?(path: String) throws(CaptureError) {
        guard SystemCalls.isFolder(path) else { return nil }
        guard let names = SystemCalls.names(inFolder: path) else { throw CaptureError(errno, opening: path) }
        let start = path.hasSuffix("/") ? path : "\(path)/"
        for name in names.sorted() {
            if Self.isCapture(start + name) { captures.append(start + name) } else { others += 1 }
        }
        guard !captures.isEmpty else {
            throw CaptureError(.unknownFormat, file: path, "the folder contains no capture files")
        }
    }

    /// By its octets. A damaged capture is one: reading it reports the damage. Opening a pipe could block.
    private static func isCapture(_ path: String) -> Bool {
        guard SystemCalls.regularFileSize(path) != nil else { return false }
        var captures = CaptureSet(path: path)
        do throws(CaptureError) {
            return try captures.next() != nil
        } catch {
            return error.kind != .unknownFormat && error.kind != .empty
        }
    }

    /// Replaces each folder by its captures.
    ///
    /// - Parameters:
    ///   - note: gets a line about the files of a folder that are left out.
    ///   - report: gets the error of a folder that has no captures.
    package static func expand(
        _ paths: [String], note: (String) -> Void, report: (CaptureError) -> Void
    ) -> [String] {
        var files: [String] = []
        for path in paths {
            do throws(CaptureError) {
                guard let folder = try CaptureFolder(path: path) else {
                    files.append(path)
                    continue
                }
                files += folder.captures
                if folder.others > 0 {
                    note("\(path): \(folder.others) other file\(folder.others == 1 ? "" : "s") skipped")
                }
            } catch {
                report(error)
            }
        }
        return files
    }
}

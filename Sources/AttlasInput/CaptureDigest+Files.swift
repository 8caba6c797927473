import AttlasCapture

extension CaptureDigest {
    /// Reads the file once more.
    package init(path: String) {
        self.init(file: path, sha256: (try? Self.sha256(of: path)) ?? nil)
    }

    private static func sha256(of path: String) throws(CaptureError) -> String? {
        guard SystemCalls.regularFileSize(path) != nil else { return nil }
        var input = InputBuffer(try ByteSource(path: path))
        var hash = SHA256()
        while try input.fill(1) {
            hash.update(input.bytes)
            input.consume(input.available)
        }
        return hash.finish()
    }
}

extension CaptureInfo {
    /// SHA-256 of its one file; nil as in `CaptureDigest`, and for joined files.
    package var sha256: String? { paths.count == 1 ? CaptureDigest(path: paths[0]).sha256 : nil }

    /// The files that it was read from: all that were joined; the archive of a capture inside one. Standard input is not a file.
    package var paths: [String] {
        if !joined.isEmpty { return joined }
        // As `CaptureSet` takes a path: a file of this name, or a capture inside one.
        let isInside = file.contains("!/") && SystemCalls.regularFileSize(file) == nil
        let path = isInside ? String(file.split(separator: "!/", maxSplits: 1)[0]) : file
        return path == "standard input" ? [] : [path]
    }
}

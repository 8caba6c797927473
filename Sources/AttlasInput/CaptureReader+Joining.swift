import AttlasCapture

/// Rotated logs: several files read as one.
extension CaptureReader {
    /// The captures of all files as one timeline, in the order of their first records' times; frame numbers continue from
    /// file to file. Captures without a record with a time come last, and equal ones stay in the order of `paths`.
    ///
    /// Each file is opened twice: to see where it begins, and to read it. One is open at a time.
    ///
    /// If a file cannot be read to its end, only its rest is missing: a broken record reports it, and the error is thrown after the last
    /// file.
    /// - Throws: When one of them is not a capture, or is standard input, which cannot be read twice.
    package init(joining paths: [String]) throws(CaptureError) {
        var rest = try CaptureLocation.all(in: paths)[...]
        try self.init(joining: paths) { () throws(CaptureError) in
            guard let next = rest.popFirst() else { return nil }
            return try next.open()
        }
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
                    .unsupported, file: "standard input", "it can be read only once and cannot be joined",
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
        throw CaptureError(.unreadable, file: path, "the file changed while it was read")
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
            // Reading the file reports it.
        }
        return nil
    }
}

import AttlasCapture

/// The pieces of one log: a recorder that rotates or splits its log writes several files of it.
package enum RotatedLogs {
    /// Numbered pieces follow one another: a longer pause is between two recordings.
    private static let longestPause: Int64 = 600_000_000_000
    /// Clocks of pieces that were written at once.
    private static let tolerance: Int64 = 1_000_000_000

    /// A capture that may be a piece.
    struct Piece {
        let location: CaptureLocation
        let name: String
        /// The times of its first and its last record.
        let extent: (first: Timestamp, last: Timestamp)?
    }

    /// The common name of all pieces of a log: `btsnoop_hci.log` of `btsnoop_hci.log.last`, and of `btsnoop_hci_1.log`; nil for a name that
    /// no recorder gives to a piece or to a whole.
    static func series(of path: String) -> String? {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        var name = String(path[start...])
        if name.hasSuffix(".last") { return String(path.dropLast(5)) }
        let stem = name.prefix { $0 != "." }.lowercased()
        guard stem.contains("snoop") || stem.contains("hci") else { return String(path) }
        name = withoutNumbers(name, isInArchive: path.contains("!/"))
        return String(path[..<start]) + name
    }

    /// Whether the name has the number of a piece.
    private static func isNumbered(_ path: String) -> Bool {
        !path.hasSuffix(".last") && series(of: path) != path
    }

    /// Without `_1`, `-1`, `.1`: one to three digits after a separator; in a bug report, which is of one phone, also a date.
    private static func withoutNumbers(_ name: String, isInArchive: Bool) -> String {
        var kept = ""
        var rest = name[...]
        while let first = rest.first {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            let after = rest.dropFirst(1 + digits.count).first
            if "_-.".contains(first), !digits.isEmpty, isInArchive || digits.count <= 3,
                after.map({ "_-.".contains($0) }) ?? true
            {
                rest = rest.dropFirst(1 + digits.count)
            } else {
                kept.append(first)
                rest = rest.dropFirst()
            }
        }
        return kept
    }

    /// The pieces of one log together, in the order of their times; files that are not pieces stay alone.
    static func groups(_ pieces: [Piece]) -> [[Piece]] {
        var groups: [(series: String?, pieces: [Piece])] = []
        for piece in pieces {
            let series = series(of: piece.name)
            if let series, piece.extent != nil, let index = groups.firstIndex(where: { $0.series == series }) {
                groups[index].pieces.append(piece)
            } else {
                groups.append((piece.extent == nil ? nil : series, [piece]))
            }
        }
        return groups.flatMap { follow($0.pieces) }
    }

    /// Splits where one piece does not follow the other.
    private static func follow(_ pieces: [Piece]) -> [[Piece]] {
        let sorted = pieces.sorted { one, other in
            guard let start = one.extent?.first, let next = other.extent?.first else { return false }
            return start.nanoseconds(since: next) < 0
        }
        var groups: [[Piece]] = []
        for piece in sorted {
            if let before = groups.last?.last, let end = before.extent?.last, let start = piece.extent?.first,
                case let pause = start.nanoseconds(since: end), pause >= -tolerance,
                pause <= longestPause || !isNumbered(piece.name) && !isNumbered(before.name)
            {
                groups[groups.count - 1].append(piece)
            } else {
                groups.append([piece])
            }
        }
        return groups
    }

    /// Files that were given, the pieces of one log together.
    package static func groups(ofFiles paths: [String]) -> [[String]] {
        let logs: [String?] = paths.map { SystemCalls.regularFileSize($0) == nil ? nil : series(of: $0) }
        func isAlone(_ index: Int) -> Bool {
            logs[index].map { one in logs.count(where: { $0 == one }) < 2 } ?? true
        }
        let pieces = paths.indices.map { index in
            // Nothing is read of a file that has no other piece.
            Piece(
                location: CaptureLocation(path: paths[index], number: 0, start: nil), name: paths[index],
                extent: isAlone(index) ? nil : extent(of: paths[index]))
        }
        return groups(pieces).map { $0.map(\.name) }
    }

    /// The extent of a file that is one capture.
    private static func extent(of path: String) -> (first: Timestamp, last: Timestamp)? {
        guard var reader = try? CaptureReader(path: path), reader.info.file == path else { return nil }
        return reader.extent()
    }
}

extension CaptureReader {
    /// The times of the first and the last record. It reads all.
    mutating func extent() -> (first: Timestamp, last: Timestamp)? {
        var extent: (first: Timestamp, last: Timestamp)?
        do throws(CaptureError) {
            while let record = try next() {
                if case .broken = record.content { continue }
                extent = (extent?.first ?? record.time, record.time)
            }
        } catch {
            // Who reads the file reports it.
        }
        return extent
    }
}

/// The captures of a file, of which the pieces of one log are one.
package struct WholeCaptures: ~Copyable {
    private var captures: CaptureSet
    private let path: String
    private let joinsPieces: Bool
    /// The groups in an archive, once it is known that it has pieces.
    private var groups: [[RotatedLogs.Piece]]?
    private var opened = 0
    private var hasBegun = false

    /// - Parameter joinsPieces: false to give each piece alone.
    package init(path: String, joinsPieces: Bool = true) {
        captures = CaptureSet(path: path)
        self.path = path
        self.joinsPieces = joinsPieces
    }

    /// Whether the last capture was a log in a text, which may contain others.
    package var isOfLogs: Bool { groups == nil && captures.isOfLogs }

    /// As `next` of `CaptureSet`.
    package mutating func next() throws(CaptureError) -> CaptureReader? {
        if let groups {
            guard opened < groups.count else { return nil }
            opened += 1
            return try open(groups[opened - 1])
        }
        guard let reader = try captures.next() else { return nil }
        let isFirst = !hasBegun
        hasBegun = true
        guard isFirst, joinsPieces, reader.info.file != path, !path.contains("!/"),
            SystemCalls.regularFileSize(path) != nil, let groups = Self.pieces(in: path)
        else { return reader }
        self.groups = groups
        return try next()
    }

    private func open(_ group: [RotatedLogs.Piece]) throws(CaptureError) -> CaptureReader {
        guard group.count > 1 else { return try group[0].location.open() }
        var rest = group[...]
        return try CaptureReader(joining: group.map(\.name)) { () throws(CaptureError) in
            try rest.popFirst()?.location.open()
        }
    }

    /// nil if the archive has no pieces, or if something in it cannot be read: then it is read as it is.
    private static func pieces(in path: String) -> [[RotatedLogs.Piece]]? {
        var names: [String] = []
        var captures = CaptureSet(path: path)
        do throws(CaptureError) {
            while let reader = try captures.next() { names.append(reader.info.file) }
        } catch {
            return nil
        }
        let series = names.map { RotatedLogs.series(of: $0) }
        guard series.contains(where: { one in one != nil && series.count(where: { $0 == one }) > 1 }) else {
            return nil
        }
        var pieces: [RotatedLogs.Piece] = []
        var again = CaptureSet(path: path)
        do throws(CaptureError) {
            while var reader = try again.next() {
                let extent = reader.extent()
                pieces.append(
                    RotatedLogs.Piece(
                        location: CaptureLocation(path: path, number: pieces.count, start: extent?.first),
                        name: reader.info.file, extent: extent))
            }
        } catch {
            return nil
        }
        let groups = RotatedLogs.groups(pieces)
        return groups.contains { $0.count > 1 } ? groups : nil
    }
}

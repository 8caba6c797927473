import AttlasDissection
import AttlasTrace
import AttlasValues

extension Selection {
    /// Whether it is the whole capture.
    package var isEverything: Bool {
        frames == nil && from == nil && to == nil && peer == nil && characteristic == nil && filter == nil
            && context == nil
    }

    /// Whether a decision may need the meaning of values.
    package var readsValues: Bool { scope != nil || filter != nil || context != nil }

    /// Why a selection that found nothing did not, as a sentence without a full stop.
    ///
    /// - Parameters:
    ///   - trace: of the whole capture.
    ///   - library: the names of its characteristics.
    ///   - optionPrefix: before the names of options.
    ///   - operations: ATT operations of the whole capture.
    package func whyNothing(
        in trace: borrowing Trace, _ extent: CaptureExtent, _ library: DissectorLibrary, optionPrefix: String = "--",
        operations: Int? = nil
    ) -> String {
        if let frames, frames.lowerBound > extent.records {
            return "no frame \(frames.lowerBound): there are \(extent.records) records"
        }
        if let from, let first = extent.first, let last = extent.last,
            from.nanoseconds(to: last, start: first) < 0
        {
            guard let duration = last.duration(since: first) else { return "nothing after \(optionPrefix)from" }
            return "nothing after \(optionPrefix)from: the capture ends \(seconds(duration)) after its first record"
        }
        if let peer {
            let names = Self.peers(of: trace)
            guard names.contains(where: { Self.matches(peer, $0) }) else {
                return "no peer has \"\(peer)\" in its name or address\(Self.hint(peer, names, "peers"))"
            }
        }
        if let characteristic {
            let names = Self.characteristics(of: trace, library)
            guard names.contains(where: { Self.matches(characteristic, $0) }) else {
                return "no characteristic has \"\(characteristic)\" in its name or UUID"
                    + Self.hint(characteristic, names, "characteristics")
            }
        }
        let rest = operations.map {
            "; without it there \($0 == 1 ? "is 1 ATT operation" : "are \($0) ATT operations")"
        }
        return "nothing meets \(options(optionPrefix))\(rest ?? "")"
    }

    /// Everything but the filter, as it is written on a command line; nil if that is the whole capture.
    package var scopeOptions: String? {
        var scope = self
        (scope.filter, scope.context) = (nil, nil)
        return scope.isEverything ? nil : scope.options()
    }

    /// The selection, as it is written on a command line.
    private func options(_ prefix: String = "--") -> String {
        var options: [String] = []
        if let frames {
            let end = frames.upperBound == .max ? "" : "\(frames.upperBound)"
            options.append("\(prefix)frames \(frames.lowerBound)-\(end)")
        }
        if from != nil { options.append("\(prefix)from") }
        if to != nil { options.append("\(prefix)to") }
        if let peer { options.append("\(prefix)peer \"\(peer)\"") }
        if let characteristic { options.append("\(prefix)characteristic \"\(characteristic)\"") }
        if let filter { options.append("\(prefix)filter '\(filter.text)'") }
        if options.isEmpty { return "-C: there are no errors, faults, losses or incidents" }
        return options.joined(separator: " and ")
    }

    /// Names that are listed when none is near.
    private static let listed = 5

    private static func hint(_ word: String, _ names: [String], _ what: String) -> String {
        if let near = NearestWord.nearest(to: word, among: names) { return "; did you mean \"\(near)\"?" }
        guard !names.isEmpty else { return ": there are no \(what)" }
        let rest = names.count - min(names.count, listed)
        let list = names.prefix(listed).joined(separator: ", ")
        return ": the \(what) are \(list)\(rest > 0 ? " and \(rest) more" : "")"
    }

    private static func matches(_ word: String, _ name: String) -> Bool {
        FoldedText(name).contains(FoldedText(word))
    }

    private static func peers(of trace: borrowing Trace) -> [String] {
        trace.peers.filter { $0.mergedInto == nil }.flatMap { peer in
            [peer.name, peer.address?.description].compactMap(\.self)
        }
    }

    /// The names of the characteristics in the attribute tables of a capture; the UUID of one without a name.
    package static func characteristics(of trace: borrowing Trace, _ library: DissectorLibrary) -> [String] {
        var names: [String] = []
        var seen: Set<UUIDIndex> = []
        for table in trace.peers.map(\.table) + trace.controllers.map(\.table) {
            for characteristic in table.characteristics where seen.insert(characteristic.uuid).inserted {
                let uuid = trace.uuids[characteristic.uuid]
                names.append(library.attributeName(of: uuid) ?? uuid.description)
            }
        }
        return names
    }

    private func seconds(_ nanoseconds: Int64) -> String {
        let tenths = nanoseconds / 100_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

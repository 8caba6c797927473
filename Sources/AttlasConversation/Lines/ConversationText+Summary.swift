import AttlasCapture
import AttlasIncidents
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasWire

/// The counts of a conversation, and those of the selected part.
package struct ShownTotals {
    let all: ConversationTotals
    /// nil if nothing was left out.
    let selected: ConversationTotals?
    /// nil if they were not collected.
    package let incidents: IncidentsModel?

    package init(all: ConversationTotals, selected: ConversationTotals?, incidents: IncidentsModel? = nil) {
        self.all = all
        self.selected = selected
        self.incidents = incidents
    }
}

/// The lines before and after a conversation.
extension ConversationText {
    /// `heart-rate.btsnoop · btsnoop · HCI H4 (1002) · from 2026-11-21 06:41:45 UTC`
    ///
    /// Called after the first record, because a pcapng has no link types before it; its output is put before the lines that
    /// already written.
    package mutating func begin(
        _ info: CaptureInfo, _ extent: CaptureExtent, onlySide: Direction? = nil, origin: TimeOrigin? = nil
    ) {
        guard !hasBegun else { return }
        hasBegun = true
        let first = line.text
        line.text.removeAll()
        defer { line.text.append(contentsOf: first) }
        line.put("\(display: info.file)", .name)
        piece = TextBuffer(" · \(own: info.format)")
        if !info.linkTypes.isEmpty { piece.append(" · \(display: info.linkType)") }
        if extent.isWithoutDate(info) {
            piece.append(" · without a date")
        } else if let first = extent.first {
            piece.append(" · from ")
            if options.time == .local {
                piece.append("\({ $0.append(local: first) }) \(display: LocalTime(at: first).zone)")
            } else {
                piece.append(
                    utc: first, separator: UInt8(ascii: " "), suffix: info.lacksZone ? ", without a time zone" : " UTC")
            }
        }
        line.putFolded(piece, margin: 2)
        for interface in info.interfaces where interface.name != nil || interface.description != nil {
            let names = [interface.name, interface.description].compactMap(\.self)
            line.putFolded("interface \(interface.number): \(names.joined(separator: ", "))")
        }
        for comment in info.comments { line.putFolded("“\(comment)”") }
        if let clock = info.radioClock {
            line.putFolded(
                "times: the radio's clock of the \(clock.sniffer), to 1 µs; the date is the file's (--clock file)")
        }
        if let origin, options.time == .relative { line.putFolded(origin.sentence) }
        if let onlySide { line.putFolded("✗ \(onlySide.onlySideSentence)", .bad) }
        line.endLine()
    }

    /// One screen at most: totals, problems, and the next steps.
    package mutating func end(
        _ shown: ShownTotals, _ integrity: CaptureIntegrity, _ info: CaptureInfo, in trace: borrowing Trace
    ) {
        let totals = shown.all
        let extent = integrity.extent
        begin(info, extent, onlySide: integrity.onlySide, origin: integrity.origin)
        if extent.records > 0 { line.endLine() }
        line.putDamage(integrity)
        let broken = shown.incidents?.summary(of: .broke)
        if let broken { line.putFolded("broke: \(broken)", .bad) }
        let hasTimes = !integrity.cuts.contains { $0.kind == .noTimes }
        let hasRoundTrips = hasTimes && !integrity.cuts.contains { $0.kind == .noPackets }
        if let selected = shown.selected {
            piece = TextBuffer("shown: ")
            summarize(selected, hasRoundTrips)
        }
        piece = TextBuffer("\(shown.selected == nil ? "" : "of: ")\(extent.records, "record")")
        if hasTimes, let duration = integrity.duration { piece.append(" in \(duration: duration)") }
        let peers = trace.peers.count { $0.mergedInto == nil }
        piece.append(" · \(peers, "peer") · \(totals.connections, "connection") · ")
        summarize(totals, hasRoundTrips)

        line.put(integrity)
        warn(totals.holes, "\(totals.holes, "L2CAP frame") with a hole because of that")
        warn(totals.malformed, "\(totals.malformed, "malformed packet")")
        warn(totals.unknownPackets)
        warn(totals.clockSteps, "\(totals.clockSteps, "jump") of the capture's clock")
        for stranger in trace.unconnectedPackets {
            piece = TextBuffer("\(stranger.packets, "ACL packet") on handle \(hex: stranger.handle)")
            piece.append(", which never connected and does not behave like a connection: not decoded")
            line.putFolded(piece, .faint, margin: 2)
        }
        advise(totals, extent, info, hasBroken: broken != nil)
    }

    private mutating func summarize(_ totals: ConversationTotals, _ hasRoundTrips: Bool) {
        piece.append("\(totals.operations, "ATT operation") · \(totals.errors, "error")")
        piece.append(" · \(totals.unknownHandleCount, "unknown handle")")
        if hasRoundTrips, let median = totals.roundTrips.percentile(50), let high = totals.roundTrips.percentile(99) {
            piece.append(" · round trip p50 \(duration: Int64(median) * 1_000), p99 \(duration: Int64(high) * 1_000)")
        }
        line.putFolded(piece, .name, margin: 2)
    }

    private mutating func advise(
        _ totals: ConversationTotals, _ extent: CaptureExtent, _ info: CaptureInfo, hasBroken: Bool
    ) {
        if extent.records == 0 {
            return line.putFolded(
                info.isText
                    ? "None of the lines became a packet."
                    : "The capture holds no records: recording was stopped before anything was sent.")
        }
        if totals.operations == 0, !hasBroken {
            if totals.unknownPackets.count == extent.records {
                return line.putFolded("None of the packets could be read. Try --hci to see them.")
            }
            return line.putFolded(
                info.skipped == 0 && totals.unknownPackets.count == 0
                    ? "No ATT in this capture.\(options.showsHCI ? "" : " Try --hci to see what is in it.")"
                    : "No ATT in the packets that could be read.")
        }
        if totals.unknownHandleCount > 0 {
            line.putFolded(
                "Handles stay unknown when their discovery was not captured. Record from before the connection, and "
                    + "force rediscovery: forget the device, or switch Bluetooth off and on. Or give another "
                    + "capture of the device with --gatt-db.")
        }
        // `why` reads one file.
        if hasBroken, info.joined.isEmpty {
            suggest("why", "lists what broke, why, and what to do.", info)
        } else {
            suggest("tree", "shows what is on each device.", info)
        }
    }

    private mutating func suggest(_ command: String, _ purpose: String, _ info: CaptureInfo) {
        guard options.suggestsTree else { return }
        // Whole, so that it can be copied; a terminal wraps it.
        line.putWhole(TextBuffer("Next: attlas \(own: command) \(display: info.arguments) \(own: purpose)"), .faint)
        line.endLine()
    }

    private mutating func warn(_ number: Int, _ what: Phrase) {
        guard number > 0 else { return }
        line.put("✗ ", .bad)
        line.put(what, .bad)
        line.endLine()
    }

    /// Their number and their appearance.
    private mutating func warn(_ unknown: UnknownPackets) {
        guard unknown.count > 0 else { return }
        piece = TextBuffer("✗ \(unknown.count, "packet") that attlas does not know: type")
        for (index, type) in unknown.types.enumerated() {
            piece.append("\(index > 0 ? "," : unknown.types.count > 1 ? "s" : "") \(hex: type, digits: 2)")
        }
        if unknown.hasMoreTypes { piece.append(" and others") }
        let (least, most) = (unknown.lengths.lowerBound, unknown.lengths.upperBound)
        piece.append(least < most ? ", \(least) to \(most, "octet") after it" : ", \(most, "octet") after it")
        line.putFolded(piece, .bad, margin: 2)
    }
}

extension CaptureInfo {
    /// The arguments that make a command read the same capture, quoted for a shell.
    fileprivate var arguments: String {
        if file == "standard input" { return "-" }
        return joined.isEmpty ? file.quotedForShell : "--join \(joined.map(\.quotedForShell).joined(separator: " "))"
    }
}

extension String {
    /// In single quotes when a shell would take it for something else than one word.
    fileprivate var quotedForShell: String {
        // A leading "-" would make it an option.
        let path = hasPrefix("-") ? "./\(self)" : self
        let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+,:=@%".contains($0) }
        return isPlain ? path : "'\(path.replacing("'", with: "'\\''"))'"
    }
}

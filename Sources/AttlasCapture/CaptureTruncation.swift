import AttlasWire

/// Reports that a log is incomplete: the program that wrote it cut packets or left some out. File names are not used.
public struct CaptureTruncation: Sendable, Equatable {
    /// The kind of omission.
    public enum Kind: Sendable, Equatable {
        /// Android's log "Enabled Filtered": 14 octets of an ACL packet, the H4 indicator included.
        case androidFiltered
        /// The log that Android keeps while the other is off: 14 octets without the indicator.
        case androidSnooz
        /// This number of octets of each, without the H4 indicator: a snapshot length.
        case fixedLength(Int)
        /// Packets were cut at different lengths.
        case variousLengths
        /// Lines of a text that end before their packet does.
        case shortLines
        /// Operations in an app's log without their values.
        case noValues
        /// No command and no event.
        case dataOnly
        /// No record has a time: a text, a stream of a serial line, Simple Packet Blocks.
        case noTimes
        /// Lines of a log that look like operations and were not used.
        case unusedLines
        /// Packets without a time, between others.
        case missingTimes
        /// Lines without their connection handle, which got that of the only connection.
        case cutHandles
        /// A log of operations without packets.
        case noPackets
        /// Statuses in an app's log that are not codes of HCI or ATT.
        case ownStatuses
    }

    /// The kind of omission.
    public let kind: Kind
    /// The number of incomplete ACL packets; all of them for `dataOnly`, none for `noTimes` and `noPackets`, the statuses for `ownStatuses`.
    public let packets: Int
    /// All ACL packets.
    public let total: Int
    /// Whether the log is an app's.
    var isOfApp = false
    /// Up to three of the lines, ASCII without control characters.
    var examples: [String] = []
    /// Whether the handles are those of the log.
    var hasHandles = false
    /// Whether it is not a text.
    var isOfFile = false

    /// The effect on the log: a clause without a full stop.
    public var sentence: String {
        let count = "\(packets) of \(total) ACL packets"
        return switch kind {
        case .androidFiltered:
            "\(count) are cut to 14 octets, as Android 12 and later do when the snoop log is filtered"
        case .androidSnooz:
            "\(count) are cut to 14 octets, as in the short log that Android keeps while the snoop log is off"
        case .fixedLength(let length): "\(count) are cut to \(length) octets"
        case .shortLines: "\(count) are incomplete: the text has only a part of them"
        case .noValues: "the log does not have the values of \(packets) of \(total) packets"
        case .noTimes where isOfApp:
            "the lines that were read have no times: durations, rates and round trips are unknown"
        case .noTimes: "the \(isOfFile ? "capture" : "text") has no times: durations, rates and round trips are unknown"
        case .unusedLines:
            "\(packets == 1 ? "1 line was" : "\(packets) lines were") not used: \(examples.joined(separator: "; "))"
        case .missingTimes:
            "\(packets == 1 ? "1 packet has" : "\(packets) packets have") no time, but that of the packet before"
        case .cutHandles:
            packets == 1
                ? "1 line has no connection handle (Handle..): it has that of the only connection"
                : "\(packets) lines have no connection handle (Handle..): they have that of the only connection"
        case .noPackets:
            hasHandles
                ? "the log has no packets: attlas made them of its lines, with their handles"
                : "handles are not in this log: attlas numbered them, and made the packets of what an app logged"
        case .ownStatuses:
            "\(packets == 1 ? "1 status" : "\(packets) statuses") of the app, such as Android's 133, cannot be in a packet"
        case .variousLengths: "\(count) are incomplete"
        case .dataOnly: "\(total) ACL packets: the log has no commands and events"
        }
    }

    /// How to record in full: a sentence with its full stop.
    public var advice: String {
        switch kind {
        case .androidFiltered, .androidSnooz:
            "Set the developer option Bluetooth HCI snoop log to Enabled, not to Enabled Filtered, then switch Bluetooth "
                + "off and on and record again."
        case .fixedLength:
            "Record without a snapshot length. On Windows, click Full Packet Logging in btvs."
        case .variousLengths:
            "Record again. Windows omits the contents of some packets until you click Full Packet Logging in btvs; "
                + "Android does so when the snoop log is filtered."
        case .shortLines:
            "Copy whole lines, or record with btmon -w: terminals and mail programs cut or wrap lines, and btmon does not print "
                + "every field."
        case .noValues: "Log more in the app, or record the packets: attlas help getting-a-log."
        case .noTimes where isOfApp: "Copy the log with its times: those of adb logcat -v time, a console or a logger."
        case .noTimes where isOfFile: "Record with times: btmon -w, hcidump -w or Wireshark."
        case .noTimes: "Print the log with times: hcidump -t, a serial monitor's timestamps."
        case .unusedLines: "A reader can be written for them: attlas help readers.md."
        case .missingTimes: "Record with Enhanced Packet Blocks."
        case .cutHandles: "Print wider lines: btmon --columns 160."
        case .noPackets:
            "For what an app does not see, record the packets: attlas help getting-a-log."
        case .ownStatuses:
            "attlas why says what they usually come from. Packets that are written by attlas convert have a code of attlas in their place."
        case .dataOnly:
            "Record or export all packets: without the events the peers and the start of the connections are unknown."
        }
    }
}

/// Evidence in the records of how their log was written.
struct TruncationEvidence {
    /// Fewer packets without a command or an event may be chance.
    private static let dataOnlyMinimum = 20

    private var packets = 0
    private var hasOthers = false
    private var hasTimes = false
    private var cut = 0
    private var statuses = 0
    /// The captured lengths of cut packets, without the H4 indicator: the first two that differ.
    private var lengths: (Int, Int?) = (0, nil)
    private var hasManyLengths = false

    @inline(__always)
    mutating func note(_ record: Record) {
        if record.time != .epoch { hasTimes = true }
        if let status = record.reported, status.isStatus, status != .terminatedByPhone { statuses += 1 }
        switch record.content {
        case .packet(.acl):
            packets += 1
            let bytes = record.bytes
            // Some programs cut packets without a sign in either length. Then the packet's own length shows it.
            if record.missing > 0 || bytes.count < HCIPacketType.acl.length(bytes) ?? 0 { noteCut(bytes.count) }
        case .packet(.command), .packet(.event): hasOthers = true
        default: break
        }
    }

    /// The same for a record with a whole packet.
    @inline(__always)
    mutating func notePlain(_ record: Record) {
        switch record.content {
        case .packet(.acl): packets += 1
        case .packet: hasOthers = true
        default: break
        }
    }

    /// The same for records in a row.
    mutating func notePlain(data: Int, control: Int) {
        packets += data
        if control > 0 { hasOthers = true }
    }

    /// - Parameter length: Captured octets of an ACL packet.
    @inline(never)
    private mutating func noteCut(_ length: Int) {
        cut += 1
        if cut == 1 {
            lengths.0 = length
        } else if length != lengths.0 {
            if lengths.1 == nil { lengths.1 = length }
            if length != lengths.1 { hasManyLengths = true }
        }
    }

    /// - Parameter info: Android's logs are btsnoop of datalink 1002, and btsnooz.
    func findings(_ info: CaptureInfo) -> [CaptureTruncation] {
        var findings: [CaptureTruncation] = []
        if cut > 0 { findings.append(CaptureTruncation(kind: kind(info), packets: cut, total: packets)) }
        if packets >= Self.dataOnlyMinimum, !hasOthers, !info.isAppLog {
            findings.append(CaptureTruncation(kind: .dataOnly, packets: packets, total: packets))
        }
        if info.isAppLog {
            findings.append(
                CaptureTruncation(
                    kind: .noPackets, packets: 0, total: packets, hasHandles: !info.numbersHandles && packets > 0))
        }
        if info.unusedLines > 0 {
            findings.append(
                CaptureTruncation(
                    kind: .unusedLines, packets: info.unusedLines, total: packets, examples: info.unusedExamples))
        }
        if statuses > 0 {
            findings.append(CaptureTruncation(kind: .ownStatuses, packets: statuses, total: packets))
        }
        if info.timeless > 0, !info.lacksTimes {
            findings.append(CaptureTruncation(kind: .missingTimes, packets: info.timeless, total: packets))
        }
        if info.takenHandles > 0 {
            findings.append(CaptureTruncation(kind: .cutHandles, packets: info.takenHandles, total: packets))
        }
        // Without records nothing is known of times.
        if info.isText || info.lacksTimes, !hasTimes, packets > 0 || hasOthers {
            findings.append(
                CaptureTruncation(
                    kind: .noTimes, packets: 0, total: packets, isOfApp: info.isAppLog,
                    isOfFile: !info.isText))
        }
        return findings
    }

    private func kind(_ info: CaptureInfo) -> CaptureTruncation.Kind {
        if info.isAppLog { return .noValues }
        if info.isText { return .shortLines }
        if info.format == "btsnooz" { return .androidSnooz }
        if info.format == "btsnoop", info.linkTypes == [.h4], !hasManyLengths {
            // Both keep 8 octets of packets without L2CAP payload or on a filtered channel.
            switch (lengths.0, lengths.1) {
            case (13, nil), (13, 8), (8, 13): return .androidFiltered
            case (14, nil), (14, 8), (8, 14): return .androidSnooz
            default: break
            }
        }
        // One packet has always one length.
        return lengths.1 == nil && cut > 1 ? .fixedLength(lengths.0) : .variousLengths
    }
}

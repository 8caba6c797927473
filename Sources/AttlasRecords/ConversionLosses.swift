import AttlasCapture
import AttlasWire

/// Parts of the records that a conversion's file lacks.
package struct ConversionLosses {
    private let format: RecordFormat
    package private(set) var packets = 0
    private var others = 0
    private var undirected = 0
    private var comments = 0
    private var rebuilt = 0
    private var lost = 0
    private var cut = 0
    private var vendor = 0
    private var leftOutPackets = 0
    private var hasTimes = false
    /// Whether no record has a later time than 1970-01-01.
    private var isFirstDay = true

    package init(_ format: RecordFormat) {
        self.format = format
    }

    /// - Parameter source: The interfaces of the captures.
    package mutating func note(_ record: borrowing Record, of source: [CaptureInterface], isWritten: Bool) {
        guard isWritten else {
            if record.h4Type != nil { leftOutPackets += 1 } else { others += 1 }
            return
        }
        let keepsLinkType = format == .pcapng && source[record.interface].linkType.keepsPackets
        packets += 1
        if case .packet = record.content, record.direction == .unknown, !keepsLinkType { undirected += 1 }
        if case .unknownPacket = record.content, !keepsLinkType,
            format == .btsnoop || format == .pcapMonitor
                || format == .pcapng
        {
            vendor += 1
        }
        comments += record.comments.count
        if record.making != .captured { rebuilt += 1 }
        if record.lost > 0 { lost += Int(record.lost) }
        if record.missing > 0 { cut += 1 }
        if record.time != .epoch { hasTimes = true }
        if record.time.seconds >= 86_400 { isFirstDay = false }
    }

    /// - Parameter infos: Metadata of the captures, at their ends.
    package func sentences(_ infos: [CaptureInfo], hasRoundedTime: Bool) -> [String] {
        var sentences: [String] = []
        func add(_ count: Int, _ one: String, _ many: String) {
            if count > 0 { sentences.append("\(count) \(count == 1 ? one : many)") }
        }
        let name = format.name
        add(others, "record without a packet is left out", "records without a packet are left out")
        add(
            leftOutPackets, "packet of a type that \(format.rawValue) does not have is left out",
            "packets of types that \(format.rawValue) does not have are left out")
        add(
            undirected, "packet has no direction and is written as received",
            "packets have no direction and are written as received")
        add(
            vendor, "packet of an unknown type is written as vendor diagnostics",
            "packets of an unknown type are written as vendor diagnostics")
        let isText = infos.contains { $0.isText }
        if isText, !hasTimes {
            sentences.append("the text has no times: all packets have that of 1970-01-01")
        } else if isText, isFirstDay {
            sentences.append("the text has no dates: its times count from 1970-01-01")
        }
        if !format.hasComments {
            if infos.contains(where: \.isAppLog) {
                add(
                    rebuilt,
                    "packet was made from an app's log: \(name) cannot mark that its handles are attlas's own; pcapng can",
                    "packets were made from an app's log: \(name) cannot mark that their handles are attlas's own; pcapng can"
                )
            } else {
                add(
                    rebuilt, "packet was rebuilt from the text, which \(name) cannot mark; pcapng can",
                    "packets were rebuilt from the text, which \(name) cannot mark; pcapng can")
            }
            let other = infos.reduce(0) { $0 + $1.comments.count + $1.interfaces.reduce(0) { $0 + $1.comments.count } }
            add(
                comments + other, "comment is left out; pcapng has comments",
                "comments are left out; pcapng has comments")
            let described = infos.reduce(0) {
                $0 + $1.interfaces.count { $0.name != nil || $0.description != nil }
            }
            add(
                described, "interface description is left out; pcapng has them",
                "interface descriptions are left out; pcapng has them")
        }
        if !format.hasLosses {
            add(lost, "lost record is no longer counted", "lost records are no longer counted")
        }
        let atEnd = infos.reduce(0 as UInt64) { $0 &+ $1.lostAtEnd }
        add(
            Int(clamping: atEnd), "packet lost at the end is no longer counted",
            "packets lost at the end are no longer counted")
        let skipped = infos.reduce(0 as UInt64) { $0 &+ $1.skipped }
        add(
            Int(clamping: skipped), "packet of an unsupported link type is left out",
            "packets of unsupported link types are left out")
        if !format.hasOriginalLengths {
            add(
                cut, "packet is incomplete, which \(name) cannot mark",
                "packets are incomplete, which \(name) cannot mark")
        }
        // It takes the original length for the included one: findings/btmon-cut-record.sh.
        if format == .btsnoop {
            add(
                cut, "packet is incomplete: btmon 5.66 misreads the records after it",
                "packets are incomplete: btmon 5.66 misreads the records after them")
        }
        if hasRoundedTime {
            sentences.append(
                format == .pcapng
                    ? "times are rounded down to the resolution of their interface"
                    : "\(name) has times in microseconds: they are rounded down")
        }
        return sentences
    }
}

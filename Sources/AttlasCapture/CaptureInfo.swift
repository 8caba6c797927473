/// A capture's metadata, as far as it has been read.
public struct CaptureInfo: Sendable, Equatable {
    /// The path as it was given; "standard input" for `-`.
    public var file: String
    /// The paths that are read as one capture, in the given order; empty for a capture that is not joined.
    public var joined: [String] = []
    /// Pauses of a minute or more between captures that are read as one, at most 64: more of the log may be missing there.
    public var pauses: [Pause] = []
    /// "btsnoop", "pcap", "pcapng", "PacketLogger", "hcidump", "btsnooz", or "text (…)" with the programs that print such.
    public var format: String
    /// Whether the packets come from a text.
    public var isText = false
    /// Whether no record has a time, as far as they have been read: a stream of a serial line, Simple Packet Blocks.
    package var lacksTimes = false
    /// Whether the times are those of a clock whose distance from UTC is not in the text.
    package var lacksZone = false
    /// Lines of an app's log that look like operations and were not used, and the first three.
    package var unusedLines = 0
    package var unusedExamples: [String] = []
    /// Packets without a time, between others: Simple Packet Blocks.
    package var timeless = 0
    /// Lines of a text without their connection handle, which got that of the only connection.
    package var takenHandles = 0
    /// Whether the text has fields instead of octets, from which the packets were rebuilt.
    public var isRebuilt = false
    /// Whether the text is an app's log of operations: handles, discovery and packets are attlas's own.
    package var isAppLog = false
    /// Whether handles in it are attlas's own.
    package var numbersHandles = false
    /// In the order of their first appearance; empty for a pcapng whose interfaces have not been read yet.
    public var linkTypes: [LinkType]
    /// pcapng only. The index is the number that records without an adapter index carry as `controller`.
    public var interfaces: [CaptureInterface] = []
    /// Hardware, operating system and program that recorded it, as far as the file names them (pcapng, and an Android bug report for the
    /// phone).
    public var recorder: [String] = []
    /// Which of shb_hardware, shb_os and shb_userappl each of them is: 2, 3 or 4.
    package var recorderOptions: [UInt16] = []
    static let hardwareOption: UInt16 = 2
    /// The comments on the whole capture (pcapng only), at most 64.
    public var comments: [String] = []
    /// Packets of interfaces with an unsupported link type. They are counted as frames.
    public var skipped: UInt64 = 0
    /// Packets that the capture's final statistics report as dropped, and that are in no record's `lost`, because
    /// no record followed.
    public var lostAtEnd: UInt64 = 0

    /// How the clock of the sniffer's radio gave the times; nil if the file's clock did.
    public var radioClock: RadioClockUse?

    /// Truncation by the program that wrote the log, as far as the records read so far show it.
    public var cuts: [CaptureTruncation] = []

    /// A time without records from the end of one capture to the start of the next.
    public struct Pause: Sendable, Equatable {
        /// The capture after it.
        public let file: String
        /// Its first frame.
        public let frame: Int
        /// In nanoseconds.
        public let nanoseconds: Int64

        static let least: Int64 = 60_000_000_000
        static let limit = 64
    }

    mutating func add(_ use: RadioClockUse) { radioClock = radioClock?.joined(with: use) ?? use }

    /// The phone or host that recorded it, by the name of a bug report (`bugreport-oriole-AP1A.240305.019-2024-03-14-10-15-30.zip`), of a
    /// sysdiagnose, or by the file's own words; nil if none of them has it.
    package var recordingDevice: String? {
        for part in (joined.first ?? file).split(separator: "/") {
            if part.hasPrefix("bugreport-"), let product = part.dropFirst(10).split(separator: "-").first {
                return String(product)
            }
            // sysdiagnose_2024.03.14_10-15-30-0700_iPhone-OS_iPhone_21D61.tar.gz
            let fields = part.split(separator: "_")
            if fields.count > 5, fields[0] == "sysdiagnose" { return String(fields[4]) }
        }
        return zip(recorderOptions, recorder).first { $0.0 == Self.hardwareOption }?.1
    }

    /// "HCI H4 (1002)"; several are separated by commas.
    public var linkType: String {
        linkTypes.map(\.description).joined(separator: ", ")
    }
}

/// One interface of a pcapng file.
public struct CaptureInterface: Sendable, Equatable {
    /// Counted from 0 over the whole file, as the sections after the first begin again at 0.
    public var number: Int
    /// if_name of pcapng; nil without one.
    public var name: String?
    public var description: String?
    /// The comments on it, at most 8.
    package var comments: [String] = []
    package var linkType: LinkType
    /// Decimal places of a second in its times; nil if they differ from record to record.
    package var precision: UInt8?
    /// Whether attlas reads its packets.
    package var isSupported: Bool { linkType.framing != nil }
    /// Whether its records have the number of an adapter, or 0; otherwise they are counted by interface.
    package var hasAdapterIndex: Bool { !linkType.isOfPCAP || linkType == .bluetoothLinuxMonitor || linkType.isOfUSB }
}

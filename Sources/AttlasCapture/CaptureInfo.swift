/// What a capture says about itself, as far as it has been read.
public struct CaptureInfo: Sendable, Equatable {
    /// The path as it was given; "standard input" for `-`.
    public var file: String
    /// The paths that are read as one, in the order in which they were given; empty for a capture that stands for itself.
    public var joined: [String] = []
    /// "btsnoop", "pcap", "pcapng", "PacketLogger", "hcidump" or "btsnooz".
    public var format: String
    /// In the order of their first appearance; empty for a pcapng whose interfaces have not been read yet.
    public var linkTypes: [LinkType]
    /// pcapng only. The index is the number that records without an adapter index carry as `controller`.
    public var interfaces: [CaptureInterface] = []
    /// What somebody wrote about the whole capture (pcapng only), at most 64 comments.
    public var comments: [String] = []
    /// Packets of interfaces whose link type attlas does not read. They are counted as frames.
    public var skipped: UInt64 = 0
    /// Packets that the capture's closing statistics call dropped, and that no record could carry in its `lost`, because
    /// none followed.
    public var lostAtEnd: UInt64 = 0

    /// What whoever made the log left out, as far as the records read so far show it.
    public var cuts: [CaptureTruncation] = []

    /// "HCI H4 (1002)"; several are parted by commas.
    public var linkType: String {
        linkTypes.map(\.description).joined(separator: ", ")
    }
}

/// One interface of a pcapng file.
public struct CaptureInterface: Sendable, Equatable {
    /// Counted from 0 over the whole file, as the sections after the first begin again at 0.
    public var number: Int
    public var name: String?
    public var description: String?
    /// What somebody wrote about it, at most 8 comments.
    public var comments: [String] = []
    public var linkType: LinkType
    /// Whether attlas reads its packets.
    public var isSupported: Bool { linkType.framing != nil }
}

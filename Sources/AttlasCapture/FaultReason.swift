import AttlasLocks

/// Every fault of a record. It is small and without references, because every record has room for one; the text is made
/// on demand.
enum FaultReason: Sendable, Equatable {
    case packetBeyondLimit(UInt32)
    case moreCaptured(UInt32, ofPacket: UInt32)
    case packetTooShort(UInt32)
    case packetBeyondFile(UInt32)
    case packetBeyondLog(UInt32)
    case packetBeyondBlock(UInt32, room: UInt32)
    case noPacketType
    case noOctets
    case valueWithoutOctets
    case valueTooLong(UInt32)
    case whitened
    case ppiLinkType(UInt32)
    case nordicProtocol(UInt8)
    case contradictoryHeader
    case impossibleRecordLength(UInt32)
    case recordBeyondFile(UInt32)
    case noByteOrder
    case impossibleBlockLength(UInt32)
    case blockBeyondLimit(UInt32)
    case blockBeyondFile(UInt32)
    case blockLengthsDiffer(UInt32, after: UInt32)
    case sectionVersion(UInt16, UInt16)
    case tooManyInterfaces(UInt32)
    case strayOctets(UInt32)
    case noPacketInDump(UInt32)
    case undescribedInterface(UInt32, described: UInt32)
    case kept(Text)

    /// A text that is not made of literals and numbers alone.
    struct Text: Sendable, Equatable {
        private let index: UInt32

        /// They live as long as the program: each exists once, and they are few, of files that end in an error among joined
        /// ones and of pcapng interfaces that cannot be read.
        private static let kept = Locked<[String]>([])
        private static let limit = 4_096

        init(_ text: String) {
            index = Self.kept.withLock { kept in
                if let known = kept.firstIndex(of: text) { return UInt32(known) }
                if kept.count < Self.limit {
                    kept.append(
                        kept.count + 1 < Self.limit
                            ? text : "unreadable (details of only 4095 distinct faults are kept)")
                }
                return UInt32(kept.count - 1)
            }
        }

        fileprivate var string: String { Self.kept.withLock { $0[Int(index)] } }
    }
}

extension FaultReason: CustomStringConvertible {
    /// A clause without a full stop.
    var description: String {
        switch self {
        case .packetBeyondLimit(let length): "packet of \(length) octets is longer than the limit of \(packetLimit)"
        case .moreCaptured(let captured, let original): "\(captured) octets captured of a packet of \(original)"
        case .packetTooShort(let length):
            "packet of \(length) octets is too short for the header of its link type"
        case .noOctets: "line of a packet without readable octets"
        case .valueWithoutOctets: "line of an operation whose value is not readable as octets"
        case .valueTooLong(let length): "value of \(length) octets is longer than an attribute's 512"
        case .whitened: "packet from the air that is still whitened: not supported"
        case .ppiLinkType(let type):
            "per-packet information around a packet of link type \(LinkType(rawValue: type).numberAndName)"
        case .nordicProtocol(let version):
            "nRF Sniffer protocol version \(version): not supported, only versions 0 to 3 are"
        case .packetBeyondFile(let length): "packet of \(length) octets ends after the end of the file"
        case .packetBeyondLog(let length): "packet of \(length) octets ends after the end of the log"
        case .packetBeyondBlock(let length, let room):
            "packet of \(length) octets in a block with room for \(room)"
        case .noPacketType: "record of 0 octets without a packet type"
        case .contradictoryHeader: "record header that contradicts itself"
        case .impossibleRecordLength(let length): "record with an impossible length, \(length) octets"
        case .recordBeyondFile(let length): "record of \(length) octets ends after the end of the file"
        case .noByteOrder: "section header without a byte order"
        case .impossibleBlockLength(let length): "block with an impossible length, \(length) octets"
        case .blockBeyondLimit(let length): "block of \(length) octets is longer than the limit"
        case .blockBeyondFile(let length): "block of \(length) octets ends after the end of the file"
        case .blockLengthsDiffer(let before, let after):
            "block length is \(before) before the body and \(after) after it"
        case .sectionVersion(let major, let minor):
            "section of pcapng version \(major).\(minor): not supported, its blocks are skipped"
        case .tooManyInterfaces(let limit): "more than \(limit) interfaces"
        case .strayOctets(let count): count == 1 ? "1 octet that is no packet" : "\(count) octets that are no packet"
        case .noPacketInDump(let count): "hex dump of \(count) octets that are no whole packet"
        case .undescribedInterface(let number, let described):
            "packet of interface \(number), but its section describes \(described)"
        case .kept(let text): text.string
        }
    }
}

/// The maximum length of a packet in octets. A longer record is treated as broken. HCI packets have at most 65 540; Wireshark has this limit.
package let packetLimit: UInt32 = 256 << 10

/// The reason why the two lengths of a packet are impossible.
@inline(__always)
func contradiction(captured: UInt32, original: UInt32) -> FaultReason? {
    guard captured > packetLimit || captured > original else { return nil }
    return captured > packetLimit
        ? .packetBeyondLimit(captured) : .moreCaptured(captured, ofPacket: original)
}

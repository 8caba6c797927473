import AttlasWire

/// Handles with ACL traffic whose connection was never seen to be made.
///
/// Either the capture began later, or they are not connections at all: Qualcomm's controllers send debug messages as ACL data on handle
/// 0x0EDC, with a running number in place of the channel, so that some look like ATT by chance. A handle counts as a connection when its
/// first frame is a well-formed one of a fixed channel, or, once it sent anything else, and on that handle always, after three such frames
/// in a row. It counts also when both sides sent frames whose lengths are right on channels that only a vendor knows, or when the
/// controller reports that it sent the host's packets.
struct UnannouncedHandles: Sendable {
    static let limit = 4_096
    static let debugHandle: ConnectionHandle = 0x0EDC
    /// Handles beyond it are reserved. Core Specification, Vol 4, Part E, 5.4.2.
    static let lastHandle: ConnectionHandle = 0x0EFF

    /// A packet's evidence about its handle.
    enum Evidence {
        case forConnection
        /// A whole frame on a fixed channel that the specification does not define.
        case framed
        /// A continuation, or a channel that was opened before the capture began.
        case neutral
        case against
    }

    private struct Stranger {
        var packets = 0
        var wellFormed = 0
        var needed: Int
        var sent = 0
        /// Whole frames on other fixed channels, from the host and to it.
        var framesSent = 0
        var framesReceived = 0
        /// The controller counts its packets.
        var isConfirmed = false
    }

    /// Frames from each side that make a link of a vendor's channels.
    private static let framesNeeded = 2

    private var seen: [UInt32: Stranger] = [:]

    var isFull: Bool { seen.count >= Self.limit }

    /// Notes a packet; returns whether the handle counts as a connection from now on.
    mutating func admit(
        _ controller: UInt16, _ handle: ConnectionHandle, _ evidence: Evidence, from side: Direction
    ) -> Bool {
        let key = LinkTable.key(controller, handle)
        if seen[key] == nil, isFull { return false }
        var stranger = seen[key, default: Stranger(needed: handle == Self.debugHandle ? 3 : 1)]
        stranger.packets += 1
        if side == .tx { stranger.sent += 1 }
        switch evidence {
        case .framed where handle <= Self.lastHandle && handle != Self.debugHandle:
            if side == .tx { stranger.framesSent += 1 }
            if side == .rx { stranger.framesReceived += 1 }
        case .forConnection where handle <= Self.lastHandle: stranger.wellFormed += 1
        case .neutral: break
        default:
            stranger.wellFormed = 0
            stranger.needed = 3
        }
        let isAdmitted =
            stranger.wellFormed >= stranger.needed || stranger.isConfirmed
            || min(stranger.framesSent, stranger.framesReceived) >= Self.framesNeeded
        seen[key] = isAdmitted ? nil : stranger
        return isAdmitted
    }

    /// Number Of Completed Packets names the handle: the controller has a link with it. Vol 4, Part E, 7.7.19.
    @inline(never)
    mutating func confirm(_ controller: UInt16, _ handle: ConnectionHandle, packets: Int) {
        let key = LinkTable.key(controller, handle)
        guard let stranger = seen[key], packets > 0, stranger.sent >= packets else { return }
        seen[key]?.isConfirmed = true
    }

    mutating func forget(_ controller: UInt16, _ handle: ConnectionHandle) {
        seen[LinkTable.key(controller, handle)] = nil
    }

    /// All handles of a controller.
    mutating func forget(_ controller: UInt16) {
        seen = seen.filter { $0.key >> 16 != UInt32(controller) }
    }

    var packets: [(controller: UInt16, handle: ConnectionHandle, packets: Int)] {
        seen.sorted { $0.key < $1.key }.map { (UInt16($0.key >> 16), UInt16($0.key & 0xFFFF), $0.value.packets) }
    }
}

extension ACLPacket {
    /// The packet's evidence for or against a connection that no event announced.
    var evidence: UnannouncedHandles.Evidence {
        if boundary == .continuing { return .neutral }
        guard excess == 0, let frame = try? L2CAPFrame(data) else { return .against }
        // The frame may continue in the next packet; it cannot end before its first one does.
        guard L2CAPFrame.headerLength + frame.pduLength >= dataTotalLength else { return .against }
        if frame.channel.isDynamicLowEnergy { return .neutral }
        if frame.looksGenuine { return .forConnection }
        // Fixed, and not one of those of Vol 3, Part A, 2.1, whose frames have to make sense.
        let isFree = frame.channel.isUnassignedFixed
        return isFree && frame.pduLength > 0 && L2CAPFrame.headerLength + frame.pduLength == dataTotalLength
            ? .framed : .against
    }
}

extension L2CAPFrame {
    /// Whether the captured part of the frame makes sense on its fixed channel: true for a real connection, but not for debug data. Vol 3,
    /// Part A, 2.1.
    fileprivate var looksGenuine: Bool {
        let payload = payload
        switch channel {
        case .attribute:
            guard !payload.isEmpty else { return pduLength > 0 }
            guard let definition = ATTOpcode(rawValue: payload[0]).definition else { return false }
            return definition.length.contains(pduLength)
        case .signaling, .lowEnergySignaling:
            return payload.count >= 4 && L2CAPSignalCode(rawValue: payload[0]).name != nil
                && Int(payload.uint16(at: 2)) == pduLength - 4
        case .securityManager, .securityManagerBREDR:
            return !payload.isEmpty && SMPCode(rawValue: payload[0]).name != nil && pduLength <= 65
        default: return false
        }
    }

    /// The kind of link that has this channel.
    var transport: Connection.Transport {
        channel == .signaling || channel == .connectionless || channel == .securityManagerBREDR ? .classic : .lowEnergy
    }
}

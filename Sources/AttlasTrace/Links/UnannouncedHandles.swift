import AttlasWire

/// Handles with ACL traffic whose connection was never seen to be made.
///
/// Either the capture began later, or they are no connections at all: Qualcomm's controllers send debug messages as ACL
/// data on handle 0x0EDC, with a running number where the channel would stand, so that some look like ATT by chance. A
/// handle counts as a connection when its first frame is a well-formed one of a fixed channel, or, once it sent anything
/// else, and on that handle always, after three such frames in a row.
struct UnannouncedHandles: Sendable {
    static let limit = 4_096
    static let debugHandle: ConnectionHandle = 0x0EDC
    /// Handles beyond it are reserved. Core Specification, Vol 4, Part E, 5.4.2.
    static let lastHandle: ConnectionHandle = 0x0EFF

    /// What a packet says about its handle.
    enum Evidence {
        case forConnection
        /// A continuation, or a channel that was opened before the capture began.
        case neutral
        case against
    }

    private struct Stranger {
        var packets = 0
        var wellFormed = 0
        var needed: Int
    }

    private var seen: [UInt32: Stranger] = [:]

    var isFull: Bool { seen.count >= Self.limit }

    /// Notes a packet and says whether the handle is to be taken for a connection from now on.
    mutating func admit(_ controller: UInt16, _ handle: ConnectionHandle, _ evidence: Evidence) -> Bool {
        let key = LinkTable.key(controller, handle)
        if seen[key] == nil, isFull { return false }
        var stranger = seen[key, default: Stranger(needed: handle == Self.debugHandle ? 3 : 1)]
        stranger.packets += 1
        switch evidence {
        case .forConnection where handle <= Self.lastHandle: stranger.wellFormed += 1
        case .neutral: break
        default:
            stranger.wellFormed = 0
            stranger.needed = 3
        }
        let isAdmitted = stranger.wellFormed >= stranger.needed
        seen[key] = isAdmitted ? nil : stranger
        return isAdmitted
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
    /// What the packet says for or against a connection that no event announced.
    var evidence: UnannouncedHandles.Evidence {
        if boundary == .continuing { return .neutral }
        guard excess == 0, let frame = try? L2CAPFrame(data) else { return .against }
        // The frame may go on in the next packet; it cannot end before its first one does.
        guard L2CAPFrame.headerLength + frame.pduLength >= dataTotalLength else { return .against }
        if (0x0040...0x007F).contains(frame.channel.rawValue) { return .neutral }
        return frame.looksGenuine ? .forConnection : .against
    }
}

extension L2CAPFrame {
    /// Whether what is there of the frame makes sense on its fixed channel: what a real connection sends and debug data
    /// does not. Vol 3, Part A, 2.1.
    fileprivate var looksGenuine: Bool {
        let payload = payload
        switch channel {
        case .attribute:
            guard !payload.isEmpty else { return pduLength > 0 }
            guard let definition = ATTOpcode(rawValue: payload[0]).definition else { return false }
            return definition.isFixedLength
                ? pduLength == definition.minimumLength : pduLength >= definition.minimumLength
        case .signaling, .lowEnergySignaling:
            return payload.count >= 4 && (0x01...0x1A).contains(payload[0])
                && Int(payload.uint16(at: 2)) == pduLength - 4
        case .securityManager, .securityManagerBREDR:
            return !payload.isEmpty && (0x01...0x0E).contains(payload[0]) && pduLength <= 65
        default: return false
        }
    }

    /// The kind of link that has such a channel.
    var transport: Connection.Transport {
        channel == .signaling || channel == .connectionless || channel == .securityManagerBREDR ? .classic : .lowEnergy
    }
}

import AttlasWire

/// Gives the connections of one conversation separate handles, so that several conversations can run at once.
struct HandleMapping {
    /// Connections of one conversation, at most.
    static let stride: UInt16 = 16

    private let first: UInt16
    private var handles: [UInt16: UInt16] = [:]

    /// - Parameter lane: Which of the conversations, from 0 to 238: handles end at 0x0EFF.
    init(lane: Int) {
        first = UInt16(lane) * Self.stride
    }

    /// The packet with the handles of this lane. Core Specification, Vol 4, Part E, 5.4 and 7.
    mutating func map(_ packet: Packet) -> [UInt8] {
        var bytes = packet.bytes
        switch packet.type {
        case .acl: replace(at: 0, in: &bytes)
        case .event: for offset in Self.offsets(inEvent: bytes) { replace(at: offset, in: &bytes) }
        case .command: if Self.hasHandle(command: bytes) { replace(at: 3, in: &bytes) }
        case .synchronous, .isochronous: replace(at: 0, in: &bytes)
        }
        return bytes
    }

    private mutating func replace(at offset: Int, in bytes: inout [UInt8]) {
        guard offset + 2 <= bytes.count else { return }
        let field = UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
        let recorded = field & 0x0FFF
        let handle = handles[recorded] ?? first + UInt16(handles.count) % Self.stride
        handles[recorded] = handle
        let mapped = field & 0xF000 | handle
        bytes[offset] = UInt8(truncatingIfNeeded: mapped)
        bytes[offset + 1] = UInt8(mapped >> 8)
    }

    private static func offsets(inEvent bytes: [UInt8]) -> [Int] {
        guard bytes.count > 2 else { return [] }
        switch bytes[0] {
        // Disconnection Complete, Encryption Change, Read Remote Version Information Complete, Encryption Key Refresh Complete.
        case 0x05, 0x08, 0x0C, 0x30: return [3]
        // Number Of Completed Packets.
        case 0x13: return (0..<Int(bytes[2])).map { 3 + $0 * 4 }
        case 0x3E:
            switch bytes[2] {
            // LE Connection Complete, Connection Update Complete, Read Remote Features Complete, Enhanced Connection
            // Complete, PHY Update Complete.
            case 0x01, 0x03, 0x04, 0x0A, 0x0C: return [4]
            // LE Long Term Key Request, Remote Connection Parameter Request, Data Length Change, Channel Selection Algorithm.
            case 0x05, 0x06, 0x07, 0x14: return [3]
            default: return []
            }
        default: return []
        }
    }

    private static func hasHandle(command bytes: [UInt8]) -> Bool {
        guard bytes.count >= 5 else { return false }
        switch UInt16(bytes[0]) | UInt16(bytes[1]) << 8 {
        // Disconnect, Read Remote Version Information.
        case 0x0406, 0x041D: return true
        // LE Connection Update, Read Remote Features, Enable Encryption, Long Term Key Request Reply and Negative Reply, Remote
        // Connection Parameter Request Reply and Negative Reply, Set Data Length, Read PHY, Set PHY.
        case 0x2013, 0x2016, 0x2019, 0x201A, 0x201B, 0x2020, 0x2021, 0x2022, 0x2030, 0x2032: return true
        default: return false
        }
    }
}

import AttlasDissection
import AttlasTrace
import AttlasWire

extension Event {
    /// The octets that the line of a packet stands for; nil for what is no packet, and for a packet that holds a key.
    @_lifetime(copy self)
    func octets(_ library: DissectorLibrary, in trace: borrowing Trace) -> Bytes? {
        switch detail {
        case .command(let command): HCIParameters(command, library).holdKey ? nil : command.bytes
        case .hciEvent(let event): HCIParameters(event, library).holdKey ? nil : event.bytes
        case .data(let packet): library.withholdsKeys && packet.mayHoldKey ? nil : packet.bytes
        case .monitor(let opcode, let bytes):
            HCIParameters(monitorOpcode: opcode, bytes, library).holdKey ? nil : bytes
        case .packetLogger(let type, let bytes): type.isText ? nil : bytes
        case .advertising(let report): report.data.bytes
        case .air(let packet): packet.isPartOfFrame ? nil : packet.pdu
        case .l2cap(let frame):
            frame.channel.isFixed
                || library.withholdsKeys && trace.isBearer(frame, ofConnection: connection, direction)
                ? nil : frame.payload
        case .signal(let signal): signal.bytes.prefix(L2CAPSignal.headerLength + signal.length)
        case .sdu(let sdu): library.withholdsKeys && sdu.carriesAttributes ? nil : sdu.bytes
        case .smp(let pdu): library.withholdsKeys && pdu.holdsKey ? nil : pdu.bytes
        default: nil
        }
    }
}

extension DataPacket {
    /// The handle never connected, but the frame may be one of the Security Manager all the same.
    fileprivate var mayHoldKey: Bool {
        guard type == HCIPacketType.acl.rawValue, let packet = try? ACLPacket(bytes) else { return false }
        guard packet.boundary != .continuing, let frame = try? L2CAPFrame(packet.data) else { return true }
        return frame.channel.isFixed
    }
}

extension AirPacket {
    /// A fragment of an L2CAP frame, whose octets stand with what the frame holds.
    fileprivate var isPartOfFrame: Bool {
        guard case .data(let pdu) = kind else { return false }
        return pdu.llid != .control
    }
}

extension L2CAPChannel {
    /// A channel whose PDUs are reported one by one.
    var isFixed: Bool {
        [.signaling, .attribute, .lowEnergySignaling, .securityManager, .securityManagerBREDR].contains(self)
    }
}

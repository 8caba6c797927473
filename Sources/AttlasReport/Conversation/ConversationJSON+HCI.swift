import AttlasTrace
import AttlasValues
import AttlasWire

/// The types `hci`, `l2cap` and `advertising`.
extension ConversationJSON {
    /// Begins the object; the caller ends it.
    mutating func writeHCI(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .command(let command):
            begin("hci", event, in: trace)
            json.key("packet")
            json.literal("command")
            json.key("opcode")
            json.code(command.opcode.rawValue, digits: 4)
            write(name: command.opcode.name)
            json.write(command.fields ?? [])
            if !command.holdsKey {
                json.key("parameters")
                json.hex(command.parameters)
            }
        case .hciEvent(let hci):
            begin("hci", event, in: trace)
            json.key("packet")
            json.literal("event")
            json.key("event_code")
            json.code(hci.code.rawValue, digits: 2)
            if let subevent = hci.subeventCode {
                json.key("subevent_code")
                json.code(subevent, digits: 2)
            }
            write(name: hci.name)
            json.write(hci.fields ?? [])
            if !hci.holdsKey {
                json.key("parameters")
                json.hex(hci.parameters)
            }
        case .data(let packet):
            begin("hci", event, in: trace)
            json.key("packet")
            switch HCIPacketType(rawValue: packet.type) {
            case .acl: json.literal("acl")
            case .synchronous: json.literal("synchronous")
            case .isochronous: json.literal("isochronous")
            default: json.code(packet.type, digits: 2)
            }
            if let handle = packet.connectionHandle { write("connection_handle", handle) }
            write("length", packet.length)
        case .monitor(let opcode, let bytes):
            begin("hci", event, in: trace)
            json.key("packet")
            json.literal("monitor")
            write("opcode", opcode)
            json.key("name")
            json.value { text in
                text.append("\"")
                text.append(monitorOpcode: opcode)
                text.append("\"")
            }
            write("length", bytes.count)
        case .packetLogger(let type, let bytes):
            begin("hci", event, in: trace)
            json.key("packet")
            json.literal("packet_logger")
            json.key("record_type")
            json.code(type.rawValue, digits: 2)
            if let name = type.name {
                json.key("name")
                json.literal(name)
            }
            if type.isText {
                json.key("text")
                json.string(String(decoding: bytes.prefix(4096).copy(), as: UTF8.self))
            }
            write("length", bytes.count)
        case .advertising(let report):
            begin("advertising", event, in: trace)
            if let pdu = report.pdu, let radio = report.radio {
                json.key("pdu")
                json.string(radio.name(of: pdu))
                if let channel = radio.channel { write("channel", channel) }
            }
            if let address = report.address { json.write(address) }
            if let identity = report.identity {
                json.key("identity_address")
                json.string(identity.description)
                json.key("identity_address_type")
                json.string(identity.kind.rawValue)
            }
            if let rssi = report.rssi { write("rssi_dbm", rssi) }
            json.key("scan_response")
            json.boolean(report.isScanResponse)
            json.key("connectable")
            json.boolean(report.isConnectable)
            json.key("extended")
            json.boolean(report.isExtended)
            json.write(AdvertisedData(report.data), values)
            json.key("data")
            json.hex(report.data.bytes)
        case .l2cap(let frame):
            begin("l2cap", event, in: trace)
            json.key("channel")
            json.code(frame.channel.rawValue, digits: 4)
            write("length", frame.pduLength)
        case .signal(let signal):
            begin("l2cap", event, in: trace)
            json.key("channel")
            json.literal("signaling")
            json.key("code")
            json.code(signal.code.rawValue, digits: 2)
            json.key("name")
            json.string(signal.name)
            write("identifier", signal.identifier)
            json.write(signal.fields)
        case .sdu(let sdu):
            begin("l2cap", event, in: trace)
            json.key("channel")
            json.code(sdu.localChannel.rawValue, digits: 4)
            json.key("remote_channel")
            json.code(sdu.remoteChannel.rawValue, digits: 4)
            json.key("psm")
            json.code(sdu.psm, digits: 4)
            if let credits = sdu.credits { write("credits", credits) }
            write("length", sdu.bytes.count)
            json.key("sdu")
            json.hex(sdu.bytes)
        default: preconditionFailure("not a type that --hci adds")
        }
    }

    private mutating func write(name: String?) {
        guard let name else { return }
        json.key("name")
        json.string(name)
    }
}

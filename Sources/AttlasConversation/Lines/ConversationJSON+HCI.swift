import AttlasText
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
            json.member("packet", literal: "command")
            json.member("opcode", code: command.opcode.rawValue, digits: 4)
            let parameters = HCIParameters(command, values.library)
            json.member("name", parameters.name)
            write(parameters)
        case .hciEvent(let hci):
            begin("hci", event, in: trace)
            json.member("packet", literal: "event")
            json.member("event_code", code: hci.code.rawValue, digits: 2)
            if let subevent = hci.subeventCode {
                json.member("subevent_code", code: subevent, digits: 2)
            }
            let parameters = HCIParameters(hci, values.library)
            json.member("name", parameters.name ?? hci.unknownName)
            write(parameters)
        case .data(let packet):
            begin("hci", event, in: trace)
            json.key("packet")
            switch HCIPacketType(rawValue: packet.type) {
            case .acl: json.literal("acl")
            case .synchronous: json.literal("synchronous")
            case .isochronous: json.literal("isochronous")
            default: json.code(packet.type, digits: 2)
            }
            json.member("connection_handle", packet.connectionHandle)
            json.member("length", packet.length)
            writeOctets("data", of: event, in: trace)
        case .monitor(let opcode, let bytes):
            begin("hci", event, in: trace)
            json.member("packet", literal: "monitor")
            json.member("opcode", opcode)
            let parameters = HCIParameters(monitorOpcode: opcode, bytes, values.library)
            json.member("name", parameters.name ?? "opcode \(opcode)")
            json.member("length", bytes.count)
            write(parameters)
        case .packetLogger(let type, let bytes):
            begin("hci", event, in: trace)
            json.member("packet", literal: "packet_logger")
            json.member("record_type", code: type.rawValue, digits: 2)
            if let name = type.name {
                json.member("name", literal: name)
            }
            if type.isText {
                json.key("text")
                json.value { $0.append(jsonString: bytes) }
            }
            json.member("length", bytes.count)
            writeOctets("data", of: event, in: trace)
        case .advertising(let report):
            begin("advertising", event, in: trace)
            if let pdu = report.pdu, let radio = report.radio {
                json.member("pdu", radio.name(of: pdu))
                json.member("channel", radio.channel)
            }
            if let address = report.address { json.write(address) }
            if let identity = report.identity {
                json.member("identity_address", identity.description)
                json.member("identity_address_type", identity.kind.rawValue)
            }
            json.member("rssi_dbm", report.rssi)
            json.member("scan_response", report.isScanResponse)
            json.member("connectable", report.isConnectable)
            json.member("extended", report.isExtended)
            if report.isInquiryResponse { json.member("inquiry_response", true) }
            json.write(AdvertisedData(report.data, isTruncated: report.isTruncated), values)
            if report.isTruncated { json.member("truncated", true) }
            json.member("data", hex: report.data.bytes)
        case .periodic(let report):
            begin("advertising", event, in: trace)
            json.member("pdu", "periodic advertising")
            json.member("channel", report.radio?.channel)
            json.member("train", report.train.number)
            json.member("sid", report.train.sid)
            if let address = report.train.address { json.write(address) }
            json.member("rssi_dbm", report.rssi)
            json.member("scan_response", false)
            json.member("connectable", false)
            json.member("extended", true)
            if let data = report.airData {
                json.write(AdvertisedData(data), values)
                json.member("data", hex: data.bytes)
            }
        case .l2cap(let frame):
            begin("l2cap", event, in: trace)
            json.member("channel", code: frame.channel.rawValue, digits: 4)
            json.member("length", frame.pduLength)
            writeOctets("payload", of: event, in: trace)
        case .signal(let signal):
            begin("l2cap", event, in: trace)
            json.member("channel", literal: "signaling")
            json.member("code", code: signal.code.rawValue, digits: 2)
            json.member("name", signal.name)
            json.member("identifier", signal.identifier)
            json.write(signal.fields(values.library))
            json.member("parameters", hex: signal.data)
        case .sdu(let sdu):
            begin("l2cap", event, in: trace)
            json.member("channel", code: sdu.localChannel.rawValue, digits: 4)
            json.member("remote_channel", code: sdu.remoteChannel.rawValue, digits: 4)
            json.member("psm", code: sdu.psm, digits: 4)
            let isMedia = event.connection.map { trace.isMedia(sdu, ofConnection: $0) } ?? false
            let header = HCIParameters(sdu, isMedia: isMedia, values.library)
            json.member("psm_name", header.name)
            json.member("credits", sdu.credits)
            json.member("length", sdu.bytes.count)
            if header.hasLayout {
                json.object("header") { $0.write(header, values) }
            }
            writeOctets("sdu", of: event, in: trace)
        default: preconditionFailure("not a type that --hci adds")
        }
    }

    /// The member of the octets of a line that has no other.
    mutating func writeOctets(_ key: StaticString, of event: borrowing Event, in trace: borrowing Trace) {
        if let octets = values.packet(of: event, in: trace) { json.write(octets, key) }
    }

    private mutating func write(_ parameters: borrowing HCIParameters) {
        json.write(parameters, values)
        json.write(parameters.octets, "parameters")
    }
}

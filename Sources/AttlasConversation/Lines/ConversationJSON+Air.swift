import AttlasCapture
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The additions for captures from the air.
extension ConversationJSON {
    /// The type `link_layer`. Begins the object; the caller ends it.
    mutating func write(_ packet: AirPacket, _ event: borrowing Event, in trace: borrowing Trace) {
        begin("link_layer", event, in: trace)
        json.member("pdu", packet.name)
        if event.connection == nil {
            json.member("access_address", code: packet.accessAddress, digits: 8)
        }
        write(packet.radio)
        if packet.disposition != .taken {
            json.member("left_out", packet.disposition.rawValue)
        }
        if packet.missedEvents > 0 { json.member("missed_events", packet.missedEvents) }
        if case .data(let pdu) = packet.kind {
            json.member("sn", pdu.sn ? 1 : 0)
            json.member("nesn", pdu.nesn ? 1 : 0)
            json.member("more_data", pdu.md)
        }
        json.member("length", packet.pdu.count)
        if case .control(.other(let opcode, let data)) = packet.kind {
            json.write(HCIParameters(linkLayerControl: opcode, data, values.library), values)
        } else {
            json.write(packet.fields)
        }
        writeOctets("octets", of: event, in: trace)
    }

    private mutating func write(_ radio: RadioInfo) {
        json.member("channel", radio.channel)
        json.member("rssi_dbm", radio.rssi)
        json.member("phy", radio.phy?.name)
        json.member("crc", literal: radio.crc.word)
        if radio.isDecrypted {
            json.member("decrypted_by_sniffer", true)
        }
        if radio.mic != .unchecked {
            json.member("mic", literal: radio.mic.word)
        }
        json.member("event_counter", radio.eventCounter)
    }

    mutating func write(_ missed: MissedPackets) {
        json.member("lost", missed.total)
        json.member("lost_of_central", missed.central)
        json.member("lost_of_peripheral", missed.peripheral)
    }

    /// `made` and `presumed` of a connection captured from the air.
    mutating func writeCentral(_ index: Int, in trace: borrowing Trace) {
        guard let central = trace.connections[index].central else { return }
        json.object("central") { $0.write(central) }
    }

    mutating func write(_ decryption: Decryption) {
        json.member("decrypted", decryption.isReadable)
        json.member("decryption", literal: decryption.word)
    }

    mutating func write(features: UInt64) {
        json.array("features", LinkLayerFeature.names(features)) { $0.string($1) }
    }

    mutating func write(_ map: ChannelMap) {
        json.member("channels", map.count)
        json.member("channel_map", map.text)
    }

    mutating func write(_ update: LinkUpdate) {
        json.member("instant", update.instant)
        switch update.change {
        case .parameters(let parameters): json.write(parameters)
        case .channelMap(let map): write(map)
        case .phy(let transmit, let receive):
            write(transmit: transmit, receive: receive)
        }
    }

    mutating func write(rejected opcode: LLControlOpcode?, _ error: HCIErrorCode) {
        if let opcode { json.member("procedure", code: opcode.rawValue, digits: 2, name: opcode.name ?? "Unknown") }
        json.member("reason", code: error.rawValue, digits: 2, name: error.name)
    }
}

extension JSONWriter {
    package mutating func write(_ version: ControllerVersion) {
        member("version", version.version.name ?? String(version.version.rawValue))
        member("company_identifier", code: version.companyIdentifier, digits: 4)
        member("subversion", version.subversion)
    }
}

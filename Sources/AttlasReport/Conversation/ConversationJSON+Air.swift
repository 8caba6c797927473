import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// The additions for captures from the air.
extension ConversationJSON {
    /// The type `link_layer`. Begins the object; the caller ends it.
    mutating func write(_ packet: AirPacket, _ event: borrowing Event, in trace: borrowing Trace) {
        begin("link_layer", event, in: trace)
        json.key("pdu")
        json.string(packet.name)
        if event.connection == nil {
            json.key("access_address")
            json.code(packet.accessAddress, digits: 8)
        }
        write(packet.radio)
        if packet.disposition != .taken {
            json.key("left_out")
            json.string(packet.disposition.rawValue)
        }
        if packet.missedEvents > 0 { write("missed_events", packet.missedEvents) }
        if case .data(let pdu) = packet.kind {
            write("sn", pdu.sn ? 1 : 0)
            write("nesn", pdu.nesn ? 1 : 0)
            json.key("more_data")
            json.boolean(pdu.md)
        }
        write("length", packet.pdu.count)
        json.write(packet.fields)
    }

    private mutating func write(_ radio: RadioInfo) {
        if let channel = radio.channel { write("channel", channel) }
        if let rssi = radio.rssi { write("rssi_dbm", rssi) }
        if let phy = radio.phy?.name {
            json.key("phy")
            json.string(phy)
        }
        json.key("crc")
        json.literal(radio.crc.word)
        if radio.isDecrypted {
            json.key("decrypted_by_sniffer")
            json.boolean(true)
        }
        if radio.mic != .unchecked {
            json.key("mic")
            json.literal(radio.mic.word)
        }
        if let eventCounter = radio.eventCounter { write("event_counter", eventCounter) }
    }

    mutating func write(_ missed: MissedPackets) {
        write("lost", missed.total)
        write("lost_of_central", missed.central)
        write("lost_of_peripheral", missed.peripheral)
    }

    /// `made` and `presumed` of a connection captured from the air.
    mutating func writeCentral(_ index: Int, in trace: borrowing Trace) {
        guard let central = trace.connections[index].central else { return }
        json.key("central")
        json.beginObject()
        json.write(central)
        json.endObject()
    }

    mutating func write(_ decryption: Decryption) {
        json.key("decrypted")
        json.boolean(decryption.isActive)
        json.key("decryption")
        json.literal(decryption.word)
    }

    mutating func writeVersion(_ version: UInt8, companyIdentifier: UInt16, subversion: UInt16) {
        json.key("version")
        json.string(BluetoothVersion(rawValue: version).name ?? String(version))
        json.key("company_identifier")
        json.code(companyIdentifier, digits: 4)
        write("subversion", subversion)
    }

    mutating func write(features: UInt64) {
        json.key("features")
        json.beginArray()
        for name in LinkLayerFeature.names(features) { json.string(name) }
        json.endArray()
    }

    mutating func write(_ map: ChannelMap) {
        write("channels", map.count)
        json.key("channel_map")
        json.string(map.text)
    }

    mutating func write(rejected opcode: LLControlOpcode?, _ error: HCIErrorCode) {
        if let opcode { write("procedure", code: opcode.rawValue, digits: 2, name: opcode.name ?? "Unknown") }
        write("reason", code: error.rawValue, digits: 2, name: error.name)
    }
}

import AttlasCapture
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasWire

/// What the air was like on a connection that a sniffer heard.
extension StatisticsJSON {
    mutating func writeCentral(_ central: BluetoothAddress) {
        json.key("central")
        json.beginObject()
        json.write(central)
        json.endObject()
    }

    mutating func write(_ radio: RadioFigures) {
        json.key("radio")
        json.beginObject()
        write("central", radio.central)
        write("peripheral", radio.peripheral)
        if radio.unknown.packets > 0 { write("unknown", radio.unknown) }
        json.member("missed_events", radio.missedEvents)
        json.member("unread_packets", radio.unread)
        json.key("channels")
        json.beginArray()
        for (index, channel) in radio.channels.enumerated() where channel.packets > 0 {
            json.beginObject()
            json.member("channel", index)
            json.member("packets", channel.packets)
            json.member("bad_crc", channel.badCRC)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    private mutating func write(_ key: StaticString, _ side: RadioFigures.Side) {
        json.key(key)
        json.beginObject()
        json.member("packets", side.packets)
        json.member("empty", side.empty)
        json.member("retransmissions", side.retransmissions)
        json.member("bad_crc", side.badCRC)
        json.member("missed", side.missed)
        if side.isConstant { json.member("constant_sequence_numbers", true) }
        json.member("air_time_us", side.airTime)
        if let mean = side.mean, let weakest = side.weakest, let strongest = side.strongest {
            json.key("rssi_dbm")
            json.beginObject()
            json.member("min", weakest)
            json.member("mean", mean)
            json.member("max", strongest)
            json.endObject()
        }
        json.endObject()
    }
}

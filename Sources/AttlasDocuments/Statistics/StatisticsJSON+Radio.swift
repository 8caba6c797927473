import AttlasMetrics
import AttlasText

/// Radio conditions of a connection that a sniffer heard.
extension JSONWriter {
    mutating func write(_ radio: RadioFigures) {
        object("radio") { json in
            json.write("central", radio.central)
            json.write("peripheral", radio.peripheral)
            if radio.unknown.packets > 0 { json.write("unknown", radio.unknown) }
            json.member("missed_events", radio.missedEvents)
            json.member("unread_packets", radio.unread)
            json.objects("channels", radio.channels.enumerated().filter { $1.packets > 0 }) { json, channel in
                json.member("channel", channel.offset)
                json.member("packets", channel.element.packets)
                json.member("bad_crc", channel.element.badCRC)
            }
        }
    }

    private mutating func write(_ key: StaticString, _ side: RadioFigures.Side) {
        object(key) { json in
            json.member("packets", side.packets)
            json.member("empty", side.empty)
            json.member("retransmissions", side.retransmissions)
            json.member("bad_crc", side.badCRC)
            json.member("missed", side.missed)
            if side.isConstant { json.member("constant_sequence_numbers", true) }
            json.member("air_time_us", side.airTime)
            guard let mean = side.mean, let range = side.signal?.range else { return }
            json.object("rssi_dbm") { json in
                json.member("min", range.lowerBound)
                json.member("mean", mean)
                json.member("max", range.upperBound)
            }
        }
    }
}

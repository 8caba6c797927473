import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Channels whose data has no meaning to Bluetooth.
extension JSONWriter {
    mutating func write(_ figures: ChannelFigures, _ names: UUIDNames) {
        write(figures.channel)
        if let service = figures.service { write(service.classes.first, name: names.name(service)) }
        object("first") { $0.write(figures.first) }
        object("last") { $0.write(figures.last) }
        for (key, data): (StaticString, _) in [("tx", figures.sent), ("rx", figures.received)] where data.packets > 0 {
            object(key) { json in
                json.member("packets", data.packets)
                json.member("octets", data.octets)
            }
        }
    }
}

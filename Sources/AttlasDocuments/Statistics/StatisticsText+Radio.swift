import AttlasCapture
import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasWire

/// Radio conditions of a connection that a sniffer heard.
extension StatisticsText {
    private enum RadioColumn {
        static let packets = 16
        static let empty = 24
        static let again = 32
        static let share = 40
        static let badCRC = 49
        static let badShare = 57
        static let missed = 66
        static let rssi = 68
    }

    mutating func appendCentral(of life: ConnectionLife) {
        if let central = life.central { piece.append(" · by \(central) \(own: central.kind.rawValue)") }
    }

    mutating func write(_ radio: RadioFigures) {
        guard radio.packets > 0 else { return }
        line.putTitle("Radio")
        line.putHeading("packets", before: RadioColumn.packets)
        line.putHeading("empty", before: RadioColumn.empty)
        line.putHeading("again", before: RadioColumn.again)
        line.putHeading("bad CRC", before: RadioColumn.badCRC)
        line.putHeading("missed", before: RadioColumn.missed)
        line.advance(to: RadioColumn.rssi)
        line.put("RSSI", .faint)
        line.endLine()
        for direction in [Direction.tx, .rx, .unknown] where radio[direction].packets > 0 {
            write(radio[direction], direction)
        }
        writeChannels(radio)
    }

    private mutating func write(_ side: RadioFigures.Side, _ direction: Direction) {
        line.advance(to: 4)
        let (arrow, style) = ConversationText.arrow(direction)
        line.put(arrow, style)
        cell(RadioColumn.packets) { $0.append(decimal: side.packets) }
        cell(RadioColumn.empty) { $0.append(decimal: side.empty) }
        cell(RadioColumn.again) { $0.append(decimal: side.retransmissions) }
        cell(RadioColumn.share) { $0.append(.share(Double(side.retransmissions) / Double(side.packets))) }
        cell(RadioColumn.badCRC) { $0.append(decimal: side.badCRC) }
        cell(RadioColumn.badShare) { $0.append(.share(Double(side.badCRC) / Double(side.packets))) }
        cell(RadioColumn.missed) { text in
            if side.isConstant { text.append("–") } else { text.append(decimal: side.missed) }
        }
        if let mean = side.mean, let range = side.signal?.range {
            line.advance(to: RadioColumn.rssi)
            line.put("\(Int(mean.rounded())) dBm (\(range.lowerBound) … \(range.upperBound))", .faint)
        }
        line.endLine()
    }

    private mutating func writeChannels(_ radio: RadioFigures) {
        piece.removeAll()
        let heard = radio.channels.count { $0.packets > 0 }
        if heard > 0 { piece.append("heard on \(heard, "channel")") }
        let worst = radio.channels.indices.max { radio.channels[$0].badCRC < radio.channels[$1].badCRC }
        if let worst, radio.channels[worst].badCRC > 0 {
            let channel = radio.channels[worst]
            piece.append(", most wrong CRCs on channel \(worst): \(channel.badCRC) of \(channel.packets)")
        }
        if radio.missedEvents > 0 { piece.append(part: "\(radio.missedEvents, "connection event") missed") }
        for (side, name) in [(radio.central, "central"), (radio.peripheral, "peripheral")] where side.isConstant {
            piece.append(part: "sequence numbers of the \(own: name) never change")
        }
        if radio.unread > 0 { piece.append(part: "\(radio.unread, "encrypted packet") not read") }
        guard piece.count > 0 else { return }
        line.advance(to: 14)
        line.put(piece, .faint)
        line.endLine()
    }
}

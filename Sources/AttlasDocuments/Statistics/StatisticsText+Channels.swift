import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Channels whose data has no meaning to Bluetooth.
extension StatisticsText {
    mutating func write(_ channels: [ChannelFigures]) {
        guard !channels.isEmpty else { return }
        line.putTitle("Channels")
        for channel in channels {
            line.advance(to: 4)
            piece.removeAll()
            piece.append(display: channel.channel.title(channel.service.flatMap(model.names.name)))
            if let origin {
                let (first, last) = (channel.first.time, channel.last.time)
                piece.append(" · from \(secondsOf: first.nanoseconds(since: origin))")
                piece.append(" to \(secondsOf: last.nanoseconds(since: origin))")
            }
            putLine(margin: 6)
            write(channel.sent, .tx)
            write(channel.received, .rx)
        }
    }

    /// `→ 98 packets · 1234 octets`
    private mutating func write(_ data: ChannelFigures.Data, _ direction: Direction) {
        guard data.packets > 0 else { return }
        line.advance(to: 6)
        let (arrow, style) = ConversationText.arrow(direction)
        line.put(arrow, style)
        piece = TextBuffer(" \(data.packets, "packet") · \(data.octets, "octet")")
        putLine(margin: 8)
    }
}

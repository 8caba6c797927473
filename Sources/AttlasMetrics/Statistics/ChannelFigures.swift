import AttlasTrace
import AttlasValues
import AttlasWire

/// Data sent on a channel of a connection, without a meaning to Bluetooth.
package struct ChannelFigures: Sendable {
    package let channel: SerialData.Channel
    /// The service that has the channel, if a device listed it.
    package internal(set) var service: SerialServices.Service?
    /// The number of its connection.
    let connection: Int
    /// The first data and the last.
    package let first: Moment
    package internal(set) var last: Moment
    package internal(set) var sent = Data()
    package internal(set) var received = Data()

    package struct Data: Sendable {
        package internal(set) var packets = 0
        package internal(set) var octets = 0
    }
}

/// The channels of a capture.
struct ChannelFiguresTable: Sendable {
    private static let limit = 4_096

    private struct Key: Hashable {
        let connection: Int
        let channel: SerialData.Channel
    }

    /// In the order of their first data.
    private(set) var channels: [ChannelFigures] = []
    /// Packets of those beyond the limit.
    private(set) var leftOut = 0
    private var indexes: [Key: Int] = [:]
    private var services = SerialServices()

    /// - Parameter isWithin: whether it counts.
    mutating func note(
        _ sdu: borrowing ChannelSDU, _ event: borrowing Event, _ slot: Int, isWithin: Bool, in trace: borrowing Trace
    ) {
        services.follow(sdu, event.direction, slot, in: trace)
        guard isWithin, let data = sdu.serialData else { return }
        let key = Key(connection: trace.connections[slot].number, channel: data.channel)
        let moment = Moment(event)
        guard let index = indexes[key] ?? add(key, moment) else {
            leftOut += 1
            return
        }
        channels[index].service =
            services.service(of: data.channel, slot, in: trace) ?? channels[index].service
        channels[index].last = moment
        let octets = data.octets.count
        if event.direction == .tx {
            channels[index].sent.packets += 1
            channels[index].sent.octets += octets
        } else {
            channels[index].received.packets += 1
            channels[index].received.octets += octets
        }
    }

    private mutating func add(_ key: Key, _ moment: Moment) -> Int? {
        guard channels.count < Self.limit else { return nil }
        indexes[key] = channels.count
        channels.append(
            ChannelFigures(
                channel: key.channel, connection: key.connection, first: moment, last: moment))
        return channels.count - 1
    }
}

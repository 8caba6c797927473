import AttlasCapture
import AttlasTrace
import AttlasWire

/// Radio conditions of one connection, as a sniffer heard it.
package struct RadioFigures: Sendable {
    /// One side's packets, or those of an unknown one.
    package struct Side: Sendable {
        package fileprivate(set) var packets = 0
        /// Packets that hold nothing: sent so that something is heard.
        package fileprivate(set) var empty = 0
        package fileprivate(set) var retransmissions = 0
        /// Packets of this side with a wrong CRC, as far as the sender is known.
        package fileprivate(set) var badCRC = 0
        /// Known to be missing from the capture; there may be more. 0 if the sequence numbers never change.
        package fileprivate(set) var missed = 0
        /// Whether the sequence numbers never change, so that missed packets are unknown.
        package fileprivate(set) var isConstant = false
        /// nil if the sniffer does not report it.
        package fileprivate(set) var signal: SignalStrength?
        /// Microseconds on the air.
        package fileprivate(set) var airTime = 0
        private var sum = 0
        private var measured = 0

        /// dBm, the mean of the figures in dBm.
        package var mean: Double? { measured == 0 ? nil : Double(sum) / Double(measured) }

        fileprivate mutating func note(rssi: Int8, at time: Timestamp) {
            if signal == nil { signal = SignalStrength(rssi, time) } else { signal?.note(rssi, time) }
            sum += Int(rssi)
            measured += 1
        }
    }

    package private(set) var central = Side()
    package private(set) var peripheral = Side()
    package private(set) var unknown = Side()
    /// Connection events that went by unheard.
    package private(set) var missedEvents = 0
    /// Packets that are encrypted and could not be read.
    package private(set) var unread = 0
    /// Packets on each channel, and those of them whose CRC was wrong.
    package private(set) var channels = [Channel](repeating: Channel(), count: 37)

    package struct Channel: Sendable {
        package fileprivate(set) var packets = 0
        package fileprivate(set) var badCRC = 0
    }

    package subscript(_ direction: Direction) -> Side {
        switch direction {
        case .tx: central
        case .rx: peripheral
        case .unknown: unknown
        }
    }

    package var packets: Int { central.packets + peripheral.packets + unknown.packets }

    mutating func note(_ packet: AirPacket, _ direction: Direction, at time: Timestamp) {
        missedEvents += packet.missedEvents
        switch packet.disposition {
        case .encrypted, .undecryptable: unread += 1
        default: break
        }
        switch direction {
        case .tx: Self.note(packet, at: time, &central)
        case .rx: Self.note(packet, at: time, &peripheral)
        case .unknown: Self.note(packet, at: time, &unknown)
        }
        guard let channel = packet.radio.channel, channel < 37 else { return }
        channels[Int(channel)].packets += 1
        if packet.disposition == .badCRC { channels[Int(channel)].badCRC += 1 }
    }

    private static func note(_ packet: AirPacket, at time: Timestamp, _ side: inout Side) {
        side.packets += 1
        side.airTime += packet.airTime
        switch packet.disposition {
        case .retransmission: side.retransmissions += 1
        case .badCRC: side.badCRC += 1
        default: break
        }
        if case .data(let pdu) = packet.kind, pdu.isEmpty { side.empty += 1 }
        if let rssi = packet.radio.rssi { side.note(rssi: rssi, at: time) }
    }

    mutating func note(_ missed: MissedPackets) {
        if !central.isConstant { central.missed += missed.central }
        if !peripheral.isConstant { peripheral.missed += missed.peripheral }
    }

    mutating func noteConstant(_ party: ConnectionChange.Party) {
        func note(_ side: inout Side) {
            side.isConstant = true
            side.missed = 0
        }
        if party == .host { note(&central) } else { note(&peripheral) }
    }
}

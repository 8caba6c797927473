import AttlasCapture
import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasWire

/// The life of a connection.
extension StatisticsJSON {
    mutating func write(_ life: ConnectionLife) {
        json.beginObject()
        json.member("connection", life.number)
        json.member("controller", life.controller)
        if let accessAddress = life.accessAddress {
            json.member("access_address", code: accessAddress, digits: 8)
        } else {
            json.member("connection_handle", life.handle)
        }
        json.member("transport", life.transport.rawValue)
        if let central = life.central { writeCentral(central) }
        if life.accessAddress == nil, let isCentral = life.isCentral {
            json.member("role", literal: isCentral ? "central" : "peripheral")
        }
        write(life.peer)
        write("begun", life.begun)
        if let since = life.advertisedSince { write("advertised_us", microsecondsFrom: since, to: life.begun.time) }
        json.key("steps")
        json.beginArray()
        for step in life.steps { write(step) }
        json.endArray()
        json.member("steps_left_out", life.stepsLeftOut)
        if let end = life.end { write(end, of: life) }
        if let end = life.previousEnd { write("reconnected_after_us", microsecondsFrom: end, to: life.begun.time) }
        if let value = life.firstValue { write(value, of: life) }
        if let silence = life.longestSilence {
            json.key("longest_silence")
            json.beginObject()
            json.key("duration_us")
            json.value { $0.append(microsecondsOf: silence.nanoseconds) }
            json.member("from_frame", silence.from.frame)
            json.member("to_frame", silence.to.frame)
            json.endObject()
        }
        if let radio = life.radio { write(radio) }
        json.key("links")
        json.beginArray()
        for direction in [Direction.tx, .rx, .unknown] where life[direction].aclPackets > 0 {
            write(life[direction], direction)
        }
        json.endArray()
        write("streams", model.streams(ofConnection: life.number))
        json.write(rssi: life.rssi)
        if let buffers = life.buffers, buffers.completed > 0 {
            json.key("buffers")
            json.beginObject()
            json.member("sent", buffers.sent)
            json.member("completed", buffers.completed)
            json.member("most_in_flight", buffers.mostInFlight)
            json.member("in_flight_at_end", buffers.inFlight)
            json.member("count", life.bufferCount)
            json.endObject()
        }
        json.endObject()
    }

    private mutating func write(_ peer: ConnectionLife.PeerName) {
        guard peer.address != nil || peer.name != nil else { return }
        json.key("peer")
        json.beginObject()
        if let address = peer.address { json.write(address) }
        json.member("resolved_from", peer.privateAddress?.description)
        json.member("name", peer.name)
        json.endObject()
    }

    private mutating func write(_ key: StaticString, _ moment: Moment) {
        json.key(key)
        json.beginObject()
        writeMembers(of: moment)
        json.endObject()
    }

    mutating func writeMembers(of moment: Moment) {
        json.key("time")
        json.value { text in
            text.append("\"")
            text.append(utc: moment.time)
            text.append("\"")
        }
        json.member("frame", moment.frame)
    }

    private mutating func write(_ key: StaticString, microsecondsFrom earlier: Timestamp, to later: Timestamp) {
        guard let duration = later.duration(since: earlier) else { return }
        json.key(key)
        json.value { $0.append(microsecondsOf: duration) }
    }

    private mutating func write(_ end: ConnectionLife.End, of life: ConnectionLife) {
        json.key("end")
        json.beginObject()
        writeMembers(of: end.moment)
        write(
            life.isWhole ? "duration_us" : "duration_at_least_us", microsecondsFrom: life.begun.time,
            to: end.moment.time)
        json.member("kind", end.kind.rawValue)
        json.write(end.end, isHeard: life.accessAddress != nil)
        json.endObject()
    }

    private mutating func write(_ value: Moment, of life: ConnectionLife) {
        json.key("first_value")
        json.beginObject()
        writeMembers(of: value)
        if life.isCentral != nil { write("after_us", microsecondsFrom: life.begun.time, to: value.time) }
        if let end = life.previousEnd { write("after_previous_end_us", microsecondsFrom: end, to: value.time) }
        json.endObject()
    }

    private mutating func write(_ step: ConnectionLife.Step) {
        json.beginObject()
        writeMembers(of: step.moment)
        json.key("event")
        switch step.kind {
        case .parameters(let parameters):
            json.literal("parameters")
            json.member("interval_us", Int(parameters.interval) * 1_250)
            json.member("latency", parameters.latency)
            json.member("supervision_timeout_us", Int(parameters.supervisionTimeout) * 10_000)
        case .mtu(let exchange):
            json.literal("mtu")
            json.member("client_rx_mtu", exchange.client)
            json.member("server_rx_mtu", exchange.server)
            json.member("mtu", exchange.inForce)
        case .phy(let transmit, let receive):
            json.literal("phy")
            write("tx", phy: transmit)
            write("rx", phy: receive)
        case .dataLength(let length):
            json.literal("data_length")
            json.member("max_tx_octets", length.maxTxOctets)
            json.member("max_tx_time_us", length.maxTxTime)
            json.member("max_rx_octets", length.maxRxOctets)
            json.member("max_rx_time_us", length.maxRxTime)
        case .encryption(let isEnabled, let status):
            json.literal("encryption")
            json.member("encrypted", isEnabled)
            if status != .success { json.member("reason", code: status.rawValue, digits: 2, name: status.name) }
        case .pairing(let method):
            json.literal("pairing")
            json.member("association", method.association.rawValue)
            json.member("secure_connections", method.isSecureConnections)
            json.member("bonding", method.isBonding)
            json.member("key_size", method.keySize)
        case .pairingFailed(let reason):
            json.literal("pairing_failed")
            json.member("reason", code: reason.rawValue, digits: 2, name: reason.name)
        case .subscription(let attribute, let configuration):
            json.literal("subscription")
            write(attribute)
            json.member("notifications", configuration & 0x0001 != 0)
            json.member("indications", configuration & 0x0002 != 0)
        case .endpoint(let state):
            json.literal("audio_endpoint")
            json.write(state)
        }
        json.endObject()
    }

    private mutating func write(_ traffic: LinkTraffic, _ direction: Direction) {
        json.beginObject()
        json.write(direction)
        json.member("value_octets", traffic.octets.value)
        json.member("att_octets", traffic.attOctets)
        json.member("l2cap_octets", traffic.octets.l2cap)
        json.member("hci_octets", traffic.octets.hci)
        json.member("acl_packets", traffic.aclPackets)
        json.member("best_second_octets", traffic.bestSecond)
        if let conditions = traffic.conditions {
            json.key("conditions")
            json.beginObject()
            json.member("interval_us", Int(conditions.interval) * 1_250)
            json.member("mtu", conditions.mtu)
            write("phy", phy: conditions.phy)
            json.member("data_length", conditions.dataLength)
            json.member("encrypted", conditions.isEncrypted)
            json.endObject()
            if let allowed = conditions.allowedOctetsPerSecond {
                json.member("allowed_octets_per_s", allowed)
                json.member("share_of_allowed", Double(traffic.bestSecond) / allowed)
            }
        }
        json.endObject()
    }

    mutating func write(_ key: StaticString, phy: UInt8) {
        json.key(key)
        json.value { text in
            text.append("\"\(phy: phy)\"")
        }
    }
}

import AttlasCapture
import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The life of a connection.
extension JSONWriter {
    mutating func write(_ life: ConnectionLife, _ model: StatisticsModel) {
        member("connection", life.number)
        member("controller", life.controller)
        if let accessAddress = life.accessAddress {
            member("access_address", code: accessAddress, digits: 8)
        } else {
            member("connection_handle", life.handle)
        }
        member("transport", life.transport.rawValue)
        if let central = life.central { object("central") { $0.write(central) } }
        if life.accessAddress == nil, let isCentral = life.isCentral {
            member("role", literal: isCentral ? "central" : "peripheral")
        }
        write(peer: life.peer.address, resolvedFrom: life.peer.privateAddress, name: life.peer.name)
        object("begun") { $0.write(life.begun) }
        write("advertised_us", from: life.advertisedSince, to: life.begun.time)
        objects("steps", life.steps) { $0.write($1, model.names) }
        member("steps_left_out", life.stepsLeftOut)
        if let end = life.end {
            object("end") { json in
                json.write(end.moment)
                json.write(
                    life.hasBeginning ? "duration_us" : "duration_at_least_us", from: life.begun.time,
                    to: end.moment.time)
                json.member("kind", end.kind.rawValue)
                json.write(end.end, isHeard: life.accessAddress != nil)
            }
        }
        member("reconnected_after_us", microsecondsOf: life.pause)
        if life.previousEnd != nil { member("previous_lost", life.followsLoss) }
        if let attempt = life.first(.connectionAttempt) { member("attempt_us", microsecondsOf: attempt.duration) }
        if life.failedAttempts > 0 { member("failed_attempts", life.failedAttempts) }
        if let found = life.first(.discovery) {
            object("discovery") { json in
                json.member("requests", found.steps)
                json.member("duration_us", microsecondsOf: found.waited)
                json.member("from_frame", found.beganFrame)
                json.member("to_frame", found.ended?.frame)
                json.member("after_us", microsecondsOf: found.isDone ? life.after(found.ended) : nil)
            }
        }
        if let pairing = life.first(.pairing) {
            object("pairing") { json in
                json.member("duration_us", microsecondsOf: pairing.duration)
                json.member("from_frame", pairing.beganFrame)
                json.member("to_frame", pairing.ended?.frame)
            }
        }
        if let encrypted = life.encrypted {
            object("encrypted") { json in
                json.write(encrypted)
                json.member("after_us", microsecondsOf: life.after(encrypted))
            }
        }
        if let isBonded = life.isBonded { member("bonded", isBonded) }
        if let value = life.firstValue {
            object("first_value") { json in
                json.write(value)
                json.member("after_us", microsecondsOf: life.after(value))
                json.write("after_previous_end_us", from: life.previousEnd, to: value.time)
            }
        }
        if let silence = life.longestSilence {
            object("longest_silence") { json in
                json.member("duration_us", microsecondsOf: silence.nanoseconds)
                json.member("from_frame", silence.from.frame)
                json.member("to_frame", silence.to.frame)
            }
        }
        member("failed_procedures", life.failedProcedures)
        object("settings") { $0.write(life.settings) }
        let sides: [(StaticString, ControllerVersion?)] = [
            ("own_controller", life.versions.own), ("peer_controller", life.versions.peer),
        ]
        for case (let key, let version?) in sides {
            object(key) { json in
                json.write(version)
                json.member("company", model.names.companyName(version.companyIdentifier))
            }
        }
        if let radio = life.radio { write(radio) }
        objects("links", life.directions) { json, direction in
            json.write(direction)
            json.write(life[direction])
        }
        write("streams", model.streams(ofConnection: life.number))
        let channels = model.channels(ofConnection: life.number)
        if !channels.isEmpty { objects("channels", channels) { $0.write($1, model.names) } }
        if life.radio == nil { write(rssi: life.signal?.range) }
        if let signal = life.signal {
            object("last_rssi") { json in
                json.member("dbm", signal.last.dBm)
                json.member("change_db", signal.change)
                json.member("before_end_us", microsecondsOf: life.signalAge)
            }
        }
        if let buffers = life.buffers, buffers.completed > 0 {
            object("buffers") { json in
                json.member("sent", buffers.sent)
                json.member("completed", buffers.completed)
                json.member("most_in_flight", buffers.mostInFlight)
                json.member("in_flight_at_end", buffers.inFlight)
                json.member("count", life.bufferCount)
            }
        }
    }

    private mutating func write(_ key: StaticString, from earlier: Timestamp?, to later: Timestamp) {
        member(key, microsecondsOf: earlier.flatMap { later.duration(since: $0) })
    }

    private mutating func write(_ step: ConnectionLife.Step, _ names: UUIDNames) {
        write(step.moment)
        key("event")
        switch step.kind {
        case .parameters(let parameters):
            literal("parameters")
            write(parameters)
        case .mtu(let exchange):
            literal("mtu")
            write(exchange)
        case .phy(let transmit, let receive):
            literal("phy")
            member("tx", phy: transmit)
            member("rx", phy: receive)
        case .dataLength(let length):
            literal("data_length")
            write(length)
        case .encryption(let isEnabled, let status):
            literal("encryption")
            write(encryption: isEnabled, status)
        case .pairing(let method):
            literal("pairing")
            member("association", method.association.rawValue)
            member("secure_connections", method.isSecureConnections)
            member("bonding", method.isBonding)
            member("key_size", method.keySize)
        case .pairingFailed(let reason):
            literal("pairing_failed")
            member("reason", code: reason.rawValue, digits: 2, name: reason.name)
        case .subscription(let attribute, let configuration):
            literal("subscription")
            write(attribute, names)
            write(configuration: configuration)
        case .endpoint(let state):
            literal("audio_endpoint")
            write(state)
        }
    }

    /// In force at the end.
    private mutating func write(_ settings: LinkSettings) {
        if let parameters = settings.parameters { write(parameters) }
        member("mtu", settings.mtu)
        if let phy = settings.transmitPHY { member("tx_phy", phy: phy) }
        if let phy = settings.receivePHY { member("rx_phy", phy: phy) }
        member("max_tx_octets", settings.maxTxOctets)
        member("max_rx_octets", settings.maxRxOctets)
    }

    mutating func write(_ traffic: LinkTraffic) {
        member("values", traffic.values)
        member("value_octets", traffic.octets.value)
        member("att_octets", traffic.attOctets)
        member("l2cap_octets", traffic.octets.l2cap)
        member("hci_octets", traffic.octets.hci)
        member("acl_packets", traffic.aclPackets)
        member("best_second_octets", traffic.bestSecond)
        guard let conditions = traffic.conditions else { return }
        object("conditions") { json in
            json.member("interval_us", conditions.intervalMicroseconds)
            json.member("mtu", conditions.mtu)
            json.member("phy", phy: conditions.phy)
            json.member("data_length", conditions.dataLength)
            json.member("encrypted", conditions.isEncrypted)
        }
        member("allowed_octets_per_s", conditions.allowedOctetsPerSecond)
        member("share_of_allowed", traffic.share)
    }
}

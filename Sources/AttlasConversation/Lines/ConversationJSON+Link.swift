import AttlasText
import AttlasTrace
import AttlasWire

extension ConversationJSON {
    mutating func write(_ change: ConnectionChange, _ event: borrowing Event, in trace: borrowing Trace) {
        json.key("event")
        switch change {
        case .made: json.literal("made")
        case .presumed: json.literal("presumed")
        case .parametersUpdated, .phyUpdated, .dataLengthUpdated, .channelMapUpdated: json.literal("updated")
        case .announced: json.literal("announced")
        case .notReached: json.literal("not_reached")
        case .decryption: json.literal("decryption")
        case .constantNumbers: json.literal("constant_sequence_numbers")
        case .unheard: json.literal("unheard")
        case .version: json.literal("version")
        case .features: json.literal("features")
        case .rejected: json.literal("rejected")
        case .encryption: json.literal("encrypted")
        case .failed(let attempt): json.literal(attempt.isCancelled ? "cancelled" : "failed")
        case .ended(.superseded): json.literal("superseded")
        case .ended: json.literal("ended")
        }
        if case .failed(let attempt) = change {
            if let status = attempt.reported {
                json.write(status)
            } else {
                json.member("reason", code: attempt.status.rawValue, digits: 2, name: attempt.status.name)
            }
            if let address = attempt.address { json.write(address) }
            json.member("duration_us", microsecondsOf: attempt.duration)
        }
        guard let index = event.connection else { return }
        json.member("transport", trace.connections[index].transport.rawValue)
        switch change {
        case .made:
            writeCentral(index, in: trace)
            if trace.connections[index].accessAddress == nil, let isCentral = trace.connections[index].isCentral {
                json.member("role", literal: isCentral ? "central" : "peripheral")
            }
            if let parameters = trace.connections[index].parameters { json.write(parameters) }
        case .announced(let update), .notReached(let update): write(update)
        case .parametersUpdated: if let parameters = trace.connections[index].parameters { json.write(parameters) }
        case .phyUpdated:
            write(transmit: trace.connections[index].transmitPHY, receive: trace.connections[index].receivePHY)
        case .dataLengthUpdated:
            guard let length = trace.connections[index].dataLength else { return }
            json.object("data_length") { $0.write(length) }
        case .encryption(let isEnabled, let status):
            if let reported = event.reported {
                json.member("encrypted", isEnabled)
                json.write(reported)
            } else {
                json.write(encryption: isEnabled, status)
            }
        case .ended(let end):
            if end == .superseded { return }
            json.write(end, isHeard: trace.connections[index].isHeard)
            json.member(
                trace.connections[index].hasBeginning ? "duration_us" : "duration_at_least_us",
                microsecondsOf: event.time.duration(since: trace.connections[index].begun))
        case .decryption(let decryption): write(decryption)
        case .constantNumbers(let party, _): json.member("by", party.nameOnAir)
        case .version(let version): json.write(version)
        case .features(let features): write(features: features)
        case .channelMapUpdated(let map): write(map)
        case .rejected(let opcode, let error): write(rejected: opcode, error)
        case .presumed, .unheard, .failed: break
        }
    }

    /// The member `phy`.
    mutating func write(transmit: UInt8?, receive: UInt8?) {
        json.object("phy") { json in
            json.member("tx", phy: transmit)
            json.member("rx", phy: receive)
        }
    }
}

/// Members of the changes of a link, which statistics have as well.
extension JSONWriter {
    package mutating func write(_ parameters: Connection.Parameters) {
        member("interval_us", parameters.intervalMicroseconds)
        if parameters.subrateFactor > 1 {
            member("subrate_factor", parameters.subrateFactor)
            member("continuation_number", parameters.continuationNumber)
        }
        member("latency", parameters.latency)
        member("supervision_timeout_us", Int(parameters.supervisionTimeout) * 10_000)
    }

    package mutating func write(_ exchange: MTUExchange) {
        member("client_rx_mtu", exchange.client)
        member("server_rx_mtu", exchange.server)
        member("mtu", exchange.inForce)
    }

    package mutating func write(_ length: Connection.DataLength) {
        member("max_tx_octets", length.maxTxOctets)
        member("max_tx_time_us", length.maxTxTime)
        member("max_rx_octets", length.maxRxOctets)
        member("max_rx_time_us", length.maxRxTime)
    }

    package mutating func write(encryption isEnabled: Bool, _ status: HCIErrorCode) {
        member("encrypted", isEnabled)
        if status != .success { member("reason", code: status.rawValue, digits: 2, name: status.name) }
    }

    package mutating func member(_ key: StaticString, phy: UInt8?) {
        guard let phy else { return }
        self.key(key)
        value { $0.append("\"\(phy: phy)\"") }
    }

    /// `by`, and `reason` or `cause`.
    package mutating func write(_ end: ConnectionEnd, isHeard: Bool) {
        switch end {
        case .disconnected(let reason, let party):
            member("by", isHeard ? party.nameOnAir : party.rawValue)
            member("reason", code: reason.rawValue, digits: 2, name: reason.name)
        case .reported(let status):
            member("by", literal: "unknown")
            write(status)
        case .controller(let cause):
            member("by", literal: "host")
            member("cause", cause.rawValue)
        case .superseded: member("by", literal: "unknown")
        }
    }

    /// `status`, of an app's log.
    package mutating func write(_ status: ApplicationStatus) {
        key("status")
        beginObject()
        member("system", status.system.name)
        member("code", Int(status.code))
        if let name = status.name { member("name", name) }
        endObject()
    }
}

extension ConnectionChange.Party {
    /// The change's name on a connection captured from the air, where neither side is this host.
    package var nameOnAir: String {
        switch self {
        case .host: "central"
        case .peer: "peripheral"
        case .link, .unknown: rawValue
        }
    }
}

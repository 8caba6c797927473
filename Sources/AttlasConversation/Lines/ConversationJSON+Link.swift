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
        case .version: json.literal("version")
        case .features: json.literal("features")
        case .rejected: json.literal("rejected")
        case .encryption: json.literal("encrypted")
        case .failed(let attempt): json.literal(attempt.isCancelled ? "cancelled" : "failed")
        case .ended(.superseded): json.literal("superseded")
        case .ended: json.literal("ended")
        }
        if case .failed(let attempt) = change {
            json.member("reason", code: attempt.status.rawValue, digits: 2, name: attempt.status.name)
            if let address = attempt.address { json.write(address) }
            if let duration = attempt.duration { write(duration: duration) }
        }
        guard let index = event.connection else { return }
        json.member("transport", trace.connections[index].transport.rawValue)
        switch change {
        case .made:
            writeCentral(index, in: trace)
            if trace.connections[index].accessAddress == nil, let isCentral = trace.connections[index].isCentral {
                json.member("role", literal: isCentral ? "central" : "peripheral")
            }
            writeParameters(index, in: trace)
        case .announced(let update), .notReached(let update): write(update)
        case .parametersUpdated: writeParameters(index, in: trace)
        case .phyUpdated:
            write(transmit: trace.connections[index].transmitPHY, receive: trace.connections[index].receivePHY)
        case .dataLengthUpdated:
            guard let length = trace.connections[index].dataLength else { return }
            json.key("data_length")
            json.beginObject()
            json.member("max_tx_octets", length.maxTxOctets)
            json.member("max_tx_time_us", length.maxTxTime)
            json.member("max_rx_octets", length.maxRxOctets)
            json.member("max_rx_time_us", length.maxRxTime)
            json.endObject()
        case .encryption(let isEnabled, let status):
            json.member("encrypted", isEnabled)
            if status != .success { json.member("reason", code: status.rawValue, digits: 2, name: status.name) }
        case .ended(let end):
            if end == .superseded { return }
            json.write(end, isHeard: trace.connections[index].isHeard)
            guard let duration = event.time.duration(since: trace.connections[index].begun) else { return }
            write(duration: duration, isWhole: trace.connections[index].isWhole)
        case .decryption(let decryption): write(decryption)
        case .constantNumbers(let party, _): json.member("by", party.nameOnAir)
        case .version(let version, let company, let subversion):
            writeVersion(version, companyIdentifier: company, subversion: subversion)
        case .features(let features): write(features: features)
        case .channelMapUpdated(let map): write(map)
        case .rejected(let opcode, let error): write(rejected: opcode, error)
        case .presumed, .failed: break
        }
    }

    private mutating func write(duration: Int64, isWhole: Bool = true) {
        json.key(isWhole ? "duration_us" : "duration_at_least_us")
        json.value { $0.append(microsecondsOf: duration) }
    }

    private mutating func writeParameters(_ index: Int, in trace: borrowing Trace) {
        guard let parameters = trace.connections[index].parameters else { return }
        write(parameters)
    }

    mutating func write(_ parameters: Connection.Parameters) {
        json.member("interval_us", Int(parameters.interval) * 1_250)
        json.member("latency", parameters.latency)
        json.member("supervision_timeout_us", Int(parameters.supervisionTimeout) * 10_000)
    }

    /// The member `phy`.
    mutating func write(transmit: UInt8?, receive: UInt8?) {
        json.key("phy")
        json.beginObject()
        write("tx", phy: transmit)
        write("rx", phy: receive)
        json.endObject()
    }

    private mutating func write(_ key: StaticString, phy: UInt8?) {
        guard let phy else { return }
        json.key(key)
        json.value { text in
            text.append("\"")
            text.append(phy: phy)
            text.append("\"")
        }
    }
}

extension JSONWriter {
    /// `by`, and `reason` or `cause`.
    package mutating func write(_ end: ConnectionEnd, isHeard: Bool) {
        switch end {
        case .disconnected(let reason, let party):
            member("by", isHeard ? party.nameOnAir : party.rawValue)
            member("reason", code: reason.rawValue, digits: 2, name: reason.name)
        case .controller(let cause):
            member("by", literal: "host")
            member("cause", cause.rawValue)
        case .superseded: member("by", literal: "unknown")
        }
    }
}

extension ConnectionChange.Party {
    /// Of a connection captured from the air, where neither side is this host.
    package var nameOnAir: String {
        switch self {
        case .host: "central"
        case .peer: "peripheral"
        case .link, .unknown: rawValue
        }
    }
}

import AttlasTrace
import AttlasWire

extension ConversationJSON {
    mutating func write(_ change: ConnectionChange, _ event: borrowing Event, in trace: borrowing Trace) {
        json.key("event")
        switch change {
        case .made: json.literal("made")
        case .presumed: json.literal("presumed")
        case .parametersUpdated, .phyUpdated, .dataLengthUpdated: json.literal("updated")
        case .encryption: json.literal("encrypted")
        case .failed: json.literal("failed")
        case .ended: json.literal("ended")
        case .superseded: json.literal("superseded")
        }
        if case .failed(let status) = change {
            write("reason", code: status.rawValue, digits: 2, name: status.name)
        }
        guard let index = event.connection else { return }
        json.key("transport")
        json.string(trace.connections[index].transport.rawValue)
        switch change {
        case .made:
            if let isCentral = trace.connections[index].isCentral {
                json.key("role")
                json.literal(isCentral ? "central" : "peripheral")
            }
            writeParameters(index, in: trace)
        case .parametersUpdated: writeParameters(index, in: trace)
        case .phyUpdated:
            json.key("phy")
            json.beginObject()
            write("tx", phy: trace.connections[index].transmitPHY)
            write("rx", phy: trace.connections[index].receivePHY)
            json.endObject()
        case .dataLengthUpdated:
            guard let length = trace.connections[index].dataLength else { return }
            json.key("data_length")
            json.beginObject()
            write("max_tx_octets", length.maxTxOctets)
            write("max_tx_time_us", length.maxTxTime)
            write("max_rx_octets", length.maxRxOctets)
            write("max_rx_time_us", length.maxRxTime)
            json.endObject()
        case .encryption(let isEnabled, let status):
            json.key("encrypted")
            json.boolean(isEnabled)
            if status != .success { write("reason", code: status.rawValue, digits: 2, name: status.name) }
        case .ended(let reason, let party):
            json.key("by")
            json.string(party.rawValue)
            write("reason", code: reason.rawValue, digits: 2, name: reason.name)
            json.key("duration_us")
            let duration = event.time.nanoseconds(since: trace.connections[index].begun)
            json.value { $0.append(microsecondsOf: duration) }
        case .presumed, .superseded, .failed: break
        }
    }

    private mutating func writeParameters(_ index: Int, in trace: borrowing Trace) {
        guard let parameters = trace.connections[index].parameters else { return }
        write("interval_us", Int(parameters.interval) * 1_250)
        write("latency", parameters.latency)
        write("supervision_timeout_ms", Int(parameters.supervisionTimeout) * 10)
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

import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// `Heart Rate › Heart Rate Measurement`; a descriptor is shown below its characteristic only.
///
/// - Parameter isShort: without the service of a characteristic.
package func attributePath(service: String?, characteristic: String?, descriptor: String?, isShort: Bool = false)
    -> String
{
    let isService = characteristic == nil || descriptor == nil && !isShort
    return [isService ? service : nil, characteristic, descriptor].compactMap(\.self).joined(separator: " › ")
}

/// Statistics in words.
extension TextBuffer {
    /// `Heart Rate › Heart Rate Measurement`, `Battery Level › Client Characteristic Configuration`, `handle 0x0019`.
    ///
    /// - Parameter isShort: without the service of a characteristic.
    package mutating func append(_ attribute: RowAttribute, _ names: UUIDNames, isShort: Bool = false) {
        guard attribute.isKnown else {
            guard let handle = attribute.handle else { return append("unknown handles") }
            return append("handle \(hex: handle)")
        }
        append(
            display: attributePath(
                service: attribute.service.map { names.name($0, .service) },
                characteristic: attribute.characteristic.map { names.name($0, .characteristic) },
                descriptor: attribute.descriptor.map { names.name($0, .descriptor) }, isShort: isShort))
    }

    /// `interval 30 ms · latency 0 · timeout 420 ms`
    package mutating func append(_ kind: ConnectionLife.Step.Kind, _ names: UUIDNames) {
        switch kind {
        case .parameters(let parameters):
            append(
                "interval \(exact: parameters.intervalMicroseconds) · latency \(parameters.latency)")
            append(" · timeout \(duration: Int64(parameters.supervisionTimeout) * 10_000_000)")
            if parameters.subrateFactor > 1 {
                append(" · subrate \(parameters.subrateFactor) · continuation \(parameters.continuationNumber)")
            }
        case .mtu(let exchange):
            append("MTU \(exchange.inForce) · client \(exchange.client) · server \(exchange.server)")
        case .phy(let transmit, let receive): append("PHY → \(phy: transmit) · ← \(phy: receive)")
        case .dataLength(let length):
            append("data length → ")
            append(length, .tx)
            append(" · ← ")
            append(length, .rx)
        case .encryption(let isEnabled, let status): append(encryption: isEnabled, status)
        case .pairing(let method):
            append("pairing: \(own: method.association.rawValue)")
            append(method.isSecureConnections ? " · LE Secure Connections" : " · LE legacy pairing")
            append(method.isBonding ? " · bonding" : " · no bonding")
            append(" · key of \(method.keySize, "octet")")
        case .pairingFailed(let reason): append("pairing failed: \(own: reason.name)")
        case .subscription(let attribute, let configuration):
            switch configuration & 0x0003 {
            case 0: append("unsubscribed: ")
            case 1: append("notifications: ")
            case 2: append("indications: ")
            default: append("notifications and indications: ")
            }
            append(attribute, names)
        case .endpoint(let state): append(state)
        }
    }

    /// `251 octets`, `251 octets in 328 µs` if no PHY sends them in this time
    private mutating func append(_ length: Connection.DataLength, _ direction: Direction) {
        let (octets, time) =
            direction == .tx ? (length.maxTxOctets, length.maxTxTime) : (length.maxRxOctets, length.maxRxTime)
        append("\(octets, "octet")")
        if length.effectiveOctets(direction, phy: 2) < octets { append(" in \(time) µs") }
    }

    /// `30 ms, MTU 247, LE 2M, 251 octets, encrypted`
    package mutating func append(_ conditions: LinkConditions) {
        append(
            "\(exact: conditions.intervalMicroseconds), MTU \(conditions.mtu), \(phy: conditions.phy)"
        )
        append(", \(conditions.dataLength, "octet")")
        if conditions.isEncrypted { append(", encrypted") }
    }
}

extension ConnectionLife {
    /// Facts that are not events: durations of the attempt, discovery and pairing, the first value, the longest silence, the signal, the
    /// buffers.
    package var facts: TextBuffer {
        var text = TextBuffer()
        if let attempt = first(.connectionAttempt)?.duration { text.append(part: "attempt \(duration: attempt)") }
        if failedAttempts > 0 { text.append(part: "\(failedAttempts, "failed attempt") before") }
        if let found = first(.discovery), let waited = found.waited {
            text.append(part: "waited \(duration: waited) for \(found.steps, "discovery request")")
            text.append(framesOf: found)
        }
        if let pairing = first(.pairing), pairing.isDone, let duration = pairing.duration {
            text.append(part: "pairing \(duration: duration)")
            text.append(framesOf: pairing)
        }
        if let wait = after(encrypted) { text.append(part: "encrypted \(duration: wait) after connecting") }
        if let isBonded { text.append(part: isBonded ? "bonded" : "not bonded") }
        if let value = firstValue, let wait = after(value) {
            text.append(part: "first value \(duration: wait) after connecting")
            if let wait = previousEnd.flatMap({ value.time.duration(since: $0) }) {
                text.append(", \(duration: wait) after the connection before")
            }
            text.append(" (frame \(value.frame))")
        }
        if let silence = longestSilence {
            text.append(part: "longest silence \(duration: silence.nanoseconds)")
            text.append(" (frames \(silence.from.frame) → \(silence.to.frame))")
        }
        if let signal {
            text.append(part: "RSSI \(rssi: signal.range)")
            if let age = signalAge { text.append(", last \(signal.last.dBm) dBm \(duration: age) before the end") }
        }
        if failedProcedures > 0 { text.append(part: "\(failedProcedures, "procedure") failed") }
        if let buffers, buffers.completed > 0 {
            let most = buffers.mostInFlight
            text.append(
                part: bufferCount.map { "at most \(most) of \($0) controller buffers in use" }
                    ?? "at most \(most, "controller buffer") in use")
        }
        return text
    }

    /// `controller of the host: Bluetooth 5.3, Broadcom Corporation, subversion 8710 · controller of the peer: …`; empty if the peer's is
    /// unknown, because the host's is the same for all connections.
    package func controllers(_ names: UUIDNames) -> TextBuffer {
        var text = TextBuffer()
        guard versions.peer != nil else { return text }
        let sides: [(StaticString, ControllerVersion?)] = [
            (accessAddress == nil ? "host" : "central", versions.own),
            (accessAddress == nil ? "peer" : "peripheral", versions.peer),
        ]
        for case (let side, let version?) in sides {
            text.append(
                part:
                    "controller of the \(side): Bluetooth \(own: version.version.name ?? "\(version.version.rawValue)")"
            )
            text.append(", ")
            if let name = names.companyName(version.companyIdentifier) {
                text.append(display: name)
            } else {
                text.append("company \(hex: version.companyIdentifier)")
            }
            text.append(", subversion \(version.subversion)")
        }
        return text
    }
}

extension TextBuffer {
    /// ` (frames 45 → 106)`
    fileprivate mutating func append(framesOf procedure: ProcedureRow.First) {
        guard let from = procedure.beganFrame, let to = procedure.ended?.frame else { return }
        append(" (frames \(from) → \(to))")
    }
}

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

/// What statistics say in words.
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
                "interval \(duration: Int64(parameters.intervalMicroseconds) * 1_000) · latency \(parameters.latency)")
            append(" · timeout \(duration: Int64(parameters.supervisionTimeout) * 10_000_000)")
            if parameters.subrateFactor > 1 {
                append(" · subrate \(parameters.subrateFactor) · continuation \(parameters.continuationNumber)")
            }
        case .mtu(let exchange):
            append("MTU \(exchange.inForce) · client \(exchange.client) · server \(exchange.server)")
        case .phy(let transmit, let receive): append("PHY → \(phy: transmit) · ← \(phy: receive)")
        case .dataLength(let length):
            append("data length → \(length.maxTxOctets, "octet") · ← \(length.maxRxOctets, "octet")")
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

    /// `30 ms, MTU 247, LE 2M, 251 octets, encrypted`
    package mutating func append(_ conditions: LinkConditions) {
        append(
            "\(duration: Int64(conditions.intervalMicroseconds) * 1_000), MTU \(conditions.mtu), \(phy: conditions.phy)"
        )
        append(", \(conditions.dataLength, "octet")")
        if conditions.isEncrypted { append(", encrypted") }
    }
}

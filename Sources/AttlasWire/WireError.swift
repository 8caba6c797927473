/// The reason why octets could not be read in their format.
///
/// "Short by 3" has different causes: a capture that kept too little of the record, or a length field that lies. `limit` is the length that
/// set the end; a view that runs out of octets assumes the nearest one and the trace, which knows whether the record was cut, corrects it.
public struct WireError: Error, Sendable {
    /// Protocol layer whose octets could not be read.
    public enum Layer: String, Sendable {
        case hci, acl, l2cap, att, smp, advertising
        case linkLayer = "link layer"
    }

    /// Length that set the end of the octets.
    public enum Limit: String, Sendable {
        case capturedLength = "captured length"
        case hciLength = "HCI length"
        case aclLength = "ACL length"
        /// Packets that were on the air, and that the sniffer did not hear or could not decrypt.
        case missedPackets = "missed packets"
        case linkLayerLength = "link layer length"
        case l2capLength = "L2CAP length"
        case sduLength = "SDU length"
        case signalLength = "signalling command length"
        case valueLength = "value length"
    }

    /// Layer whose octets could not be read.
    public var layer: Layer
    /// A sentence without a full stop, in the specification's words. A literal, so that faults cost nothing to copy.
    public var reason: StaticString
    /// Octets that were needed, and those that were present. For a field with an invalid value (a length too small for its item, a format
    /// that does not exist): the least valid value, and the field's value.
    public var need: Int
    /// Octets that were present, or the value that makes no sense.
    public var have: Int
    /// Length that set the end of the octets.
    public var limit: Limit

    /// Errors of a view: `reason` without a full stop, lengths in octets.
    public init(_ layer: Layer, _ reason: StaticString, need: Int, have: Int, limit: Limit) {
        self.layer = layer
        self.reason = reason
        self.need = need
        self.have = have
        self.limit = limit
    }
}

extension WireError: Equatable {
    public static func == (one: WireError, other: WireError) -> Bool {
        one.layer == other.layer && one.limit == other.limit && one.need == other.need && one.have == other.have
            && one.reason.description == other.reason.description
    }
}

extension Bytes {
    /// The one length check that a view makes before its accessors may load.
    @inlinable
    func require(
        _ need: Int, _ reason: StaticString, of layer: WireError.Layer, within limit: WireError.Limit
    ) throws(WireError) {
        guard count >= need else {
            throw WireError(layer, reason, need: need, have: count, limit: limit)
        }
    }
}

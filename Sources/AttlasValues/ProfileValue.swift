import AttlasTrace
import AttlasWire

extension ATTOperation {
    /// The only value of the PDU, if it is one that the protocol itself defines and that holds no key, or if its attribute is unknown:
    /// Client Characteristic Configuration, Peripheral Preferred Connection Parameters, Service Changed.
    /// Core Specification, Vol 3, Part G, 3.3.3.3 and 7.1; Part C, 12.3.
    @_lifetime(copy self)
    public func profileValue(in trace: borrowing Trace) -> Bytes? {
        if let type = attribute?.type {
            guard
                [.clientCharacteristicConfiguration, .peripheralPreferredConnectionParameters, .serviceChanged]
                    .contains(
                        trace.uuids[type])
            else { return nil }
        }
        return pdu.attributeValue
    }

    /// Copies the only value of the PDU, for use after the event.
    public func store(in stored: inout StoredOctets) { stored.replace(with: pdu.attributeValue) }
}

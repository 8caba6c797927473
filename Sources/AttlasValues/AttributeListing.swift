import AttlasTrace
import AttlasWire

/// An attribute in a discovery PDU; the trace adds it to its tables after the event.
public enum AttributeListing: Sendable {
    case service(BluetoothUUID)
    case characteristic(BluetoothUUID)
    /// A descriptor or a declaration.
    case descriptor(BluetoothUUID)

    /// An attribute of this type.
    init(type: BluetoothUUID) {
        // Declarations and descriptors. Assigned Numbers, 3.6 and 3.7.
        let short = type.uint16 ?? 0
        let isDescriptor = BluetoothUUID.declarations.contains(short) || BluetoothUUID.descriptors.contains(short)
        self = isDescriptor ? .descriptor(type) : .characteristic(type)
    }
}

extension ATTOperation {
    /// It carries the value of one attribute from its first octet, and no other.
    public var hasOneValue: Bool { pdu.attributeValue != nil }
}

extension ATTPDU {
    /// The target of a search.
    var sought: AttributeListing? {
        switch self {
        case .readByTypeRequest(let pdu): return AttributeListing(type: pdu.attributeType)
        case .readByGroupTypeRequest(let pdu): return AttributeListing(type: pdu.attributeGroupType)
        case .findByTypeValueRequest(let pdu):
            guard pdu.attributeType == .primaryService, let uuid = BluetoothUUID(pdu.attributeValue) else {
                return AttributeListing(type: pdu.attributeType)
            }
            return .service(uuid)
        default: return nil
        }
    }

    /// The value, or the part or the row of values, that the PDU carries as octets: `value` in NDJSON.
    var value: Bytes? {
        @_lifetime(copy self) get {
            switch self {
            case .findByTypeValueRequest(let pdu): pdu.attributeValue
            case .readBlobResponse(let pdu): pdu.partAttributeValue
            case .readMultipleResponse(let pdu): pdu.setOfValues
            case .prepareWriteRequest(let pdu): pdu.partAttributeValue
            case .prepareWriteResponse(let pdu): pdu.partAttributeValue
            case .unknown(let bytes): bytes
            default: attributeValue
            }
        }
    }
}

import AttlasTrace
import AttlasWire

/// The place of an attribute: its table and its position.
public struct ValuePlace {
    /// nil: of the table that the event is about.
    let owner: TableOwner?
    let service: AttributeHandle?
    let serviceType: UUIDIndex?
    /// The handle of the characteristic's value.
    let characteristic: AttributeHandle?
    let characteristicType: UUIDIndex?
    /// It is the value itself, not a descriptor.
    let isValue: Bool

    init(_ attribute: AttributeInfo) {
        owner = nil
        service = attribute.serviceHandle
        serviceType = attribute.service
        characteristic = attribute.valueHandle
        characteristicType = attribute.characteristic
        isValue = attribute.role == .value
    }

    /// The value of `characteristic`, or a descriptor of it.
    public init(
        _ characteristic: AttributeTable.Characteristic, of service: AttributeTable.Service?, isValue: Bool,
        owner: TableOwner
    ) {
        self.owner = owner
        self.service = service?.handle
        serviceType = service?.uuid
        self.characteristic = characteristic.valueHandle
        characteristicType = characteristic.uuid
        self.isValue = isValue
    }
}

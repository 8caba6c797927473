import AttlasTrace
import AttlasWire

/// Where in a table an attribute stands.
struct ValuePlace {
    let service: AttributeHandle?
    let serviceType: UUIDIndex?
    /// The handle of the characteristic's value.
    let characteristic: AttributeHandle?
    let characteristicType: UUIDIndex?
    /// It is the value itself, not a descriptor.
    let isValue: Bool

    init(_ attribute: AttributeInfo) {
        service = attribute.serviceHandle
        serviceType = attribute.service
        characteristic = attribute.valueHandle
        characteristicType = attribute.characteristic
        isValue = attribute.role == .value
    }

    /// The value of `characteristic`, or a descriptor of it.
    init(
        _ characteristic: AttributeTable.Characteristic, of service: AttributeTable.Service?, isValue: Bool
    ) {
        self.service = service?.handle
        serviceType = service?.uuid
        self.characteristic = characteristic.valueHandle
        characteristicType = characteristic.uuid
        self.isValue = isValue
    }
}

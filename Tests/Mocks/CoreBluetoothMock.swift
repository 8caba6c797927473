// The declarations of CoreBluetoothMock 1.0 that generated code uses, for tests without Apple's frameworks. The bodies are attlas's, and
// keep value updates in `updates`.
import Foundation

public final class CBMUUID: NSObject {
    public let uuidString: String
    public init(string: String) { uuidString = string.uppercased() }
    public override func isEqual(_ object: Any?) -> Bool { (object as? CBMUUID)?.uuidString == uuidString }
    public override var hash: Int { uuidString.hashValue }
}

public struct CBMATTError: Error {
    public enum Code: Int {
        case success, invalidHandle, readNotPermitted, writeNotPermitted, invalidPdu, insufficientAuthentication
        case requestNotSupported, invalidOffset, insufficientAuthorization, prepareQueueFull, attributeNotFound
        case attributeNotLong, insufficientEncryptionKeySize, invalidAttributeValueLength, unlikelyError
        case insufficientEncryption, unsupportedGroupType, insufficientResources
    }
    public static var errorDomain: String { "CBATTErrorDomain" }
    public let code: Code
    public init(_ code: Code) { self.code = code }
}

public struct CBMCharacteristicProperties: OptionSet {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var broadcast: Self { Self(rawValue: 0x01) }
    public static var read: Self { Self(rawValue: 0x02) }
    public static var writeWithoutResponse: Self { Self(rawValue: 0x04) }
    public static var write: Self { Self(rawValue: 0x08) }
    public static var notify: Self { Self(rawValue: 0x10) }
    public static var indicate: Self { Self(rawValue: 0x20) }
    public static var authenticatedSignedWrites: Self { Self(rawValue: 0x40) }
    public static var extendedProperties: Self { Self(rawValue: 0x80) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let CBMAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CBMAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CBMAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CBMAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CBMAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CBMAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CBMAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"

open class CBMAttribute: NSObject {
    public let uuid: CBMUUID
    init(_ uuid: CBMUUID) { self.uuid = uuid }
}

open class CBMService: CBMAttribute {
    public let isPrimary: Bool
    public internal(set) var includedServices: [CBMService]?
    public internal(set) var characteristics: [CBMCharacteristic]?

    init(type uuid: CBMUUID, primary isPrimary: Bool) {
        self.isPrimary = isPrimary
        super.init(uuid)
    }
}

open class CBMServiceMock: CBMService {
    public convenience init(
        type uuid: CBMUUID, primary isPrimary: Bool, includedServices: CBMServiceMock...,
        characteristics: CBMCharacteristicMock...
    ) {
        self.init(
            type: uuid, primary: isPrimary, includedServices: includedServices, characteristics: characteristics)
    }

    public init(
        type uuid: CBMUUID, primary isPrimary: Bool, includedServices: [CBMServiceMock]? = nil,
        characteristics: [CBMCharacteristicMock]? = nil
    ) {
        super.init(type: uuid, primary: isPrimary)
        self.includedServices = includedServices
        self.characteristics = characteristics
    }
}

open class CBMCharacteristic: CBMAttribute {
    public let properties: CBMCharacteristicProperties
    open internal(set) var value: Data?
    open var isNotifying = false
    open var descriptors: [CBMDescriptor]?

    init(type uuid: CBMUUID, properties: CBMCharacteristicProperties) {
        self.properties = properties
        super.init(uuid)
    }
}

open class CBMCharacteristicMock: CBMCharacteristic {
    public init(type uuid: CBMUUID, properties: CBMCharacteristicProperties, descriptors: CBMDescriptorMock...) {
        super.init(type: uuid, properties: properties)
        self.descriptors = descriptors
    }
}

open class CBMDescriptor: CBMAttribute {
    init(type uuid: CBMUUID) { super.init(uuid) }
}

open class CBMDescriptorMock: CBMDescriptor {
    public override init(type uuid: CBMUUID) { super.init(type: uuid) }
}

open class CBMClientCharacteristicConfigurationDescriptorMock: CBMDescriptorMock {
    public init() { super.init(type: CBMUUID(string: "2902")) }
}

public enum CBMProximity { case near, immediate, far, outOfRange }

public struct CBMAdvertisementConfig {
    public let data: [String: Any]
    public let interval: TimeInterval
}

public class CBMPeripheralSpec {
    public internal(set) var identifier: UUID
    public internal(set) var name: String?
    public internal(set) var proximity: CBMProximity
    public internal(set) var advertisement: [CBMAdvertisementConfig]?
    public internal(set) var services: [CBMServiceMock]?
    public internal(set) var connectionInterval: TimeInterval?
    public internal(set) var mtu: Int?
    public internal(set) var connectionDelegate: CBMPeripheralSpecDelegate?
    public var updates: [(uuid: String, data: Data)] = []

    init(identifier: UUID, proximity: CBMProximity) { (self.identifier, self.proximity) = (identifier, proximity) }

    public static func simulatePeripheral(
        identifier: UUID = UUID(), proximity: CBMProximity = .immediate
    ) -> Builder {
        Builder(CBMPeripheralSpec(identifier: identifier, proximity: proximity))
    }

    public func simulateValueUpdate(_ data: Data, for characteristic: CBMCharacteristicMock) {
        guard services?.contains(where: { $0.characteristics?.contains(characteristic) ?? false }) == true else {
            return
        }
        characteristic.value = data
        updates.append((characteristic.uuid.uuidString, data))
    }

    public class Builder {
        private let made: CBMPeripheralSpec
        init(_ made: CBMPeripheralSpec) { self.made = made }

        public func advertising(
            advertisementData: [String: Any], withInterval interval: TimeInterval = 0.100,
            delay: TimeInterval = 0.0, alsoWhenConnected advertisingWhenConnected: Bool = false
        ) -> Builder {
            made.advertisement =
                (made.advertisement ?? [])
                + [CBMAdvertisementConfig(data: advertisementData, interval: interval)]
            return self
        }

        public func connectable(
            name: String, services: [CBMServiceMock], delegate: CBMPeripheralSpecDelegate?,
            connectionInterval: TimeInterval = 0.045, mtu: Int = 23
        ) -> Builder {
            (made.name, made.services, made.connectionDelegate) = (name, services, delegate)
            (made.connectionInterval, made.mtu) = (connectionInterval, mtu)
            return self
        }

        public func build() -> CBMPeripheralSpec { made }
    }
}

public protocol CBMPeripheralSpecDelegate {
    func reset()
    func peripheralDidReceiveConnectionRequest(_ peripheral: CBMPeripheralSpec) -> Result<Void, Error>
    func peripheral(_ peripheral: CBMPeripheralSpec, didDisconnect error: Error?)
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveServiceDiscoveryRequest serviceUUIDs: [CBMUUID]?
    ) -> Result<Void, Error>
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveIncludedServiceDiscoveryRequest serviceUUIDs: [CBMUUID]?,
        for service: CBMServiceMock
    ) -> Result<Void, Error>
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveCharacteristicsDiscoveryRequest characteristicUUIDs: [CBMUUID]?,
        for service: CBMServiceMock
    ) -> Result<Void, Error>
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveDescriptorsDiscoveryRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Void, Error>
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveReadRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Data, Error>
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveReadRequestFor descriptor: CBMDescriptorMock
    ) -> Result<Data, Error>
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveWriteRequestFor characteristic: CBMCharacteristicMock, data: Data
    ) -> Result<Void, Error>
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveWriteCommandFor characteristic: CBMCharacteristicMock, data: Data)
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveWriteRequestFor descriptor: CBMDescriptorMock, data: Data
    ) -> Result<Void, Error>
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveSetNotifyRequest enabled: Bool,
        for characteristic: CBMCharacteristicMock
    ) -> Result<Void, Error>
    func peripheral(
        _ peripheral: CBMPeripheralSpec, didUpdateNotificationStateFor characteristic: CBMCharacteristicMock,
        error: Error?)
}

/// The library has defaults of all methods, so a method with another name would not be called, and no compiler would report it. Here
/// those have none that generated code implements.
extension CBMPeripheralSpecDelegate {
    public func reset() {}
    public func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveServiceDiscoveryRequest serviceUUIDs: [CBMUUID]?
    ) -> Result<Void, Error> { .success(()) }
    public func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveIncludedServiceDiscoveryRequest serviceUUIDs: [CBMUUID]?,
        for service: CBMServiceMock
    ) -> Result<Void, Error> { .success(()) }
    public func peripheral(
        _ peripheral: CBMPeripheralSpec, didReceiveCharacteristicsDiscoveryRequest characteristicUUIDs: [CBMUUID]?,
        for service: CBMServiceMock
    ) -> Result<Void, Error> { .success(()) }
    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveDescriptorsDiscoveryRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Void, Error> { .success(()) }
}

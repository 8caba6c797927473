import AttlasDissection
import AttlasTrace
import AttlasWire

/// The table of a UUID's name: the same number may name a service and another item.
public enum NameKind: Sendable {
    case service, characteristic, descriptor
}

/// The names of the numbers in events.
extension ValueInterpreter {
    /// The name, or the short form of the UUID if it has none.
    public func name(_ uuid: BluetoothUUID, _ kind: NameKind) -> String {
        knownName(uuid, kind) ?? uuid.abbreviated
    }

    /// Name as a service or as an attribute; nil if it has none.
    public func knownName(_ uuid: BluetoothUUID, _ kind: NameKind) -> String? {
        library.knownName(uuid, kind)
    }

    /// The name of a service that a device advertises, or whom its UUID is assigned to.
    public func advertisedName(_ uuid: BluetoothUUID) -> String {
        guard let assignee = library.assignee(of: uuid) else { return name(uuid, .service) }
        return "\(uuid.abbreviated) (assigned to \(assignee))"
    }

    /// The name of a UUID that may be an attribute's or a service's.
    public mutating func anyKnownName(_ index: UUIDIndex, in trace: borrowing Trace) -> String? {
        knownName(index, .characteristic, in: trace) ?? knownName(index, .service, in: trace)
    }

    /// Name as an attribute or a service, or the UUID if it has none.
    public mutating func anyName(_ index: UUIDIndex, in trace: borrowing Trace) -> String {
        anyKnownName(index, in: trace) ?? name(index, .characteristic, in: trace)
    }

    /// The meaning of an error code in the service of its attribute.
    public func errorName(_ code: ATTErrorCode, _ attribute: AttributeInfo?, in trace: borrowing Trace) -> String {
        guard let service = attribute?.service else { return code.name }
        return library.applicationErrorName(of: code.rawValue, in: trace.uuids[service]) ?? code.name
    }

    /// The company's name, or its identifier in hexadecimal.
    public func companyName(_ identifier: UInt16) -> String {
        library.companyName(of: identifier) ?? "company \(Self.hexadecimal(identifier))"
    }

    /// Name of an Appearance value, or its number in hexadecimal.
    public func appearanceName(_ value: UInt16) -> String {
        library.appearanceName(of: value) ?? "appearance \(Self.hexadecimal(value))"
    }

    private static func hexadecimal(_ value: UInt16) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    // MARK: Advertised data

    /// Definition of the service data of a UUID; nil if there is none.
    public func serviceDataDissector(_ service: BluetoothUUID) -> Dissector? {
        library.dissector(for: .serviceData(service))
    }

    /// Definition of AD structures of a type; nil if there is none.
    public func structureDissector(_ type: ADType) -> Dissector? { library.dissector(for: .adStructure(type)) }

    /// How manufacturer data of a device is read.
    public struct ManufacturerReading {
        /// nil if no definition reads the data.
        public let dissector: Dissector?
        /// Whether other advertised data decided it.
        public let isRecognized: Bool
        /// The octets that it reads.
        public let octets: [UInt8]
    }

    /// - Parameter all: all advertised data of the device.
    public func reading(
        of manufacturer: AdvertisedData.ManufacturerData, in all: AdvertisedData
    ) -> ManufacturerReading {
        let recognized = library.recognized(
            company: manufacturer.company, length: manufacturer.data.count, name: all.name
        ) { service in
            all.services.contains(service) || all.serviceData.contains { $0.uuid == service }
        }
        guard let recognized else {
            return ManufacturerReading(
                dissector: library.dissector(for: .manufacturerData(manufacturer.company)), isRecognized: false,
                octets: manufacturer.data)
        }
        let company = [UInt8(manufacturer.company & 0xFF), UInt8(manufacturer.company >> 8)]
        return ManufacturerReading(
            dissector: recognized.dissector, isRecognized: true,
            octets: (recognized.takesCompany ? company : []) + manufacturer.data)
    }
}

extension DissectorLibrary {
    /// Name as a service or as an attribute; nil if it has none.
    func knownName(_ uuid: BluetoothUUID, _ kind: NameKind) -> String? {
        kind == .service ? serviceName(of: uuid) : attributeName(of: uuid)
    }
}

extension BluetoothUUID {
    /// `FFE1`, `6E400002…CA9E`.
    public var abbreviated: String {
        let text = description
        return text.utf8.count > 8 ? "\(text.prefix(8))…\(text.suffix(4))" : text
    }
}

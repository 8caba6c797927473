import AttlasWire

/// The advertised data of a device, decoded: a copy, in the order of its first appearance.
public struct AdvertisedData: Equatable, Sendable {
    /// Flags; nil without them.
    public var flags: UInt8?
    /// Complete Local Name, or else Shortened Local Name; nil without one.
    public var name: String?
    var isNameComplete = false
    /// Appearance, 16 bits; nil without it.
    public var appearance: UInt16?
    /// dBm.
    public var txPower: Int8?
    /// Service UUIDs, of all lengths.
    public var services: [BluetoothUUID] = []
    /// Solicited service UUIDs.
    public var soughtServices: [BluetoothUUID] = []
    /// Service data, one entry for each UUID.
    public var serviceData: [ServiceData] = []
    /// Manufacturer data, one entry for each company.
    public var manufacturerData: [ManufacturerData] = []
    /// AD structures of other types.
    public var others: [Structure] = []

    /// Service data of one UUID.
    public struct ServiceData: Equatable, Sendable {
        /// Service UUID.
        public let uuid: BluetoothUUID
        /// Octets after the UUID.
        public var data: [UInt8]
        /// The controller could not receive its end, which is not a fault.
        public var isCut = false
    }

    /// Manufacturer data of one company.
    public struct ManufacturerData: Equatable, Sendable {
        /// Company Identifier.
        public let company: UInt16
        /// Octets after the Company Identifier.
        public var data: [UInt8]
        /// The controller could not receive its end.
        public var isCut = false
    }

    /// An AD structure that attlas does not decode.
    public struct Structure: Equatable, Sendable {
        /// AD type.
        public let type: ADType
        /// Octets after the type.
        public var data: [UInt8]
        /// The controller could not receive its end.
        public var isCut = false
    }

    /// The maximum length of lists: a device with new service data in every packet would fill the memory.
    private static let limit = 32
    /// Octets of service data, manufacturer data and other structures that are kept of a device.
    private static let octetLimit = 2_048

    /// No data yet.
    public init() {}

    /// - Parameter isTruncated: the controller could not receive the end.
    public init(_ data: AdvertisingData, isTruncated: Bool = false) {
        add(data, isTruncated: isTruncated)
    }

    /// Adds `data`; later data replaces earlier data of the same kind.
    public mutating func add(_ data: AdvertisingData, isTruncated: Bool = false) {
        var structures = data.structures
        while let structure = structures.next() { add(structure, isCut: isTruncated && structure.missing > 0) }
    }

    private mutating func add(_ structure: ADStructure, isCut: Bool) {
        let data = structure.data
        if let uuids = structure.serviceUUIDs {
            for index in 0..<uuids.count {
                if structure.type.isSolicitation {
                    Self.insert(uuids[index], into: &soughtServices)
                } else {
                    Self.insert(uuids[index], into: &services)
                }
            }
            return
        }
        if let service = structure.serviceData {
            let new = ServiceData(uuid: service.uuid, data: service.data.copy(), isCut: isCut)
            let old = serviceData.first { $0.uuid == new.uuid }
            guard mayReplace(old?.isCut, isCut), hasRoom(for: new.data, insteadOf: old?.data) else { return }
            return Self.replace(new, in: &serviceData) { $0.uuid == new.uuid }
        }
        if let manufacturer = structure.manufacturerData {
            let new = ManufacturerData(
                company: manufacturer.companyIdentifier, data: manufacturer.data.copy(), isCut: isCut)
            let old = manufacturerData.first { $0.company == new.company }
            guard mayReplace(old?.isCut, isCut), hasRoom(for: new.data, insteadOf: old?.data) else { return }
            return Self.replace(new, in: &manufacturerData) { $0.company == new.company }
        }
        switch structure.type {
        case .flags where data.count >= 1: flags = data[0]
        case .completeLocalName where !isCut:
            name = data.displayText
            isNameComplete = true
        case .completeLocalName, .shortenedLocalName: if !isNameComplete { name = data.displayText }
        case .appearance where data.count >= 2: appearance = data.uint16(at: 0)
        case .txPowerLevel where data.count >= 1: txPower = data.int8(at: 0)
        default:
            let new = Structure(type: structure.type, data: data.copy(), isCut: isCut)
            let old = others.first { $0.type == new.type }
            guard mayReplace(old?.isCut, isCut), hasRoom(for: new.data, insteadOf: old?.data) else { return }
            Self.replace(new, in: &others) { $0.type == new.type }
        }
    }

    /// Whole data is not replaced by truncated data.
    private func mayReplace(_ wasCut: Bool?, _ isCut: Bool) -> Bool { !isCut || wasCut != false }

    private func hasRoom(for data: [UInt8], insteadOf old: [UInt8]?) -> Bool {
        var octets = data.count - (old?.count ?? 0)
        for known in serviceData { octets += known.data.count }
        for known in manufacturerData { octets += known.data.count }
        for known in others { octets += known.data.count }
        return octets <= Self.octetLimit
    }

    static func insert<Element: Equatable>(_ element: Element, into list: inout [Element]) {
        if list.count < limit, !list.contains(element) { list.append(element) }
    }

    private static func replace<Element>(_ element: Element, in list: inout [Element], where isSame: (Element) -> Bool)
    {
        if let index = list.firstIndex(where: isSame) {
            list[index] = element
        } else if list.count < limit {
            list.append(element)
        }
    }

    /// The bits of Flags. Core Specification Supplement, Part A, 1.3.
    public var flagNames: [String] {
        guard let flags else { return [] }
        let names = [
            "LE Limited Discoverable", "LE General Discoverable", "BR/EDR Not Supported",
            "Simultaneous LE and BR/EDR (Controller)", "Simultaneous LE and BR/EDR (Host)",
        ]
        return names.enumerated().filter { flags & 1 << UInt8($0.offset) != 0 }.map(\.element)
    }
}

extension Bytes {
    /// UTF-8, with invalid parts replaced and trailing zeros left out.
    fileprivate var displayText: String {
        var end = count
        while end > 0, self[end - 1] == 0 { end -= 1 }
        return String(decoding: prefix(end).copy(), as: UTF8.self)
    }
}

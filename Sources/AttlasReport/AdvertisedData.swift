import AttlasDissection
import AttlasWire

/// What a device says of itself in advertising, taken apart: a copy, in the order in which it was first said.
struct AdvertisedData: Equatable {
    var flags: UInt8?
    var name: String?
    var isNameComplete = false
    var appearance: UInt16?
    /// dBm.
    var txPower: Int8?
    var services: [BluetoothUUID] = []
    var soughtServices: [BluetoothUUID] = []
    var serviceData: [ServiceData] = []
    var manufacturerData: [ManufacturerData] = []
    var others: [Structure] = []

    struct ServiceData: Equatable {
        let uuid: BluetoothUUID
        var data: [UInt8]
    }

    struct ManufacturerData: Equatable {
        let company: UInt16
        var data: [UInt8]
    }

    struct Structure: Equatable {
        let type: ADType
        var data: [UInt8]
    }

    /// Lists end here: a device with new service data in every packet would fill the memory.
    private static let limit = 32
    /// Octets of service data, manufacturer data and other structures that are kept of a device.
    private static let octetLimit = 2_048

    init() {}

    init(_ data: AdvertisingData) {
        add(data)
    }

    /// Takes over what `data` says; of the same thing, what was said last.
    mutating func add(_ data: AdvertisingData) {
        var structures = data.structures
        while let structure = structures.next() { add(structure) }
    }

    private mutating func add(_ structure: ADStructure) {
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
            let new = ServiceData(uuid: service.uuid, data: service.data.copy())
            guard hasRoom(for: new.data) else { return }
            return Self.replace(new, in: &serviceData) { $0.uuid == new.uuid }
        }
        if let manufacturer = structure.manufacturerData {
            let new = ManufacturerData(company: manufacturer.companyIdentifier, data: manufacturer.data.copy())
            guard hasRoom(for: new.data) else { return }
            return Self.replace(new, in: &manufacturerData) { $0.company == new.company }
        }
        switch structure.type {
        case .flags where data.count >= 1: flags = data[0]
        case .completeLocalName:
            name = data.displayText
            isNameComplete = true
        case .shortenedLocalName where !isNameComplete: name = data.displayText
        case .appearance where data.count >= 2: appearance = data.uint16(at: 0)
        case .txPowerLevel where data.count >= 1: txPower = data.int8(at: 0)
        case .shortenedLocalName: break
        default:
            let new = Structure(type: structure.type, data: data.copy())
            guard hasRoom(for: new.data) else { return }
            Self.replace(new, in: &others) { $0.type == new.type }
        }
    }

    private func hasRoom(for data: [UInt8]) -> Bool {
        var octets = data.count
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
    var flagNames: [String] {
        guard let flags else { return [] }
        let names = [
            "LE Limited Discoverable", "LE General Discoverable", "BR/EDR Not Supported",
            "Simultaneous LE and BR/EDR (Controller)", "Simultaneous LE and BR/EDR (Host)",
        ]
        return names.enumerated().filter { flags & 1 << UInt8($0.offset) != 0 }.map(\.element)
    }
}

extension Bytes {
    /// UTF-8, with what is none replaced and trailing zeros left out.
    var displayText: String {
        var end = count
        while end > 0, self[end - 1] == 0 { end -= 1 }
        return String(decoding: prefix(end).copy(), as: UTF8.self)
    }
}

extension TextBuffer {
    /// `"HRM-7" · Heart Rate Belt · Heart Rate, Battery · Apple: 02 15 …`
    mutating func append(_ data: AdvertisedData, _ values: ValueReader) {
        let start = count
        func separate(_ text: inout TextBuffer) {
            if text.count > start { text.append(" · ") }
        }
        if let name = data.name {
            append("\"")
            append(display: name)
            append("\"")
        }
        if let appearance = data.appearance {
            separate(&self)
            append(display: values.appearanceName(appearance))
        }
        if !data.services.isEmpty {
            separate(&self)
            append(display: data.services.map { values.name($0, .service) }.joined(separator: ", "))
        }
        if !data.soughtServices.isEmpty {
            separate(&self)
            append("seeks ")
            append(display: data.soughtServices.map { values.name($0, .service) }.joined(separator: ", "))
        }
        if let txPower = data.txPower {
            separate(&self)
            append("tx power ")
            append(decimal: txPower)
            append(" dBm")
        }
        for service in data.serviceData {
            separate(&self)
            append(display: values.name(service.uuid, .service))
            append(": ")
            append(advertised: service.data, values.serviceDataDissector(service.uuid))
        }
        for manufacturer in data.manufacturerData {
            separate(&self)
            append(display: values.companyName(manufacturer.company))
            append(": ")
            append(advertised: manufacturer.data, values.manufacturerDataDissector(manufacturer.company))
        }
        for other in data.others {
            separate(&self)
            append(display: other.type.name ?? "AD type \(other.type.rawValue)")
            append(" ")
            append(octets: Bytes(other.data.span), limit: 16)
        }
        if !data.flagNames.isEmpty {
            separate(&self)
            append(display: data.flagNames.joined(separator: ", "))
        }
    }

    /// In one line, by its definition when there is one.
    private mutating func append(advertised octets: [UInt8], _ dissector: Dissector?) {
        let value = Bytes(octets.span)
        guard let dissector else { return append(octets: value, limit: 32) }
        var dissection = Dissection()
        dissector.dissect(value, operation: .notify, into: &dissection)
        append(summaryOf: dissection, of: dissector, value: value)
    }
}

extension JSONWriter {
    /// The members of an object.
    mutating func write(_ data: AdvertisedData, _ values: ValueReader) {
        if let name = data.name {
            key("name")
            string(name)
        }
        if data.flags != nil {
            key("flags")
            beginArray()
            for flag in data.flagNames { string(flag) }
            endArray()
        }
        if let appearance = data.appearance {
            key("appearance")
            beginObject()
            key("code")
            code(appearance, digits: 4)
            key("name")
            string(values.appearanceName(appearance))
            endObject()
        }
        if let txPower = data.txPower {
            key("tx_power_dbm")
            number(txPower)
        }
        if !data.services.isEmpty { write("services", data.services, values) }
        if !data.soughtServices.isEmpty { write("sought_services", data.soughtServices, values) }
        if !data.serviceData.isEmpty {
            key("service_data")
            beginArray()
            for service in data.serviceData {
                beginObject()
                write(service.uuid, values)
                write(advertised: service.data, values.serviceDataDissector(service.uuid))
                endObject()
            }
            endArray()
        }
        if !data.manufacturerData.isEmpty {
            key("manufacturer_data")
            beginArray()
            for manufacturer in data.manufacturerData {
                beginObject()
                key("company")
                code(manufacturer.company, digits: 4)
                key("name")
                string(values.companyName(manufacturer.company))
                write(advertised: manufacturer.data, values.manufacturerDataDissector(manufacturer.company))
                endObject()
            }
            endArray()
        }
        if !data.others.isEmpty {
            key("structures")
            beginArray()
            for other in data.others {
                beginObject()
                key("type")
                code(other.type.rawValue, digits: 2)
                if let name = other.type.name {
                    key("name")
                    string(name)
                }
                key("data")
                hex(Bytes(other.data.span))
                endObject()
            }
            endArray()
        }
    }

    /// The members `data` and, when a definition says how it is laid out, `fields` and what goes with them.
    private mutating func write(advertised octets: [UInt8], _ dissector: Dissector?) {
        let value = Bytes(octets.span)
        key("data")
        hex(value)
        guard let dissector else { return }
        var dissection = Dissection()
        dissector.dissect(value, operation: .notify, into: &dissection)
        members { $0.append(jsonOf: dissection, of: dissector, value: value) }
    }

    private mutating func write(_ key: StaticString, _ uuids: [BluetoothUUID], _ values: ValueReader) {
        self.key(key)
        beginArray()
        for uuid in uuids {
            beginObject()
            write(uuid, values)
            endObject()
        }
        endArray()
    }

    private mutating func write(_ uuid: BluetoothUUID, _ values: ValueReader) {
        key("uuid")
        string(uuid.description)
        if let name = values.knownServiceName(uuid) {
            key("name")
            string(name)
        }
    }
}

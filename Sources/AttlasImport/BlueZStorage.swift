import AttlasTrace
import AttlasWire

/// BlueZ's files about a device's GATT server below /var/lib/bluetooth. Its doc/settings-storage.txt describes both forms:
///
/// - `ADAPTER/cache/PEER`: the device's name in a section `[General]`, and a section `[Attributes]` with a line for each
///   attribute, handles in hexadecimal. `0001=2800:0005:1800` is a service up to 0x0005, `0002=2803:0003:02:2a00` a characteristic with its value's handle and
///   its properties, `0007=2802:0014:001c:180f` an include, `0004=2902` a descriptor. That of the Database Hash holds the hash
///   before its UUID.
/// - `ADAPTER/PEER/attributes`, of older versions: a section for each attribute, named by its handle in decimal, with `UUID`,
///   `Value` in hexadecimal, and `EndGroupHandle`.
enum BlueZStorage {
    private struct Section {
        let name: Substring
        let line: Int
        var entries: [(key: Substring, value: Substring, line: Int)] = []

        func value(_ key: String) -> Substring? { entries.last { $0.key == key }?.value }
    }

    /// The address that the file is named after, or its folder. The name does not show whether it is a random one.
    static func owner(path: String) -> ImportedOwner? {
        let parts = path.split(separator: "/").suffix(2).reversed()
        // Archives and other systems replace the colons.
        return parts.lazy.compactMap { UInt64(address: $0, separators: ":_-") }.first
            .map { ImportedOwner($0, isRandom: nil) }
    }

    static func table(in text: String, owner: ImportedOwner?) throws(ImportMistake) -> ImportedTable {
        var table = ImportedTable(owner: owner)
        let sections = try sections(in: text)
        table.name = sections.first { $0.name == "General" }?.value("Name").map(String.init)
        if let attributes = sections.first(where: { $0.name == "Attributes" }) {
            for entry in attributes.entries {
                guard let handle = UInt16(entry.key, radix: 16), add(entry.value, at: handle, to: &table) else {
                    throw ImportMistake("line \(entry.line): not an attribute in BlueZ's format")
                }
            }
            return table
        }
        for section in sections where section.value("UUID") != nil {
            guard let handle = UInt16(section.name), add(section, at: handle, to: &table) else {
                throw ImportMistake("line \(section.line): not an attribute in BlueZ's format")
            }
        }
        return table
    }

    private static func sections(in text: String) throws(ImportMistake) -> [Section] {
        var sections: [Section] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingSpace()
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                sections.append(Section(name: line.dropFirst().dropLast(), line: index + 1))
                continue
            }
            guard let sign = line.firstIndex(of: "="), !sections.isEmpty else {
                throw ImportMistake("line \(index + 1): neither a section nor a key with a value")
            }
            let entry = (line[..<sign].trimmingSpace(), line[line.index(after: sign)...].trimmingSpace(), index + 1)
            sections[sections.count - 1].entries.append(entry)
        }
        return sections
    }

    // MARK: The cache

    /// False for an invalid value.
    private static func add(_ value: Substring, at handle: UInt16, to table: inout ImportedTable) -> Bool {
        let parts = value.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, let uuid = BluetoothUUID(String(last)) else { return false }
        func number(_ index: Int) -> UInt16? { UInt16(parts[index], radix: 16) }
        switch (parts[0], parts.count) {
        case ("2800", 3), ("2801", 3):
            guard let end = number(1) else { return false }
            table.services.append(
                ImportedTable.Service(handle: handle, endHandle: end, uuid: uuid, isPrimary: parts[0] == "2800"))
        case ("2802", 4):
            guard let start = number(1), let end = number(2) else { return false }
            table.includes.append(
                ImportedTable.Include(handle: handle, includedHandle: start, endHandle: end, uuid: uuid))
        case ("2803", 4), ("2803", 5):
            guard let valueHandle = number(1), let properties = UInt8(parts[2], radix: 16) else { return false }
            table.characteristics.append(
                ImportedTable.Characteristic(
                    handle: handle, valueHandle: valueHandle,
                    properties: CharacteristicProperties(rawValue: properties), uuid: uuid))
            if parts.count == 5 { table.databaseHash = UInt128(databaseHash: String(parts[3])) }
        case ("2800", _), ("2801", _), ("2802", _), ("2803", _): return false
        // The value of Characteristic Extended Properties precedes its UUID.
        case (_, 1), (_, 2): table.attributes.append(ImportedTable.Attribute(handle: handle, uuid: uuid))
        default: return false
        }
        return true
    }

    // MARK: The older form

    private static func add(_ section: Section, at handle: UInt16, to table: inout ImportedTable) -> Bool {
        guard let text = section.value("UUID"), let type = BluetoothUUID(String(text)),
            let value = octets(section.value("Value") ?? "")
        else { return false }
        let bytes = Bytes(value.span)
        switch type {
        case .primaryService, .secondaryService:
            guard let uuid = BluetoothUUID(bytes) else { return false }
            let end = section.value("EndGroupHandle").flatMap { UInt16($0) } ?? .max
            table.services.append(
                ImportedTable.Service(handle: handle, endHandle: end, uuid: uuid, isPrimary: type == .primaryService))
        case .include:
            guard let declaration = IncludeDeclaration(bytes) else { return false }
            table.includes.append(
                ImportedTable.Include(
                    handle: handle, includedHandle: declaration.includedHandle,
                    endHandle: declaration.endGroupHandle, uuid: declaration.uuid))
        case .characteristic:
            guard let declaration = CharacteristicDeclaration(bytes), let uuid = declaration.uuid else { return false }
            table.characteristics.append(
                ImportedTable.Characteristic(
                    handle: handle, valueHandle: declaration.valueHandle, properties: declaration.properties,
                    uuid: uuid))
        default:
            table.attributes.append(ImportedTable.Attribute(handle: handle, uuid: type))
            if type == .databaseHash, value.count == 16 {
                table.databaseHash = bytes.uint128(at: 0)
            }
        }
        return true
    }

    private static func octets(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { index in
            UInt8((digits[index] ?? 0) << 4 | (digits[index + 1] ?? 0))
        }
    }
}

extension Substring {
    fileprivate func trimmingSpace() -> Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}

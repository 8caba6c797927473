import AttlasTrace
import AttlasWire
import FoundationEssentials

/// The output of `attlas tree --json`, limited to its attributes and names. Documentation/schemas/tree.schema.json.
struct TreeDocument: Decodable {
    struct Peer: Decodable {
        let address: String?
        let addressType: String?
        let name: String?
        let databaseHash: String?
        let services: [Service]
    }

    struct Service: Decodable {
        /// The first four are nil outside discovered services.
        let handle: UInt16?
        let endHandle: UInt16?
        let uuid: String?
        let primary: Bool?
        let includes: [Include]?
        let characteristics: [Characteristic]?
        let attributes: [Attribute]?
    }

    struct Include: Decodable {
        let handle: UInt16
        let includedHandle: UInt16
        let includedEndHandle: UInt16
        let uuid: String?
    }

    struct Characteristic: Decodable {
        let handle: UInt16
        let valueHandle: UInt16
        let uuid: String
        let properties: [String]
        let descriptors: [Attribute]?
    }

    struct Attribute: Decodable {
        let handle: UInt16
        let uuid: String
        let knownFrom: String?
    }

    let peers: [Peer]
    /// The recorded hosts.
    let local: [Peer]?

    /// The tables of one document, or of several that follow each other line by line.
    static func tables(in text: String) throws(ImportMistake) -> [ImportedTable] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        if let document = try? decoder.decode(Self.self, from: Data(text.utf8)) { return try document.tables() }
        var tables: [ImportedTable] = []
        for (index, line) in text.split(separator: "\n").enumerated() where !line.allSatisfy(\.isWhitespace) {
            do {
                tables += try decoder.decode(Self.self, from: Data(line.utf8)).tables()
            } catch let mistake as ImportMistake {
                throw mistake
            } catch {
                throw ImportMistake("document \(index + 1) is not what attlas tree --json writes: \(place(of: error))")
            }
        }
        return tables
    }

    private static func place(of error: any Error) -> String {
        guard let error = error as? DecodingError else { return "unreadable" }
        switch error {
        case .keyNotFound(let key, let context):
            return "\(path(context))there is no \(key.stringValue)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            guard !context.codingPath.isEmpty else { return "invalid JSON, or a number that is too large" }
            return "\(path(context))unexpected type of value"
        @unknown default: return "unreadable"
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        guard !context.codingPath.isEmpty else { return "" }
        return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/") + ": "
    }

    private func tables() throws(ImportMistake) -> [ImportedTable] {
        var tables: [ImportedTable] = []
        for peer in peers { tables.append(try peer.table()) }
        for host in local ?? [] where host.address != nil {
            var table = try host.table()
            table.isLocal = true
            tables.append(table)
        }
        return tables
    }
}

extension TreeDocument.Peer {
    fileprivate func table() throws(ImportMistake) -> ImportedTable {
        var table = ImportedTable(owner: try owner())
        table.name = name
        if let databaseHash {
            guard let hash = UInt128(databaseHash: databaseHash) else {
                throw ImportMistake("\"\(databaseHash)\" is not a Database Hash")
            }
            table.databaseHash = hash
        }
        for service in services { try service.add(to: &table) }
        return table
    }

    private func owner() throws(ImportMistake) -> ImportedOwner? {
        guard let address else { return nil }
        guard let value = UInt64(address: address, separators: ":") else {
            throw ImportMistake("\"\(address)\" is not an address")
        }
        return ImportedOwner(value, isRandom: addressType.map { $0 != BluetoothAddress.Kind.public.rawValue })
    }
}

extension TreeDocument.Service {
    fileprivate func add(to table: inout ImportedTable) throws(ImportMistake) {
        if let handle, let endHandle, let uuid {
            table.services.append(
                ImportedTable.Service(
                    handle: handle, endHandle: endHandle, uuid: try BluetoothUUID(imported: uuid),
                    isPrimary: primary ?? true))
        }
        for include in includes ?? [] {
            var uuid: BluetoothUUID?
            if let text = include.uuid { uuid = try BluetoothUUID(imported: text) }
            table.includes.append(
                ImportedTable.Include(
                    handle: include.handle, includedHandle: include.includedHandle,
                    endHandle: include.includedEndHandle, uuid: uuid))
        }
        for characteristic in characteristics ?? [] {
            table.characteristics.append(
                ImportedTable.Characteristic(
                    handle: characteristic.handle, valueHandle: characteristic.valueHandle,
                    properties: CharacteristicProperties(names: characteristic.properties),
                    uuid: try BluetoothUUID(imported: characteristic.uuid)))
            try add(characteristic.descriptors ?? [], to: &table)
        }
        try add(attributes ?? [], to: &table)
    }

    private func add(
        _ attributes: [TreeDocument.Attribute], to table: inout ImportedTable
    ) throws(ImportMistake) {
        // Inferred attributes would look like facts here.
        for attribute in attributes where attribute.knownFrom != KnownFrom.inferred.rawValue {
            table.attributes.append(
                ImportedTable.Attribute(handle: attribute.handle, uuid: try BluetoothUUID(imported: attribute.uuid)))
        }
    }
}

extension BluetoothUUID {
    init(imported text: String) throws(ImportMistake) {
        guard let uuid = BluetoothUUID(text) else { throw ImportMistake("\"\(text)\" is not a UUID") }
        self = uuid
    }
}

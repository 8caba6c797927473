import AttlasTrace
import AttlasWire

/// Members that several outputs have, written in one way.
extension JSONWriter {
    /// `"service":{"uuid":"180D","name":"Heart Rate"}`
    mutating func write(_ key: StaticString, _ uuid: BluetoothUUID, name: String?) {
        self.key(key)
        beginObject()
        write(uuid, name: name)
        endObject()
    }

    /// The members `uuid` and, when there is one, `name`.
    mutating func write(_ uuid: BluetoothUUID, name: String?) {
        key("uuid")
        self.uuid(uuid)
        guard let name else { return }
        key("name")
        string(name)
    }

    /// As the capture recorded it.
    mutating func write(_ direction: Direction) {
        key("direction")
        literal(direction.word)
    }

    /// The member `properties`.
    mutating func write(_ properties: CharacteristicProperties) {
        key("properties")
        beginArray()
        for (property, name) in CharacteristicProperties.names where properties.contains(property) { literal(name) }
        endArray()
    }

    /// The members `address` and `address_type`.
    mutating func write(_ address: BluetoothAddress) {
        key("address")
        value { text in
            text.append("\"")
            text.append(address)
            text.append("\"")
        }
        key("address_type")
        string(address.kind.rawValue)
    }

    /// The octets as the server sends them.
    mutating func hex(databaseHash: UInt128) {
        value { text in
            text.append("\"")
            text.append(databaseHash: databaseHash)
            text.append("\"")
        }
    }
}

extension Direction {
    var word: StaticString {
        switch self {
        case .tx: "tx"
        case .rx: "rx"
        case .unknown: "unknown"
        }
    }
}

import AttlasTrace
import AttlasWire

/// Whole members of an object. One whose value is nil is left out.
extension JSONWriter {
    /// Begins a document with the name and the version of its schema: Documentation/schemas.
    public mutating func beginDocument(_ schema: StaticString) {
        beginObject()
        member("schema", literal: schema)
    }

    /// A text; nothing for nil, here and below.
    public mutating func member(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }

    /// An integer.
    @inlinable @inline(__always)
    public mutating func member<Value: FixedWidthInteger>(_ key: StaticString, _ value: Value?) {
        guard let value else { return }
        self.key(key)
        number(value)
    }

    /// A number.
    public mutating func member(_ key: StaticString, _ value: Double?) {
        guard let value else { return }
        self.key(key)
        number(value)
    }

    /// `true` or `false`.
    public mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        boolean(value)
    }

    /// A UUID as text.
    public mutating func member(_ key: StaticString, _ value: BluetoothUUID?) {
        guard let value else { return }
        self.key(key)
        uuid(value)
    }

    /// A literal of ours that needs no escape.
    public mutating func member(_ key: StaticString, literal value: StaticString) {
        self.key(key)
        literal(value)
    }

    /// Octets in hexadecimal digits.
    @inline(__always)
    public mutating func member(_ key: StaticString, hex octets: borrowing Bytes) {
        self.key(key)
        hex(octets)
    }

    /// `"0x1A"`.
    @inlinable
    public mutating func member(_ key: StaticString, code value: some FixedWidthInteger, digits: Int) {
        self.key(key)
        code(value, digits: digits)
    }
}

/// Members that several outputs have, written in one way.
extension JSONWriter {
    /// `"service":{"uuid":"180D","name":"Heart Rate"}`
    public mutating func write(_ key: StaticString, _ uuid: BluetoothUUID, name: String?) {
        self.key(key)
        beginObject()
        write(uuid, name: name)
        endObject()
    }

    /// `"reason":{"code":"0x13","name":"Remote User Terminated Connection"}`
    public mutating func member(_ key: StaticString, code: some FixedWidthInteger, digits: Int, name: String?) {
        self.key(key)
        object(code: code, digits: digits, name: name)
    }

    /// The value of a member like this.
    mutating func object(code: some FixedWidthInteger, digits: Int, name: String?) {
        beginObject()
        member("code", code: code, digits: digits)
        member("name", name)
        endObject()
    }

    /// The members `uuid` and, when there is one, `name`.
    /// - Parameter assignee: of a UUID without a name.
    public mutating func write(_ uuid: BluetoothUUID, name: String?, assignee: String? = nil) {
        member("uuid", uuid)
        member("name", name ?? assignee)
        if name == nil, assignee != nil { member("name_from", "assignment") }
    }

    /// The member `rssi_dbm`.
    public mutating func write(rssi: ClosedRange<Int8>?) {
        guard let rssi else { return }
        key("rssi_dbm")
        beginObject()
        member("min", rssi.lowerBound)
        member("max", rssi.upperBound)
        endObject()
    }

    /// As the capture recorded it.
    public mutating func write(_ direction: Direction) {
        member("direction", literal: direction.word)
    }

    /// The member `properties`.
    public mutating func write(_ properties: CharacteristicProperties) {
        key("properties")
        beginArray()
        for (property, name) in CharacteristicProperties.names where properties.contains(property) { literal(name) }
        endArray()
    }

    /// The only side that a log holds.
    public mutating func write(onlySide: Direction?) {
        if let onlySide { member("only_side", literal: onlySide.word) }
    }

    /// The members `address` and `address_type`.
    public mutating func write(_ address: BluetoothAddress) {
        key("address")
        value { text in
            text.append("\"")
            text.append(address)
            text.append("\"")
        }
        member("address_type", address.kind.rawValue)
    }

    /// The octets as the server sends them.
    public mutating func member(_ key: StaticString, databaseHash: UInt128) {
        self.key(key)
        value { text in
            text.append("\"")
            text.append(databaseHash: databaseHash)
            text.append("\"")
        }
    }
}

extension Direction {
    /// `rx`, `tx` or `unknown`.
    public var word: StaticString {
        switch self {
        case .tx: "tx"
        case .rx: "rx"
        case .unknown: "unknown"
        }
    }
}

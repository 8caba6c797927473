/// Advertising, scan response and extended inquiry response data: AD structures. Core Specification, Vol 3, Part C, 11;
/// Core Specification Supplement, Part A.
///
/// ```
///  0               1               2
/// +---------------+---------------+----
/// |    Length     |    AD Type    | AD Data (Length - 1 octets) … repeated
/// +---------------+---------------+----
/// ```
/// A length of 0 ends the list early: padding follows.
public struct AdvertisingData: ~Escapable, Copyable {
    /// All AD structures, unparsed.
    public let bytes: Bytes

    /// Accepts any octets: a truncated structure shows that itself.
    @_lifetime(copy bytes)
    public init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// AD structures in their order, up to the first that does not fit.
    public var structures: ADStructures {
        @_lifetime(copy self) get { ADStructures(bytes) }
    }

    /// The first structure of this type.
    @_lifetime(copy self)
    func first(_ type: ADType) -> ADStructure? {
        var structures = structures
        while let structure = structures.next() {
            if structure.type == type { return structure }
        }
        return nil
    }

    /// UTF-8: the complete name, or else the shortened one.
    public var localName: Bytes? {
        @_lifetime(copy self) get {
            if let complete = first(.completeLocalName) { return complete.data }
            if let shortened = first(.shortenedLocalName) { return shortened.data }
            return nil
        }
    }

    /// Bit 0 LE Limited, bit 1 LE General Discoverable Mode, bit 2 BR/EDR Not Supported, bit 3 simultaneous LE and
    /// BR/EDR.
    public var flags: UInt8? {
        guard let structure = first(.flags), structure.data.count >= 1 else { return nil }
        return structure.data[0]
    }

    /// dBm.
    public var txPowerLevel: Int8? {
        guard let structure = first(.txPowerLevel), structure.data.count >= 1 else { return nil }
        return structure.data.int8(at: 0)
    }

    /// Value of Appearance; nil without it.
    public var appearance: UInt16? {
        guard let structure = first(.appearance), structure.data.count >= 2 else { return nil }
        return structure.data.uint16(at: 0)
    }

    /// Data of the first such structure.
    public var manufacturerData: ADManufacturerData? {
        @_lifetime(copy self) get {
            guard let structure = first(.manufacturerSpecificData) else { return nil }
            return structure.manufacturerData
        }
    }
}

/// AD structures, read one after the other.
public struct ADStructures: ~Escapable, Copyable {
    private var rest: Bytes

    @_lifetime(copy rest)
    init(_ rest: Bytes) {
        self.rest = rest
    }

    /// nil at the end or at a length of 0. The last structure may be cut; one cut before its type ends the list.
    @_lifetime(copy self)
    public mutating func next() -> ADStructure? {
        guard rest.count >= 2, rest[0] > 0 else { return nil }
        let structure = ADStructure(rest)
        rest = rest.dropFirst(1 + structure.length)
        return structure
    }

    /// Octets after the last structure: padding, or a length without a type.
    var remainder: Int { rest.count }
}

/// One AD structure.
public struct ADStructure: ~Escapable, Copyable {
    let bytes: Bytes

    /// Takes at least two octets, of which the first is not 0.
    @_lifetime(copy bytes)
    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// Octets of type and data.
    var length: Int { Int(bytes[0]) }
    /// AD type, the octet after the length.
    public var type: ADType { ADType(rawValue: bytes[1]) }
    /// At most `length - 1` octets.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.prefix(1 + length).dropFirst(2) }
    }
    /// Octets announced that are not there.
    public var missing: Int { max(0, 1 + length - bytes.count) }

    /// The UUIDs of a list of services that are offered or, for some types, sought; nil for another type.
    public var serviceUUIDs: ADServiceUUIDs? {
        @_lifetime(copy self) get {
            guard let stride = type.serviceUUIDLength else { return nil }
            return ADServiceUUIDs(data, stride: stride)
        }
    }

    /// nil for another type, and when there is not even a UUID.
    public var serviceData: ADServiceData? {
        @_lifetime(copy self) get {
            let data = data
            guard let length = type.serviceDataUUIDLength, data.count >= length else { return nil }
            return ADServiceData(data, uuidLength: length)
        }
    }

    /// nil for another type, and when there is not even a company identifier.
    public var manufacturerData: ADManufacturerData? {
        @_lifetime(copy self) get {
            let data = data
            guard type == .manufacturerSpecificData, data.count >= 2 else { return nil }
            return ADManufacturerData(data)
        }
    }
}

/// A list of service UUIDs of one size. Core Specification Supplement, Part A, 1.1 and 1.10.
public struct ADServiceUUIDs: ~Escapable, Copyable {
    let bytes: Bytes
    /// Octets of one UUID: 2, 4 or 16.
    let stride: Int

    @_lifetime(copy bytes)
    init(_ bytes: Bytes, stride: Int) {
        precondition(stride > 0)
        self.bytes = bytes
        self.stride = stride
    }

    /// Number of whole UUIDs.
    public var count: Int { bytes.count / stride }
    /// Octets after the last whole UUID.
    var remainder: Int { bytes.count % stride }

    /// UUID of an index below `count`.
    public subscript(index: Int) -> BluetoothUUID {
        let offset = index * stride
        return switch stride {
        case 2: BluetoothUUID(bytes.uint16(at: offset))
        case 4: BluetoothUUID(bytes.uint32(at: offset))
        default: BluetoothUUID(bytes.uint128(at: offset))
        }
    }
}

/// Service Data. Core Specification Supplement, Part A, 1.11.
///
/// ```
///  0
/// +------------------------------+----
/// | Service UUID (2, 4, 16)      | Additional service data …
/// +------------------------------+----
/// ```
public struct ADServiceData: ~Escapable, Copyable {
    let bytes: Bytes
    private let uuidLength: Int

    /// Takes 2, 4 or 16 as the length, and at least as many octets.
    @_lifetime(copy bytes)
    init(_ bytes: Bytes, uuidLength: Int) {
        self.bytes = bytes
        self.uuidLength = uuidLength
    }

    /// Service UUID, 16, 32 or 128 bits on the air.
    public var uuid: BluetoothUUID {
        switch uuidLength {
        case 2: BluetoothUUID(bytes.uint16(at: 0))
        case 4: BluetoothUUID(bytes.uint32(at: 0))
        default: BluetoothUUID(bytes.uint128(at: 0))
        }
    }
    /// Service data after the UUID.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(uuidLength) }
    }
}

/// Manufacturer Specific Data. Core Specification Supplement, Part A, 1.4.
///
/// ```
///  0                     2
/// +-----------+---------+----
/// |  Company Identifier | data of the manufacturer's own making …
/// +-----------+---------+----
/// ```
public struct ADManufacturerData: ~Escapable, Copyable {
    let bytes: Bytes

    /// Takes at least two octets.
    @_lifetime(copy bytes)
    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// Company Identifier (Assigned Numbers, 7.1).
    public var companyIdentifier: UInt16 { bytes.uint16(at: 0) }
    /// Manufacturer data after the Company Identifier.
    public var data: Bytes {
        @_lifetime(copy self) get { bytes.dropFirst(2) }
    }
}

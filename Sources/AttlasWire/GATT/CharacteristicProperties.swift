/// Characteristic Properties. Core Specification, Vol 3, Part G, 3.3.1.1.
public struct CharacteristicProperties: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Values may be broadcast, with the Server Characteristic Configuration Descriptor.
    public static let broadcast = Self(rawValue: 0x01)
    /// Values may be read.
    public static let read = Self(rawValue: 0x02)
    /// Write Command is permitted.
    public static let writeWithoutResponse = Self(rawValue: 0x04)
    /// Write Request is permitted.
    public static let write = Self(rawValue: 0x08)
    /// Notifications are permitted.
    public static let notify = Self(rawValue: 0x10)
    /// Indications are permitted.
    public static let indicate = Self(rawValue: 0x20)
    /// Signed Write Command is permitted.
    public static let authenticatedSignedWrites = Self(rawValue: 0x40)
    /// More properties are in the Characteristic Extended Properties descriptor.
    public static let extendedProperties = Self(rawValue: 0x80)

    /// The specification's name for each, in lower case.
    public static let names: [(CharacteristicProperties, StaticString)] = [
        (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write without response"),
        (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
        (.authenticatedSignedWrites, "authenticated signed writes"), (.extendedProperties, "extended properties"),
    ]

    /// Those that the bits of a Client Characteristic Configuration need. Vol 3, Part G, 3.3.3.3.
    package init(neededBy configuration: UInt16) {
        self = []
        if configuration & 1 != 0 { insert(.notify) }
        if configuration & 2 != 0 { insert(.indicate) }
    }

    /// The properties of these names; others are passed over.
    public init(names: some Sequence<String>) {
        self.init()
        for name in names {
            if let (property, _) = Self.names.first(where: { "\($0.1)" == name }) { insert(property) }
        }
    }
}

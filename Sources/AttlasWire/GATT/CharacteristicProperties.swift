/// Characteristic Properties. Core Specification, Vol 3, Part G, 3.3.1.1.
public struct CharacteristicProperties: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let broadcast = Self(rawValue: 0x01)
    public static let read = Self(rawValue: 0x02)
    public static let writeWithoutResponse = Self(rawValue: 0x04)
    public static let write = Self(rawValue: 0x08)
    public static let notify = Self(rawValue: 0x10)
    public static let indicate = Self(rawValue: 0x20)
    public static let authenticatedSignedWrites = Self(rawValue: 0x40)
    public static let extendedProperties = Self(rawValue: 0x80)

    /// What the specification calls each, in lower case.
    public static let names: [(CharacteristicProperties, StaticString)] = [
        (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write without response"),
        (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
        (.authenticatedSignedWrites, "authenticated signed writes"), (.extendedProperties, "extended properties"),
    ]

    /// The properties of these names; others are passed over.
    public init(names: some Sequence<String>) {
        self.init()
        for name in names {
            if let (property, _) = Self.names.first(where: { "\($0.1)" == name }) { insert(property) }
        }
    }
}

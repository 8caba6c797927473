/// One field as btmon names it.
struct WordsField {
    enum Kind {
        /// A code of this many octets: in parentheses at the end, or else the number after the name.
        case code(Int)
        /// Two octets after the name, then more.
        case handle
        /// Two handles.
        case range
        case address
        /// The type of an address, which the words after it show, and the address.
        case typedAddress
        case uuid
        /// Hexadecimal digits to the end of the line; nil if any number of octets, in the very next line.
        case octets(Int?)
    }

    let name: StaticString
    let kind: Kind

    static func number(_ name: StaticString, _ width: Int) -> WordsField { WordsField(name: name, kind: .code(width)) }
    static func address(_ name: StaticString) -> WordsField { WordsField(name: name, kind: .address) }
    static func octets(_ name: StaticString, _ count: Int? = nil) -> WordsField {
        WordsField(name: name, kind: .octets(count))
    }
    static let handle = WordsField(name: "Handle", kind: .handle)
    static let status = WordsField.number("Status", 1)
    static let range = WordsField(name: "Handle range", kind: .range)
    static let uuid = WordsField(name: "UUID", kind: .uuid)
    /// "Data: 0200", "Data[2]: 0200".
    static let data = WordsField.octets("Data")
    static let value = WordsField.octets("Value")
}

/// The fields of a packet in their order. Names are parts of those that btmon prints, so that all its versions have them.
struct WordsLayout {
    let fields: [WordsField]
    /// … and those that follow any number of times.
    let repeated: [WordsField]

    init(_ fields: [WordsField], repeated: [WordsField] = []) {
        self.fields = fields
        self.repeated = repeated
    }

    private static let connection: [WordsField] = [
        .number("in connection interval", 2), .number("ax connection interval", 2), .number("latency", 2),
        .number("imeout", 2),
    ]
    private static let length: [WordsField] = [.number("in connection length", 2), .number("ax connection length", 2)]

    /// Vol 4, Part E, 7.
    static func command(_ opcode: UInt16) -> WordsLayout? {
        switch opcode {
        case 0x0406: .init([.handle, .number("Reason", 1)])
        case 0x200D:
            .init(
                [
                    .number("Scan interval", 2), .number("Scan window", 2), .number("Filter policy", 1),
                    .number("address type", 1), .address("address"), .number("address type", 1),
                ] + connection + length)
        case 0x2013, 0x2020:
            .init([.handle] + connection + length)
        // Reset, and LE Create Connection Cancel.
        case 0x0C03, 0x200E: .init([])
        case 0x2016, 0x201B: .init([.handle])
        case 0x2019:
            .init([.handle, .number("Random number", 8), .number("diversifier", 2), .octets("Long term key", 16)])
        case 0x201A: .init([.handle, .octets("Long term key", 16)])
        case 0x2043:
            .init(
                [
                    .number("Filter policy", 1), .number("address type", 1), .number("address type", 1),
                    .address("address"), .number("Initiating PHYs", 1),
                ],
                repeated: [.number("Scan interval", 2), .number("Scan window", 2)] + connection + length)
        case 0x2022: .init([.handle, .number("TX octets", 2), .number("TX time", 2)])
        default: nil
        }
    }

    static func event(_ code: UInt8) -> WordsLayout? {
        switch code {
        case 0x03:
            .init([.status, .handle, .address("ddress"), .number("Link type", 1), .number("Encryption", 1)])
        case 0x05: .init([.status, .handle, .number("Reason", 1)])
        case 0x08: .init([.status, .handle, .number("Encryption", 1)])
        case 0x13: .init([.number("Num handles", 1)], repeated: [.handle, .number("Count", 2)])
        case 0x30: .init([.status, .handle])
        default: nil
        }
    }

    static func lowEnergyEvent(_ subevent: UInt8) -> WordsLayout? {
        let parameters: [WordsField] = [
            .number("interval", 2), .number("latency", 2), .number("imeout", 2),
        ]
        let peer: [WordsField] = [
            .status, .handle, .number("Role", 1), .number("address type", 1), .address("address"),
        ]
        return switch subevent {
        case 0x01: .init(peer + parameters + [.number("clock accuracy", 1)])
        case 0x03: .init([.status, .handle] + parameters)
        case 0x04: .init([.status, .handle, .octets("Features", 8)])
        case 0x05: .init([.handle, .number("Random number", 8), .number("diversifier", 2)])
        case 0x06:
            .init([.handle] + connection)
        case 0x07:
            .init([
                .handle, .number("TX octets", 2), .number("TX time", 2), .number("RX octets", 2), .number("RX time", 2),
            ])
        case 0x0A:
            .init(
                peer + [.address("ocal resolvable"), .address("eer resolvable")] + parameters
                    + [.number("clock accuracy", 1)])
        case 0x0C: .init([.status, .handle, .number("TX PHY", 1), .number("RX PHY", 1)])
        case 0x14: .init([.handle, .number("Algorithm", 1)])
        default: nil
        }
    }

    /// Vol 3, Part F, 3.4.
    static func attribute(_ opcode: UInt8) -> WordsLayout? {
        switch opcode {
        case 0x01: .init([WordsField(name: "(0x", kind: .code(1)), .handle, .number("Error", 1)])
        case 0x02, 0x03: .init([.number("RX MTU", 2)])
        case 0x04: .init([.range])
        case 0x05: .init([.number("Format", 1)], repeated: [.handle, .uuid])
        case 0x06: .init([.range, WordsField(name: "ttribute", kind: .uuid), .uuid])
        case 0x07: .init([], repeated: [.range])
        case 0x08, 0x10: .init([.range, WordsField(name: "ttribute", kind: .uuid)])
        case 0x09: .init([.number("data length", 1)], repeated: [.handle, .value])
        case 0x0A: .init([.handle])
        case 0x0B, 0x0D: .init([.value])
        case 0x0C: .init([.handle, .number("Offset", 2)])
        case 0x0E, 0x20: .init([], repeated: [.handle])
        case 0x11: .init([.number("data length", 1)], repeated: [.range, .uuid])
        case 0x12, 0x1B, 0x1D, 0x52: .init([.handle, .data])
        case 0x23: .init([], repeated: [.handle, .number("Length", 2), .data])
        case 0xD2: .init([.handle, .data, .octets("Signature", 12)])
        case 0x16, 0x17: .init([.handle, .number("Offset", 2), .data])
        case 0x18: .init([.number("Flags", 1)])
        default: nil
        }
    }

    /// Vol 3, Part A, 4.
    static func signal(_ code: UInt8) -> WordsLayout? {
        let source = WordsField.number("Source CID", 2)
        let destination = WordsField.number("Destination CID", 2)
        let credit: [WordsField] = [.number("MTU", 2), .number("MPS", 2), .number("Credits", 2)]
        return switch code {
        case 0x06, 0x07: .init([destination, source])
        case 0x12:
            .init([
                .number("in interval", 2), .number("ax interval", 2), .number("latency", 2),
                .number("imeout multiplier", 2),
            ])
        case 0x13: .init([.number("Result", 2)])
        case 0x14: .init([.number("PSM", 2), source] + credit)
        case 0x15: .init([destination] + credit + [.number("Result", 2)])
        case 0x16: .init([source, .number("Credits", 2)])
        case 0x17: .init([.number("PSM", 2)] + credit, repeated: [source])
        case 0x18: .init(credit + [.number("Result", 2)], repeated: [destination])
        default: nil
        }
    }

    /// Vol 3, Part H, 3.
    static func security(_ code: UInt8) -> WordsLayout? {
        switch code {
        case 0x01, 0x02:
            .init([
                .number("IO capability", 1), .number("OOB data", 1), .number("Authentication requirement", 1),
                .number("ncryption key size", 1), .number("nitiator key distribution", 1),
                .number("esponder key distribution", 1),
            ])
        case 0x03, 0x04: .init([.octets("value", 16)])
        case 0x05: .init([.number("Reason", 1)])
        case 0x06, 0x08, 0x0A: .init([.octets("key", 16)])
        case 0x07: .init([.number("EDIV", 2), .number("Rand", 8)])
        case 0x09: .init([WordsField(name: "Address", kind: .typedAddress)])
        case 0x0B: .init([.number("Authentication requirement", 1)])
        case 0x0C: .init([.octets("X", 32), .octets("Y", 32)])
        case 0x0D: .init([.octets("E", 16)])
        default: nil
        }
    }
}

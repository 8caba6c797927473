import AttlasValues
import AttlasWire

extension TextBuffer {
    package mutating func append(_ octets: ShownOctets, limit: Int) {
        guard let bytes = octets.bytes else { return append("withheld") }
        append(octets: bytes, limit: limit)
    }
}

extension JSONWriter {
    /// The member `key`, or `withheld` instead.
    package mutating func write(_ octets: ShownOctets, _ key: StaticString = "value") {
        guard let bytes = octets.bytes else { return member("withheld", true) }
        member(key, hex: bytes)
    }
}

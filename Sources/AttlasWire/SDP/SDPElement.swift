/// A Data Element of the Service Discovery Protocol. Core Specification, Vol 3, Part B, 3.
package struct SDPElement: ~Escapable, Copyable {
    package enum Kind: UInt8 {
        case null, unsigned, signed, uuid, text, boolean, sequence, alternative, url
    }

    package let kind: Kind
    /// Most significant octet first.
    package let bytes: Bytes

    @_lifetime(copy bytes)
    fileprivate init(_ kind: Kind, _ bytes: Bytes) {
        self.kind = kind
        self.bytes = bytes
    }

    /// The elements of a sequence or an alternative; of another element none.
    package var elements: SDPElements {
        @_lifetime(copy self) get { SDPElements(kind == .sequence || kind == .alternative ? bytes : bytes.prefix(0)) }
    }

    /// An unsigned integer of at most 16 bits.
    package var number: UInt16? {
        guard kind == .unsigned, 1...2 ~= bytes.count else { return nil }
        return bytes.count == 1 ? UInt16(bytes[0]) : UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    }

    package var uuid: BluetoothUUID? {
        kind == .uuid ? BluetoothUUID(Bytes(Array(bytes.copy().reversed()).span)) : nil
    }
}

/// Data Elements one after another, as far as they are whole.
package struct SDPElements: ~Escapable, Copyable {
    private var rest: Bytes

    @_lifetime(copy bytes)
    package init(_ bytes: Bytes) { rest = bytes }

    /// Whether all octets were read.
    package var isAtEnd: Bool { rest.isEmpty }

    @_lifetime(copy self)
    package mutating func next() -> SDPElement? {
        guard !rest.isEmpty, let kind = SDPElement.Kind(rawValue: rest[0] >> 3) else { return nil }
        let size = rest[0] & 7
        var start = 1
        var length = kind == .null ? 0 : 1 << Int(size)
        if size > 4 {
            start += 1 << Int(size - 5)
            guard rest.count >= start else { return nil }
            length = 0
            for index in 1..<start { length = length << 8 | Int(rest[index]) }
        }
        guard rest.count - start >= length else { return nil }
        let element = SDPElement(kind, rest.dropFirst(start).prefix(length))
        rest = rest.dropFirst(start + length)
        return element
    }
}

/// The attributes in a response of the Service Discovery Protocol. Core Specification, Vol 3, Part B, 4.2, 4.6 and 4.7.
package struct SDPAttributesResponse: ~Escapable, Copyable {
    /// Whether it lists attributes of several services.
    package let isOfSeveral: Bool
    /// Octets of the list, or a part of them.
    package let list: Bytes
    /// The client requests more.
    package let hasMore: Bool

    private static let attribute: UInt8 = 0x05
    private static let searchAttribute: UInt8 = 0x07

    /// nil if it is another PDU, or is not whole.
    @_lifetime(copy bytes)
    package init?(_ bytes: Bytes) {
        guard bytes.count >= 8, bytes[0] == Self.attribute || bytes[0] == Self.searchAttribute else { return nil }
        let length = Int(bytes[5]) << 8 | Int(bytes[6])
        guard bytes.count > 7 + length else { return nil }
        isOfSeveral = bytes[0] == Self.searchAttribute
        list = bytes.dropFirst(7).prefix(length)
        hasMore = bytes[7 + length] > 0
    }
}

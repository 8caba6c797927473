import AttlasDissection
import AttlasWire

/// The octets of an attribute value or a packet, as far as an output may show them.
///
/// `AttlasValues` hands out octets only in this type: nothing else decides whether they are withheld.
public struct ShownOctets: ~Escapable, Copyable {
    private let all: Bytes
    /// They hold a key, or may hold one.
    public let isWithheld: Bool

    @inline(__always)
    @_lifetime(copy octets)
    init(_ octets: Bytes, isWithheld: Bool) {
        all = octets
        self.isWithheld = isWithheld
    }

    /// Octets that a definition has read.
    @inline(__always)
    @_lifetime(copy octets)
    public init(_ octets: Bytes, _ dissection: borrowing Dissection, of dissector: Dissector) {
        self.init(octets, isWithheld: dissector.holdsKey(dissection))
    }

    /// nil if they are withheld.
    public var bytes: Bytes? {
        @inline(__always) @_lifetime(copy self) get { isWithheld ? nil : all }
    }

    /// Number of octets, withheld or not.
    public var count: Int { all.count }

    func copy() -> [UInt8] { all.copy() }

    /// Octets of fields that hold no key, which are shown even if the value is withheld. None of a secret field, and none that
    /// could be one's.
    @inline(__always)
    @_lifetime(copy self)
    public func octets(of field: DissectedField, by dissector: Dissector) -> Bytes {
        let isOpen =
            !isWithheld
            || field.field != DissectedField.unexplainedOctets && dissector.fields[Int(field.field)].type != .secret
        return isOpen ? all.slice(field.range) : all.prefix(0)
    }

    /// The octets after the first `count`.
    @_lifetime(copy self)
    public func dropFirst(_ count: Int) -> ShownOctets { ShownOctets(all.dropFirst(count), isWithheld: isWithheld) }
}

/// A copy of octets, for use after their event. Only a `ValueInterpreter` decides whether they are shown.
public struct StoredOctets: Sendable {
    private(set) var octets: [UInt8]

    init(_ octets: [UInt8]) {
        self.octets = octets
    }

    /// No octets.
    public init() {
        octets = []
    }

    /// Number of octets.
    public var count: Int { octets.count }

    /// Reuses the memory of the octets before.
    mutating func replace(with new: Bytes?) {
        octets.removeAll(keepingCapacity: true)
        new?.append(to: &octets)
    }
}

/// Octets borrowed from the read buffer.
///
/// Every load of an integer from memory in attlas happens in this file, and every load is checked: a mistake of ours stops the program and
/// never reads beyond the buffer. Data from the air is checked before, once, in the initializer of the view that reads it. Bluetooth is
/// little-endian; the big-endian loads are for capture files.
public struct Bytes: ~Escapable, Copyable {
    @usableFromInline let span: RawSpan

    @inlinable
    @_lifetime(copy span)
    init(_ span: RawSpan) {
        self.span = span
    }

    /// Borrows the octets for its lifetime.
    @inlinable
    @_lifetime(copy octets)
    public init(_ octets: Span<UInt8>) {
        // Octets are raw memory as they are.
        self.span = unsafe octets.bytes
    }

    /// Number of octets.
    @inlinable public var count: Int { span.byteCount }
    /// Whether `count` is 0.
    @inlinable public var isEmpty: Bool { span.byteCount == 0 }

    /// Octet at an offset below `count`.
    @inlinable
    public subscript(_ offset: Int) -> UInt8 {
        load(offset, as: UInt8.self)
    }

    /// Signed octet.
    @inlinable
    public func int8(at offset: Int) -> Int8 {
        Int8(bitPattern: self[offset])
    }

    /// 16 bits, little-endian.
    @inlinable
    public func uint16(at offset: Int) -> UInt16 {
        UInt16(littleEndian: load(offset, as: UInt16.self))
    }

    /// 24 bits, little-endian.
    @inlinable
    public func uint24(at offset: Int) -> UInt32 {
        UInt32(uint16(at: offset)) | UInt32(self[offset &+ 2]) << 16
    }

    /// 32 bits, little-endian.
    @inlinable
    public func uint32(at offset: Int) -> UInt32 {
        UInt32(littleEndian: load(offset, as: UInt32.self))
    }

    /// 48 bits, little-endian, as in a device address.
    @inlinable
    public func uint48(at offset: Int) -> UInt64 {
        UInt64(uint32(at: offset)) | UInt64(uint16(at: offset &+ 4)) << 32
    }

    /// 64 bits, little-endian.
    @inlinable
    public func uint64(at offset: Int) -> UInt64 {
        UInt64(littleEndian: load(offset, as: UInt64.self))
    }

    /// 128 bits, little-endian.
    @inlinable
    public func uint128(at offset: Int) -> UInt128 {
        UInt128(uint64(at: offset)) | UInt128(uint64(at: offset &+ 8)) << 64
    }

    /// 16 bits, big-endian.
    @inlinable
    public func bigEndianUInt16(at offset: Int) -> UInt16 {
        UInt16(bigEndian: load(offset, as: UInt16.self))
    }

    /// 32 bits, big-endian.
    @inlinable
    public func bigEndianUInt32(at offset: Int) -> UInt32 {
        UInt32(bigEndian: load(offset, as: UInt32.self))
    }

    /// 64 bits, big-endian.
    @inlinable
    public func bigEndianUInt64(at offset: Int) -> UInt64 {
        UInt64(bigEndian: load(offset, as: UInt64.self))
    }

    /// The octets of `range`, which must lie inside.
    @inlinable
    @_lifetime(copy self)
    public func slice(_ range: Range<Int>) -> Bytes {
        Bytes(span.extracting(range))
    }

    /// At most the first `length` octets.
    @inlinable
    @_lifetime(copy self)
    public func prefix(_ length: Int) -> Bytes {
        Bytes(span.extracting(first: min(length, count)))
    }

    /// The octets after the first `length`; nothing when there are fewer.
    @inlinable
    @_lifetime(copy self)
    public func dropFirst(_ length: Int) -> Bytes {
        Bytes(span.extracting(droppingFirst: min(length, count)))
    }

    /// Appends the octets to `buffer`.
    public func append(to buffer: inout [UInt8]) {
        unsafe span.withUnsafeBytes { unsafe buffer.append(contentsOf: $0) }
    }

    /// A copy that outlives the record. Only for storage: reassembly, queues, last values.
    public func copy() -> [UInt8] {
        unsafe span.withUnsafeBytes { unsafe Array($0) }
    }

    /// Hands `body` the octets, to be copied.
    @inlinable
    package func withUnsafeOctets<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe span.withUnsafeBytes { unsafe body($0) }
    }

    /// Whether both have the same octets.
    public func isEqual(to other: borrowing Bytes) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else {
            for offset in 0..<count where self[offset] != other[offset] { return false }
            return true
        }
        // Eight octets at once, of which the last eight may have been compared before.
        var offset = 0
        while offset < count {
            let place = min(offset, count &- 8)
            guard uint64(at: place) == other.uint64(at: place) else { return false }
            offset &+= 8
        }
        return true
    }

    @inlinable
    func load<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
        precondition(offset >= 0 && offset <= count &- MemoryLayout<Value>.size, "load beyond the view")
        return unsafe span.unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }
}

extension StaticString {
    /// The octets of a literal, which lives as long as the program.
    @inlinable
    package var octets: Span<UInt8> {
        @_lifetime(immortal) get {
            let span = unsafe Span(_unsafeStart: utf8Start, count: utf8CodeUnitCount)
            return unsafe _overrideLifetime(span, copying: ())
        }
    }
}

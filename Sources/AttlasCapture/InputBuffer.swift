import AttlasWire
import Glibc

/// The one buffer through which a capture is read: octets of the file from `offset` on.
///
/// It holds what the format asked for at once (a record, a block) and grows to twice that, never further. A pipe is read
/// only when what was asked for is not there yet, so that a record is handed on as soon as its last octet arrived.
struct InputBuffer: ~Copyable {
    /// One read's worth: from here on larger reads gain nothing measurable.
    static let initialCapacity = 256 << 10

    private let source: ByteSource
    private var storage: [UInt8]
    /// The unread part of `storage`.
    private var start = 0
    private var end: Int
    private var isAtEnd: Bool
    /// The file offset of the first unread octet.
    private(set) var offset: UInt64 = 0

    var name: String { source.name }

    init(_ source: consuming ByteSource) {
        self.source = source
        storage = [UInt8](repeating: 0, count: Self.initialCapacity)
        end = 0
        isAtEnd = false
    }

    /// A capture in memory, read in place.
    init(_ bytes: [UInt8], name: String) {
        source = ByteSource(name: name) { _ in .octets(0) }
        storage = bytes
        end = bytes.count
        isAtEnd = true
    }

    /// Octets that can be looked at without reading on.
    var available: Int { end &- start }

    /// The unread octets.
    var bytes: Bytes {
        @inline(__always)
        @_lifetime(borrow self) get { Bytes(storage.span.bytes).slice(start..<end) }
    }

    /// What the ranges that `place` gave are in, until the next `fill`.
    var buffer: Bytes {
        @inline(__always)
        @_lifetime(borrow self) get { Bytes(storage.span.bytes) }
    }

    /// The octets at a range that `place` gave, until the next `fill`.
    @inline(__always)
    @_lifetime(borrow self)
    func bytes(at place: Range<Int>) -> Bytes {
        Bytes(storage.span.bytes).slice(place)
    }

    /// Where in the buffer `length` unread octets are that lie `distance` ahead.
    @inline(__always)
    func place(_ distance: Int, _ length: Int) -> Range<Int> {
        start &+ distance..<start &+ distance &+ length
    }

    /// Reads until `need` octets are there or the file ends; returns whether they are.
    @inline(__always)
    mutating func fill(_ need: Int) throws(CaptureError) -> Bool {
        if available >= need { return true }
        return try read(need)
    }

    @inline(never)
    private mutating func read(_ need: Int) throws(CaptureError) -> Bool {
        while available < need {
            guard !isAtEnd else { return false }
            makeRoom(need)
            switch readOnce() {
            case .octets(0): isAtEnd = true
            case .octets(let count): end += count
            case .failed(let number):
                throw CaptureError(number, reading: name, at: offset + UInt64(available))
            case .damaged(let reason):
                throw CaptureError(
                    .damaged, file: name, offset: offset + UInt64(available), reason,
                    advice: CaptureError.damagedAdvice)
            case .excessive(let reason):
                throw CaptureError(
                    .damaged, file: name, offset: offset + UInt64(available), reason,
                    advice: "Decompress it first, if you know what it is.")
            }
        }
        return true
    }

    /// Moves behind `count` octets that are there.
    @inline(__always)
    mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= available, "octets consumed that were never there")
        start &+= count
        offset &+= UInt64(bitPattern: Int64(count))
    }

    /// Hands on what is there or comes with the next read, as much as `buffer` holds; returns how much, 0 at the end.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
        guard try fill(1) else { return 0 }
        let count = min(buffer.count, available)
        let taken = start..<start + count
        storage.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken])) }
        consume(count)
        return count
    }

    /// Moves behind the next `text`; false when there is none, and all is consumed.
    mutating func skip(behind text: StaticString) throws(CaptureError) -> Bool {
        let length = text.utf8CodeUnitCount
        while try fill(length) {
            let unread = start..<end
            let found = storage.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[unread]).offset(of: text) }
            // What is left may be its beginning.
            consume(found.map { $0 + length } ?? available - length + 1)
            if found != nil { return true }
        }
        consume(available)
        return false
    }

    /// Moves behind `count` octets without keeping them; returns how many there were.
    mutating func skip(_ count: Int) throws(CaptureError) -> Int {
        var left = count
        while left > 0, try fill(1) {
            let step = min(left, available)
            consume(step)
            left -= step
        }
        return count - left
    }

    private mutating func readOnce() -> ByteSource.Outcome {
        let free = end..<storage.count
        return storage.withUnsafeMutableBytes { buffer in
            source.read(UnsafeMutableRawBufferPointer(rebasing: buffer[free]))
        }
    }

    /// After this, `need` octets fit behind `start`, and a read is worth its call.
    ///
    /// Room for twice as many keeps a search, which asks for them again at every step, from moving them at every step.
    private mutating func makeRoom(_ need: Int) {
        if storage.count < 2 * need {
            var larger = [UInt8](repeating: 0, count: 2 * need)
            larger.replaceSubrange(0..<available, with: storage[start..<end])
            storage = larger
        } else if start >= storage.count / 2 || storage.count - start < need {
            storage.withUnsafeMutableBytes { buffer in
                guard let base = buffer.baseAddress else { return }
                base.copyMemory(from: base + start, byteCount: end - start)
            }
        } else {
            return
        }
        end -= start
        start = 0
    }
}

extension UnsafeRawBufferPointer {
    /// Where `text`, which is not empty, begins.
    fileprivate func offset(of text: StaticString) -> Int? {
        guard let base = baseAddress else { return nil }
        var offset = 0
        let last = count - text.utf8CodeUnitCount
        while offset <= last {
            guard let found = memchr(base + offset, CInt(text.utf8Start.pointee), last - offset + 1) else { return nil }
            offset = UnsafeRawPointer(found) - base
            if memcmp(found, text.utf8Start, text.utf8CodeUnitCount) == 0 { return offset }
            offset += 1
        }
        return nil
    }
}

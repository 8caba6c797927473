import AttlasWire

/// The one buffer through which a capture is read: octets of the file from `offset` on.
///
/// It holds the octets that the format requested at once (a record, a block) and grows to at most twice that. A pipe is read
/// only while requested octets are missing, so that a record is returned when its last octet has arrived.
package struct InputBuffer: ~Copyable {
    /// One read's worth: from here on larger reads gain nothing measurable.
    static let initialCapacity = 256 << 10

    private let source: ByteSource
    private var storage: [UInt8]
    /// Where the unread part of `storage` begins.
    private var start = 0
    private var isAtEnd: Bool
    /// The file offset of the first unread octet.
    package private(set) var offset: UInt64 = 0

    package var name: String { source.name }
    /// The kind of hex dump, if it is one.
    package var textKind: TextKind?
    /// The recording hardware, if a text around the capture names it.
    var hardware: String?

    /// - Parameter offset: of the first octet that the source gives.
    package init(_ source: consuming ByteSource, offset: UInt64 = 0) {
        self.source = source
        self.offset = offset
        storage = []
        storage.reserveCapacity(Self.initialCapacity)
        isAtEnd = false
    }

    /// A capture in memory, read in place.
    package init(_ bytes: [UInt8], name: String) {
        source = ByteSource(name: name) { _ in .octets }
        storage = bytes
        isAtEnd = true
    }

    /// Octets that can be looked at without reading on.
    package var available: Int { storage.count &- start }

    /// The unread octets.
    package var bytes: Bytes {
        @inline(__always)
        @_lifetime(borrow self) get { Bytes(storage.span).dropFirst(start) }
    }

    /// The octets that ranges from `place` refer to, until the next `fill`.
    var buffer: Bytes {
        @inline(__always)
        @_lifetime(borrow self) get { Bytes(storage.span) }
    }

    /// The octets at a range that `place` gave, until the next `fill`.
    @inline(__always)
    @_lifetime(borrow self)
    func bytes(at place: Range<Int>) -> Bytes {
        Bytes(storage.span).slice(place)
    }

    /// Where in the buffer `length` unread octets are that lie `distance` ahead.
    @inline(__always)
    func place(_ distance: Int, _ length: Int) -> Range<Int> {
        start &+ distance..<start &+ distance &+ length
    }

    /// Reads until `need` octets are available or the file ends; returns whether they are.
    @inline(__always)
    package mutating func fill(_ need: Int) throws(CaptureError) -> Bool {
        if available >= need { return true }
        return try read(need)
    }

    @inline(never)
    private mutating func read(_ need: Int) throws(CaptureError) -> Bool {
        while available < need {
            guard !isAtEnd else { return false }
            makeRoom(need)
            let before = storage.count
            switch readOnce() {
            case .octets: isAtEnd = storage.count == before
            case .failed(let number):
                throw CaptureError(number, reading: name, at: offset + UInt64(available))
            case .shortened: throw CaptureError(shortened: name, at: offset + UInt64(available))
            case .damaged(let reason):
                throw CaptureError(
                    .damaged, file: name, offset: offset + UInt64(available), reason,
                    advice: CaptureError.damagedAdvice)
            case .excessive(let reason):
                throw CaptureError(
                    .damaged, file: name, offset: offset + UInt64(available), reason,
                    advice: "Decompress it first, if it is a compressed file.")
            }
        }
        return true
    }

    /// Moves past `count` octets of the buffer.
    @inline(__always)
    package mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= available, "octets consumed that were never there")
        start &+= count
        offset &+= UInt64(bitPattern: Int64(count))
    }

    /// Moves past `count` octets of the buffer, into a buffer with room for them.
    package mutating func move(_ count: Int, to buffer: inout OutputSpan<UInt8>) {
        for index in start..<start + count { buffer.append(storage[index]) }
        consume(count)
    }

    /// Puts octets made of the consumed ones before the unread ones; returns where they are until the next `fill`.
    mutating func put(_ octets: [UInt8]) -> Range<Int> {
        if start < octets.count {
            storage.replaceSubrange(..<start, with: repeatElement(0, count: octets.count))
            start = octets.count
        }
        let place = start - octets.count
        for index in octets.indices { storage[place + index] = octets[index] }
        return place..<start
    }

    /// Moves past the next `text`; false when there is none, and all is consumed.
    package mutating func skip(after text: StaticString) throws(CaptureError) -> Bool {
        let length = text.utf8CodeUnitCount
        while try fill(length) {
            let found = bytes.offset(of: text)
            // The remaining octets may be its beginning.
            consume(found.map { $0 + length } ?? available - length + 1)
            if found != nil { return true }
        }
        consume(available)
        return false
    }

    /// Moves past `count` octets without keeping them; returns how many there were.
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
        let read = source.read
        var outcome = ByteSource.Outcome.octets
        storage.append(addingCapacity: storage.capacity - storage.count) { outcome = read(&$0) }
        return outcome
    }

    /// After this, `need` octets fit after `start`, and a read is worth its call.
    ///
    /// Room for twice as many keeps a search, which needs them again at every step, from moving them at every step.
    private mutating func makeRoom(_ need: Int) {
        if storage.capacity < 2 * need {
            var larger: [UInt8] = []
            larger.reserveCapacity(2 * need)
            larger.append(contentsOf: storage[start...])
            storage = larger
        } else if start >= storage.capacity / 2 || storage.capacity - start < need {
            storage.removeSubrange(..<start)
        } else {
            return
        }
        start = 0
    }
}

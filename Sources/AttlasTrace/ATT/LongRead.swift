import AttlasWire

/// A value read in parts: a Read Response that filled the MTU, then Read Blob Responses. Core Specification, Vol 3, Part G,
/// 4.8.3. Copies, because it outlives the records.
struct LongRead: Sendable {
    /// Eight times the longest attribute (Part F, 3.2.9).
    static let limit = 4_096

    private(set) var isActive = false
    private(set) var handle: AttributeHandle = 0
    /// Octets of a part that is not the last one.
    private(set) var fullPart = 0
    private(set) var value: [UInt8] = []
    private(set) var frames: [Int] = []

    mutating func begin(_ handle: AttributeHandle, _ part: borrowing Bytes, fullPart: Int, frame: Int) {
        self.handle = handle
        self.fullPart = fullPart
        value.removeAll(keepingCapacity: true)
        frames.removeAll(keepingCapacity: true)
        part.append(to: &value)
        frames.append(frame)
        isActive = true
    }

    /// Takes the next part; whether it was the last one. A part that does not continue the value ends the read.
    mutating func add(_ handle: AttributeHandle, offset: Int, _ part: borrowing Bytes, frame: Int) -> Bool {
        guard isActive, handle == self.handle, offset == value.count, offset + part.count <= Self.limit else {
            end()
            return false
        }
        part.append(to: &value)
        frames.append(frame)
        return part.count < fullPart
    }

    @inline(__always)
    mutating func end() {
        guard isActive else { return }
        isActive = false
        frames.removeAll(keepingCapacity: true)
    }

    /// Octets of memory.
    var heldOctets: Int { value.capacity + frames.capacity * Trace.frameNumberSize }
}

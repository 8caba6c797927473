/// Octets that a live source has made and nobody has taken yet.
struct PendingOctets {
    private var octets: [UInt8] = []
    private var start = 0

    var isEmpty: Bool { start == octets.count }

    /// Moves as many as `buffer` holds.
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, octets.count - start)
        buffer.copyBytes(from: octets[start..<start + count])
        start += count
        if isEmpty {
            octets.removeAll(keepingCapacity: true)
            start = 0
        }
        return count
    }

    mutating func append(_ more: some Sequence<UInt8>) { octets.append(contentsOf: more) }

    mutating func append(bigEndian value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { octets.append(contentsOf: $0) }
    }

    mutating func append(littleEndian value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { octets.append(contentsOf: $0) }
    }
}

import AttlasCapture

/// Octets from a live source that were not read yet.
struct PendingOctets {
    private var octets: [UInt8] = []
    private var start = 0

    var isEmpty: Bool { start == octets.count }

    /// Moves as much as `buffer` holds.
    mutating func take(into buffer: inout OutputSpan<UInt8>) {
        let count = min(buffer.freeCapacity, octets.count - start)
        for octet in octets[start..<start + count] { buffer.append(octet) }
        start += count
        if isEmpty {
            octets.removeAll(keepingCapacity: true)
            start = 0
        }
    }

    mutating func append(_ more: some Sequence<UInt8>) { octets.append(contentsOf: more) }

    mutating func append(bigEndian value: some FixedWidthInteger) {
        octets.append(bigEndian: value)
    }

    mutating func append(littleEndian value: some FixedWidthInteger) {
        octets.append(littleEndian: value)
    }
}

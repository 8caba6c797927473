import AttlasWire

/// Joins the ACL fragments of one direction of one connection into L2CAP frames. Core Specification, Vol 3, Part A, 7.2.
///
/// A frame that comes in one packet never passes through here. The L2CAP header itself may be split.
struct Reassembly: Sendable {
    /// First, because every packet asks (`Connection`).
    var isActive = false
    /// The frame so far, its header included.
    var buffer: [UInt8] = []
    var frames: [Int] = []
    /// Octets of the frame on the air so far: more than `buffer` holds once the capture cut a fragment.
    var received = 0

    enum Step {
        case incomplete
        case complete
        /// A fragment brought more than the frame was to have.
        case excess(Int)
        /// The capture cut the header: its channel or its length is unknown.
        case headerCut
    }

    /// Octets of the whole frame, once its length is known.
    var expected: Int? {
        guard buffer.count >= 2 else { return nil }
        return L2CAPFrame.headerLength + (Int(buffer[0]) | Int(buffer[1]) << 8)
    }

    /// Whether the capture left out octets in the middle, so that later ones have no place.
    var isCut: Bool { received > buffer.count }

    /// Memory for a large frame is given back: every connection may see one.
    mutating func end() {
        if buffer.capacity > 4_096 { buffer = [] }
        if frames.capacity > 512 { frames = [] }
    }

    /// Octets of memory.
    var heldOctets: Int { buffer.capacity + frames.capacity * Trace.frameNumberSize }

    mutating func begin(_ fragment: borrowing Bytes, missing: Int, frame: Int) -> Step {
        buffer.removeAll(keepingCapacity: true)
        frames.removeAll(keepingCapacity: true)
        received = 0
        isActive = true
        return add(fragment, missing: missing, frame: frame)
    }

    mutating func add(_ fragment: borrowing Bytes, missing: Int, frame: Int) -> Step {
        if !isCut { fragment.append(to: &buffer) }
        received += fragment.count + missing
        // An empty fragment adds nothing, and there may be any number of them.
        if fragment.count + missing > 0 { frames.append(frame) }
        if isCut, buffer.count < L2CAPFrame.headerLength {
            isActive = false
            return .headerCut
        }
        guard let expected, received >= expected, received >= L2CAPFrame.headerLength else { return .incomplete }
        isActive = false
        return received == expected ? .complete : .excess(received - expected)
    }
}

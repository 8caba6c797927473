import AttlasWire

/// Values that a client prepared with Prepare Write Requests. Vol 3, Part F, 3.4.6. Copies, because it outlives the records.
struct PrepareQueue: Sendable {
    struct Part: Sendable {
        let handle: AttributeHandle
        let offset: Int
        let range: Range<Int>
        let frame: Int
    }

    /// Thirty times the maximum length of an attribute (512 octets, 3.2.9), in parts of the smallest MTU; beyond it nothing is kept.
    static let limit = 16_384
    static let partLimit = 1_024

    private(set) var parts: [Part] = []
    private(set) var octets: [UInt8] = []
    private(set) var isOverfull = false

    /// Whether this is the first part for which there is no room.
    mutating func append(handle: AttributeHandle, offset: Int, value: borrowing Bytes, frame: Int) -> Bool {
        guard !isOverfull, octets.count + value.count <= Self.limit, parts.count < Self.partLimit else {
            defer { isOverfull = true }
            return !isOverfull
        }
        let start = octets.count
        value.append(to: &octets)
        parts.append(Part(handle: handle, offset: offset, range: start..<octets.count, frame: frame))
        return false
    }

    /// Gives up the parts so far; later ones are left out, too.
    mutating func giveUp() {
        self = PrepareQueue()
        isOverfull = true
    }

    /// Octets of memory.
    var heldOctets: Int { octets.capacity + parts.capacity * MemoryLayout<Part>.stride }

    /// The parts for each attribute, in the order in which the attributes were first written.
    var attributes: [(handle: AttributeHandle, parts: [Part])] {
        var attributes: [(handle: AttributeHandle, parts: [Part])] = []
        var places: [AttributeHandle: Int] = [:]
        for part in parts {
            if let place = places[part.handle] {
                attributes[place].parts.append(part)
            } else {
                places[part.handle] = attributes.count
                attributes.append((part.handle, [part]))
            }
        }
        return attributes
    }

    /// A stretch of an attribute without gaps.
    struct Run {
        let offset: Int
        var value: [UInt8]
        var frames: [Int]
        var end: Int { offset + value.count }
    }

    /// The parts for an attribute, joined where they touch or overlap; a later part replaces the octets of an earlier one.
    func joined(_ parts: [Part]) -> [Run] {
        var runs: [Run] = []
        for part in parts.sorted(by: { $0.offset < $1.offset }) {
            let end = part.offset + part.range.count
            if let last = runs.last, part.offset <= last.end {
                runs[runs.count - 1].value.append(contentsOf: repeatElement(0, count: max(0, end - last.end)))
            } else {
                runs.append(Run(offset: part.offset, value: Array(repeating: 0, count: part.range.count), frames: []))
            }
        }
        for part in parts {
            let run = runs.count(notAbove: part.offset, by: \.offset) - 1
            let place = part.offset - runs[run].offset
            runs[run].value.replaceSubrange(place..<place + part.range.count, with: octets[part.range])
            runs[run].frames.append(part.frame)
        }
        return runs
    }
}

import AttlasWire

/// Records whose octets can be changed before they are handed on, in their order.
package struct EditableRecords {
    private var headers: [RecordHeader] = []
    /// Whether nothing more is changed in the record.
    private var settled: [Bool] = []
    /// Those before it were handed on.
    private var first = 0
    private var octets: [UInt8] = []

    package init() {}

    /// Records that were not handed on.
    package var indices: Range<Int> { first..<headers.count }
    /// Octets of memory.
    package var size: Int { headers.count * MemoryLayout<RecordHeader>.stride + octets.count }

    /// Copies a record, without its comments.
    package mutating func append(_ record: Record) {
        var header = record.copy(to: &octets)
        octets.removeLast(header.options.count)
        header.options = octets.count..<octets.count
        headers.append(header)
        settled.append(false)
    }

    /// The record as it is now.
    package subscript(index: Int) -> Record {
        @_lifetime(borrow self) get {
            Record(headers.span.extracting(index..<index + 1), in: Bytes(octets.span))
        }
    }

    /// Copies octets of the record after those in `copy`.
    ///
    /// - Parameter range: nil for all of them.
    package func copy(_ index: Int, _ range: Range<Int>? = nil, to copy: inout [UInt8]) {
        let place = headers[index].place
        let start = place.lowerBound
        copy += octets[range.map { start + $0.lowerBound..<start + $0.upperBound } ?? place]
    }

    /// The last record with this number, if it was not handed on.
    package func index(ofFrame frame: Int) -> Int? {
        // Nearly always the last one.
        var (low, high) = (first, headers.count)
        if high > low, headers[high - 1].frame == frame { return high - 1 }
        while low < high {
            let middle = (low + high) / 2
            if headers[middle].frame <= frame { low = middle + 1 } else { high = middle }
        }
        return low > first && headers[low - 1].frame == frame ? low - 1 : nil
    }

    /// Octets of the record from `start` on.
    package mutating func replace(_ index: Int, from start: Int, with new: ArraySlice<UInt8>) {
        let place = headers[index].place.lowerBound + start
        precondition(place + new.count <= headers[index].place.upperBound, "beyond the record")
        var room = octets.mutableSpan
        for (offset, octet) in new.enumerated() { room[place + offset] = octet }
    }

    /// Gives the last record other octets, of a packet from the air that was decrypted.
    package mutating func decryptLast(to new: [UInt8]) {
        let last = headers.count - 1
        guard var radio = headers[last].radio else { return }
        let start = headers[last].place.lowerBound
        octets.replaceSubrange(start..., with: new)
        headers[last].place = start..<octets.count
        headers[last].options = octets.count..<octets.count
        radio.isDecrypted = true
        headers[last].content = .air(radio)
        radio.note(decryptionIn: &octets, before: start, framing: Int(headers[last].framing))
    }

    package mutating func settle(_ index: Int) { settled[index] = true }
    package func isSettled(_ index: Int) -> Bool { settled[index] }

    /// Hands on the records before the first that is not settled.
    package mutating func release(_ body: (Record) -> Void) {
        while first < headers.count, settled[first] {
            body(self[first])
            first += 1
        }
        if first == headers.count {
            headers.removeAll(keepingCapacity: true)
            settled.removeAll(keepingCapacity: true)
            octets.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 4_096 {
            let begin = headers[first].place.lowerBound - Int(headers[first].framing)
            octets.removeFirst(begin)
            headers.removeFirst(first)
            settled.removeFirst(first)
            for index in headers.indices { headers[index].move(by: -begin) }
            first = 0
        }
    }
}

extension RecordHeader {
    fileprivate mutating func move(by distance: Int) {
        place = place.lowerBound + distance..<place.upperBound + distance
        options = options.lowerBound + distance..<options.upperBound + distance
    }
}

import AttlasInput
import AttlasWire

/// A capture file as damage leaves it: cut, with lengths that lie, with octets changed anywhere.
package struct FileMutations {
    let contents: [UInt8]
    /// Length fields of records, and of the packets in them.
    private(set) var lengthFields: [LengthField] = []
    /// Where records begin. Empty inside an archive, where places are not those of the file.
    private var recordPlaces: [Int] = []

    /// The place of a length, its octets, and its record.
    struct LengthField: Sendable {
        var place: Int
        var width: Int
        var record: Int
    }

    package init(_ contents: [UInt8], name: String) {
        self.contents = contents
        findLengths(name)
    }

    /// Truncated at every octet of the first `limit`.
    func truncations(limit: Int = 4_096) -> some Sequence<[UInt8]> {
        (0..<min(limit, contents.count)).lazy.map { Array(contents[..<$0]) }
    }

    /// Each length as 0, 1, and its maximum, in either octet order: in a file of the capture's header and the records around the lie, so
    /// that the work grows with the capture's length and not with its square.
    func lies(recordsBefore: Int = 8, recordsBehind: Int = 24) -> some Sequence<[UInt8]> {
        lengthFields.lazy.flatMap { field in
            let start = recordPlaces[max(0, field.record - recordsBefore)]
            let behind = field.record + 1 + recordsBehind
            let end = behind < recordPlaces.count ? recordPlaces[behind] : contents.count
            let header = contents[..<recordPlaces[0]]
            return [0, 1, 2, 3].map { lie in
                var copy = Array(header + contents[start..<end])
                let place = field.place - start + header.count
                copy.replaceSubrange(place..<place + field.width, with: Self.lie(lie, field.width))
                return copy
            }
        }
    }

    private static func lie(_ number: Int, _ width: Int) -> [UInt8] {
        var octets = [UInt8](repeating: number == 3 ? 0xFF : 0, count: width)
        if number == 1 { octets[0] = 1 }
        if number == 2 { octets[width - 1] = 1 }
        return octets
    }

    /// From one to eight changes anywhere.
    func random(_ generator: inout SeededGenerator) -> [UInt8] {
        var copy = contents
        for _ in 0...generator.below(8) where !copy.isEmpty {
            let place = generator.below(copy.count)
            switch generator.below(10) {
            case 0: copy[place] ^= 1 << UInt8(generator.below(8))
            case 1: copy[place] = generator.octet()
            case 2: copy[place] = generator.pick([0, 1, 0x7F, 0x80, 0xFF])
            case 3: copy.removeSubrange(place..<min(copy.count, place + 1 + generator.below(8)))
            case 4: copy.insert(contentsOf: (0...generator.below(8)).map { _ in generator.octet() }, at: place)
            case 5: copy.removeSubrange(place...)
            case 6:
                let part = copy[place..<min(copy.count, place + generator.below(512))]
                copy.insert(contentsOf: part, at: generator.below(copy.count))
            case 7:
                let injection = generator.pick(RecordMutator.injections)
                copy.replaceSubrange(place..<min(copy.count, place + injection.count), with: injection)
            default:
                guard !lengthFields.isEmpty else { continue }
                let field = lengthFields[generator.below(lengthFields.count)]
                guard field.place + field.width <= copy.count else { continue }
                copy.replaceSubrange(
                    field.place..<field.place + field.width, with: Self.lie(generator.below(4), field.width))
            }
        }
        return copy
    }

    // MARK: Lengths

    /// Length fields of records, by the format: their places from the beginning of a record.
    private static func recordLengths(_ format: String) -> [(place: Int, width: Int)] {
        switch format {
        case "btsnoop": [(0, 4), (4, 4)]
        case "pcap": [(8, 4), (12, 4)]
        case "pcapng": [(4, 4), (20, 4), (24, 4)]
        case "hcidump": [(0, 2)]
        case "PacketLogger": [(0, 4)]
        default: []
        }
    }

    private mutating func findLengths(_ name: String) {
        guard var reader = try? CaptureReader(bytes: contents, name: name) else { return }
        let lengths = Self.recordLengths(reader.info.format)
        guard reader.info.file == name, !lengths.isEmpty else { return }
        var packet: (count: Int, lengths: [(place: Int, width: Int)])?
        func add(_ fields: [(place: Int, width: Int)], from start: Int) {
            lengthFields += fields.map {
                LengthField(place: start + $0.place, width: $0.width, record: recordPlaces.count - 1)
            }
        }
        func close(_ end: Int) {
            if let (count, lengths) = packet { add(lengths, from: end - count) }
        }
        while let record = try? reader.next() {
            let start = Int(record.offset)
            close(start)
            recordPlaces.append(start)
            add(lengths, from: start)
            packet = (record.bytes.count, Self.packetLengths(record))
        }
        close(contents.count)
        lengthFields.removeAll { $0.place < recordPlaces[$0.record] || $0.place + $0.width > contents.count }
    }

    /// Length fields of HCI, ACL and L2CAP, from the beginning of the packet.
    private static func packetLengths(_ record: borrowing Record) -> [(place: Int, width: Int)] {
        switch record.content {
        case .packet(.command): record.bytes.count > 2 ? [(2, 1)] : []
        case .packet(.event): record.bytes.count > 1 ? [(1, 1)] : []
        case .packet(.acl): record.bytes.count > 8 ? [(2, 2), (4, 2)] : []
        default: []
        }
    }
}

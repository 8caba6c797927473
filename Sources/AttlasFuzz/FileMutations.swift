import AttlasCapture
import AttlasWire

/// A capture file as damage leaves it: cut, with lengths that lie, with octets changed anywhere.
public struct FileMutations {
    public let contents: [UInt8]
    /// Where lengths stand, and how many octets each has: of records, and of the packets in them.
    public let lengthFields: [(place: Int, width: Int)]

    public init(_ contents: [UInt8], name: String) {
        self.contents = contents
        lengthFields = Self.findLengths(contents, name)
    }

    /// Truncated at every octet of the first `limit`.
    public func truncations(limit: Int = 4_096) -> some Sequence<[UInt8]> {
        (0..<min(limit, contents.count)).lazy.map { Array(contents[..<$0]) }
    }

    /// Each length as 0, 1, and the most that it can say, in either octet order.
    public func lies() -> some Sequence<[UInt8]> {
        lengthFields.lazy.flatMap { place, width in
            [0, 1, 2, 3].map { lie in
                var copy = contents
                copy.replaceSubrange(place..<place + width, with: Self.lie(lie, width))
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
    public func random(_ generator: inout SeededGenerator) -> [UInt8] {
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
                let (field, width) = lengthFields[generator.below(lengthFields.count)]
                guard field + width <= copy.count else { continue }
                copy.replaceSubrange(field..<field + width, with: Self.lie(generator.below(4), width))
            }
        }
        return copy
    }

    // MARK: Lengths

    /// Of records, by the format: where their lengths stand, from the beginning of a record.
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

    private static func findLengths(_ contents: [UInt8], _ name: String) -> [(place: Int, width: Int)] {
        var fields: [(place: Int, width: Int)] = []
        guard var reader = try? CaptureReader(bytes: contents, name: name) else { return [] }
        let lengths = recordLengths(reader.info.format)
        // Inside an archive, places are not those of the file.
        guard reader.info.file == name, !lengths.isEmpty else { return [] }
        var packet: (count: Int, lengths: [(place: Int, width: Int)])?
        func close(_ end: Int) {
            guard let (count, lengths) = packet else { return }
            fields += lengths.map { (end - count + $0.place, $0.width) }
            packet = nil
        }
        while let record = try? reader.next() {
            let start = Int(record.offset)
            close(start)
            fields += lengths.map { (start + $0.place, $0.width) }
            packet = (record.bytes.count, packetLengths(record))
        }
        close(contents.count)
        return fields.filter { $0.place >= 0 && $0.place + $0.width <= contents.count }
    }

    /// Of HCI, ACL and L2CAP, from the beginning of the packet.
    private static func packetLengths(_ record: borrowing Record) -> [(place: Int, width: Int)] {
        switch record.content {
        case .packet(.command): record.bytes.count > 2 ? [(2, 1)] : []
        case .packet(.event): record.bytes.count > 1 ? [(1, 1)] : []
        case .packet(.acl): record.bytes.count > 8 ? [(2, 2), (4, 2)] : []
        default: []
        }
    }
}

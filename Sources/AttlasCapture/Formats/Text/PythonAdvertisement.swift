import AttlasWire

extension Bytes {
    /// Python's text of an advertisement: "local_name='Probe', manufacturer_data={16473: b'\\x00'}, rssi=-61".
    ///
    /// - Returns: AD structures (Core Specification Supplement, Part A) for its parts, and dBm.
    var advertisement: (octets: [UInt8], rssi: Int)? {
        var octets: [UInt8] = []
        func append(_ type: UInt8, _ content: [UInt8]) {
            guard content.count < 0xFF else { return }
            octets += [UInt8(content.count + 1), type] + content
        }
        if let place = offset(of: "local_name='"), let end = dropFirst(place + 12).offset(of: "'") {
            append(0x09, slice(place + 12..<place + 12 + end).copy())
        }
        let uuids = offset(of: "service_uuids=[").map { dropFirst($0 + 15).quotedUUIDs } ?? []
        let short = uuids.filter { $0.count == 2 }
        if !short.isEmpty { append(0x03, short.flatMap { $0 }) }
        for uuid in uuids where uuid.count == 16 { append(0x07, uuid) }
        if let place = offset(of: "manufacturer_data={") {
            forEachPair(from: place + 19) { key, data in
                guard let company = key.number(at: 0, radix: 10).flatMap({ UInt16(exactly: $0) }) else { return }
                append(0xFF, company.littleEndianOctets + data)
            }
        }
        if let place = offset(of: "service_data={") {
            forEachPair(from: place + 14) { key, data in
                guard let uuid = key.dropFirst(1).uuid else { return }
                append(uuid.octets.count == 2 ? 0x16 : 0x21, uuid.octets + data)
            }
        }
        guard !octets.isEmpty else { return nil }
        guard let place = offset(of: "rssi="), case let start = place + 5, start < count else { return (octets, 127) }
        let isNegative = self[start] == UInt8(ascii: "-")
        let value = number(at: start + (isNegative ? 1 : 0), radix: 10) ?? 127
        return (octets, isNegative ? -value : value)
    }

    /// The keys of a dictionary of Python, whose values are octets: "16473: b'\\x00', 76: b'\\x02'}".
    private func forEachPair(from start: Int, _ body: (borrowing Bytes, [UInt8]) -> Void) {
        var place = start
        while place < count, let colon = dropFirst(place).offset(of: ": b"),
            let (data, end) = dropFirst(place + colon + 2).pythonLiteral
        {
            body(slice(place..<place + colon), data)
            place += colon + 2 + end
            guard contains(", ", at: place) else { return }
            place += 2
        }
    }

    /// "'0000180d-…', '0000180f-…']".
    private var quotedUUIDs: [[UInt8]] {
        var found: [[UInt8]] = []
        var place = 0
        while found.count < 32, place + 1 < count, self[place] == UInt8(ascii: "'"),
            let uuid = dropFirst(place + 1).uuid
        {
            found.append(uuid.octets)
            place += uuid.end + 2
            if contains(", ", at: place) { place += 2 }
        }
        return found
    }
}

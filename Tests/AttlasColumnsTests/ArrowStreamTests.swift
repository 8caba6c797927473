import AttlasColumns
import AttlasTables
import AttlasTestSupport
import AttlasText
import Testing

/// The octets of a stream, read as Arrow's and FlatBuffers' pages describe them. Programs that read Arrow are asked in Python/tests.
@Suite struct ArrowStreamTests {
    /// A table of a FlatBuffer. https://flatbuffers.dev/internals
    struct Flat {
        let octets: [UInt8]
        let start: Int

        init(_ octets: [UInt8]) {
            self.octets = octets
            start = Int(Self.number(octets, 0, 4))
        }

        private init(_ octets: [UInt8], at start: Int) {
            self.octets = octets
            self.start = start
        }

        static func number(_ octets: [UInt8], _ place: Int, _ width: Int) -> UInt64 {
            precondition(place.isMultiple(of: width), "a number out of line")
            return (0..<width).reduce(0) { $0 | UInt64(octets[place + $1]) << UInt64($1 * 8) }
        }

        /// Where a field is; nil if it has its default.
        private func place(_ field: Int) -> Int? {
            let places = start - Int(Int32(bitPattern: UInt32(Self.number(octets, start, 4))))
            guard 4 + field * 2 < Self.number(octets, places, 2) else { return nil }
            let offset = Int(Self.number(octets, places + 4 + field * 2, 2))
            return offset == 0 ? nil : start + offset
        }

        func number(_ field: Int, _ width: Int) -> UInt64? { place(field).map { Self.number(octets, $0, width) } }

        /// The number of elements of a vector, and where they begin.
        private func vector(_ field: Int) -> (count: Int, start: Int)? {
            place(field).map { place in
                let start = place + Int(Self.number(octets, place, 4))
                return (Int(Self.number(octets, start, 4)), start + 4)
            }
        }

        func text(_ field: Int) -> String? {
            vector(field).map { vector in
                precondition(octets[vector.start + vector.count] == 0, "a text without an end")
                return String(decoding: octets[vector.start..<vector.start + vector.count], as: UTF8.self)
            }
        }

        func table(_ field: Int) -> Flat? {
            place(field).map { Flat(octets, at: $0 + Int(Self.number(octets, $0, 4))) }
        }

        func tables(_ field: Int) -> [Flat] {
            guard let vector = vector(field) else { return [] }
            return (0..<vector.count).map { index in
                let place = vector.start + index * 4
                return Flat(octets, at: place + Int(Self.number(octets, place, 4)))
            }
        }

        func pairs(_ field: Int) -> [(first: Int, second: Int)] {
            guard let vector = vector(field) else { return [] }
            return (0..<vector.count).map { index in
                let place = vector.start + index * 16
                return (Int(Self.number(octets, place, 8)), Int(Self.number(octets, place + 8, 8)))
            }
        }
    }

    struct Message {
        /// Of the union MessageHeader: 1 Schema, 2 DictionaryBatch, 3 RecordBatch.
        let kind: UInt64
        let header: Flat
        let body: [UInt8]
    }

    private func messages(_ stream: [UInt8]) throws -> [Message] {
        var messages: [Message] = []
        var place = 0
        while true {
            try #require(Array(stream[place..<place + 4]) == [0xFF, 0xFF, 0xFF, 0xFF])
            let length = Int(Flat.number(stream, place + 4, 4))
            place += 8
            if length == 0 { break }
            try #require(length.isMultiple(of: 8))
            let message = Flat(Array(stream[place..<place + length]))
            place += length
            // MetadataVersion.V5
            expect(message.number(0, 2), equals: 4)
            let bodyLength = Int(try #require(message.number(3, 8)))
            try #require(bodyLength.isMultiple(of: 8))
            messages.append(
                Message(
                    kind: try #require(message.number(1, 1)), header: try #require(message.table(2)),
                    body: Array(stream[place..<place + bodyLength])))
            place += bodyLength
        }
        expect(place, equals: stream.count)
        return messages
    }

    private func stream(_ table: Table, _ packets: [Packet]) -> [UInt8] {
        final class Kept {
            var stream: ArrowStream
            init(_ table: Table) { stream = ArrowStream(table, to: .keeping()) }
        }
        let kept = Kept(table)
        _ = document(of: packets) {
            TableWriter(ArrowSink([table]) { kept.stream.write($0) }, capture: 7, values: $0)
        }
        kept.stream.finish()
        return kept.stream.output.kept ?? []
    }

    private static let conversation: [Packet] = [
        .connected(),
        // Read By Type: Heart Rate Measurement, at 0x0010. Vol 3, Part F, 3.4.4.1.
        .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0F00 10 1000 372A"),
        .att(.rx, "1B 1000 01 2C01"),
    ]

    /// The types of Schema.fbs, by their number in the union Type.
    @Test func theSchemaHasTheColumnsOfTheTable() throws {
        let schema = try #require(try messages(stream(.advertisements, [])).first)
        #expect(schema.kind == 1 && schema.body.isEmpty)
        let fields = schema.header.tables(1)
        expect(fields.map { $0.text(0) }, equals: Table.advertisements.columns.map(\.name))
        for (field, column) in zip(fields, Table.advertisements.columns) {
            expect((field.number(1, 1) ?? 0 != 0), equals: column.isOptional)
            let type: UInt64 =
                switch column.kind {
                case .integer: 2
                case .real: 3
                case .octets: 4
                case .text, .word: 5
                case .boolean: 6
                case .time: 10
                case .duration: 18
                }
            expect(field.number(2, 1), equals: type, "\(column.name)")
            expect(field.table(4) != nil, equals: column.kind == .word)
            expect(field.tables(6).map { $0.text(1) }, equals: column.unit.map { [$0] } ?? [])
        }
        let time = try #require(fields.first { $0.text(0) == "time" }?.table(3))
        // TimeUnit.NANOSECOND
        #expect(time.number(0, 2) == 3 && time.text(1) == "UTC")
        let frame = try #require(fields.first { $0.text(0) == "frame" }?.table(3))
        #expect(frame.number(0, 4) == 64 && frame.number(1, 1) == 1)
    }

    @Test func aTableWithoutRowsHasASchemaAndAnEnd() throws {
        try expect(messages(stream(.advertisements, [])).map(\.kind), equals: [1])
    }

    @Test func rowsLieWhereTheMessageSays() throws {
        let messages = try messages(stream(.operations, Self.conversation))
        let columns = Table.operations.columns
        let words = columns.indices.filter { columns[$0].kind == .word }
        // The words of each column, then the rows.
        expect(messages.map(\.kind), equals: [1] + words.map { _ in 2 } + [3])
        let batch = try #require(messages.last)
        expect(batch.header.number(0, 8), equals: 3)
        expect(batch.header.pairs(1).map(\.first), equals: columns.map { _ in 3 })
        let buffers = batch.header.pairs(2)
        expect(buffers.count, equals: columns.reduce(0) { $0 + ($1.kind == .text || $1.kind == .octets ? 3 : 2) })
        #expect(buffers.allSatisfy { $0.first.isMultiple(of: 8) && $0.first + $0.second <= batch.body.count })
        // capture, operation, frame: two buffers each, of which the first is empty where no row has nothing.
        for (column, expected) in [(0, [7, 7, 7]), (1, [1, 2, 3]), (2, [2, 3, 4])] as [(Int, [UInt64])] {
            #expect(buffers[column * 2].second == 0 && batch.header.pairs(1)[column].second == 0)
            let start = buffers[column * 2 + 1].first
            expect((0..<3).map { Flat.number(batch.body, start + $0 * 8, 8) }, equals: expected)
        }
        // The characteristic is known of the last row alone.
        let place = try #require(columns.firstIndex { $0.name == "characteristic" })
        let before = columns[..<place].reduce(0) { $0 + ($1.kind == .text || $1.kind == .octets ? 3 : 2) }
        expect(batch.header.pairs(1)[place].second, equals: 2)
        expect(batch.body[buffers[before].first] & 0b111, equals: 0b100)
        expect(Flat.number(batch.body, buffers[before + 1].first + 8, 4), equals: 0)
        let dictionary = try #require(messages.first { $0.kind == 2 && $0.header.number(0, 8) == UInt64(place) })
        let layout = try #require(dictionary.header.table(1))
        expect(layout.number(0, 8), equals: 1)
        let (ends, text) = (layout.pairs(2)[1], layout.pairs(2)[2])
        expect((0..<2).map { Flat.number(dictionary.body, ends.first + $0 * 4, 4) }, equals: [0, 22])
        let octets = dictionary.body[text.first..<text.first + text.second]
        expect(String(decoding: octets, as: UTF8.self), equals: "Heart Rate Measurement")
        // Not a delta.
        expect(dictionary.header.number(2, 1) ?? 0, equals: 0)
    }

    /// 65,536 rows and one more.
    @Test func aBatchIsBounded() throws {
        let notification = Packet.att(.rx, "1B 1000 01 2C01")
        let packets = [.connected()] + [Packet](repeating: notification, count: 65_537)
        let batches = try messages(stream(.operations, packets)).filter { $0.kind == 3 }
        expect(batches.map { $0.header.number(0, 8) }, equals: [65_536, 1])
    }
}

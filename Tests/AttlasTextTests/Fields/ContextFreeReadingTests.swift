import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasText
import AttlasWire
import Testing

/// A value without the PDU that carried it: the operation, and whether it is a part of a message, are found out.
@Suite struct ContextFreeReadingTests {
    private func texts(
        _ uuid: UInt16, _ values: String..., operation: AttributeAccess? = nil
    ) throws -> (lines: [String], readings: [ContextFreeReading], dissector: Dissector) {
        let dissector = try #require(DissectorLibrary.shipped.dissector(for: BluetoothUUID(uuid)))
        let readings = ContextFreeReading.all(of: values.map { hex($0) }, as: operation, by: dissector, context: [])
        guard let best = readings.first else { return ([], [], dissector) }
        var text = TextBuffer()
        text.append(best, also: readings.dropFirst().filter { $0.isClean && best.isClean }, of: dissector)
        return (
            String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(String.init), readings, dissector
        )
    }

    /// User Data Service: the User Control Point is written with a request and indicated with a response.
    @Test func theOperationIsTheOneWhoseLayoutFits() throws {
        try expect(
            texts(0x2A9F, "05 FF").lines.first, equals: "User Control Point (write)  Delete Users · user unknown")
        try expect(
            texts(0x2A9F, "20 04 01 02").lines.first,
            equals: "User Control Point (notify)  List All Users: Success · users: 2")
        let asked = try texts(0x2A9F, "05 FF", operation: .indicate)
        expect(asked.readings.map(\.operation), equals: [.indicate])
        try expect(texts(0x2A37, "00 48").lines.first, equals: "Heart Rate Measurement  72 bpm")
    }

    @Test func aMessageIsTakenWholeOrInParts() throws {
        #expect(
            try texts(0x2B37, "01 01 05 41 6C", "06 69 63 65").lines.first
                == #"Registered User (2 parts)  user 5: "Alice""#)
        #expect(try texts(0x2B37, "01 05 41").lines.first == #"Registered User (the whole message)  user 5: "A""#)
        // Its first octet is a header of a first and last part, or flags.
        let both = try texts(0x2B37, "03 01 05 41").lines
        #expect(both.first == #"Registered User (1 part)  user 5: "A""#)
        #expect(both.last == #"It also fits: the whole message: user 1: "\u{5}A" (truncated)"#)
        // The last part is missing; and where values are not split, two are too many.
        #expect(try texts(0x2B37, "01 01 05 41 6C", "0A 69").readings.isEmpty)
        #expect(try texts(0x2A37, "00 48", "00 49").readings.isEmpty)
    }

    /// An exclusive or with 5A: the octets as they are mean nothing.
    @Test func whatIsDecryptedWasNotInTheClear() throws {
        let yaml = """
            characteristics:
              - { uuid: FFE1, name: Test, assemble: { xor: 5A }, fields: [{ name: Level, type: uint8 }] }
            """
        let loader = DefinitionLoader([.init(path: "x.yaml", text: yaml)], above: .empty)
        let library = DissectorLibrary.empty.adding(loader.files)
        let dissector = try #require(library.dissector(for: BluetoothUUID(0xFFE1)))
        let readings = ContextFreeReading.all(of: [[0x5B]], as: nil, by: dissector, context: [])
        expect(readings.map { $0.dissection[0].raw }, equals: [1])
    }

    @Test func jsonSaysWhatWasChosen() throws {
        let (_, readings, dissector) = try texts(0x2A9F, "05 FF")
        var text = TextBuffer()
        text.append(json: readings[0], also: [], of: dissector)
        let json = String(decoding: text.bytes, as: UTF8.self)
        #expect(
            json.hasPrefix(#"{"uuid":"2A9F","name":"User Control Point","operation":"write","value":"05ff","fields":["#)
        )
        let (_, parts, user) = try texts(0x2B37, "01 01 05 41 6C", "06 69 63 65")
        text.removeAll()
        text.append(json: parts[0], also: [], of: user)
        #expect(
            String(decoding: text.bytes, as: UTF8.self)
                .hasPrefix(#"{"uuid":"2B37","name":"Registered User","parts":2,"value":"0105416c696365","fields":["#))
    }
}

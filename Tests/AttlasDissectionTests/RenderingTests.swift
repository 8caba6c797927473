import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasReport
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@Suite struct RenderingTests {
    private func json(_ octets: [UInt8]) -> String {
        var buffer = TextBuffer()
        buffer.append(jsonString: Bytes(octets.span))
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private func display(_ octets: [UInt8]) -> String {
        var buffer = TextBuffer()
        buffer.append(display: Bytes(octets.span))
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func jsonStringsReadBackAsTheyWere() throws {
        let texts = ["HRM-7", "a\"b\\c/d", "\0\u{1}\t\n\r\u{1F}\u{7F}\u{9F}", "ü€😀\u{2028}\u{2029}", ""]
        for text in texts {
            var buffer = TextBuffer()
            buffer.append(jsonString: text)
            #expect(Array(buffer.bytes) == Array(json(Array(text.utf8)).utf8))
            let back = try JSONSerialization.jsonObject(with: Data(buffer.bytes), options: .fragmentsAllowed)
            #expect(back as? String == text)
        }
    }

    @Test func whatIsNoUTF8IsReplaced() {
        #expect(json([0xFF]) == "\"\u{FFFD}\"")
        #expect(json([0xC3, 0x28]) == "\"\u{FFFD}(\"")
        #expect(json([0xE2, 0x82]) == "\"\u{FFFD}\"")
        #expect(json([0xC0, 0x80]) == "\"\u{FFFD}\u{FFFD}\"")
        #expect(json([0xED, 0xA0, 0x80]) == "\"\u{FFFD}\u{FFFD}\u{FFFD}\"")
        #expect(json([0xF4, 0x90, 0x80, 0x80, 0x41]) == "\"\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}A\"")
        #expect(json([0xF0, 0x9F, 0x98, 0x80]) == "\"😀\"")
    }

    @Test func invalidTextIsNoted() throws {
        let dissected = try Dissected(0x2A00, [0x41, 0xFF])
        #expect(
            dissected.json
                == #""fields":[{"name":"Device Name","value":"A\#u{FFFD}","valid_utf8":false,"offset":0,"length":2}]"#)
    }

    /// A device's name must not clear the screen or turn the line round.
    @Test func nothingFromTheAirSteersTheTerminal() {
        #expect(display(Array("a\u{1B}[2Jb".utf8)) == "a\\u{1B}[2Jb")
        #expect(display(Array("a\u{9B}31m".utf8)) == "a\\u{9B}31m")
        #expect(display(Array("x\u{202E}y\u{2066}z".utf8)) == "x\\u{202E}y\\u{2066}z")
        #expect(display([0x41, 0x00, 0x0A, 0x0D]) == "A\\0\\n\\r")
        #expect(display(Array("Käse 😀".utf8)) == "Käse 😀")
    }

    @Test func aNestedStructureIsAFieldWithFields() throws {
        let dissected = try Dissected(0x2A1C, hex("06 B0 0E 00 FE DC 07 0C 05 0B 32 1B 04"), .indicate)
        #expect(
            dissected.json.contains(
                #"{"name":"Temperature Measurement Value","value":37.6,"raw":4261416624,"unit":"°C""#))
        #expect(
            dissected.json.contains(
                #"{"name":"Time Stamp","fields":[{"name":"Year","value":2012,"offset":5,"length":2},"#))
        #expect(
            dissected.json.contains(#"{"name":"Temperature Type","value":4,"label":"Finger","offset":12,"length":1}"#))
    }

    @Test func aRepeatedStructureHasRepeats() throws {
        #expect(
            try Dissected(0x2BF5, hex("01 04 02 02")).json
                == #""fields":[{"name":"Requirement","repeats":[{"fields":[{"name":"Mode","value":1,"offset":0,"length":1},"#
                + #"{"name":"Level","value":4,"offset":1,"length":1}]},{"fields":[{"name":"Mode","value":2,"offset":2,"length":1},"#
                + #"{"name":"Level","value":2,"offset":3,"length":1}]}],"offset":0,"length":4}]"#)
    }

    @Test func faultAndUnexplainedAreMembers() throws {
        #expect(
            try Dissected(0x2A21, [0x3C]).json
                == #""fields":[],"fault":{"layer":"att","reason":"Measurement Interval: the value ends within the field","#
                + #""need":2,"have":1,"limited_by":"value length"}"#)
        #expect(try Dissected(0x2A19, [0x57, 0, 0]).json.hasSuffix(#","unexplained":{"offset":1,"length":2}"#))
    }

    @Test func aStructureWithASizeKeepsWhatIsLeftOver() throws {
        let fields =
            "- { name: N, type: uint8 }\n- { name: S, size: N, fields: [{ name: A, type: uint8 }] }\n- { name: B, type: uint8 }"
        let dissected = try Dissected(yaml: definition(fields), hex("03 01 02 03 04"))
        #expect(
            dissected.json.contains(
                #"{"name":"S","fields":[{"name":"A","value":1,"offset":1,"length":1}],"unexplained":{"offset":2,"length":2},"offset":1,"length":3}"#
            ))
        #expect(dissected.text == "N 3 · S (A 1 · unexplained 02 03) · B 4")
    }

    @Test func everyJSONIsJSON() throws {
        let loader = DefinitionLoader(ShippedDefinitionTests.shipped, above: .empty)
        for attribute in loader.files.flatMap(\.attributes) where !attribute.layouts.isEmpty {
            let dissector = try #require(DissectorLibrary.shipped.dissector(for: attribute.key))
            for example in attribute.examples {
                let text = "{" + Dissected(dissector, example.octets, example.operation).json + "}"
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
            }
        }
    }

    @Test func aWriteIsLaidOutDifferentlyFromItsIndication() throws {
        let yaml = """
            characteristics:
              - uuid: 2A98
                name: Control Point
                layouts:
                  - { for: [write], fields: [{ name: Op Code, type: uint8 }] }
                  - { for: [indicate], fields: [{ name: Result, type: uint16 }] }
            """
        #expect(try Dissected(yaml: yaml, [1, 2], .write).names == ["Op Code"])
        #expect(try Dissected(yaml: yaml, [1, 2], .indicate).names == ["Result"])
        #expect(try Dissected(yaml: yaml, [1, 2], .read).dissection.unexplained == 0..<2)
    }
}

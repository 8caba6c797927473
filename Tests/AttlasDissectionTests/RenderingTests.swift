import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@Suite struct RenderingTests {
    @Test func invalidTextIsNoted() throws {
        let dissected = try Dissected(0x2A00, [0x41, 0xFF])
        #expect(
            dissected.json
                == #""fields":[{"name":"Device Name","value":"A\#u{FFFD}","valid_utf8":false,"offset":0,"length":2}]"#)
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
        expect(dissected.text, equals: "N 3 · S (A 1 · unexplained 02 03) · B 4")
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
        try expect(Dissected(yaml: yaml, [1, 2], .write).names, equals: ["Op Code"])
        try expect(Dissected(yaml: yaml, [1, 2], .indicate).names, equals: ["Result"])
        try expect(Dissected(yaml: yaml, [1, 2], .read).dissection.unexplained, equals: 0..<2)
    }
}

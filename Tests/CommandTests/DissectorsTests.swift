import AttlasTestSupport
import Foundation
import Testing

/// `attlas dissectors`, as a person uses it.
@Suite struct DissectorsTests {
    private func attlas(_ arguments: String...) throws -> Command.Result {
        try Command.attlas(["dissectors"] + arguments)
    }

    /// Runs `body` with the path of a file that holds `text`.
    private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        try withExtendedLifetime(TemporaryFolder()) { try body($0.write(text.utf8, to: "test.yaml")) }
    }

    @Test func everyCharacteristicOfTheSIGHasADefinition() throws {
        struct List: Decodable {
            let coverage: [String: Int]
        }
        let result = try attlas("list", "--json")
        expect(result.status, equals: 0)
        let coverage = try JSONDecoder().decode(List.self, from: Data(result.output.utf8)).coverage
        expect(coverage["assigned"], equals: 504)
        expect(coverage["defined"], equals: 504)
        let sure = ["a", "b", "c"].compactMap { coverage["confidence_\($0)"] }
        expect(sure.count, equals: 3)
        expect(sure.reduce(0, +), equals: 504)
        // The report and both ranging data.
        expect(coverage["named_decoders"], equals: 3)
    }

    /// They are counted, and listed when asked for.
    @Test func packetsOfHCIAreListedApart() throws {
        let list = try attlas("list").output
        #expect(!list.contains("LE Create Connection"))
        let counts = #/\n\d+ HCI commands, \d+ HCI results, \d+ HCI events, \d+ LE events, \d+ LL control PDUs, /#
        #expect(list.contains(counts))
        let everything = try attlas("list", "--hci").output
        #expect(everything.contains(#/\n0x200D +LE Create Connection +HCI command/#))
        #expect(everything.contains(#/\n0x05 +Disconnection Complete +HCI event/#))
    }

    @Test(
        arguments: [
            (
                "feilds: [{ name: V, type: uint8 }]",
                ":2:28: a characteristic has no key \"feilds\"; did you mean \"fields\"?"
            ),
            (
                "fields: [{ name: F, type: uint8, bits: { 0: Party Mode } }, { name: V, type: uint8, if: Party Mod }]",
                ":2:116: no field or flag \"Party Mod\" is read before this; did you mean \"Party Mode\"?"
            ),
            ("fields: [{ name: V, type: uint8, values: { 0..5: low, 5..9: high } }]", ":2:82: 5..9 is already \"low\""),
            (
                "fields: [{ name: V, type: uint8, scale: 0.5 }], examples: [{ hex: \"04\", shows: { V: 3 } }]",
                ":2:109: A: got V 2, wanted 3"
            ),
            (
                "fields: [{ name: V, type: uint8 }] }\n  - { uuid: FFE1, name: B, fields: [{ name: V, type: uint8 }]",
                ":3:5: FFE1 is defined already, at "
            ),
        ])
    func aMistakeHasItsPlace(rest: String, message: String) throws {
        try withFile("characteristics:\n  - { uuid: FFE1, name: A, \(rest) }\n") { path in
            let result = try attlas("check", path)
            expect(result.status, equals: 1)
            #expect(result.output.contains(path + message), "\(result.output)")
        }
    }

    @Test func aFolderWithoutDefinitionsIsAMistake() throws {
        let folder = try TemporaryFolder()
        let result = try attlas("check", folder.url.path)
        #expect(result.status == 1 && result.output.contains("the folder has no .yaml files"))
    }

    /// A file of strangers must not steer the terminal of who checks it.
    @Test func aMistakeIsShownWithoutItsEscapes() throws {
        try withFile("characteristics:\n  - { uuid: FFE1, name: A, \"\\e]0;owned\\a\": 1 }\n") { path in
            let result = try attlas("check", path)
            expect(result.status, equals: 1)
            #expect(!result.output.contains("\u{1B}") && !result.output.contains("\u{7}"))
            #expect(result.output.contains("\\u{1B}]0;owned"), "\(result.output)")
        }
    }

    /// A checker whose answer nobody got has not answered.
    @Test func anAnswerThatCannotBeWrittenIsStatus1() throws {
        try withFile("characteristics:\n  - { uuid: FFE1, name: A }\n") { path in
            let result = try Command.run(
                "/bin/bash", ["-c", "'\(Command.binary)' dissectors check '\(path)' > /dev/full"])
            expect(result.status, equals: 1)
            #expect(result.errors.contains("standard output cannot be written"))
        }
    }

    @Test func aStartingFileIsRight() throws {
        let start = try attlas("new", "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E", "Colour")
        expect(start.status, equals: 0)
        try withFile(start.output) { path in
            let result = try attlas("check", path)
            expect(result.status, equals: 0)
            expect(result.output, equals: "1 file, 1 definition, 1 example: all right\n")
        }
    }

    /// A right-to-left override, and a tag of plane 14: YAML has escapes for them.
    @Test func aStartingFileSteersNoTerminal() throws {
        let start = try attlas("new", "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E", "Co\u{202E}lour\u{E0041}")
        #expect(start.output.contains(#"name: "Co\U0000202Elour\U000E0041""#))
        try withFile(start.output) { path in expect(try attlas("check", path).status, equals: 0) }
    }

    @Test func aLayoutIsShownOrTheUUIDIsNamed() throws {
        let shown = try attlas("show", "2A37")
        expect(shown.status, equals: 0)
        #expect(shown.output.contains("RR-Interval"))
        let unknown = try attlas("show", "FFFF")
        expect(unknown.status, equals: 1)
        #expect(unknown.errors.contains("there is no definition of FFFF"))
    }
}

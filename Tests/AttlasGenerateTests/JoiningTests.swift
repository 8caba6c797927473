import AttlasDissection
import AttlasGenerate
import AttlasTestSupport
import AttlasWire
import Testing

/// Generated joiners join the parts that `MessageAssembler` joins, and it joins what they split.
@Suite struct JoiningTests {
    static let definitions = """
        characteristics:
          - uuid: F0000001-0000-4000-8000-000000000001
            name: By Length
            order: big
            assemble: { start: FE DC BA, length: { at: 3, type: uint16, order: big, plus: 6 }, xor: { key: "5A A5", from: 5 } }
            fields: [{ name: Start, const: FE DC BA }, { name: Length, type: uint16 }, { name: Data, type: bytes, size: Length }, { name: Sum, type: uint8, check: sum8 }]
            examples: [{ parts: [FE DC BA 00 03, 5B A7, 59 38] }]
          - uuid: F0000001-0000-4000-8000-000000000002
            name: By One Octet
            assemble: { start: AA, length: { at: 1, type: uint8, plus: 2 } }
            fields: [{ name: Start, const: AA }, { name: Length, type: uint8 }, { name: Data, type: bytes, size: Length }]
            examples: [{ parts: [AA 05 01 02, 03 AA 05] }, { parts: [AA 01 AA] }]
          - uuid: F0000001-0000-4000-8000-000000000003
            name: By Kind
            assemble: { total: { at: 1, lengths: { 0x01: 4, 0x02..0x05: 6 }, otherwise: 3 } }
            fields: [{ name: All, type: bytes }]
            examples: [{ parts: [00 01, 02 03] }, { parts: [00 03 02 03, 04 05] }, { parts: [00 09 01] }]
          - uuid: F0000001-0000-4000-8000-000000000004
            name: By Kind or Alone
            assemble: { total: { at: 0, lengths: { 0x01: 4 } } }
            fields: [{ name: All, type: bytes }]
            examples: [{ parts: [01 01, 02 03] }, { parts: [02 03] }]
          - uuid: F0000001-0000-4000-8000-000000000005
            name: By Total
            assemble: { total: 5 }
            fields: [{ name: All, type: bytes }]
            examples: [{ parts: [01 01 02, 03 04] }]
          - uuid: F0000001-0000-4000-8000-000000000006
            name: By Terminator
            assemble: { start: 24, terminator: "0D 0A" }
            fields: [{ name: Dollar, const: 24 }, { name: Text, type: utf8, until: 0D 0A }]
            examples: [{ parts: [24 41 0D, 0A] }, { parts: [24 42 0D 0A] }]
          - uuid: F0000001-0000-4000-8000-000000000007
            name: By Header
            assemble: { header: { mask: 0xC0, complete: 0x00, first: 0x40, middle: 0x80, last: 0xC0, sequence: 0x0F } }
            fields: [{ name: All, type: bytes }]
            examples: [{ parts: [00 01] }, { parts: [40 01, 81 02, C2 03] }, { parts: [4E 01, 8F 02, C0 03] }]
          - uuid: F0000001-0000-4000-8000-000000000008
            name: By Kept Header
            assemble: { header: { mask: 0xC0, complete: 0x00, first: 0x40, middle: 0x80, last: 0xC0, keep: true } }
            fields: [{ name: All, type: bytes }]
            examples: [{ parts: [00 01] }, { parts: [40 01, 80 02, C0 03] }]
          - uuid: F0000001-0000-4000-8000-000000000009
            name: By SLIP
            assemble: { framing: slip, xor: { key: "FF", from: 1 } }
            fields: [{ name: All, type: bytes }]
            examples: [{ parts: [C0 01 97, 96 DB DC C0] }, { parts: [01 DB DD DB, DC C0] }]
          - uuid: F0000001-0000-4000-8000-00000000000A
            name: By COBS
            assemble: { framing: cobs }
            fields: [{ name: All, type: bytes }]
            examples: [{ parts: [03 11 22 02, 33 00] }, { parts: [01 01 00] }]
          - uuid: F0000001-0000-4000-8000-00000000000B
            name: By Escape
            assemble: { start: 8D, terminator: D8, escape: { octet: 0xAB, xor: 0x88 } }
            fields: [{ name: Start, const: 8D }, { name: Body, type: bytes, until: D8 }]
            examples: [{ parts: [8D 01 AB, 05 02 D8] }, { parts: [8D AB 23 D8] }]

        """

    /// A message of each layout, and its parts of at most 8 octets. COBS: Cheshire and Baker, 1999. SLIP: RFC 1055. The escape is that of Sphero's second API.
    static let messages: [(message: String, parts: String)] = [
        ("FE DC BA 00 03 01 02 03 9D", "FE DC BA 00 03 5B A7 59|38"),
        ("AA 05 01 02 03 AA 05", "AA 05 01 02 03 AA 05"),
        ("00 03 02 03 04 05", "00 03 02 03 04 05"),
        ("02 03 04", "02 03 04"),
        ("01 02 03 04 05", "01 02 03 04 05"),
        ("24 31 32 33 34 35 36 37 0D 0A", "24 31 32 33 34 35 36 37|0D 0A"),
        ("01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F", "40 01 02 03 04 05 06 07|81 08 09 0A 0B 0C 0D 0E|C2 0F"),
        ("40 01 02 03 04 05 06 07 08", "40 01 02 03 04 05 06 07|C0 08"),
        ("C0 24 3F FE DB DB", "DB DC DB DD DB DC 01 24|24 C0"),
        ("11 22 00 33", "03 11 22 02 33 00"),
        ("8D 01 8D AB D8 02 D8", "8D 01 AB 05 AB 23 AB 50|02 D8"),
    ]

    private func octets(_ hex: String) -> [UInt8] { ScalarText.octets(hex) ?? [] }

    @Test(arguments: CodeLanguage.allCases) func comparedWithTheAssembler(_ language: CodeLanguage) throws {
        let form = try ComparedCodecs(yaml: Self.definitions).form
        let folder = try TemporaryFolder()
        var generator = SplitMix64(seed: 0x10AD)
        var lines: [String] = []
        var expected: [String] = []
        for (index, codec) in form.codecs.enumerated() {
            let assembly = try #require(codec.definition.assembly)
            var assembler = MessageAssembler(assembly)
            func join(_ part: [UInt8]) {
                lines.append("J \(index) x\(ComparedCodecs.hexadecimal(part))")
                let (outcome, _) = assembler.add(Bytes(part.span), frame: 1, at: 0)
                expected.append(
                    outcome == .complete ? "x\(ComparedCodecs.hexadecimal(assembler.message))" : "-")
            }
            for _ in 0..<3_000 {
                for part in codec.definition.examples.randomElement(using: &generator)?.parts ?? [] {
                    var part = part
                    if generator.next() % 8 == 0 { part = generator.octets(upTo: 4) + part }
                    if generator.next() % 8 == 0 { part += generator.octets(upTo: 4) }
                    if generator.next() % 8 == 0, !part.isEmpty {
                        part[Int(generator.next() % UInt64(part.count))] ^= 1
                    }
                    if generator.next() % 16 != 0 { join(part) }
                }
            }
            for (message, parts) in [Self.messages[index]] {
                lines.append("S \(index) x\(ComparedCodecs.hexadecimal(octets(message)))")
                expected.append(parts.filter { $0 != " " })
                assembler = MessageAssembler(assembly)
                var last: MessageAssembler.Outcome?
                for part in parts.split(separator: "|") {
                    last = assembler.add(Bytes(octets(String(part)).span), frame: 1, at: 0).0
                }
                #expect(last == .complete)
                expect(assembler.message, equals: octets(message))
            }
        }
        try folder.write((lines.joined(separator: "\n") + "\n").utf8, to: "input")
        let command = try GeneratedCode.compile(form, language, program: program(form, language), in: folder)
        let got = try ComparingPrograms.output(command, in: folder)
        try #require(got.count == expected.count)
        let differences = zip(lines, zip(expected, got)).filter { $0.1.0 != $0.1.1 }
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(10))")
        #expect(expected.count { $0.hasPrefix("x") } > 3_000)
    }

    private func program(_ form: CodecForm, _ language: CodeLanguage) -> String {
        switch language {
        case .python:
            let rows = form.codecs.map { "codecs.\($0.name.pascal)Joiner" }.joined(separator: ", ")
            return """
                import codecs_under_test as codecs
                import sys
                classes = [\(rows)]
                joiners = [joiner() for joiner in classes]
                for line in sys.stdin:
                    kind, index, digits = line.split()
                    octets = bytes.fromhex(digits[1:])
                    if kind == "S":
                        print("|".join(part.hex().upper() for part in classes[int(index)].split(octets, 8)))
                        continue
                    message = joiners[int(index)].add(octets)
                    print("-" if message is None else "x" + message.hex().upper())
                """
        case .swift:
            let rows = form.codecs.map { codec in
                "var j\(codec.name.pascal) = \(codec.name.pascal)Joiner()\nadds.append { j\(codec.name.pascal).add($0) }\nsplits.append { \(codec.name.pascal)Joiner.split($0, size: 8) }\n"
            }
            return """
                func hex(_ octets: [UInt8]) -> String {
                    octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
                }
                @main enum Program {
                    static func main() {
                        var adds: [([UInt8]) -> [UInt8]?] = []
                        var splits: [([UInt8]) -> [[UInt8]]] = []
                        \(rows.joined())
                        while let line = readLine() {
                            let words = line.split(separator: " ")
                            let digits = Array(words[2].utf8.dropFirst())
                            let octets = stride(from: 0, to: digits.count, by: 2).map { index in
                                UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)!
                            }
                            if words[0] == "S" {
                                print(splits[Int(words[1])!](octets).map(hex).joined(separator: "|"))
                            } else {
                                print(adds[Int(words[1])!](octets).map { "x" + hex($0) } ?? "-")
                            }
                        }
                    }
                }
                """
        case .c:
            let names = form.codecs.map { "tested_\($0.name.snake)" }
            return """
                #include "codecs.h"
                #include <stdio.h>
                #include <stdlib.h>
                static bool (*const joins[])(tested_joiner *, const uint8_t *, size_t) = {\(names.map { "\($0)_join" }.joined(separator: ", "))};
                static tested_status (*const splits[])(const uint8_t *, size_t, size_t, uint8_t *, size_t, size_t *) = {
                    \(names.map { "\($0)_split" }.joined(separator: ", "))};
                static void print_octets(const uint8_t *octets, size_t count, size_t size) {
                    for (size_t i = 0; i < count; i++) printf(i > 0 && i % size == 0 ? "|%02X" : "%02X", (unsigned)octets[i]);
                }
                int main(void) {
                    static char line[8192];
                    tested_joiner joiners[\(names.count)] = {{0}};
                    unsigned index;
                    char kind;
                    for (size_t i = 0; i < \(names.count); i++) {
                        joiners[i].octets = malloc(70000);
                        joiners[i].capacity = 70000;
                    }
                    while (scanf(" %c %u x", &kind, &index) == 2) {
                        if (fgets(line, sizeof line, stdin) == NULL) return 1;
                        size_t count = strspn(line, "0123456789ABCDEF") / 2, written = 0;
                        uint8_t *octets = malloc(count > 0 ? count : 1), parts[64];
                        for (size_t i = 0; i < count; i++) {
                            char digits[3] = {line[2 * i], line[2 * i + 1], 0};
                            octets[i] = (uint8_t)strtoul(digits, NULL, 16);
                        }
                        if (kind == 'S') {
                            if (splits[index](octets, count, 8, parts, sizeof parts, &written) != TESTED_OK) return 1;
                            if (splits[index](octets, count, 8, parts, written - 1, &written) != TESTED_BUFFER) return 1;
                            print_octets(parts, written, 8);
                            putchar('\\n');
                        } else if (joins[index](&joiners[index], octets, count)) {
                            putchar('x');
                            print_octets(joiners[index].octets, joiners[index].count, 100000);
                            putchar('\\n');
                        } else {
                            puts("-");
                        }
                        free(octets);
                    }
                    for (size_t i = 0; i < \(names.count); i++) free(joiners[i].octets);
                    return 0;
                }
                """
        }
    }
}

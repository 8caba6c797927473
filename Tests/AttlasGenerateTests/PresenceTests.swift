import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasGenerate
import AttlasTestSupport
import Foundation
import Testing

/// What generated code does with values that were not read, but made.
@Suite struct PresenceTests {
    private static let definition = """
        characteristics:
          - uuid: 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E
            name: Made
            fields:
              - { name: Flags, type: uint8, bits: { 0: Frequency Present, 1: Long, 2: Loud } }
              - { name: Frequency, type: uint8, if: Frequency Present }
              - { name: Steps, type: uint8, if: not Long }
              - { name: Steps, type: uint16, if: Long }
              - { name: Temperature, type: sint16, scale: 0.1, offset: -20, unit: °C, max: 100, special: { -32768: not known } }
              - { name: Weight, type: medfloat16, unit: kg }
              - { name: Length, type: uint8 }
              - { name: Title, type: utf8, size: Length }
              - { name: Interval, type: uint16, scale: 1/1024, unit: s, repeat: 2 }
              - { name: Sum, type: uint8, check: sum8 }
        """

    private func form(_ yaml: String) -> CodecForm {
        let loader = DefinitionLoader([DefinitionSource(path: "made.yaml", text: yaml)], above: .shipped)
        expect(loader.mistakes, equals: [])
        return CodecForm(loader.files, name: "Made", resolve: DissectorLibrary.shipped.adding(loader.files).definition)
    }

    /// 01 + 05 + 02 + steps …: flags 0x01 and the short form; 21.5 °C is (215 + 200) = 0x019F; 72.5 kg is 725 · 10^-1 = 0xF2D5; 1 s and 0.5 s are 1024 and 512.
    private static let octets = "01 05 07 9F 01 D5 F2 02 48 69 00 04 00 02 2D"

    /// A name of a number is within its storage, whose width may be 64 bits.
    @Test(arguments: ["sint24", "sint40", "sint48", "sint56", "sint64", "uint24", "uint40", "uint56", "uint64"])
    func namesOfWideNumbers(_ type: String) {
        for key in ["special", "values"] {
            let form = form(
                """
                characteristics:
                  - uuid: 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E
                    name: Made
                    fields: [{ name: A, type: \(type), \(key): { 1: none } }]
                """)
            for language in CodeLanguage.allCases { #expect(language.code(of: form).contains("1")) }
        }
    }

    /// A field of 63 bits that shares its octets with a flag.
    @Test func limitsOfWideNumbers() {
        let form = form(
            """
            characteristics:
              - uuid: 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E
                name: Made
                fields: [{ name: A, type: uint63, max: 5 }, { name: B, type: uint1 }, { name: C, type: sint63 }, { name: D, type: uint1 }]
            """)
        for language in CodeLanguage.allCases { #expect(!language.code(of: form).isEmpty) }
    }

    @Test func python() throws {
        let folder = try TemporaryFolder()
        try folder.write(CodeLanguage.python.code(of: form(Self.definition)).utf8, to: "made.py")
        try folder.write(
            """
            import math
            from made import CodecError, Made

            def reason(function):
                try:
                    function()
                except CodecError as error:
                    return error.reason
                return None

            made = Made(frequency=5, steps=7)
            made.temperature = 21.5
            made.weight = 72.5
            made.title = "Hi"
            made.interval = [1, 0.5]
            assert made.encode().hex(" ").upper() == "\(Self.octets)", made.encode().hex(" ")
            assert Made.decode(made.encode()) == made
            assert (made.temperature, made.weight, made.title) == (21.5, 72.5, "Hi") and made.interval == [1, 0.5]
            made.flags = 4
            assert made.encode()[0] == 5
            made.steps_uint16 = 7
            assert reason(made.encode) == "unexpected"
            made.steps = None
            assert made.encode()[:5].hex() == "07050700" + "9f"
            made.steps_uint16 = None
            assert reason(made.encode) == "missing"
            made.steps = 256
            assert reason(made.encode) == "range"
            made.steps = 1
            for temperature in (100.1, -3296.8, math.nan, math.inf):
                assert reason(lambda: setattr(made, "temperature", temperature)) == "range", temperature
            made.temperature_raw = made.TEMPERATURE_NOT_KNOWN
            assert made.temperature is None
            for weight, raw in ((0.1, 0xF001), (-0.1, 0xFFFF), (1e9, 0x63E8), (20450000000, 0x77FD), (3e-8, 0x8003), (0, 0),
                                (math.inf, 0x07FE), (-math.inf, 0x0802), (36.55, 0xF16E)):
                made.weight = weight
                assert made.weight_raw == raw, (weight, hex(made.weight_raw))
            made.weight = math.nan
            assert made.weight_raw == 0x07FF and math.isnan(made.weight)
            assert reason(lambda: setattr(made, "weight", 1e11)) == "range"
            made.title_raw = bytes(256)
            assert reason(made.encode) == "range"
            assert reason(lambda: Made.decode(bytes.fromhex("\(Self.octets)".replace("2D", "2E")))) == "checksum"
            assert reason(lambda: Made.decode(bytes.fromhex("0105"))) == "truncated"
            """.utf8, to: "program.py")
        let output = try ComparingPrograms.run("python3 program.py", in: folder)
        expect(output, equals: "status 0\n")
    }

    @Test func swift() throws {
        let folder = try TemporaryFolder()
        try folder.write(CodeLanguage.swift.code(of: form(Self.definition)).utf8, to: "Made.swift")
        try folder.write(
            """
            var made = Made(frequency: 5, steps: 7)
            try made.setTemperature(21.5)
            try made.setWeight(72.5)
            made.title = "Hi"
            try made.setInterval([1, 0.5])
            let octets: [UInt8] = [\(Self.octets.split(separator: " ").map { "0x\($0)" }.joined(separator: ", "))]
            func expect(_ isRight: Bool, line: UInt = #line) { if !isRight { fatalError(line: line) } }
            expect(try made.encode() == octets)
            expect(try Made(octets) == made && made.temperature == 21.5 && made.weight == 72.5 && made.interval == [1, 0.5])
            made.flags = .loud
            expect(try made.encode()[0] == 5)
            made.stepsUint16 = 7
            do { _ = try made.encode() } catch { expect(error as? MadeError == .unexpected("Steps")) }
            for number in [100.1, -3296.8, .nan, .infinity] {
                do {
                    try made.setTemperature(number)
                    expect(false)
                } catch { expect(error as? MadeError == .range("Temperature")) }
            }
            for (number, raw) in [(0.1, 0xF001), (-0.1, 0xFFFF), (1e9, 0x63E8), (3e-8, 0x8003), (.infinity, 0x07FE)] as [(Double, UInt16)] {
                try made.setWeight(number)
                expect(made.weightRaw == raw)
            }
            """.utf8, to: "main.swift")
        let output = try ComparingPrograms.run(
            "swiftc -swift-version 6 -o program Made.swift main.swift && ./program", in: folder)
        expect(output, equals: "status 0\n")
    }

    private static let settings = """
        characteristics:
          - uuid: 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E
            name: Lamp
            fields:
              - name: Settings
                type: uint8
                bits: { 0: Power, 1: { name: Element, values: { 1: warm } }, 2..3: { name: Door, values: { 0: closed, 2: ajar } }, 4..6: Level, 7: { name: Made Error, values: { 1: hot } } }
              - { name: Mode, type: sint8, values: { -2..-1: low, 0: normal, 100..127: vendor } }
              - { name: Speed, type: uint3, values: { 1: slow, 9: never } }
              - { name: Spare, type: uint5 }
        """

    /// 0x59: power, door 2 (bits 2 and 3 of 0b0101_1001), level 5. 0xFE: mode -2. 0x01: speed 1.
    @Test func namedNumbersInSwift() throws {
        let folder = try TemporaryFolder()
        let code = CodeLanguage.swift.code(of: form(Self.settings), conformsToBluejay: true)
        try folder.write(code.utf8, to: "Lamp.swift")
        try folder.write(
            """
            import Foundation
            public protocol Receivable { init(bluetoothData: Data) throws }
            public protocol Sendable { func toBluetoothData() -> Data }
            """.utf8, to: "Bluejay.swift")
        try folder.write(
            """
            import Foundation
            func expect(_ isRight: Bool, line: UInt = #line) { if !isRight { fatalError(line: line) } }
            var lamp = try Lamp([0x59, 0xFE, 0x01])
            expect(lamp.settings.contains(.power) && lamp.settings.door == .ajar && lamp.settings.level == 5)
            expect(lamp.settings.element == .unnamed(0) && lamp.settings.madeError.rawValue == 0)
            expect(lamp.mode == .low(-2) && lamp.speed == .slow)
            for level in [UInt8(8), 9, 255] {
                do {
                    try lamp.settings.setLevel(level)
                    expect(false)
                } catch { expect(error as? MadeError == .range("Level")) }
            }
            do {
                try lamp.settings.setDoor(.unnamed(4))
                expect(false)
            } catch { expect(error.localizedDescription == "Door: the value does not fit") }
            expect(lamp.settings.rawValue == 0x59)
            try lamp.settings.setLevel(7)
            try lamp.settings.setDoor(.closed)
            lamp.mode = .vendor(127)
            expect(try lamp.encode() == [0x71, 0x7F, 0x01])
            // A number without a name is kept, and equal to itself however it is written.
            let other = try Lamp([0x05, 0x32, 0x07])
            expect(other.settings.door == .unnamed(1) && other.mode == .unnamed(50) && other.speed == .unnamed(7))
            expect(try other.encode() == [0x05, 0x32, 0x07])
            expect(LampMode.unnamed(0) == .normal && Set([LampMode.unnamed(0), .normal]).count == 1)
            lamp.speed = .unnamed(8)
            do {
                _ = try lamp.bluetoothData()
                expect(false)
            } catch { expect("\\(error)" == "Speed: the value does not fit") }
            """.utf8, to: "main.swift")
        let output = try ComparingPrograms.run(
            "swiftc -emit-module -emit-library -static -module-name Bluejay Bluejay.swift"
                + " && swiftc -swift-version 6 -warnings-as-errors -I . -L . -lBluejay -o program Lamp.swift main.swift && ./program",
            in: folder)
        expect(output, equals: "status 0\n")
    }

    @Test func flagsInPython() throws {
        let folder = try TemporaryFolder()
        try folder.write(CodeLanguage.python.code(of: form(Self.settings)).utf8, to: "lamp.py")
        try folder.write(
            """
            import enum
            from lamp import Lamp, LampSettings

            lamp = Lamp.decode(bytes.fromhex("59 FE 01"))
            assert isinstance(lamp.settings, enum.IntFlag) and LampSettings.POWER in lamp.settings
            assert lamp.settings & LampSettings.LEVEL == 0x50
            # Numbers of several names, too.
            assert Lamp.decode(b"\\xFF\\x00\\x00").encode() == b"\\xFF\\x00\\x00"
            lamp.settings = LampSettings.POWER | LampSettings.DOOR
            assert lamp.encode() == bytes.fromhex("0D FE 01")
            """.utf8, to: "program.py")
        try expect(ComparingPrograms.run("python3 program.py", in: folder), equals: "status 0\n")
    }

    @Test func c() throws {
        let folder = try TemporaryFolder()
        try folder.write(CodeLanguage.c.code(of: form(Self.definition)).utf8, to: "made.h")
        try folder.write(
            """
            #include "made.h"
            #include <assert.h>
            int main(void) {
                static const uint8_t octets[] = {\(Self.octets.split(separator: " ").map { "0x\($0)" }.joined(separator: ", "))};
                uint8_t out[64];
                size_t count;
                made_made made = {0};
                made.has_frequency = true, made.frequency = 5;
                made.has_steps = true, made.steps = 7;
                assert(made_made_set_temperature(&made, 21.5) == MADE_OK);
                assert(made_made_set_weight(&made, 72.5) == MADE_OK);
                made.title.octets = (const uint8_t *)"Hi", made.title.count = 2;
                assert(made_made_add_interval(&made, 1) == MADE_OK && made_made_add_interval(&made, 0.5) == MADE_OK);
                assert(made_made_get_interval(&made, 1) == 0.5);
                assert(made_made_encode(&made, out, sizeof out, &count) == MADE_OK);
                assert(count == sizeof octets && memcmp(out, octets, count) == 0);
                for (size_t capacity = 0; capacity < sizeof octets; capacity++)
                    assert(made_made_encode(&made, out, capacity, &count) == MADE_BUFFER);
                made.has_steps_uint16 = true;
                assert(made_made_encode(&made, out, sizeof out, &count) == MADE_UNEXPECTED);
                made.has_steps = made.has_steps_uint16 = false;
                assert(made_made_encode(&made, out, sizeof out, &count) == MADE_MISSING);
                assert(made_made_set_temperature(&made, 100.1) == MADE_RANGE);
                assert(made_made_set_weight(&made, 0.1) == MADE_OK && made.weight == 0xF001);
                assert(made_made_set_weight(&made, 3e-8) == MADE_OK && made.weight == 0x8003);
                assert(made_made_set_weight(&made, 1e11) == MADE_RANGE);
                return 0;
            }
            """.utf8, to: "program.c")
        let flags = "-std=c99 -Wall -Wextra -Werror -fsanitize=address,undefined"
        try expect(
            ComparingPrograms.run("gcc \(flags) -o program program.c && ./program", in: folder), equals: "status 0\n")
    }

    /// Members are set, removed and changed at random: what is written is read as the same value, or refused.
    @Test func valuesAtRandom() throws {
        let paths = ["heart-rate", "cycling-power", "glucose", "blood-pressure", "body-composition"]
        let loader = DefinitionLoader(
            try paths.flatMap { try DefinitionSource.files(at: Repository.path("Dissectors/\($0).yaml")) },
            above: .shipped)
        let form = CodecForm(loader.files, name: "Made", resolve: DissectorLibrary.shipped.definition)
        let folder = try TemporaryFolder()
        try folder.write(CodeLanguage.python.code(of: form).utf8, to: "made.py")
        let examples = form.codecs.map { codec in
            let examples = codec.definition.examples.filter {
                codec.operations.contains($0.operation) && $0.parts.isEmpty && !$0.isFault && !$0.hasWrongCheck
            }
            return
                "(made.\(codec.name.pascal), [\(examples.map { "\"\(ComparedCodecs.hexadecimal($0.octets))\"" }.joined(separator: ", "))])"
        }
        try folder.write(
            """
            import dataclasses, random, made
            random.seed(1)
            written = 0
            for codec, examples in [\(examples.joined(separator: ",\n"))]:
                for hex in examples:
                    original = codec.decode(bytes.fromhex(hex))
                    for _ in range(300):
                        value = dataclasses.replace(original)
                        for field in random.sample(dataclasses.fields(value), k=min(2, len(dataclasses.fields(value)))):
                            content = getattr(value, field.name)
                            if isinstance(content, list):
                                setattr(value, field.name, content + content[:1])
                            elif isinstance(content, bytes):
                                setattr(value, field.name, content + b"x")
                            elif content is None:
                                setattr(value, field.name, random.randrange(256) if "int" in str(field.type) else None)
                            elif isinstance(content, int):
                                optional = "Optional" in str(field.type)
                                setattr(value, field.name, None if optional and random.random() < 0.5 else random.randrange(256))
                        try:
                            octets = value.encode()
                        except made.CodecError:
                            continue
                        written += 1
                        read = codec.decode(octets)
                        assert read.encode() == octets
                        if hasattr(value, "flags"):
                            # Bits that say what follows are not the caller's.
                            read.flags = value.flags = 0
                        assert read == value, (hex, value, read)
            assert written > 1000, written
            """.utf8, to: "program.py")
        let output = try ComparingPrograms.run("python3 program.py", in: folder)
        expect(output, equals: "status 0\n")
    }
}

/// What cannot be generated, and names that would be code.
@Suite struct RefusalTests {
    private func form(_ fields: String, path: String = "test.yaml") -> CodecForm {
        let yaml = "characteristics:\n  - uuid: FFF1\n    name: Odd\n    fields:\n\(fields)"
        let loader = DefinitionLoader([DefinitionSource(path: path, text: yaml)], above: .shipped)
        expect(loader.mistakes, equals: [])
        return CodecForm(loader.files, name: "Odd", resolve: DissectorLibrary.shipped.definition)
    }

    @Test(
        arguments: [
            (
                "      - { name: N, type: uint64 }\n      - { name: A, type: bytes, size: N * 2 }\n",
                "test.yaml:6:9: Odd cannot be generated: an expression of it may overflow 64 bits or divide by zero"
            ),
            (
                "      - { name: N, type: uint8 }\n      - { name: A, type: bytes, size: 10 / N }\n",
                "test.yaml:6:9: Odd cannot be generated: an expression of it may overflow 64 bits or divide by zero"
            ),
            (
                "      - name: A\n        repeat: rest\n        fields: [{ name: C, type: uint8, check: sum8 }]\n",
                "test.yaml:7:18: Odd cannot be generated: "
                    + "a checksum in a repetition covers octets outside of it; give the repeated structure a size"
            ),
            (
                "      - { name: C, type: uint8, check: sum8 }\n      - { name: A, type: uint8, if: C == 1 }\n",
                "test.yaml:5:9: Odd cannot be generated: a size or a condition depends on a checksum"
            ),
            (
                "      - { name: A, type: bytes, size: left - 1, padding: 00 }\n",
                "test.yaml:5:9: Odd cannot be generated: padding up to a size that depends on what follows"
            ),
            (
                "      - { name: A, type: uint8, repeat: 2 }\n      - { name: C, type: uint8, check: { algorithm: sum8, from: A, to: A } }\n",
                "test.yaml:6:9: Odd cannot be generated: a checksum of fields that share octets, are repeated or come again"
            ),
            (
                "      - { name: A, type: uint8 }\n    assemble: { aes: 2B7E151628AED2A6ABF7158809CF4F3C }\n",
                "test.yaml:2:5: Odd cannot be generated: there is no code for AES"
            ),
            (
                "      - { name: A, type: utf8, size: 1 }\n      - { name: B, type: uint8, if: 'A == \"x\"' }\n",
                "test.yaml:6:9: Odd cannot be generated: a condition compares a text"
            ),
        ]) func refusedWithItsPlace(_ fields: String, _ message: String)
    {
        let form = form(fields)
        #expect(form.codecs.isEmpty)
        expect(form.refusals.map(\.description), equals: [message])
    }

    /// Words of the languages, ends of comments and texts, escapes, and names that differ only in what identifiers have not.
    @Test(arguments: CodeLanguage.allCases) func hostileNames(_ language: CodeLanguage) throws {
        let fields = ##"""
                  - { name: "class", type: uint8, bits: { 0: "import os", 1: "\"\"\"\nimport os\n", 2: "\\(x)", 3: rawValue, 4: self, 5: init } }
                  - { name: "self", type: uint8, values: { 0: "*/", 1: "??/", 2: "\\", 3: None, 4: "\u2028import os", 5: Type } }
                  - { name: "value raw", type: uint8, unit: "*/\"" }
                  - { name: "value", type: uint8, scale: 0.1, unit: "\\", special: { 255: "*/ int main(void); /*" } }
                  - { name: "日本", type: uint16 }
                  - { name: "中文", type: uint16 }
                  - { name: "a b", type: uint8 }
                  - { name: "A-B", type: uint8 }
                  - { name: "ab", type: uint8 }
                  - { name: "int", type: uint8 }
                  - { name: "\"\"\" + x\n", type: bytes, size: 2 }
                  - { name: "set value", type: float32 }
                  - { name: "has x", type: uint8 }
                  - { name: "x", type: uint8, if: class & 1 }
                  - { name: "unexplained", type: uint8 }
                  - { name: "input", type: uint8 }
                  - { name: "octets", type: uint8 }
                  - { name: "n1", type: uint8, if: "`import os`" }
                  - { name: "v7", type: uint8 }
                  - { name: "*/\n\\\" constant", const: "2A 2F" }
                  - { name: "\"\"\" until", type: utf8, until: 22 5C }
                  - { name: "*/ hex", type: hex-text, size: 2 }
                  - { name: "??/ bcd", type: bcd8, unit: "*/" }
                  - { name: "decode", type: utf8 }
                examples: [{ hex: "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 2A 2F 2A 2F 22 5C 31 32 59 41 42" }]
              - { uuid: FFF2, name: String, fields: [{ name: Int, type: uint8 }], examples: [{ hex: "01" }] }
              - { uuid: FFF3, name: Int, fields: [{ name: UInt8, type: uint8, values: { 0: a, 1: A, 2: "a " } }], examples: [{ hex: "01" }] }
              - { uuid: FFF4, name: Error, fields: [], examples: [{ hex: "" }] }
              - { uuid: FFF5, name: Tested Error, fields: [{ name: A, type: uint8 }], examples: [{ hex: "01" }] }
              - { uuid: FFF6, name: Codec Error, fields: [{ name: A, type: uint8 }], examples: [{ hex: "01" }] }

            """##
        let yaml =
            "characteristics:\n  - uuid: FFF1\n    name: \"*/ int main(void) { return 1; } /*\"\n    fields:\n\(fields)"
        try GeneratedCode.compare(ComparedCodecs(yaml: yaml), in: language, perCodec: 20)
    }
}

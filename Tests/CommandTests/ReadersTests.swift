import AttlasTestSupport
import Foundation
import Testing

/// `attlas readers`, `--readers` and `--as`.
@Suite struct ReadersTests {
    private static let log = "10:00:00.000 Connected to F2:11:22:33:44:55\n10:00:01.000 Wert 2a37: 00 48\n"

    @Test func aReaderIsMadeTriedAndUsed() throws {
        let folder = try TemporaryFolder()
        let new = try Command.attlas(["readers", "new", "My app"])
        expect(new.status, equals: 0)
        let reader = folder.path("mine.yaml")
        let text = new.output.replacing("Notification {uuid}", with: "Wert {uuid}")
            .replacing("01.000 Notification 2a37", with: "01.000 Wert 2a37")
        try text.write(toFile: reader, atomically: true, encoding: .utf8)
        let check = try Command.attlas(["readers", "check", reader])
        expect(check.status, equals: 0)
        expect(check.output, equals: "1 reader, 1 example: all right\n")
        let log = folder.path("log.txt")
        try Self.log.write(toFile: log, atomically: true, encoding: .utf8)
        let tried = try Command.attlas(["readers", "check", reader, "--log", log])
        expect(tried.output.split(separator: "\n").last, equals: "<1b02000048")
        let shown = try Command.attlas(["show", log, "--readers", reader, "--as", "My app"])
        expect(shown.status, equals: 0)
        #expect(shown.output.contains("text (My app, rebuilt)"))
        #expect(shown.output.contains("72 bpm"))
        // Without it, the log has a connection and no value.
        #expect(try !Command.attlas(["show", log]).output.contains("72 bpm"))
    }

    @Test func mistakesAreReported() throws {
        let folder = try TemporaryFolder()
        let reader = folder.path("bad.yaml")
        try "name: Bad\nlines:\n  - line: 'x {y}'\n    means: read\n".write(
            toFile: reader, atomically: true, encoding: .utf8)
        let check = try Command.attlas(["readers", "check", reader])
        expect(check.status, equals: 1)
        expect(check.output, equals: "\(reader):3: no field is called y: x {y}\n")
        try expect(Command.attlas(["show", "-", "--readers", reader], input: Data()).status, equals: 64)
        let unknown = try Command.attlas(["show", "-", "--as", "nobody"], input: Data())
        expect(unknown.status, equals: 64)
        #expect(
            unknown.errors.contains(
                "No reader is called \"nobody\": Android, Arduino-ESP32, Arduino-ESP32 server, ArduinoBLE, BGAPI,"))
    }

    @Test func aDumpMayBeOfAKind() throws {
        let shown = try Command.attlas(["show", "-", "--as", "att"], input: Data("0a1900\n0b 16 4b\n".utf8))
        expect(shown.status, equals: 0)
        #expect(shown.output.contains("Read"))
    }

    /// The shipped readers fit the schema, by python's jsonschema.
    @Test func theShippedReadersFitTheSchema() throws {
        guard let python = Tool("python3") else { return }
        let script = """
            import glob, json, sys
            try:
                import jsonschema, yaml
            except ImportError:
                print("none")
                sys.exit()
            schema = json.load(open("Documentation/schemas/reader.schema.json"))
            for file in glob.glob("Sources/AttlasCapture/Readers/*.yaml"):
                for error in jsonschema.Draft7Validator(schema).iter_errors(yaml.safe_load(open(file))):
                    print(file, error.message)
            """
        let output = String(decoding: try python.run(["-c", script], in: Repository.root), as: UTF8.self)
        #expect(["", "none\n"].contains(output))
    }
}

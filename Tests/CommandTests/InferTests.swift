import AttlasTestSupport
import Testing

/// `attlas infer` and `attlas values`: what they take for a characteristic, and their status.
@Suite struct InferCommandTests {
    private let capture = Repository.capture("led-strip.btsnoop")

    @Test(arguments: ["6E40FF02", "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E", "0x0010"])
    func aCharacteristicByUUIDOrHandle(_ name: String) throws {
        let result = try Command.attlas(["infer", capture, name])
        expect(result.status, equals: 0)
        #expect(result.output.contains("  - uuid: 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E\n"))
        #expect(try Command.attlas(["values", capture, name]).output.contains("8 values written, 8 distinct\n"))
    }

    /// By a name that definitions give it; one of the Bluetooth SIG, too.
    @Test func aCharacteristicByName() throws {
        let file = Repository.path("Dissectors/examples/led-strip.yaml")
        try expect(Command.attlas(["values", "--dissectors", file, capture, "colour"]).status, equals: 0)
        let values = try Command.attlas(["values", Repository.capture("heart-rate.btsnoop"), "Heart Rate Meas"])
        #expect(values.output.hasPrefix("Heart Rate Measurement · handle 0x"))
    }

    /// The project's own check accepts what is proposed.
    @Test func draftsAreAccepted() throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let draft = try Command.attlas(["infer", capture, "6E40FF02"]).output
            let path = try folder.write(draft.utf8, to: "draft.yaml")
            let check = try Command.attlas(["dissectors", "check", path])
            expect(check.output, equals: "1 file, 1 definition, 14 examples: all right\n")
        }
    }

    @Test func valuesInTheirOrderAndInTwoCaptures() throws {
        let capture = Repository.capture("led-strip.btsnoop")
        let changes = try Command.attlas(["values", capture, "6E40FF02", "--changes"]).output
        #expect(changes.contains("      123       1.2 s  00 10 20 30\n      125       1.3 s  ·· 20 30 40\n"))
        let against = try Command.attlas(["values", capture, "6E40FF02", "--against", "123"]).output
        #expect(
            against.contains("      123       1.2 s  ·· ·· ·· ··\n      125       1.3 s  ·· 20 30 40\n"), "\(against)")
        let missed = try Command.attlas(["values", capture, "6E40FF02", "--against", "2"])
        #expect(missed.status == 1 && missed.errors.contains("frame 2 has no whole value of \"6E40FF02\""))
        let same = try Command.attlas(["values", capture, "6E40FF02", "--compare", capture]).output
        #expect(same.contains("distinct values: 8 in both, 0 only in A, 0 only in B"))
        #expect(!same.contains("octet "))
        // What only the second capture has is no less a difference.
        let before = Repository.capture("heart-rate.btsnoop")
        let after = try Command.attlas(["values", before, "0x0010", "--compare", capture]).output
        #expect(
            after.contains(
                "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E · written\n  distinct values: 0 in both, 0 only in A, 8 only in B"
            ))
        // What a cut file still has is compared, and the status says that it is not whole.
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let octets = try [UInt8](contentsOf: capture, limit: 1 << 20)
            let cut = try folder.write(octets.dropLast(7), to: "cut.btsnoop")
            let result = try Command.attlas(["values", cut, "6E40FF02", "--compare", capture])
            #expect(result.output.contains("distinct values: ") && result.status == 1)
            #expect(result.errors.contains("cut.btsnoop"))
            // A folder with two captures is not one.
            _ = try folder.write(octets, to: "whole.btsnoop")
            let several = try Command.attlas(["values", folder.url.path, "6E40FF02", "--compare", capture])
            #expect(several.status == 1 && several.errors.contains("it has several captures"))
        }
        let other = Repository.capture("ice-cream.btsnoop")
        let none = try Command.attlas(["values", capture, "6E40FF02", "--compare", other])
        expect(none.status, equals: 1)
        #expect(none.errors.contains("no characteristic has \"6E40FF02\""))
        try expect(Command.attlas(["values", capture, "6E40FF02", "--compare", other, "--changes"]).status, equals: 64)
    }

    /// The lamp of the documentation, with marks as a command's and as a file's lines.
    @Test func marksOfTheUser() throws {
        let folder = try TemporaryFolder()
        let (log, marks) = (
            folder.url.appendingPathComponent("lamp.log"), folder.url.appendingPathComponent("lamp.marks")
        )
        let lines = (0..<120).map { second in
            let octets = "A0-\(second % 90 + 10)-0\((second + 5) / 10 % 2)"
            let time = "10:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60).000"
            return "I \(time) Notification received from 0000fff2-0000-1000-8000-00805f9b34fb, value: (0x) \(octets)\n"
        }
        try lines.joined().write(to: log, atomically: true, encoding: .utf8)
        let seconds = stride(from: 5, to: 120, by: 10).map { "\($0).2 \($0 / 10 % 2 == 0 ? "on" : "off")" }
        try "# Marks\n\(seconds.joined(separator: "\n"))\n".write(to: marks, atomically: true, encoding: .utf8)
        let sentence = "octet 2 changes at the marks: on → 01, off → 00: 12 of 12 marks, by chance < 10"
        let fromFile = try Command.attlas(["infer", log.path, "--marks", marks.path])
        #expect(fromFile.output.contains(sentence), "\(fromFile)")
        #expect(
            try Command.attlas(["infer", log.path] + seconds.flatMap { ["--mark", $0] }).output.contains(sentence))
        let mistake = try Command.attlas(["infer", log.path, "--mark", "lights on"])
        expect(mistake.status, equals: 64)
        #expect(mistake.errors.contains("--mark takes a time or a frame"))
        try expect(Command.attlas(["infer", log.path, "--marks", "/nowhere"]).status, equals: 1)

        // As an editor of another system writes it, with a line that is none.
        let other = "# Marks\r\n\(seconds.joined(separator: "\r\n"))\r\nnonsense\r\n"
        try other.write(to: marks, atomically: true, encoding: .utf8)
        let withMistake = try Command.attlas(["infer", log.path, "--marks", marks.path])
        #expect(withMistake.output.contains(sentence))
        #expect(withMistake.errors.contains("lamp.marks:14: no mark"), "\(withMistake.errors)")
        try "\(String(repeating: "nonsense\n", count: 300))".write(to: marks, atomically: true, encoding: .utf8)
        let none = try Command.attlas(["infer", log.path, "--marks", marks.path])
        expect(none.status, equals: 1)
        #expect(
            none.errors.contains("lamp.marks:1, and 299 more lines: no mark") && none.errors.contains("it has no marks")
        )
        let few = try Command.attlas(["infer", log.path, "--mark", seconds[0]])
        #expect(few.output.contains("One mark is too few"))
    }

    /// The same proposal, with the name that was given.
    @Test func aFileToStartFromACapture() throws {
        let proposed = try Command.attlas(["infer", capture, "6E40FF02"]).output
        let uuid = "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E"
        let named = try Command.attlas(["dissectors", "new", uuid, "Colour", "--from", capture])
        expect(named.status, equals: 0)
        expect(
            named.output, equals: proposed.replacing("name: \"Characteristic 6E40FF02…CA9E\"", with: "name: \"Colour\"")
        )
        try expect(Command.attlas(["dissectors", "new", uuid, "--from", capture]).output, equals: proposed)
        try expect(Command.attlas(["dissectors", "new", "FFF9", "--from", capture]).status, equals: 1)
        try expect(Command.attlas(["dissectors", "new", uuid]).status, equals: 64)
        try expect(
            Command.attlas(["dissectors", "new", uuid, "A", "--from", capture, "--value", "00"]).status, equals: 64)
    }

    /// Values that are not read whole are an expectation that is not met.
    @Test func aDefinitionComparedWithACapture() throws {
        let file = Repository.path("Dissectors/examples/led-strip.yaml")
        try expect(Command.attlas(["dissectors", "check", file, "--capture", capture]).status, equals: 2)
        let other = try Command.attlas(
            ["dissectors", "check", file, "--capture", Repository.capture("heart-rate.btsnoop")])
        #expect(other.status == 1 && other.errors.contains("no values of these definitions"))
        try expect(Command.attlas(["dissectors", "check", file, "--json"]).status, equals: 64)
        try expect(Command.attlas(["dissectors", "check", file, "--capture", "/nonexistent"]).status, equals: 1)
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let yaml = "characteristics: [{ uuid: 2A37, name: Heart, fields: [{ name: All, type: bytes }] }]"
            let path = try folder.write(yaml.utf8, to: "heart.yaml")
            let check = ["dissectors", "check", path, "--capture", Repository.capture("heart-rate.btsnoop")]
            try expect(Command.attlas(check).status, equals: 0)
        }
    }

    @Test(arguments: ["infer", "values"])
    func whatIsNotInTheCapture(_ command: String) throws {
        let result = try Command.attlas([command, capture, "Temperature Measurement"])
        expect(result.status, equals: 1)
        #expect(result.errors.contains("no characteristic has \"Temperature Measurement\" in its name or UUID"))
        try expect(Command.attlas([command, "/nonexistent", "6E40"]).status, equals: 1)
        try expect(Command.attlas([command]).status, equals: 64)
    }

    @Test func theListOfACapture() throws {
        let list = try Command.attlas(["infer", capture])
        expect(list.status, equals: 0)
        #expect(list.output.hasPrefix("0x0010  6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E\n"))
    }
}

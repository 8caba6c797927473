import AttlasTestSupport
import Foundation
import Testing

/// `attlas generate`, as a person and a build use it.
@Suite struct GenerateTests {
    private static let definition = Repository.path("Dissectors/examples/led-strip.yaml")

    private func generate(_ arguments: String...) throws -> Command.Result {
        try Command.attlas(["generate"] + arguments)
    }

    @Test func aFileIsWrittenWhole() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("LEDStrip.swift")
        let result = try generate("swift", Self.definition, "--output", path)
        #expect((result.status, result.output, result.errors) == (0, "", ""))
        let code = try String(contentsOfFile: path, encoding: .utf8)
        #expect(code.contains("public struct Colour: Equatable"))
        #expect(code.contains("public enum LedStripError"))
        // Another run writes the same.
        try expect(generate("swift", Self.definition).output, equals: code)
    }

    @Test func theNameIsAPrefix() throws {
        #expect(try generate("c", Self.definition, "--name", "Party Lamp").output.contains("} party_lamp_colour;"))
        #expect(
            try generate("swift", Self.definition, "--bluejay").output.contains(
                "extension Colour: Receivable {"))
    }

    @Test func definitionsAreSelectedByUUID() throws {
        let code = try generate("python", Repository.path("Dissectors/heart-rate.yaml"), "2A38").output
        #expect(code.contains("class BodySensorLocation:"))
        #expect(!code.contains("class HeartRateMeasurement"))
        #expect(try generate("python", "2A37").output.contains("class HeartRateMeasurement:"))
        let missing = try generate("python", Self.definition, "2A37")
        #expect((missing.status, missing.output) == (1, ""))
        #expect(missing.errors.contains("there is no definition of 2A37 in the files"))
    }

    /// Different devices use the same names and UUIDs. What cannot be generated is left out of a folder.
    @Test func aFolderIsOneFile() throws {
        let folder = try TemporaryFolder()
        func device(_ field: String) -> String {
            "characteristics: [{ uuid: FFF1, name: Command, fields: [\(field)] }]"
        }
        try folder.write(device("{ name: A, type: uint8 }").utf8, to: "red-lamp.yaml")
        try folder.write(device("{ name: B, type: uint8 }").utf8, to: "blue-lamp.yaml")
        let odd = try folder.write(
            device("{ name: N, type: uint8 }, { name: A, type: bytes, size: 10 / N }").utf8, to: "odd.yaml")
        let result = try generate("swift", folder.url.path)
        expect(result.status, equals: 0)
        #expect(result.errors.contains("\(odd):1:"))
        let code = result.output
        #expect(code.contains("public struct Command:") && code.contains("public struct RedLampCommand:"))
        #expect(code.split(separator: "fileprivate struct").count == 3)
        // A file that is named has to be generated.
        try expect(generate("swift", odd).status, equals: 1)
    }

    @Test func whatIsRefusedHasItsPlace() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            characteristics:
              - uuid: FFF1
                name: Odd
                fields:
                  - { name: N, type: uint8 }
                  - { name: A, type: bytes, size: 10 / N }
              - { uuid: FFF2, name: Even, fields: [{ name: N, type: uint8 }] }
            """.utf8, to: "odd.yaml")
        let place = "\(path):6:9: Odd cannot be generated: "
        let check = try generate("c", path, "--check")
        expect(check.status, equals: 1)
        #expect(check.output.hasPrefix(place))
        #expect(check.output.hasSuffix("1 layout generated, 1 definition refused\n"))
        let output = folder.path("odd.h")
        let refused = try generate("c", path, "--output", output)
        expect(refused.status, equals: 1)
        #expect(refused.errors.contains(place))
        #expect(!FileManager.default.fileExists(atPath: output))
        try expect(generate("c", path, "FFF2").status, equals: 0)
    }

    /// Tests/AttlasDocumentsTests compile and run it.
    @Test func aCaptureBecomesAMock() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("LEDStrip.swift")
        let result = try generate("coremock", Repository.capture("led-strip.btsnoop"), "--output", path)
        #expect((result.status, result.output, result.errors) == (0, "", ""))
        let code = try String(contentsOfFile: path, encoding: .utf8)
        #expect(code.contains("final class LedStripTwin: CBMPeripheralSpecDelegate {"))
        #expect(code.contains("static func makeLEDStrip("))
        #expect(code.contains(#"device.record(.read, 0x0010, "00 FF 80 00", frame: 93)"#))
        let two = Repository.capture("two-peripherals.btsnoop")
        #expect(try generate("coremock", two).output.split(separator: "static func make").count == 3)
        let one = try generate("coremock", two, "--peer", "HRM", "--name", "Strap").output
        #expect(one.split(separator: "static func make").count == 2 && one.contains("extension StrapTwin {"))
        let missing = try generate("coremock", two, "--peer", "nobody")
        #expect(missing.status == 1 && missing.errors.contains("no device has \"nobody\" in its name or address"))
        #expect(try generate("coremock", two, "--check").status == 64)
        #expect(try generate("swift", Self.definition, "--peer", "a").status == 64)
    }

    /// 0x0013 was Temperature Type (06) before Service Changed in frame 127, and is Firmware Revision String then (1.8.0).
    @Test func aMockHasTheValuesOfItsTable() throws {
        let code = try generate("coremock", Repository.capture("indications.btsnoop")).output
        #expect(code.contains(#"device.record(.read, 0x0013, "31 2E 38 2E 30", frame: 177)"#))
        #expect(!code.contains(#"device.record(.read, 0x0013, "06""#))
    }

    @Test func mistakesAreReported() throws {
        try expect(generate("java", Self.definition).status, equals: 64)
        try expect(generate("c", Self.definition, "--bluejay").status, equals: 64)
        try expect(generate("c", Self.definition, "--tests", "x\"\n").status, equals: 64)
        try expect(generate("c").status, equals: 64)
        let missing = try generate("c", "/none.yaml")
        #expect((missing.status, missing.errors) == (1, "attlas: /none.yaml: there is no such file or folder\n"))
    }
}

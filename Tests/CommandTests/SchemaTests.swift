import AttlasTestSupport
import Foundation
import Testing

/// Lines and documents of JSON fit their published schema.
///
/// The judge is python's jsonschema (Debian: python3-jsonschema), which `make test` installs.
@Suite(.enabled(if: Command.hasSchemaValidator, "python3-jsonschema is not installed"))
struct SchemaTests {
    static let malformed: [String] = {
        let folder = Repository.captures.appendingPathComponent("malformed")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasSuffix(".md") && !$0.hasSuffix(".py") }.sorted().map { "malformed/\($0)" }
    }()

    /// What prints JSON of any capture, by its schema.
    static let outputs: [(schema: String, arguments: [String])] = [
        ("show", ["--hci", "--findings"]), ("tree", []), ("devices", []), ("keys", []), ("lint", []), ("infer", []),
        ("stats", []),
        ("diff", [Repository.capture("heart-rate.btsnoop")]),
    ]

    @Test(arguments: outputs) func captures(_ command: String, _ arguments: [String]) throws {
        try check([command] + arguments, captures: Repository.someCaptureNames)
    }

    /// Each command, result and event that may have a definition, with parameters that no device sends. No key comes twice.
    @Test(arguments: [(0x00, 250), (0x01, 40), (0xFF, 250), (0xFF, 7)])
    func linesOfEveryHCIPacket(octet: UInt8, count: UInt8) throws {
        let parameters = [UInt8](repeating: octet, count: Int(count))
        var packets: [Packet] = []
        for group in [1, 2, 3, 4, 5, 6, 8] {
            for opcode in (group << 10)..<(group << 10 + 0xC0) {
                let code = [UInt8(opcode & 0xFF), UInt8(opcode >> 8)]
                packets.append(Packet(.packet(.command), .tx, code + [count] + parameters))
                packets.append(Packet(.packet(.event), .rx, [0x0E, count + 4, 1] + code + [0] + parameters))
            }
        }
        for code in UInt8.min...UInt8.max {
            packets.append(Packet(.packet(.event), .rx, [code, count] + parameters))
            packets.append(Packet(.packet(.event), .rx, [0x3E, count + 1, code] + parameters))
        }
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let capture = try folder.write(packets.map { $0.at(milliseconds: 0) }.btsnoop, to: "every.btsnoop")
            try hold(try Command.attlas(["show", "--hci", "--json", capture]).output, against: "show")
        }
    }

    @Test func linesOfObjects() throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let packets =
                Objects.read + Objects.act("05 00000000 01000000") + [
                    Objects.sdu(.rx, "AABBCC"), Objects.sdu(.rx, "AA", missing: 1),
                ]
            let capture = try folder.write(packets.map { $0.at(milliseconds: 0) }.btsnoop, to: "objects.btsnoop")
            try hold(try Command.attlas(["show", "--hci", "--json", capture]).output, against: "show")
        }
    }

    /// With a key that opens them, and with one that does not.
    @Test(arguments: [
        "7dd7364cd842ad18c17c2b820c84c3d6", "7dd7364cd842ad18c17c2b820c84c3d6@7", "00000000000000000000000000000001",
    ])
    func linesOfMesh(key: String) throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let beacons = [
                Mesh.beacon, "02435f18f85cf78a3121f58478a561e488e7cbf3174f022a514741",
                "0070cf7c9732a345b691494810d2e9cbf44020d36b25b8", "05", "0100",
            ].map { Mesh.advertisement(0x2B, $0) }
            let provisioning = [
                "23AFDE01 00 03 70CF", "23AFDE01 00 07", "23AFDE01 00 0B 01", "23AFDE01 00 0F",
                "23AFDE01 80 08 0041 D3 0302",
                "23AFDE01 80 06 AA", "23AFDE01 80 01",
            ].map { Mesh.advertisement(0x29, $0) }
            let proxy: [Packet] = [
                .connected(), .att(.tx, "04 0300 0500"), .att(.rx, "05 01 0300 DD2A 0400 0328 0500 DE2A"),
                .att(.rx, "1B 0500 00\(Mesh.messages[1])"),
            ]
            let packets = beacons + Mesh.messages.map { Mesh.advertisement(0x2A, $0) } + provisioning + proxy
            let capture = try folder.write(packets.map { $0.at(milliseconds: 0) }.btsnoop, to: "mesh.btsnoop")
            let result = try Command.attlas(["show", "--hci", "--json", "--netkey", key, capture])
            #expect(result.output.contains(#""type":"mesh""#))
            try hold(result.output, against: "show")
        }
    }

    /// A broadcast that is followed, and one of the host's own.
    @Test(arguments: [Audio.broadcast, Audio.ownBroadcast])
    func devicesWithBroadcasts(_ packets: [Packet]) throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let cut = Packet.event("3E 0B 0F 2000 7F 7F FF 02 03 1716FE")
            let capture = try folder.write(
                (packets + [cut]).map { $0.at(milliseconds: 0) }.btsnoop, to: "broadcast.btsnoop")
            try hold(try Command.attlas(["devices", "--json", capture]).output, against: "devices", ["--document"])
        }
    }

    /// Each record of the Linux monitor, and each command and event of the Management interface.
    @Test(arguments: [(0x00, 250), (0x01, 40), (0xFF, 250), (0xFF, 7)])
    func linesOfEveryMonitorRecord(octet: UInt8, count: Int) throws {
        let parameters = [UInt8](repeating: octet, count: count)
        var capture = btsnoopHeader(2001)
        for opcode: UInt32 in 0..<24 { capture += btsnoopRecord(parameters, flags: opcode) }
        for code in UInt8.min..<0x60 {
            let octets = [1, 0, 0, 0, code, 0] + parameters
            for opcode: UInt32 in 16...17 { capture += btsnoopRecord(octets, flags: opcode) }
        }
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let capture = try folder.write(capture, to: "monitor.btsnoop")
            try hold(try Command.attlas(["show", "--hci", "--json", capture]).output, against: "show")
        }
    }

    @Test(arguments: [[], ["--hci"]])
    func listOfDefinitions(arguments: [String]) throws {
        let output = try Command.attlas(["dissectors", "list", "--json"] + arguments).output
        try hold(output, against: "dissectors-list", ["--document"])
    }

    @Test func scoreOfDefinitions() throws {
        let file = Repository.path("Dissectors/examples/led-strip.yaml")
        for capture in ["led-strip.btsnoop", "heart-rate.btsnoop"] {
            let arguments = ["dissectors", "check", file, "--json", "--capture", Repository.capture(capture)]
            try hold(try Command.attlas(arguments).output, against: "dissectors-check", ["--document"])
        }
    }

    /// One that is refused at once has no document.
    @Test(arguments: ["tree", "devices", "lint", "stats"])
    func documentsOfMalformedCaptures(_ command: String) throws {
        let output = try Command.attlas([command, "--json"] + Self.malformed.map(Repository.capture)).output
        try hold(output, against: command, ["--document"])
    }

    @Test(arguments: ["infer", "values"])
    func valuesOfOneCharacteristic(_ command: String) throws {
        for (capture, name) in [("led-strip.btsnoop", "6E40FF02"), ("heart-rate.btsnoop", "Heart Rate Measurement")] {
            let output = try Command.attlas([command, "--json", Repository.capture(capture), name]).output
            try hold(output, against: command, ["--document"])
        }
    }

    @Test func lintRules() throws {
        try hold(try Command.attlas(["lint", "--list", "--json"]).output, against: "lint-list", ["--document"])
    }

    @Test func benchDocument() throws {
        try check("bench", capture: "heart-rate.btsnoop", schema: "bench", "--document")
        try check(
            "bench", more: [Repository.capture("long-read.btsnoop")], capture: "pairing.btsnoop", schema: "bench",
            "--document")
    }

    @Test(arguments: ["peer", "characteristic", "method"])
    func groupedStatistics(by grouping: String) throws {
        try check("stats", "--by", grouping, capture: "two-peripherals.btsnoop", schema: "stats", "--document")
    }

    @Test func importedTables() throws {
        let table = ["--gatt-db", Repository.capture("heart-rate.btsnoop")]
        try check("show", more: table, capture: "after-discovery.btsnoop", schema: "show")
        try check("tree", more: table, capture: "after-discovery.btsnoop", schema: "tree", "--document")
    }

    private func schema(_ file: String) throws -> [String: Any] {
        let path = Repository.path("Documentation/schemas/\(file)")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
        return try #require(object as? [String: Any])
    }

    private func schemaFiles() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: Repository.path("Documentation/schemas"))
        #expect(files.count >= 15)
        return files
    }

    /// The name and the version that the output has as well. An identity would be the base of references to other files.
    @Test func everySchemaHasAnIdentity() throws {
        for file in try schemaFiles() {
            let name = file.replacing(".schema.json", with: "")
            let schema = try schema(file)
            let version = name == "why" ? 2 : 1
            let isWhole = try !Repository.text("Documentation/schemas/\(file)").contains("common.schema.json#")
            let identity = isWhole && name != "common" ? "urn:attlas:schema:\(name):\(version)" : nil
            #expect(schema["$id"] as? String == identity, "\(file)")
            // What is written by hand has none; of `show`, only the first line has it.
            guard !["common", "configuration", "dissector", "expectations", "reader", "show"].contains(name) else {
                continue
            }
            let properties = schema["properties"] as? [String: [String: Any]]
            #expect(properties?["schema"]?["const"] as? String == "attlas/\(name)/\(version)", "\(file)")
            #expect((schema["required"] as? [String])?.contains("schema") == true, "\(file)")
        }
        let lines = try Command.attlas(["show", "--json", Repository.capture("heart-rate.btsnoop")]).output
        let first = try #require(lines.split(separator: "\n").first)
        #expect(first == #"{"type":"capture","schema":"attlas/show/1","format":"btsnoop","link_type":"HCI H4 (1002)"}"#)
        #expect(lines.ranges(of: #""schema":"#).count == 1)
    }

    /// A configuration has expectations. A reference to another file would need that file where the schema is.
    @Test func definitionsInTwoSchemasAreTheSame() throws {
        let own = try #require(try schema("configuration.schema.json")["definitions"] as? [String: Any])
        let others = try #require(try schema("expectations.schema.json")["definitions"] as? [String: Any])
        for (name, definition) in others {
            #expect(NSDictionary(dictionary: ["": definition]).isEqual(to: ["": own[name] ?? ""]), "\(name)")
        }
    }

    /// Shapes that several schemas have are in common.schema.json. A configuration repeats the expectations.
    @Test func noShapeIsWrittenTwice() throws {
        var places: [String: String] = [:]
        func visit(_ value: Any, at place: String) throws {
            for element in value as? [Any] ?? [] { try visit(element, at: place) }
            guard let object = value as? [String: Any] else { return }
            let octets = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
            let text = String(decoding: octets, as: UTF8.self)
            // References within a file mean something else in another. What is short is not worth a reference.
            if text.count > 150, !text.contains(##""$ref":"#"##) {
                #expect(places[text] == nil, "\(place) repeats \(places[text] ?? "")")
                places[text] = place
            }
            for (key, value) in object { try visit(value, at: "\(place)/\(key)") }
        }
        for file in try schemaFiles() where file != "configuration.schema.json" {
            try visit(try schema(file), at: file)
        }
    }

    /// All captures have one judge: to start it takes longest.
    fileprivate func check(_ arguments: [String], captures: [String]) throws {
        var outputs = ""
        for capture in captures {
            let output = try Command.attlas(arguments + ["--json", Repository.capture(capture)]).output
            #expect(!output.isEmpty || capture.hasPrefix("malformed/"), "\(capture)")
            outputs += output
        }
        try hold(outputs, against: arguments[0], arguments[0] == "show" ? [] : ["--document"])
    }

    private func check(
        _ arguments: String..., more: [String] = [], capture: String, schema: String, _ options: String...
    ) throws {
        let output = try Command.attlas(arguments + more + ["--json", Repository.capture(capture)]).output
        try hold(output, against: schema, options)
    }

    private func hold(_ output: String, against schema: String, _ options: [String] = []) throws {
        let verdict = try Command.judge(output, bySchema: schema, options)
        #expect(verdict.isEmpty, "\(verdict)")
    }
}

/// … from every capture of the project. One that is refused at once has no lines and no document.
@Suite(.enabled(if: Command.hasSchemaValidator, "python3-jsonschema is not installed"))
struct SchemaLongTests {
    @Test(arguments: SchemaTests.outputs) func everyCapture(_ command: String, _ arguments: [String]) throws {
        try SchemaTests().check([command] + arguments, captures: Repository.captureNames)
    }

    @Test(arguments: SchemaTests.outputs.filter { ["show", "diff"].contains($0.schema) })
    func everyMalformedCapture(_ command: String, _ arguments: [String]) throws {
        try SchemaTests().check([command] + arguments, captures: SchemaTests.malformed)
    }
}

import AttlasTestSupport
import Foundation
import Testing

/// `attlas anonymize`, as a user runs it.
@Suite struct AnonymizeTests {
    private static let seed = Array("a seed of thirty-two octets ….".utf8)

    /// A folder with a seed, and a capture that was anonymized with it.
    private struct Anonymized {
        let folder: TemporaryFolder
        let path: String
        let result: Command.Result

        init(_ capture: String, to name: String = "out.btsnoop", _ options: [String] = []) throws {
            folder = try TemporaryFolder()
            try folder.write(AnonymizeTests.seed, to: "seed")
            path = folder.path(name)
            result = try Command.attlas(["anonymize", capture, path, "--seed", folder.path("seed")] + options)
        }
    }

    private func lines(_ arguments: [String]) throws -> [[String: Any]] {
        try Command.attlas(arguments).output.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
    }

    /// Of each line what is no value, no name and no address.
    private func conversation(_ path: String) throws -> [String] {
        let kept = [
            "frame", "frames", "time", "type", "method", "direction", "handle", "opcode", "error", "round_trip_us",
            "connection",
            "bearer",
        ]
        return try lines(["show", "--json", "--hci", path]).map { line in
            let line = line.filter { kept.contains($0.key) }
            let data = try JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// Of each incident and each finding, what it is and where.
    private func troubles(_ path: String) throws -> [String] {
        let incidents = try lines(["why", "--json", path]).flatMap { $0["incidents"] as? [[String: Any]] ?? [] }
        let findings = try lines(["lint", "--json", path]).flatMap { $0["findings"] as? [[String: Any]] ?? [] }
        return incidents.map { "\($0["kind"] ?? "") \($0["frames"] ?? $0["frame"] ?? "")" }
            + findings.map { "\($0["rule"] ?? "") \($0["frame"] ?? "")" }
    }

    /// What happened, and when, is the same.
    @Test(arguments: ["heart-rate", "pairing"])
    func theConversationIsTheSame(_ name: String) throws {
        let capture = Repository.capture("\(name).btsnoop")
        let anonymized = try Anonymized(capture)
        expect(anonymized.result.status, equals: 0, "\(anonymized.result.errors)")
        #expect(anonymized.result.output.contains("none is left"))
        let before = try conversation(capture)
        #expect(try conversation(anonymized.path) == before && !before.isEmpty)
        try expect(troubles(anonymized.path), equals: troubles(capture))
    }

    /// What tshark reads of the original, and the names and serial numbers that Captures/*.md tell, are nowhere in the result: not in
    /// its octets, and not in what tshark and attlas make of them.
    @Test(
        .enabled(if: Tool("tshark") != nil),
        arguments: [
            ("heart-rate", ["HRM-7", "P7-004211"]), ("keyboard", []), ("fixed-passkey", []), ("many-sensors", []),
        ])
    func nothingThatIdentifiesIsLeft(_ name: String, _ texts: [String]) throws {
        let capture = Repository.capture("\(name).btsnoop")
        let anonymized = try Anonymized(capture)
        expect(anonymized.result.status, equals: 0)
        let tshark = try #require(Tool("tshark"))
        let fields = [
            "bthci_evt.bd_addr", "bthci_cmd.bd_addr", "btsmp.bd_addr", "btcommon.eir_ad.entry.device_name",
            "btsmp.long_term_key", "btsmp.id_resolving_key", "btsmp.signature_key", "bthci_cmd.le_long_term_key",
        ]
        var originals = Set(texts)
        let output = try tshark.run(
            ["-r", capture, "-T", "fields", "-E", "occurrence=a"] + fields.flatMap { ["-e", $0] })
        for value in String(decoding: output, as: UTF8.self).split(whereSeparator: { ",\t\n".contains($0) }) {
            // No address, any address, no key.
            if value.count >= 4, value.contains(where: { !"0f:".contains($0) }) { originals.insert(String(value)) }
        }
        #expect(originals.count >= 2)
        let octets = [UInt8](try Data(contentsOf: URL(filePath: anonymized.path)))
        let words = try [
            String(decoding: tshark.run(["-r", anonymized.path, "-V"]), as: UTF8.self),
            Command.attlas(["show", "--json", "--hci", anonymized.path]).output,
            Command.attlas(["tree", "--json", anonymized.path]).output,
        ].map { $0.lowercased() }
        for original in originals {
            let isIn = words.contains { $0.contains(original.lowercased()) }
            #expect(!isIn, "\(original)")
            let hexadecimal = original.replacing(":", with: "")
            let digits =
                hexadecimal.count.isMultiple(of: 2) && hexadecimal.allSatisfy(\.isHexDigit) && hexadecimal.count >= 12
            let secret = digits ? hex(hexadecimal) : Array(original.utf8)
            for order in [secret, secret.reversed()] {
                #expect(octets.firstRange(of: order) == nil, "\(original)")
            }
        }
    }

    /// One seed, one result; another seed, another.
    @Test func theSeedDecides() throws {
        let capture = Repository.capture("pairing.btsnoop")
        let (one, two) = (try Anonymized(capture), try Anonymized(capture))
        let first = try Data(contentsOf: URL(filePath: one.path))
        try expect(Data(contentsOf: URL(filePath: two.path)), equals: first)
        try expect(Command.attlas(["anonymize", capture, two.path, "--force"]).status, equals: 0)
        #expect(try Data(contentsOf: URL(filePath: two.path)) != first)
    }

    /// The same in the format that the other program reads.
    @Test(arguments: ["out.pcapng", "out.pcap", "out.pklg"]) func otherFormats(_ name: String) throws {
        let anonymized = try Anonymized(Repository.capture("heart-rate.btsnoop"), to: name)
        expect(anonymized.result.status, equals: 0)
        let btsnoop = try Anonymized(Repository.capture("heart-rate.btsnoop"))
        try expect(conversation(anonymized.path), equals: conversation(btsnoop.path))
    }

    @Test func commentsAreLeftOut() throws {
        let folder = try TemporaryFolder()
        let noted = folder.path("noted.pcapng")
        try expect(
            Command.attlas(["convert", "--annotate", Repository.capture("heart-rate.btsnoop"), noted]).status, equals: 0
        )
        #expect(try Data(contentsOf: URL(filePath: noted)).firstRange(of: Data("HRM-7".utf8)) != nil)
        let anonymized = try Anonymized(noted, to: "out.pcapng")
        #expect(anonymized.result.status == 0 && anonymized.result.output.contains("comments left out"))
        #expect(try Data(contentsOf: URL(filePath: anonymized.path)).firstRange(of: Data("HRM-7".utf8)) == nil)
    }

    /// A page of the capture, and one of the anonymized capture: only the names of the files differ.
    @Test func anAnonymousReport() throws {
        let capture = Repository.capture("heart-rate.btsnoop")
        let anonymized = try Anonymized(capture, to: "out.pcapng")
        let seed = anonymized.folder.path("seed")
        for format in ["html", "markdown"] {
            let report = try Command.attlas(["report", "--format", format, "--anonymous", "--seed", seed, capture])
            let other = try Command.attlas([
                "report", "--format", format, "--title", "Bluetooth LE capture", anonymized.path,
            ])
            #expect(report.status == 0 && other.status == 0 && report.errors.isEmpty)
            let named = other.output.replacing(#" class="heard">out.pcapng"#, with: ">capture 1").replacing(
                "out.pcapng", with: "capture 1")
            expect(report.output, equals: named)
            #expect(!report.output.contains("HRM-7") && !report.output.contains("P7-004211"))
        }
        try expect(Command.attlas(["report", "--seed", seed, capture]).status, equals: 64)
    }

    // MARK: Refusals

    @Test func strictly() throws {
        let anonymized = try Anonymized(Repository.capture("after-discovery.btsnoop"), ["--strict"])
        #expect(anonymized.result.status == 2 && anonymized.result.output.contains("octets not understood"))
        #expect(anonymized.result.output.contains("  frame 1, octets 11 to 16\n"))
        #expect(!FileManager.default.fileExists(atPath: anonymized.path))
        try expect(Anonymized(Repository.capture("heart-rate.btsnoop"), ["--strict"]).result.status, equals: 0)
    }

    @Test func refusals() throws {
        let capture = Repository.capture("heart-rate.btsnoop")
        let folder = try TemporaryFolder()
        try folder.write(Array("short".utf8), to: "seed")
        func refused(_ arguments: [String], _ reason: String, status: Int32 = 1) throws {
            let result = try Command.attlas(["anonymize"] + arguments)
            #expect(
                result.status == status && result.errors.contains(reason) && result.output.isEmpty, "\(result.errors)")
        }
        try refused(
            [capture, folder.path("a.btsnoop"), "--seed", folder.path("seed")], "a seed has at least 32 octets")
        try refused(["-", folder.path("a.btsnoop")], "it can be read only once")
        try refused([folder.url.path, folder.path("a.btsnoop")], "Pass files, not a folder")
        try refused([capture, folder.path("a")], "needs the suffix", status: 64)
        try refused([capture, folder.path("a.btsnoop"), "--keep", "name"], "is not a UUID", status: 64)
        try folder.write([], to: "b.btsnoop")
        try refused([capture, folder.path("b.btsnoop")], "exists already")
        try expect(
            FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted(), equals: ["b.btsnoop", "seed"])
    }

    // MARK: What must be the same

    /// Members that have names, addresses, values, and sentences with them.
    private static let personal: Set<String> = [
        "file", "format", "source", "peer", "address", "name", "resolved_from", "value", "values", "text", "fields",
        "summary", "title",
        "message", "what", "before", "cause", "next", "steps", "fingerprint", "local_name", "last_value", "link_type",
        // A decrypted packet has no MIC, and a value of a vendor none of its fields.
        "air_time_us", "fault",
    ]

    /// A document without those members.
    private static func shape(_ document: Any) -> Any {
        switch document {
        case let members as [String: Any]:
            members.filter { !personal.contains($0.key) }.mapValues(shape)
        case let elements as [Any]: elements.map(shape)
        default: document
        }
    }

    private func documents(_ path: String) throws -> [String] {
        try ["why", "lint", "stats", "tree"].map { command in
            let text = try Command.attlas([command, "--json", path]).output
            let shape = Self.shape(try JSONSerialization.jsonObject(with: Data(text.utf8)))
            let data = try JSONSerialization.data(withJSONObject: shape, options: [.sortedKeys, .prettyPrinted])
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// What broke, the findings, all numbers, and the tree, of captures of hosts and from the air, also encrypted ones.
    func expectSameDocuments(_ capture: String) throws {
        let anonymized = try Anonymized(capture, to: "out.pcapng")
        expect(anonymized.result.status, equals: 0, "\(capture): \(anonymized.result.errors)")
        for (new, old) in zip(try documents(anonymized.path), try documents(capture)) where new != old {
            let (new, old) = (new.split(separator: "\n"), old.split(separator: "\n"))
            Issue.record("\(capture): \(new.difference(from: old).prefix(8))")
        }
    }

    @Test(arguments: ["two-controllers.pcap", "heart-rate.btsnoop", "pairing.btsnoop"])
    func documentsAreTheSame(_ name: String) throws { try expectSameDocuments(Repository.capture(name)) }
}

/// The same for every capture there is.
@Suite struct AnonymizeLongTests {
    @Test(arguments: ["eatt", "many-sensors", "both-roles"]) func theConversationIsTheSame(_ name: String) throws {
        try AnonymizeTests().theConversationIsTheSame(name)
    }

    @Test func everyCapture() throws {
        let folder = try TemporaryFolder()
        var captures = try Folder.captures(in: Repository.captures.path)
        if let more = ProcessInfo.processInfo.environment["ATTLAS_CAPTURES"] {
            captures += try Folder.captures(in: more)
        }
        #expect(captures.count > 20)
        for capture in captures {
            let out = folder.path("out.pcapng")
            let result = try Command.attlas(["anonymize", capture, out, "--force"])
            expect(result.status, equals: 0, "\(capture): \(result.errors)")
            try expect(shape(out), equals: shape(capture), "\(capture)")
            // A repeated passkey shows in keys only.
            if !capture.contains("fixed-passkey") { try AnonymizeTests().expectSameDocuments(capture) }
        }
    }

    private func shape(_ path: String) throws -> [String] {
        let kept = ["frame", "time", "method", "direction", "handle", "round_trip_us"]
        return try Command.attlas(["show", "--json", path]).output.split(separator: "\n").compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            guard object["type"] as? String == "att" else { return nil }
            return kept.compactMap { key in object[key].map { "\(key)=\($0)" } }.joined(separator: " ")
        }
    }
}

private enum Folder {
    static func captures(in path: String) throws -> [String] {
        let endings = ["btsnoop", "pcap", "pcapng", "pklg", "log"]
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted().filter { name in
            endings.contains(String(name.split(separator: ".").last ?? ""))
        }.map { "\(path)/\($0)" }
    }
}

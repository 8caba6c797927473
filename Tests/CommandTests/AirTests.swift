import AttlasTestSupport
import Foundation
import Testing

/// A conversation that a host recorded, and the same as a sniffer would have heard it, give the same ATT lines.
@Suite struct AirTests {
    /// The recorded host is the central of all of them.
    static let conversations = [
        "heart-rate.btsnoop", "two-peripherals.btsnoop", "long-read.btsnoop", "indications.btsnoop",
    ]

    /// What only one side of HCI knows, or counts otherwise.
    private static let keys = [
        "frame", "frames", "request_frame", "time", "connection_handle", "access_address", "peer",
    ]

    private func lines(_ path: String, _ arguments: [String] = [], without more: [String] = []) throws -> [String] {
        let result = try Command.attlas(["show", "--json"] + arguments + [path])
        #expect(result.status == 0 && result.errors.isEmpty, "\(path): \(result.errors)")
        return try result.output.split(separator: "\n").compactMap { line in
            var object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard object["type"] as? String == "att" else { return nil }
            for key in Self.keys + more { object[key] = nil }
            return String(
                decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
        }
    }

    private func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        return try body(folder.write(bytes, to: "capture"))
    }

    private func layout(_ name: String, hasEvents: Bool = false) throws -> AirLayout {
        AirLayout(try Repository.packets(of: name), hasEvents: hasEvents)
    }

    @Test(arguments: conversations)
    func theAirGivesTheSameATT(_ name: String) throws {
        let expected = try lines(Repository.capture(name))
        #expect(expected.count > 20)
        let layout = try layout(name)
        #expect(layout.packets.contains { $0.isBad })
        for file in [layout.withPseudoHeader, layout.nordic] {
            let found = try withFile(file) { try lines($0) }
            for (line, wanted) in zip(found, expected) where line != wanted {
                Issue.record("\(name):\n  got    \(line)\n  wanted \(wanted)")
                return
            }
            expect(found.count, equals: expected.count)
        }
    }

    /// A sniffer that tells no directions: the events do. Times are others, and so are the durations.
    @Test(arguments: conversations)
    func directionsByAlternationGiveTheSameATT(_ name: String) throws {
        let expected = try lines(Repository.capture(name), without: ["rtt_us"])
        let found = try withFile(layout(name, hasEvents: true).bare) { try lines($0, without: ["rtt_us"]) }
        expect(found, equals: expected)
    }

    /// Packets that nobody knows are counted and described. "No ATT in this capture" would be a guess.
    @Test func packetsThatStayUnknown() throws {
        let kind = PCAPKind()
        let records = ["07 0500 03 0100 0E 0102030405", "07 0500 03 0200 0E 0102030405", "07 0100 03 0300 17 01"]
        let file = kind.header(272) + records.flatMap { kind.record(hex($0)) }
        try withFile(file) { path in
            let text = try Command.attlas(["show", path]).output
            #expect(text.contains("✗ 3 packets that attlas does not know: types 0x0E, 0x17, 1 to 5 octets after it\n"))
            #expect(text.contains("None of the packets could be read. Try --hci to see them.\n"))
            #expect(!text.contains("No ATT"))
        }
    }

    /// LL_CS_REQ and LL_CS_RSP, octets of the layouts of Vol 6, Part B, 2.4.2, with CRCs by another program.
    @Test func channelSoundingFromTheAir() throws {
        let file = hex(
            """
            d4c3b2a1020004000000000000000000ffff00000001000000f1536500000000350000003500000025d88000d6be898e130cd6be898e8522
            665544332211aabbccddeec6ab5d655056341202020018000000c800ffffffff1fa7c176e600f153657017000030000000300000000ad880
            00ab5d6550130cab5d6550031d32016400f40100e80300400601000100008813000a006400010301fef29eada400f1536500190000290000
            00290000000ad88000ab5d6550130cab5d6550031633016600f40100e8030001000100008813000101fe00f64b2a
            """)
        try withFile(file) { path in
            let text = try Command.attlas(["show", "--hci", path]).output
            #expect(text.contains("LL_CS_REQ · Config ID 1 · Reserved 0 · Connection Event Count 100 · Offset Min"))
            #expect(text.contains("Procedure Count 100 · Antenna Configuration Index 1"))
            #expect(text.contains("TX SNR Initiator 24 dB · TX SNR Reflector not applied"))
            #expect(text.contains("LL_CS_RSP · Config ID 1 · Reserved 0 · Connection Event Count 102"))
            let lines = try Command.attlas(["show", "--json", "--hci", path]).output
            #expect(lines.contains(#""config_id":1,"reserved":0,"connection_event_count":100,"offset_min_us":500"#))
            #expect(try Command.judge(lines, bySchema: "show").isEmpty)
        }
    }

    /// Every line fits the published schema, and so do the other documents.
    @Test(
        .enabled(if: Command.hasSchemaValidator, "python3-jsonschema is not installed"), arguments: ["nordic", "bare"])
    func schemas(_ format: String) throws {
        let layout = try layout("heart-rate.btsnoop", hasEvents: format == "bare")
        try withFile(format == "bare" ? layout.bare : layout.nordic) { path in
            let lines = try Command.attlas(["show", "--json", "--hci", path]).output
            #expect(lines.contains("\"link_layer\""))
            #expect(try Command.judge(lines, bySchema: "show").isEmpty)
            for document in ["stats", "tree", "devices", "lint"] {
                let output = try Command.attlas([document, "--json", path]).output
                #expect(try Command.judge(output, bySchema: document, ["--document"]).isEmpty, "\(document)")
            }
        }
    }

    /// A sniffer's stream on a pipe, and what was recorded of it.
    @Test func live() throws {
        let expected = try lines(Repository.capture("heart-rate.btsnoop"))
        let folder = try TemporaryFolder()
        let copy = folder.path("copy.pcapng")
        let stream = Data(try layout("heart-rate.btsnoop").nordicStream)
        let live = try Command.attlas(["live", "--json", "--write", copy, "-"], input: stream)
        #expect(live.status == 0 && live.errors.isEmpty)
        expect(live.output.split(separator: "\n").count { $0.hasPrefix("{\"type\":\"att\"") }, equals: expected.count)
        #expect(try lines(copy).map { $0.replacing("\"controller\":1", with: "\"controller\":0") } == expected)
        let btsnoop = try Command.attlas(["live", "--write", "\(copy).btsnoop", "-"], input: stream)
        expect(btsnoop.status, equals: 1)
        #expect(btsnoop.errors.contains("btsnoop cannot hold packets from the air"))
    }

    // MARK: Keys

    @Test(arguments: [["--ltk", "12"], ["--ltk", "zz"], ["--tk", "1234567"], ["--tk", "12a"]])
    func keysThatAreNone(arguments: [String]) throws {
        let result = try Command.attlas(["show"] + arguments + [Repository.capture("heart-rate.btsnoop")])
        expect(result.status, equals: 64)
        // A key is a secret: no message repeats what was given.
        #expect(!result.errors.contains("'\(arguments[1])'"))
    }

    // MARK: Real captures

    private static let folder = ProcessInfo.processInfo.environment["ATTLAS_CAPTURES"]
    private static let crackle = "mikeryan__crackle__tests_"

    private func real(_ name: String) throws -> String? {
        let path = "\(try #require(Self.folder))/\(name)"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// A capture, its key, and what another program made of it with that key.
    @Test(.enabled("set ATTLAS_CAPTURES to a folder of captures") { folder != nil })
    func theDecryptedTwinGivesTheSameATT() throws {
        guard let path = try real("\(Self.crackle)02_ltk_decrypt_known_ltk.pcap"),
            let twin = try real("\(Self.crackle)02_ltk_decrypt_out_expected_output.pcap")
        else { return }
        let expected = try lines(twin)
        expect(expected.count, equals: 5)
        try expect(lines(path, ["--ltk", "7f62c053f104a5bbe68b1d896a2ed49c"]), equals: expected)
        #expect(try lines(path).isEmpty)
        let wrong = try Command.attlas(["show", "--ltk", "7f62c053f104a5bbe68b1d896a2ed49d", path])
        #expect(wrong.output.contains("no key that was given or seen is the right one"))
        #expect(!wrong.output.contains("7f62c053"))
    }

    /// Just Works, so that the Temporary Key is 0; and LE Secure Connections, which is refused with the reason.
    @Test(.enabled("set ATTLAS_CAPTURES to a folder of captures") { folder != nil })
    func pairings() throws {
        if let path = try real("\(Self.crackle)01_crack_pairing_and_ltk_exchange.pcap") {
            let text = try Command.attlas(["show", path]).output
            #expect(text.contains("decrypted with the key of its pairing"))
            #expect(text.contains("SMP Encryption Information"))
            // The file of `keys` is one for `--keys`, and its Short Term Key opens the connection.
            let folder = try TemporaryFolder()
            let file = folder.path("found.keys")
            expect(try Command.attlas(["keys", "-o", file, path]).status, equals: 0)
            let shown = try Command.attlas(["show", "--keys", file, path])
            expect(shown.status, equals: 0)
            #expect(shown.output.contains("SMP Encryption Information"))
        }
        if let path = try real("\(Self.crackle)04_le_secure_connections_le_secure_connections.pcapng") {
            let text = try Command.attlas(["show", path]).output
            #expect(text.contains("LE Secure Connections pairing, which no capture holds the key of"))
        }
    }

    private static let tshark = ["/usr/bin/tshark", "/usr/local/bin/tshark"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Every ATT PDU that tshark sees is one here, in the same frame, but for retransmissions, each of which is named. What only
    /// attlas has was decrypted.
    @Test(
        .enabled("set ATTLAS_CAPTURES to a folder of captures, and install tshark") { folder != nil && tshark != nil },
        arguments: [
            "whad-team__whad-client__whad_resources_pcaps_ble_pairing.pcap",
            "mikeryan__crackle__tests_04_le_secure_connections_le_secure_connections.pcapng",
        ])
    func theSameATTAsTshark(_ name: String) throws {
        guard let path = try real(name), let tshark = Self.tshark else { return }
        let judge = try Command.run(
            tshark, ["-r", path, "-Y", "btatt", "-T", "fields", "-e", "frame.number", "-e", "btatt.opcode"])
        var expected: [Int: String] = [:]
        for line in judge.output.split(separator: "\n") {
            let columns = line.split(separator: "\t")
            expected[try #require(Int(columns[0]))] = String(columns[1])
        }
        #expect(expected.count > 30)
        var found: [Int: String] = [:]
        var leftOut: [Int: String] = [:]
        for line in try Command.attlas(["show", "--json", "--hci", path]).output.split(separator: "\n") {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard let frame = object["frame"] as? Int else { continue }
            if object["type"] as? String == "att" { found[frame] = object["opcode"] as? String }
            if let reason = object["left_out"] as? String { leftOut[frame] = reason }
        }
        for (frame, opcode) in expected where found[frame] != opcode {
            #expect(leftOut[frame] == "retransmission" || leftOut[frame] == "bad CRC", "frame \(frame)")
        }
    }
}

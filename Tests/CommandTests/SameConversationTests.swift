import AttlasTestSupport
import Foundation
import Testing

/// One conversation in every format: `show --json` prints the same lines but for `frame` and the precision of `time`.
@Suite struct SameConversationTests {
    static let conversations = ["heart-rate.btsnoop", "two-peripherals.btsnoop", "eatt.btsnoop"]

    @Test(arguments: ["heart-rate.btsnoop"])
    func everyFormatGivesTheSameLines(_ name: String) throws {
        let expected = try Lines(of: Repository.capture(name))
        #expect(expected.att.count > 60)
        for file in try Repository.packets(of: name).files { try expect(file.bytes, file.name, toGive: expected) }
    }

    /// Without directions nobody knows which side sent an HCI packet; the boundary flags of LE tell it of ACL.
    @Test(arguments: conversations)
    func theLinkTypeWithoutDirectionsGivesTheSameConversation(_ name: String) throws {
        let expected = try Lines(of: Repository.capture(name), without: ["direction"])
        let folder = try TemporaryFolder()
        let path = try folder.write(try Repository.packets(of: name).withoutDirections)
        let found = try Lines(of: path, without: ["direction"])
        #expect(found.att == expected.att)
    }

    @Test(arguments: ["gzip -c in > out", "xz -c in > out", "zstd -qc in > out", "zip -q out.zip in && mv out.zip out"])
    func aCompressedOneGivesTheSameLines(_ command: String) throws {
        let expected = try Lines(of: Repository.capture("heart-rate.btsnoop"))
        for file in try Repository.packets(of: "heart-rate.btsnoop").files
        where ["btsnoop 1002", "pcapng 201, little endian"].contains(file.name) {
            let folder = try TemporaryFolder()
            _ = try folder.write(file.bytes)
            // Not every machine has every program; make test installs them.
            guard try folder.run(command) else { return }
            #expect(try Lines(of: folder.path("out")).all == expected.all, "\(file.name), \(command)")
        }
    }

    /// Wireshark's programs write the formats that they can.
    @Test(arguments: ["btsnoop", "pcap", "nsecpcap", "pcapng"])
    func editcapGivesTheSameLines(_ format: String) throws {
        let folder = try TemporaryFolder()
        let capture = Repository.capture("heart-rate.btsnoop")
        guard try folder.run("command -v editcap && editcap -F \(format) '\(capture)' out") else { return }
        #expect(try Lines(of: folder.path("out")).all == Lines(of: capture).all)
    }

    private func expect(_ bytes: [UInt8], _ name: String, toGive expected: Lines) throws {
        let folder = try TemporaryFolder()
        let found = try Lines(of: try folder.write(bytes))
        #expect(found.all.count == expected.all.count, "\(name)")
        for (line, wanted) in zip(found.all, expected.all) where line != wanted {
            Issue.record("\(name):\n  got    \(line)\n  wanted \(wanted)")
            return
        }
    }

    // MARK: Real captures

    private static let folder = ProcessInfo.processInfo.environment["ATTLAS_CAPTURES"]

    /// A log of a phone, and what Wireshark exported of its ATT packets: without events, so that nobody knows who the peer is.
    @Test(.enabled("set ATTLAS_CAPTURES to a folder of captures") { folder != nil })
    func aLogAndItsExportGiveTheSameATT() throws {
        let folder = try #require(Self.folder)
        let names = ["8none1__bj_led__bt_snoops_btsnoop_hci.full.log", "8none1__bj_led__bt_snoops_full.pcapng"]
        let paths = names.map { "\(folder)/\($0)" }
        guard paths.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) else { return }
        let lines = try paths.map { try Lines(of: $0, without: ["peer"]).att }
        #expect(lines[0].count == 113)
        #expect(lines[0] == lines[1])
    }
}

/// What `show --json --hci` prints, without what may differ.
private struct Lines {
    /// All but those of type `capture`, which tell the format.
    var all: [String] = []
    /// Those of type `att`.
    var att: [String] = []

    init(of path: String, without keys: [String] = []) throws {
        let result = try Command.attlas(["show", "--json", "--hci", path])
        #expect(result.status == 0 && result.errors.isEmpty, "\(path): \(result.errors)")
        for line in result.output.split(separator: "\n") {
            var object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let type = object["type"] as? String
            if type == "capture" { continue }
            // The name inside an archive.
            for key in ["frame", "frames", "request_frame", "file"] + keys { object[key] = nil }
            // Microseconds: the least precise of the formats.
            object["time"] = (object["time"] as? String).map { $0.dropLast($0.count > 27 ? $0.count - 26 : 1) }
                .map(String.init)
            let text = String(
                decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
            all.append(text)
            if type == "att" { att.append(text) }
        }
    }
}

@Suite struct SameConversationLongTests {
    @Test(arguments: ["two-peripherals.btsnoop", "eatt.btsnoop"])
    func everyFormatGivesTheSameLines(_ name: String) throws {
        try SameConversationTests().everyFormatGivesTheSameLines(name)
    }
}

import AttlasTestSupport
import Foundation
import Testing

/// A capture in every format that can hold it: the same conversation, and the same number of records for tshark.
@Suite struct ConvertedCapturesTests {
    private static let formats = [
        ("btsnoop", "btsnoop"), ("btsnoop-1002", "btsnoop"), ("btsnoop-1001", "btsnoop"), ("pcap", "pcap"),
        ("pcap-254", "pcap"), ("pcapng", "pcapng"), ("packetlogger", "pklg"), ("text", "txt"),
    ]

    @Test func everyFormatHasTheSameConversation() throws {
        try convert(Repository.capture("heart-rate.btsnoop"), withPairs: false)
    }

    /// - Parameter withPairs: also from each format to every other one.
    fileprivate func convert(_ capture: String, withPairs: Bool) throws {
        let folder = try TemporaryFolder()
        let expected = try Shown(capture)
        // Files from which nothing is missing.
        var whole: [(format: String, suffix: String, path: String)] = []
        for (format, suffix) in Self.formats {
            let out = folder.path("\(format).\(suffix)")
            let result = try Command.attlas(["convert", "--format", format, capture, out])
            guard result.status == 0 else {
                #expect(Self.isRefusal(result.errors), "\(format): \(result.errors)")
                continue
            }
            try expect(out, result.errors, toShow: expected, "\(format)")
            if result.errors.isEmpty { whole.append((format, suffix, out)) }
        }
        // … and from each to every other one: the same file, but that pcapng keeps the link type.
        guard withPairs else { return }
        for source in whole {
            for target in whole where target.format != source.format {
                let out = folder.path("again.\(target.suffix)")
                let result = try Command.attlas(["convert", "--force", "--format", target.format, source.path, out])
                #expect(result.status == 0 && result.errors.isEmpty, "\(source.format), \(target.format)")
                if target.format == "pcapng" {
                    #expect(try Shown(out).all == expected.all, "\(source.format), pcapng")
                } else {
                    let (found, direct) = (
                        FileManager.default.contents(atPath: out), FileManager.default.contents(atPath: target.path)
                    )
                    #expect(found == direct, "\(source.format), \(target.format)")
                }
            }
        }
    }

    private static func isRefusal(_ errors: String) -> Bool {
        errors.contains("cannot hold packets from the air")
            || errors.contains("cannot hold packets of several controllers")
    }

    private func expect(_ path: String, _ errors: String, toShow expected: Shown, _ name: String) throws {
        // Records of the kernel or of Apple; the interface's description.
        let named = Int(errors.split(separator: " ").first { Int($0) != nil } ?? "0") ?? 0
        let isShorter = errors.contains("without a packet")
        let found = try Shown(path)
        if isShorter {
            #expect(found.att == expected.att, "\(name)")
            #expect(found.records == expected.records - named, "\(name): \(errors)")
        } else {
            #expect(found.all == expected.all, "\(name)")
        }
        guard let tshark = Tool("tshark"), !path.hasSuffix(".txt") else { return }
        let frames = try tshark.run(["-r", path, "-T", "fields", "-e", "frame.number"])
        #expect(frames.count { $0 == 10 } == found.records, "\(name)")
    }
}

/// The same for every capture, and from each format to every other one.
@Suite struct ConvertedCapturesLongTests {
    private static let captures: [String] = {
        let own = Repository.captureNames.map(Repository.capture)
        guard let folder = ProcessInfo.processInfo.environment["ATTLAS_CAPTURES"] else { return own }
        let others = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // What attlas does not read cannot be converted.
        return own
            + others.filter { name in [".log", ".pcap", ".pcapng"].contains { name.hasSuffix($0) } }.sorted()
            .map { "\(folder)/\($0)" }
    }()

    @Test(arguments: captures) func everyFormatHasTheSameConversation(_ capture: String) throws {
        try ConvertedCapturesTests().convert(capture, withPairs: true)
    }
}

/// What `show --json --hci` prints, but for the format and the digits of a second that are 0.
private struct Shown {
    var all: [String] = []
    var att: [String] = []
    var records = 0

    init(_ path: String) throws {
        for line in try Command.attlas(["show", "--json", "--hci", path]).output.split(separator: "\n") {
            var object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let type = object["type"] as? String
            if let integrity = object["integrity"] as? [String: Any] {
                records = integrity["records"] as? Int ?? records
                continue
            }
            if type == "capture" { continue }
            object["time"] = (object["time"] as? String).map { Self.microseconds($0) }
            all.append(try Self.text(object))
            guard type == "att" else { continue }
            for key in ["frame", "frames", "request_frame"] { object[key] = nil }
            att.append(try Self.text(object))
        }
    }

    private static func text(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
    }

    private static func microseconds(_ time: String) -> String {
        let parts = time.dropLast().split(separator: ".")
        let digits = parts.count > 1 ? String(parts[1]) : ""
        return "\(parts[0]).\(digits)\(String(repeating: "0", count: max(0, 9 - digits.count)))"
    }
}

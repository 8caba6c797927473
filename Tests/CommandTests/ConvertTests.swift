import AttlasTestSupport
import Foundation
import Testing

/// `attlas convert`: the packets of a text, or of any capture, as btsnoop and pcapng.
@Suite struct ConvertTests {
    /// Packets of USB adapters in pcapng; and a rotated capture, of which the second piece has no command.
    @Test(arguments: ["189", "220", "249"]) func packetsOfUSBAreWritten(linkType: String) throws {
        let packets: [Packet] = [
            .command("030C00"), .event("0E 04 01 030C 00"), .att(.tx, "0A 1900"), .att(.rx, "0B 64"),
            .att(.rx, "1B 1900 1648"),
        ]
        let conversation = packets.map { $0.at(microseconds: 1_767_225_600_000_000) }
        let file = try #require(conversation.files.first { $0.name == "pcap \(linkType), little endian, µs" }).bytes
        let ends = try #require(
            Array(conversation.dropLast()).files.first { $0.name == "pcap \(linkType), little endian, µs" }
        ).bytes.count
        let folder = try TemporaryFolder([
            ("usb.pcap", file), ("first.pcap", Array(file[..<ends])),
            ("second.pcap", Array(file[..<24] + file[ends...])),
        ])
        let written = try Command.attlas(["convert", folder.path("usb.pcap"), folder.path("out.pcapng")])
        expect(written.status, equals: 0)
        let shown = try Command.attlas(["show", "--json", folder.path("out.pcapng")]).output
        #expect(shown.contains("\"link_type\":\"Linux monitor (254)\"") && shown.contains("\"records\":5,"))
        #expect(shown.contains("\"unreadable\":0") && shown.contains("\"value\":\"1648\""))
        let joined = try Command.attlas([
            "show", "--json", "--join", folder.path("first.pcap"), folder.path("second.pcap"),
        ]).output
        #expect(joined.contains("\"records\":5,") && joined.contains("\"value\":\"1648\""))
    }

    /// Octets in a text: HCI_Reset, its answer, and an Exchange MTU Request of the peer.
    private static let octets = """
        Hello, it stops here:
        2026-11-21 09:55:20.370164 < 01 03 0C 00
        2026-11-21 09:55:20.371164 > 04 0E 04 01 03 0C 00
        2026-11-21 09:55:21.000001 > 02 40 20 07 00 03 00 04 00 02 F7 00
        """
    /// The last of these in words, without a date.
    private static let words = """
        > ACL Data RX: Handle 64 flags 0x02 dlen 7          #1 [hci0] 47.377839
              ATT: Exchange MTU Request (0x02) len 2
                Client RX MTU: 247
        """
    private static let packets = ["030C00", "0E0401030C00", "402007000300040002F700"].map { hex($0) }

    private func files(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    /// 47.377839 s, in µs since 0000-01-01.
    @Test func btsnoopHasThePacketsOfAText() throws {
        let folder = try TemporaryFolder()
        let result = try Command.attlas(["convert", "-", folder.path("out.btsnoop")], input: Data(Self.words.utf8))
        #expect(result.status == 0 && result.output.isEmpty)
        #expect(
            result.errors == """
                attlas: \(folder.path("out.btsnoop")): the text has no dates: its times count from 1970-01-01
                attlas: \(folder.path("out.btsnoop")): 1 packet was rebuilt from the text, which btsnoop cannot mark; pcapng can

                """)
        let record = hex("0000000B 0000000B 00000005 00000000 00DCDDB312026DAF") + Self.packets[2]
        try expect(
            Data(contentsOf: URL(filePath: folder.path("out.btsnoop"))),
            equals: Data(Array("btsnoop\0".utf8) + hex("00000001 000007D1") + record))
    }

    /// A notification without its last two octets, as in findings/btmon-cut-record.sh.
    @Test func btmonIsWarnedOfIncompletePackets() throws {
        let folder = try TemporaryFolder()
        let record = hex("0000000D 0000000B 00000001 00000000 00E2E7D7274DC000 02 4020 0800 0400 0400 1B 03")
        try folder.write(Array("btsnoop\0".utf8) + hex("00000001 000003EA") + record, to: "cut.btsnoop")
        for (name, remark) in [
            ("btmon.btsnoop", "1 packet is incomplete: btmon 5.66 misreads the records after it"), ("all.pcapng", ""),
        ] {
            let result = try Command.attlas(["convert", folder.path("cut.btsnoop"), folder.path(name)])
            expect(result.status, equals: 0)
            expect(result.errors, equals: remark.isEmpty ? "" : "attlas: \(folder.path(name)): \(remark)\n")
        }
    }

    /// What tshark reads: the same packets and times, and a comment on those that the text did not have.
    @Test(.enabled(if: Tool("tshark") != nil)) func pcapngHasThePacketsOfAText() throws {
        let folder = try TemporaryFolder()
        for (name, text) in [("octets", Self.octets), ("words", Self.words)] {
            try folder.write(Array(text.utf8), to: "\(name).txt")
            let out = folder.path("\(name).pcapng")
            try expect(Command.attlas(["convert", folder.path("\(name).txt"), out]).status, equals: 0)
            let fields = try Tool("tshark")?.run(
                ["-r", out, "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.len", "-e", "frame.comment"])
            let lines = String(decoding: fields ?? [], as: UTF8.self).split(separator: "\n").map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
            if name == "words" {
                expect(lines, equals: [["47.377839000", "11", "rebuilt from a text by attlas"]])
            } else {
                // 2026-11-21 09:55:20 UTC is 1795254920.
                expect(
                    lines.map(\.[0]), equals: ["1795254920.370164000", "1795254920.371164000", "1795254921.000001000"])
                #expect(lines.map(\.[1]) == ["3", "6", "11"] && lines.allSatisfy { $0[2].isEmpty })
            }
        }
    }

    /// Handles of an app's log look like real ones.
    @Test func packetsOfAnAppAreMarked() throws {
        let folder = try TemporaryFolder()
        let text =
            "I\t11:36:48.427\tNotification received from 00002a37-0000-1000-8000-00805f9b34fb, value: (0x) 16-4B\n"
        let pcapng = try Command.attlas(["convert", "-", folder.path("out.pcapng")], input: Data(text.utf8))
        #expect(pcapng.status == 0 && !pcapng.errors.contains("handles"))
        let shown = try Command.attlas(["show", folder.path("out.pcapng")]).output
        let comment = "“made by attlas from an app's log: the handles and connection events are attlas's own”"
        expect(shown.ranges(of: comment).count, equals: 3)
        let btsnoop = try Command.attlas(["convert", "-", folder.path("out.btsnoop")], input: Data(text.utf8))
        expect(
            btsnoop.errors.ranges(
                of:
                    "3 packets were made from an app's log: btsnoop cannot mark that their handles are attlas's own; pcapng can"
            ).count, equals: 1)
    }

    @Test func commentsOfACaptureAreKept() throws {
        let folder = try TemporaryFolder()
        let blocks = PCAPNGBlocks()
        let packet = blocks.enhanced(
            [1] + Self.packets[0], options: blocks.option(1, Array("here".utf8)) + blocks.option(0, []))
        let path = try folder.write(blocks.section() + blocks.interface(187) + packet, to: "in.pcapng")
        let kept = try Command.attlas(["convert", path, folder.path("out.pcapng")])
        #expect(kept.status == 0 && kept.errors.isEmpty)
        #expect(try Command.attlas(["show", folder.path("out.pcapng")]).output.contains("“here”"))
        let lost = try Command.attlas(["convert", path, folder.path("out.btsnoop")])
        #expect(lost.status == 0 && lost.errors.contains("1 comment is left out; pcapng has comments"))
    }

    @Test func aFileIsReplacedOnlyIfAskedFor() throws {
        let folder = try TemporaryFolder()
        let text = try folder.write(Array(Self.octets.utf8), to: "in.txt")
        let out = try folder.write(Array("mine".utf8), to: "out.btsnoop")
        let refused = try Command.attlas(["convert", text, out])
        #expect(refused.status == 1 && refused.errors.contains("out.btsnoop: exists already."))
        try expect(Data(contentsOf: URL(filePath: out)), equals: Data("mine".utf8))
        try expect(Command.attlas(["convert", "--force", text, out]).status, equals: 0)
        #expect(try Data(contentsOf: URL(filePath: out)).starts(with: Array("btsnoop\0".utf8)))
        // … and never what is read.
        let itself = try Command.attlas(["convert", "--force", out, out])
        #expect(itself.status == 1 && itself.errors.contains("is a file that this command reads"))
        try expect(files(folder), equals: ["in.txt", "out.btsnoop"])
    }

    /// No file is left of what cannot be written, and a file that existed stays.
    @Test func nothingIsHalfThere() throws {
        let folder = try TemporaryFolder()
        let kind = PCAPKind()
        let air = kind.header(256) + kind.record(hex("0CC4000000000000034C 78563412 0600 AABBCC"))
        for (bytes, reason) in [
            (air, "cannot hold packets from the air"), (Array("Hello".utf8), "a text without packets"),
        ] {
            try folder.write(bytes, to: "in")
            try folder.write(Array("mine".utf8), to: "out.btsnoop")
            let result = try Command.attlas(["convert", "--force", folder.path("in"), folder.path("out.btsnoop")])
            #expect(result.status == 1 && result.errors.contains(reason))
            try expect(files(folder), equals: ["in", "out.btsnoop"])
            try expect(Data(contentsOf: URL(filePath: folder.path("out.btsnoop"))), equals: Data("mine".utf8))
        }
        try expect(Command.attlas(["convert", folder.path("in"), folder.path("out.html")]).status, equals: 64)
    }

    /// While the input lasts there is no file of that name; interrupted, there is none afterwards.
    @Test func aStreamIsConverted() throws {
        let folder = try TemporaryFolder()
        let script = """
            cd '\(folder.url.path)'; mkfifo pipe
            '\(Command.binary)' convert - out.btsnoop < pipe & exec 3> pipe
            printf '%s\\n' 'CMD => 03 0C 00' '' 'CMD => 03 0C 00' >&3; sleep 0.5; ls out.btsnoop
            exec 3>&-; wait; ls out.btsnoop
            '\(Command.binary)' convert - cut.btsnoop < pipe & exec 3> pipe
            printf '%s\\n' 'CMD => 03 0C 00' '' >&3; sleep 0.5; kill -INT $!; wait $!; echo $?; ls
            """
        let result = try Command.run("/bin/bash", ["-c", script])
        expect(result.output, equals: "out.btsnoop\n130\nout.btsnoop\npipe\n", "\(result.output)\(result.errors)")
    }

    @Test func onlyTheFirstOfSeveralLogsIsConverted() throws {
        let folder = try TemporaryFolder()
        let text = "\(Self.octets)\n```\n\(Self.words)\n```\n"
        let path = try folder.write(Array(text.utf8), to: "issue.md")
        let first = try Command.attlas(["convert", path, folder.path("1.pcapng")])
        #expect(first.status == 0 && first.errors.contains("only the first capture was converted"))
        #expect(first.errors.contains("issue.md!/log-2"))
        let second = try Command.attlas(["convert", "\(path)!/log-2", folder.path("2.pcapng")])
        expect(second.status, equals: 0)
        #expect(try Command.attlas(["show", folder.path("2.pcapng")]).output.contains("MTU"))
    }

    /// Lines that could be anything are what the user says; requests come from the host.
    @Test func aDumpIsWhatTheUserSays() throws {
        let folder = try TemporaryFolder()
        let text = Data("0a1900\n0b 16 4b\n0000  12 1a 00 01\n0004  00\n".utf8)
        let unknown = try Command.attlas(["show", "-"], input: text)
        #expect(unknown.status == 1 && unknown.errors.contains("attlas convert --as says what it is"))
        let result = try Command.attlas(["convert", "--as", "att", "-", folder.path("out.btsnoop")], input: text)
        #expect(result.status == 0 && result.errors.contains("3 packets were rebuilt"))
        let octets = try Data(contentsOf: URL(filePath: folder.path("out.btsnoop"))).dropFirst(16)
        // The flags of each record: adapter 0, sent 4 or received 5.
        let packets: [(String, [UInt8])] = [
            ("00000004", hex("0100 0700 0300 0400 0A1900")), ("00000005", hex("0120 0700 0300 0400 0B164B")),
            ("00000004", hex("0100 0900 0500 0400 121A000100")),
        ]
        var place = 0
        for (flags, packet) in packets {
            expect(Array(octets.dropFirst(place + 8).prefix(4)), equals: hex(flags))
            expect(Array(octets.dropFirst(place + 24).prefix(packet.count)), equals: packet)
            place += 24 + packet.count
        }
        expect(octets.count, equals: place)
        let wrong = try Command.attlas(["convert", "--as", "tcp", "-", folder.path("other.btsnoop")], input: text)
        expect(wrong.status, equals: 64)
    }
}

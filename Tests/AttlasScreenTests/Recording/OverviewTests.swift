import AttlasFilter
import AttlasInput
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasScreen

/// What broke, at the beginning of `open`, and the keys from incident to incident.
@Suite struct OverviewTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func screen(_ octets: [UInt8], _ columns: Int = 80, _ rows: Int = 24) throws -> PlayedRecording {
        let screen = try PlayedRecording(try folder.write(octets), columns: columns, rows: rows)
        screen.view = RecordingView(isASCII: false, showsOverview: true)
        return screen
    }

    private func screen(_ script: String, _ columns: Int = 80, _ rows: Int = 24) throws -> PlayedRecording {
        try screen(Conversation(script).packets.btsnoop, columns, rows)
    }

    private static let lost = "connect\nwait 5000\ndisconnect 08\n"

    @Test func whatBrokeIsFirst() throws {
        let screen = try screen("connect\n> 0A 1500\n< 01 0A 1500 02\nwait 5000\ndisconnect 08")
        let rows = screen.rows
        #expect(rows[1].hasPrefix("─ What broke ─"))
        #expect(rows[2].contains("2 things broke · 4 records in 5 s · 1 connection · 2 ATT operations"))
        #expect(rows[3].hasPrefix(" 1 · F2:F2:F2:F2:") && rows[3].contains("✗─") && rows[3].hasSuffix("✗"))
        #expect(rows[4].hasSuffix("5 s"))
        #expect(rows[6].hasPrefix("›       3 ✗ ") && rows[7].hasPrefix("        4 ✗ connection lost"))
        screen.press(.down)
        #expect(screen.rows.row("what ")?.contains("Connection lost: nothing heard") == true)
        screen.press(.enter)
        expect(screen.frame, equals: 4)
        #expect(screen.rows.last?.hasPrefix("Connection lost: nothing heard") == true)
        screen.press(.character("w"))
        #expect(screen.rows[7].hasPrefix("›       4 ✗"))
    }

    /// The Read Request of frame 3 comes before the response to that of frame 2.
    @Test func findingsStandBelowTheIncidents() throws {
        let screen = try screen("connect\n> 0A 1500\n> 0A 1600\n< 0B 01\n< 01 0A 1600 02\ndisconnect 08", 100, 40)
        let rows = screen.rows
        #expect(rows.row("Incident 1 of")?.contains("below: 1 error") == true)
        let list = rows.firstIndex { $0.contains("✗ error att/request-overlap: Read Request before") }
        #expect(list ?? 0 > rows.firstIndex { $0.contains("✗ connection lost") } ?? .max)
        for _ in rows { screen.press(.down) }
        while screen.rows.row("› ")?.contains("att/request-overlap") != true { screen.press(.up) }
        #expect(screen.rows.row("Finding 1 of") != nil)
        #expect(screen.rows.row("spec  ")?.contains("Vol 3, Part F, 3.3.2") == true)
        screen.press(.enter)
        #expect(screen.frame == 3 && screen.rows.last?.hasPrefix("Read Request before") == true)
    }

    /// The cause and the next step of an incident with many steps, on a terminal of 80 × 24.
    @Test func theTextOfAnIncidentScrolls() throws {
        let refused = (0..<12).map {
            "> 0A \(String(format: "%02X", $0 + 1))00\n< 01 0A \(String(format: "%02X", $0 + 1))00 02\n"
        }
        let screen = try screen("connect\n\(refused.joined())wait 5000\ndisconnect 08")
        screen.resize(40, 24)
        screen.press(.home)
        let list = screen.rows.row("› ")
        var seen: Set<String> = []
        for _ in 0..<30 {
            seen.formUnion(screen.rows)
            screen.press(.right)
        }
        #expect(screen.rows.row("← → rows") != nil && screen.rows.row("› ") == list)
        #expect(seen.contains { $0.contains("cause ") } && seen.contains { $0.contains("next ") })
        screen.press(.up)
        screen.press(.down)
        #expect(screen.rows.row("← → rows 1–") != nil)
    }

    @Test func nothingBroke() throws {
        let rows = try screen("connect\nwait 1000\ndisconnect 13").rows
        expect(rows[2], equals: " Nothing broke · 2 records in 1 s · 1 connection · 0 ATT operations")
        #expect(rows[3].contains("├─") && rows[3].hasSuffix("│"))
        #expect(rows[5...].dropLast().allSatisfy { $0.isEmpty })
    }

    @Test func theConversationsKeysShowIt() throws {
        for (key, text) in [("f", "filter:"), ("]", "Conversation"), ("c", "Conversation"), ("p", "Conversation")] {
            let screen = try screen(Self.lost)
            screen.press(.character(Unicode.Scalar(key)!))
            #expect(screen.rows.contains { $0.contains(text) } && !screen.rows[1].contains("What broke"))
        }
        let screen = try screen(Self.lost)
        screen.press(.tab)
        #expect(screen.rows[1].contains("Conversation"))
        screen.press(.character("w"))
        #expect(screen.rows[1].contains("What broke"))
        screen.press(.escape)
        #expect(screen.rows[1].contains("Conversation"))
    }

    /// Connections have a lane each where they fit, and otherwise one for each device.
    @Test func lanes() throws {
        let screen = try screen(String(repeating: Self.lost, count: 5), 80, 40)
        expect(screen.rows[3...7].map { $0.prefix(3) }, equals: [" 1 ", " 2 ", " 3 ", " 4 ", " 5 "])
        #expect(screen.rows[3...7].allSatisfy { $0.count { $0 == "✗" } == 1 })
        screen.resize(80, 20)
        #expect(screen.rows[3].hasPrefix(" F2:F2:F2") && screen.rows[3].count { $0 == "✗" } == 5)
        #expect(screen.rows[2].contains("1 thing broke"))
    }

    // MARK: From incident to incident

    @Test func theMessageNamesTheIncident() throws {
        let screen = try screen(String(repeating: Self.lost, count: 3))
        screen.press(.character("]"))
        expect(screen.frame, equals: 2)
        #expect(screen.rows.last?.hasPrefix("Connection lost: nothing heard for ") == true)
        screen.press(.character("]"))
        expect(screen.frame, equals: 4)
        expect(screen.rows.last, equals: "connection lost (2 of 3)")
        screen.press(.character("]"), .character("]"))
        expect(screen.frame, equals: 6)
        expect(screen.rows.last, equals: "No later errors or incidents")
        screen.press(.character("["))
        #expect(screen.frame == 4 && screen.rows.last == "connection lost (2 of 3)")
    }

    /// Command Complete refuses LE Set Scan Enable (0x0C, Command Disallowed): without --hci neither has a line.
    @Test func anIncidentWithoutALine() throws {
        let screen = try screen("connect\ncommand 0C 20 02 01 00\nevent 0E 04 01 0C 20 0C\n> 0A 1500")
        screen.press(.character("w"), .character("]"))
        expect(screen.frame, equals: 4)
        #expect(screen.rows.last?.hasPrefix("No line for frame 3: ") == true)
        screen.press(.character("]"))
        expect(screen.rows.last, equals: "No later errors or incidents")
        screen.press(.character("["))
        expect(screen.rows.last, equals: "No earlier errors or incidents")
    }

    @Test func aFilterLeavesTheLinesOfItsIncidents() throws {
        let screen = try screen(Self.lost + "connect\n> 0A 1500\n< 01 0A 1500 02\ndisconnect")
        screen.recording.find(try Filter("error", library: .withExamples), "error")
        screen.view.follow(filterOf: screen.recording)
        screen.press(.character("w"), .character("g"), .character("["))
        expect(screen.frame, equals: 5)
        screen.press(.character("["))
        #expect(screen.frame == 5 && screen.rows.last == "No earlier errors or incidents")
    }

    // MARK: Any size, any input

    /// A thousand refused handles of a device whose name is full of controls, wide characters and marks.
    @Test func someSizes() throws { try expectNoControl(sizes: [(1, 1), (11, 7), (40, 9), (80, 24), (300, 100)]) }

    fileprivate func expectNoControl(sizes: [(Int, Int)]) throws {
        var packets: [Packet] = [.connected()]
        let name = Array("\u{1B}[2J漢字\u{301}\u{202E}\u{7F}".utf8)
        packets += Conversation("> 10 0100 FFFF 0018\n< 11 06 0100 0500 0018\n> 08 0100 0500 0328").packets
        packets.append(.att(.rx, "09 07 0200 02 0300 002A"))
        packets.append(.att(.tx, "0A 0300"))
        packets.append(.att(.rx, "0B" + name.map { String(Int($0) + 256, radix: 16).suffix(2) }.joined()))
        for handle in 0x1000..<0x1000 + 1_000 {
            let octets = [handle & 0xFF, handle >> 8].map { String($0 + 256, radix: 16).suffix(2) }.joined()
            packets += [.att(.tx, "0A \(octets)"), .att(.rx, "01 0A \(octets) 02")]
        }
        packets.append(.disconnected(reason: 0x08))
        let screen = try screen(packets.recorded)
        #expect(screen.recording.overview?.incidents.incidents.count ?? 0 >= 1_000)
        for (columns, rows) in sizes {
            screen.size = Grid.Size(columns: columns, rows: rows)
            screen.press(.end, .up, .pageUp, .click(row: rows / 2, column: columns / 2, isDouble: false))
            #expect(screen.rows.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } })
        }
        screen.resize(80, 24)
        screen.press(.home, .down)
        #expect(screen.rows.row("Incident ")?.contains("Incident 2 of ") == true)
        // It comes back as it was.
        let rows = screen.rows
        screen.press(.character("w"))
        _ = screen.rows
        screen.press(.character("w"))
        expect(screen.rows, equals: rows)
    }

    /// Captures of the repository have an overview without a trap, with what `why` finds.
    @Test(arguments: Repository.someCaptureNames) func everyCapture(_ name: String) throws {
        let screen = try PlayedRecording(name, 80, 24)
        screen.view = RecordingView(isASCII: true, showsOverview: true)
        let overview = try #require(screen.recording.overview)
        #expect(screen.rows[2].contains(overview.incidents.headline))
        let marks = overview.connectionLanes.flatMap(\.marks)
        expect(marks.count, equals: overview.occurrences.count)
        expect(overview.deviceLanes.flatMap(\.marks).count, equals: marks.count)
        #expect(marks.allSatisfy { $0.time >= 0 && $0.time <= overview.span })
    }
}

/// … every size and every capture.
@Suite struct OverviewLongTests {
    @Test func everySize() throws {
        let sizes = [1, 2, 11, 39, 40, 41, 59, 60, 80, 300].flatMap { columns in
            [1, 2, 7, 8, 9, 10, 11, 12, 16, 24, 100].map { (columns, $0) }
        }
        try OverviewTests().expectNoControl(sizes: sizes)
    }

    @Test(arguments: Repository.captureNames) func everyCapture(_ name: String) throws {
        try OverviewTests().everyCapture(name)
    }
}

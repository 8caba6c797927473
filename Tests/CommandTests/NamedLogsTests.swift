import AttlasTestSupport
import Foundation
import Testing

/// Several captures in one file, each with its name and all with the same columns.
@Suite struct NamedLogsTests {
    /// Two logs with prose before, between and after them.
    private static let text = ["", "between"].map { prose in
        """
        \(prose)
        > 04 3E 13 01 00 40 00 00 01 F2 F2 F2 F2 F2 F2 18 00 00 00 48 00 01
        < 02 40 00 07 00 03 00 04 00 0A 03 00
        > 02 40 20 06 00 02 00 04 00 0B 64

        """
    }.map {
        "Here is the log:\n\n```\nHCI sniffer - Bluetooth packet analyzer ver 5.66\ndevice: hci0 snap_len: 1500\n\($0)```\n\n"
    }
    .joined()

    @Test func theColumnsOfATableStayTheSame() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(Self.text.utf8))
        let rows = try Command.attlas(["show", "--csv", path]).output.split(separator: "\n")
        #expect(rows.count == 5 && rows[0].hasPrefix("file,frame,"))
        #expect(rows[1...2].allSatisfy { $0.hasPrefix("\(path),") })
        #expect(rows[3...4].allSatisfy { $0.hasPrefix("\(path)!/log-2,") })
        expect(Set(rows.map { $0.filter { $0 == "," }.count }).count, equals: 1)
    }

    @Test func everyLineOfJSONNamesItsLog() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(Self.text.utf8))
        let lines = try Command.attlas(["show", "--json", path]).output.split(separator: "\n")
        #expect(lines.count > 4 && lines.allSatisfy { $0.contains("\"file\":\"\(path)") })
    }

    /// It cannot be read twice: the first log decides the columns.
    @Test func theColumnsOfAStreamStayTheSame() throws {
        let rows = try Command.attlas(["show", "--csv", "-"], input: Data(Self.text.utf8)).output.split(separator: "\n")
        #expect(rows.count == 5 && Set(rows.map { $0.filter { $0 == "," }.count }).count == 1)
    }

    /// One log needs no name.
    @Test func aSingleLogHasNoName() throws {
        let folder = try TemporaryFolder()
        let first = Self.text.utf8.prefix(Self.text.utf8.count / 2)
        let rows = try Command.attlas(["show", "--csv", try folder.write(Array(first))]).output.split(separator: "\n")
        #expect(rows.first?.hasPrefix("frame,") == true)
    }
}

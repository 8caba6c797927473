import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

/// `attlas stats`, and its page: Documentation/statistics.md.
@Suite struct StatisticsTests {
    struct Figure: Sendable, CustomTestStringConvertible {
        let pointer: String
        let value: Double

        var testDescription: String { pointer }
    }

    static let page = (try? Repository.text("Documentation/statistics.md")) ?? ""

    /// 2000-01-01, in microseconds since 1970.
    static let year2000 = 946_684_800_000_000

    /// The records on the page as a btsnoop log, H4, from 2000-01-01 on.
    static let example: Data = {
        var packets: [Packet] = []
        for line in page.split(separator: "\n") {
            guard let row = line.wholeMatch(of: #/\| \d+ \| (\d)\.(\d{3}) \| (tx|rx) \| `([0-9A-F ]+)` \|.*/#) else {
                continue
            }
            let octets = hex(String(row.4))
            guard let type = HCIPacketType(rawValue: octets[0]) else { continue }
            let milliseconds = (Int(row.1) ?? 0) * 1_000 + (Int(row.2) ?? 0)
            packets.append(
                Packet(.packet(type), row.3 == "rx" ? .rx : .tx, Array(octets.dropFirst()))
                    .at(microseconds: year2000 + milliseconds * 1_000))
        }
        return Data(packets.btsnoop)
    }()

    /// Rows that end in a JSON pointer and a number.
    static let figures: [Figure] = page.split(separator: "\n").compactMap { line in
        guard let row = line.wholeMatch(of: #/\|.*\| `(/[a-z0-9_/]+)` \| ([0-9.]+) \|/#), let value = Double(row.2)
        else {
            return nil
        }
        return Figure(pointer: String(row.1), value: value)
    }

    static let document = Result {
        let output = try Command.attlas(["stats", "--json", "-"], input: example).output
        return try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]) as [String: Any]
    }.map { Document(root: $0) }

    /// Only read.
    struct Document: @unchecked Sendable {
        let root: [String: Any]

        func number(_ pointer: String) -> Double? {
            var value: Any? = root
            for part in pointer.split(separator: "/") {
                if let list = value as? [Any], let index = Int(part), index < list.count {
                    value = list[index]
                } else {
                    value = (value as? [String: Any])?[String(part)]
                }
            }
            return (value as? NSNumber)?.doubleValue
        }
    }

    @Test func thePageShowsWhatTheCommandSays() throws {
        let result = try Command.attlas(["stats", "-"], input: Self.example)
        expect(result.status, equals: 0)
        let block = try #require(Self.page.firstMatch(of: #/`attlas stats` prints:\n\n```text\n([^`]+)```/#)).1
        #expect(result.output == block)
    }

    @Test(arguments: figures)
    func worksOutByHand(_ figure: Figure) throws {
        let value = try #require(try Self.document.get().number(figure.pointer), "\(figure.pointer)")
        // As many decimal places as the page gives.
        let tolerance = figure.value < 1 ? 0.00005 : 0.0005
        #expect(abs(value - figure.value) <= tolerance)
    }

    @Test func everyFigureIsWorkedOut() {
        #expect(Self.figures.count >= 35)
        #expect(Self.example.count > 500)
    }

    // MARK: Options

    @Test func aTimeSelects() throws {
        let part = try statistics("--from", "0.45", "--to", "1.1")
        expect(part.number("/groups/0/round_trips/0/rtt_us/count"), equals: 3)
        expect(part.number("/groups/0/values/1/count"), equals: 2)
        expect(part.number("/connections/0/links/1/value_octets"), equals: 10)
        // Frames 9 and 11.
        expect(part.number("/connections/0/links/0/acl_packets"), equals: 2)
        let absolute = try statistics("--from", "2000-01-01T00:00:00.45Z", "--to", "2000-01-01 00:00:01.1")
        expect(absolute.number("/groups/0/values/1/count"), equals: 2)
        let nothing = try statistics("--from", "2001-01-01T00:00:00Z")
        #expect((nothing.root["groups"] as? [Any])?.isEmpty == true)
    }

    @Test func aTimeSelectsWhatIsShown() throws {
        let result = try Command.attlas(["show", "--json", "--from", "1", "--to", "1.2", "-"], input: Self.example)
        #expect(result.output.split(separator: "\n").count { $0.contains(#""type":"att""#) } == 3)
    }

    @Test(arguments: ["", "x", "1.", ".5", "-1", "1.0000000001", "2000-13-01T00:00:00Z", "2000-01-01T24:00:00Z", "1e3"])
    func whatIsNoTimeIsWrongUsage(time: String) throws {
        try expect(Command.attlas(["stats", "--from=\(time)", "-"], input: Self.example).status, equals: 64)
    }

    @Test func aFilterSelects() throws {
        let part = try statistics("--filter", "method == notification")
        #expect((part.root["groups"] as? [[String: Any]])?.first?["round_trips"] as? [String] == [])
        expect(part.number("/groups/0/values/0/count"), equals: 5)
        #expect(part.number("/groups/0/values/1/count") == nil)
        // Slow answers: the requests are not asked for.
        let slow = try statistics("--filter", "rtt > 60ms")
        expect(slow.number("/groups/0/round_trips/0/rtt_us/count"), equals: 1)
        expect(slow.number("/groups/0/round_trips/0/unanswered"), equals: 0)
    }

    @Test func filesAreNamedWhenThereAreSeveral() throws {
        let file = Repository.capture("heart-rate.btsnoop")
        let result = try Command.attlas(["stats", file, Repository.capture("ice-cream.btsnoop")])
        expect(result.status, equals: 0)
        #expect(result.output.hasPrefix("\(file)\n"))
        #expect(result.output.contains("ice-cream.btsnoop\n"))
    }

    @Test func groupingIsByOneOfFour() throws {
        try expect(Command.attlas(["stats", "--by", "color", "-"], input: Self.example).status, equals: 64)
        try expect(Command.attlas(["stats", "-C", "3", "-"], input: Self.example).status, equals: 64)
    }

    private func statistics(_ options: String...) throws -> Document {
        let output = try Command.attlas(["stats", "--json"] + options + ["-"], input: Self.example).output
        return Document(root: try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]))
    }
}

import AttlasTestSupport
import Foundation
import Testing

/// "No measurement spans a jump of the capture's clock", says Documentation/statistics.md.
@Suite struct ClockJumpTests {
    private static let jump: Int64 = 30 * 86_400_000_000

    /// A btsnoop capture whose clock leaps ahead by 30 days before a record.
    private func capture(_ name: String, jumpingBefore record: Int) throws -> [UInt8] {
        var octets = try [UInt8](Data(contentsOf: URL(filePath: Repository.capture(name))))
        func number(at place: Int, _ count: Int) -> Int64 {
            octets[place..<place + count].reduce(0) { $0 << 8 | Int64($1) }
        }
        var (place, index) = (16, 1)
        while place + 24 <= octets.count {
            let length = Int(number(at: place + 4, 4))
            if index >= record {
                let time = number(at: place + 16, 8) + Self.jump
                for octet in 0..<8 { octets[place + 16 + octet] = UInt8(truncatingIfNeeded: time >> (56 - 8 * octet)) }
            }
            (place, index) = (place + 24 + length, index + 1)
        }
        return octets
    }

    /// pymobiledevice3 writes big-endian PacketLogger files in the phone's local time; a little-endian one is Apple's, in UTC.
    @Test(arguments: PacketLoggerRecords.both)
    func theTimeZoneMayBeGiven(log: PacketLoggerRecords) throws {
        let folder = try TemporaryFolder([("log.pklg", log.conversation.flatMap(\.self))])
        func head(_ options: [String]) throws -> String {
            try Command.attlas(["show"] + options + [folder.path("log.pklg")]).output.prefix { $0 != "\n" }.description
        }
        let isLocal = log.order == .big
        #expect(
            try head([]).hasSuffix(
                isLocal ? "2026-01-01 00:00:00.000000, without a time zone" : "2026-01-01 00:00:00.000000 UTC"))
        let (ahead, west) =
            isLocal ? ("2025-12-31 22:30", "2026-01-01 05:00") : ("2026-01-01 00:00", "2026-01-01 00:00")
        #expect(try head(["--utc-offset", "+01:30"]).hasSuffix("\(ahead):00.000000 UTC"))
        #expect(try head(["--utc-offset=-5"]).hasSuffix("\(west):00.000000 UTC"))
        for mistake in ["+15", "1", "+1:70", "UTC"] {
            try expect(Command.attlas(["show", "--utc-offset", mistake, folder.path("log.pklg")]).status, equals: 64)
        }
    }

    /// Every number of microseconds of a day or more, but the jump itself.
    private func longTimes(_ value: Any, _ key: String = "") -> [String] {
        switch value {
        case let object as [String: Any]: object.flatMap { longTimes($1, key.hasSuffix("_us") ? key : $0) }
        case let list as [Any]: list.flatMap { longTimes($0, key) }
        case let number as NSNumber where key.hasSuffix("_us") && key != "clock_step_us":
            number.doubleValue >= 86_400_000_000 ? ["\(key): \(number)"] : []
        default: []
        }
    }

    @Test(arguments: [("two-peripherals.btsnoop", 60), ("heart-rate.btsnoop", 80), ("pairing.btsnoop", 50)])
    func nothingMeasuredSpansAJump(_ name: String, _ record: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(capture(name, jumpingBefore: record))
        for command in ["show", "stats", "why", "lint", "tree", "devices"] {
            let output = try Command.attlas([command, "--json", path]).output
            for line in command == "show" ? output.split(separator: "\n") : [output[...]] {
                let document = try JSONSerialization.jsonObject(with: Data(line.utf8))
                expect(longTimes(document), equals: [], "\(command)")
            }
            let text = try Command.attlas([command, path]).output
            for line in text.split(separator: "\n")
            where line.contains(" d ") && !line.contains("clock") && line.firstMatch(of: #/\b(29|30) d \d/#) != nil {
                Issue.record("\(command): \(line)")
            }
        }
    }
}

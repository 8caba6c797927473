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

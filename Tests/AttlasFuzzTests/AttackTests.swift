import AttlasFuzz
import AttlasTestSupport
import Foundation
import Testing

/// The attacks of `attlas-fuzz attack`, small enough for seconds: memory stays within its limits in every output. Measured at full
/// size: Documentation/limits.md. Each in a separate process, where no other test takes memory.
@Suite(.serialized) struct AttackTests {
    static let sizes: [Attack: Int] = [
        .connections: 2_000, .peers: 1_000, .attributes: 1, .sdus: 10, .fragments: 10_000, .preparedWrites: 4_000,
        .longReads: 4_000, .advertisers: 4_000, .values: 1_000,
    ]

    @Test(arguments: Attack.allCases) func memoryIsBounded(_ attack: Attack) async throws {
        try await Self.expectBounded(attack, output: 0)
    }

    static func expectBounded(_ attack: Attack, output: UInt8) async throws {
        let count = try #require(sizes[attack])
        await #expect(processExitsWith: .success) { [name = attack.rawValue as String, output, count = count as Int] in
            var entries: [RecordList.Entry] = []
            try #require(Attack(rawValue: name)).generate(count: count) { entries.append($0) }
            let list = RecordList(entries)
            entries = []
            let fuzzer = Fuzzer()
            fuzzer.inspector.isIdle = true
            let before = Memory.resident
            Memory.forgetPeak()
            fuzzer.pipeline(list, output)
            if Sanitizer.leavesMemoryAlone { #expect(Memory.peak - before < 64 << 20) }
        }
    }
}

/// The same in the outputs of documents and of what is below ATT.
@Suite(.serialized) struct AttackLongTests {
    @Test(arguments: Attack.allCases, [4, 0x14] as [UInt8])
    func memoryIsBounded(_ attack: Attack, output: UInt8) async throws {
        try await AttackTests.expectBounded(attack, output: output)
    }
}

import AttlasFuzz
import AttlasTestSupport
import Foundation
import Testing

/// Captures below a folder, in the order of their names. Those of real devices, when `ATTLAS_CAPTURES` names their folder, after
/// those of this repository.
func captureFiles(in folders: [String] = ["", "malformed"]) throws -> [URL] {
    var places = folders.map { $0.isEmpty ? Repository.captures : Repository.captures.appending(path: $0) }
    if let more = ProcessInfo.processInfo.environment["ATTLAS_CAPTURES"] { places.append(URL(filePath: more)) }
    let files = try places.flatMap {
        try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    let others = ["md", "py", "tsv", ""]
    return files.filter { !others.contains($0.pathExtension) }.sorted { $0.path < $1.path }
}

/// What libFuzzer does for hours (`make fuzz`), for a few seconds and without its guidance.
@Suite(.serialized) struct SeededFuzzTests {
    @Test(arguments: FuzzTarget.allCases)
    func anythingIsTaken(_ target: FuzzTarget) throws { try Self.expectTaking(target, inputs: 12) }

    fileprivate static func expectTaking(_ target: FuzzTarget, inputs: Int) throws {
        var generator = SeededGenerator(seed: seed(for: "target \(target)"))
        let fuzzer = Fuzzer()
        fuzzer.inspector.onFinding = { Issue.record("\(target): \($0)") }
        var seeds: [[UInt8]] = []
        for file in try captureFiles(in: [""]) {
            seeds += target.seeds(from: [UInt8](try Data(contentsOf: file)), name: file.lastPathComponent)
        }
        if target == .filter { seeds = ["not known and rtt > 100ms or char == 2A37"].map { Array($0.utf8) } }
        if target == .definitions { seeds = try documentedDefinitions() }
        try #require(!seeds.isEmpty)
        // Whole captures and pictures take longest.
        let count = target == .captures || target == .screen ? inputs / 6 : inputs
        for number in 0..<count {
            let input = seeds[generator.pick(in: seeds.indices)]
            var mutator = RecordMutator(seed: generator.next())
            if target.headLength > 0 {
                var head = [UInt8(number & 0xFF)] + input.prefix(target.headLength).dropFirst()
                mutator.changeOctets(&head)
                var list = RecordList(encoded: input.dropFirst(target.headLength))
                mutator.mutate(&list)
                fuzzer.run(target, head.prefix(target.headLength) + list.encoded)
            } else {
                var changed = Array(input.prefix(16_384))
                for _ in 0..<4 { mutator.changeOctets(&changed) }
                fuzzer.run(target, changed)
            }
        }
        expect(fuzzer.inputs, equals: count)
    }

    /// The examples of the format's page: each construct is in one.
    private static func documentedDefinitions() throws -> [[UInt8]] {
        let page = try String(
            contentsOf: Repository.root.appending(path: "Documentation/dissectors.md"), encoding: .utf8)
        return page.components(separatedBy: "```yaml\n").dropFirst().compactMap { block in
            block.components(separatedBy: "```").first.map { Array($0.utf8) }
        }
    }

    /// Without a change, so that every operation is reached.
    @Test func everyConstructOfThePageIsTaken() throws {
        let fuzzer = Fuzzer()
        fuzzer.inspector.onFinding = { Issue.record("\($0)") }
        let blocks = try Self.documentedDefinitions()
        for block in blocks { fuzzer.run(.definitions, block) }
        #expect(fuzzer.inputs == blocks.count && blocks.count > 20)
    }

    @Test func aListOfRecordsIsReadAsItWasWritten() throws {
        for file in try captureFiles(in: [""]) {
            for seed in FuzzTarget.pipeline.seeds(from: [UInt8](try Data(contentsOf: file)), name: "seed") {
                expect(RecordList(encoded: seed.dropFirst()).encoded, equals: Array(seed.dropFirst()))
            }
        }
    }
}

@Suite(.serialized) struct SeededFuzzLongTests {
    @Test(arguments: FuzzTarget.allCases)
    func anythingIsTaken(_ target: FuzzTarget) throws { try SeededFuzzTests.expectTaking(target, inputs: 60) }
}

@Suite(.serialized) struct CorpusLongTests {
    /// Inputs that libFuzzer found ways to new places with, one in eight of them.
    @Test(arguments: FuzzTarget.allCases)
    func whatWasFoundIsTaken(_ target: FuzzTarget) throws {
        let folder = try TemporaryFolder()
        let archive = Repository.root.appending(path: "Tests/Fuzz/corpus/\(target).zip")
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-m", "zipfile", "-e", archive.path, folder.url.path]
        try python.run()
        python.waitUntilExit()
        let fuzzer = Fuzzer()
        fuzzer.inspector.onFinding = { Issue.record("\(target): \($0)") }
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        for file in files.sorted(by: { $0.path < $1.path }).enumerated() where file.offset.isMultiple(of: 8) {
            fuzzer.run(target, [UInt8](try Data(contentsOf: file.element)))
        }
        #expect(fuzzer.inputs > 5)
    }

    /// Damaged captures, anonymized: `Fuzzer.anonymize` stops the program at the first secret that is left.
    @Test func tenThousandDamagedCapturesGiveNothingAway() throws {
        var generator = SeededGenerator(seed: seed(for: "anonymizing"))
        let fuzzer = Fuzzer()
        var seeds: [[UInt8]] = []
        for file in try captureFiles(in: [""]) {
            let octets = [UInt8](try Data(contentsOf: file))
            seeds += FuzzTarget.pipeline.seeds(from: octets, name: file.lastPathComponent)
        }
        for number in 0..<10_000 {
            let input = seeds[generator.pick(in: seeds.indices)]
            var mutator = RecordMutator(seed: generator.next())
            var list = RecordList(encoded: input.dropFirst())
            mutator.mutate(&list)
            fuzzer.pipeline(list, number.isMultiple(of: 2) ? 0x17 : 0x1F)
        }
        #expect(fuzzer.records > 100_000)
    }

    /// `attlas-fuzz screens` does it for hours.
    @Test func theScreensAreUsedAtRandom() throws {
        var generator = SeededGenerator(seed: seed(for: "the screens"))
        let fuzzer = Fuzzer()
        fuzzer.inspector.onFinding = { Issue.record("screens: \($0)") }
        for file in try captureFiles(in: [""]).filter({ Repository.captureNames.contains($0.lastPathComponent) }) {
            fuzzer.screens([UInt8](try Data(contentsOf: file)), script: generator.screenScript())
        }
        expect(fuzzer.inputs, equals: Repository.captureNames.count)
    }
}

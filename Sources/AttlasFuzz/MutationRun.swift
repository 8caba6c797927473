import Foundation

/// Reads damaged captures, one after the other in one process, and checks the results.
package struct MutationRun {
    /// Octets of memory that reading may add to the process.
    static let memoryLimit = 64 << 20

    /// Whether growth beyond the limit is a finding. Not under a sanitizer (make sanitize), whose own memory is many times ours.
    var measuresMemory = true

    package private(set) var findings: [String] = []
    package private(set) var records = 0
    private(set) var broken = 0
    private(set) var refused = 0
    private(set) var commands = 0
    private(set) var mostMemory = 0
    package var inputs: Int { fuzzer.inputs }

    private let fuzzer = Fuzzer()
    private var generator: SeededGenerator

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        // Data that is loaded once is not growth.
        fuzzer.run(.pipeline, [0] + SampleConversation.records.encoded)
    }

    package var summary: String {
        "\(inputs) inputs in one process, \(commands) through the command, \(records) records, of which \(broken) broken; "
            + "\(refused) inputs refused; memory grew by \(mostMemory >> 20) MB at most; \(findings.count) findings"
            + findings.prefix(20).map { "\n  \($0)" }.joined()
    }

    package mutating func systematic(
        _ mutations: FileMutations, _ name: String, truncations: Int = 4_096, step: Int = 1
    ) {
        let baseline = Memory.resident
        Memory.forgetPeak()
        for (index, input) in mutations.truncations(limit: truncations).enumerated() where index % step == 0 {
            read(input, "\(name) truncated at \(input.count)")
        }
        for (index, input) in mutations.lies().enumerated() where index % step == 0 {
            read(input, "\(name) with lie \(index)")
        }
        noteMemory(baseline, name)
    }

    package mutating func random(_ captures: [FileMutations], _ names: [String], count: Int) {
        let baseline = Memory.resident
        Memory.forgetPeak()
        for number in 0..<count {
            let index = number % captures.count
            read(captures[index].random(&generator), "\(names[index]), random mutation \(number)")
        }
        noteMemory(baseline, "random mutations")
    }

    private mutating func noteMemory(_ baseline: Int, _ what: String) {
        let growth = Memory.peak - baseline
        mostMemory = max(mostMemory, growth)
        if measuresMemory, growth > Self.memoryLimit { findings.append("\(what): memory grew by \(growth >> 20) MB") }
    }

    private mutating func read(_ input: [UInt8], _ what: String) {
        let outcome = fuzzer.read(input, name: what)
        records += outcome.records
        broken += outcome.broken
        if outcome.captures == 0 { refused += 1 }
        if outcome.captures == 0, outcome.errors.isEmpty { findings.append("\(what): no capture, and no error") }
        // The shortest record header has two octets.
        if outcome.records > input.count / 2 + 1 { findings.append("\(what): more records than it has room for") }
        if !outcome.unaccounted.isEmpty {
            findings.append("\(what): nothing became of frames \(outcome.unaccounted.prefix(5))")
        }
    }

    /// Through `attlas show` with one of its outputs: exit status 0 or 1, never a signal.
    package mutating func command(_ path: String, _ captures: [FileMutations], count: Int) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "attlas-mutation-\(getpid())")
        defer { try? FileManager.default.removeItem(at: file) }
        let outputs = [
            ["show"], ["show", "--hci", "--json"], ["show", "--csv"], ["tree"], ["devices", "--json"], ["stats"],
            ["lint", "--json"],
        ]
        for number in 0..<count {
            let input = captures[number % captures.count].random(&generator)
            try Data(input).write(to: file)
            let process = Process()
            process.executableURL = URL(filePath: path)
            process.arguments = outputs[number % outputs.count] + [file.path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            commands += 1
            let status = process.terminationStatus
            guard process.terminationReason == .exit, status == 0 || status == 1 else {
                let kept = FileManager.default.temporaryDirectory.appending(path: "attlas-mutation-\(number)")
                try Data(input).write(to: kept)
                findings.append("command \(process.arguments ?? []): status \(status), with \(kept.path)")
                continue
            }
        }
    }
}

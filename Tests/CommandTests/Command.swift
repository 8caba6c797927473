import AttlasTestSupport
import Foundation
import Testing

/// Runs programs for tests.
enum Command {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// The executable that was built with the tests, next to them.
    static let binary: String = {
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        let place =
            tests.map { URL(fileURLWithPath: $0) } ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return place.deletingLastPathComponent().appendingPathComponent("attlas").path
    }()

    static let hasSchemaValidator = (try? run("/usr/bin/python3", ["-c", "import jsonschema"]).status) == 0

    static func attlas(_ arguments: [String], input: Data? = nil) throws -> Result {
        try run(binary, arguments, input: input)
    }

    /// What is wrong with JSON by a published schema; empty when nothing is.
    static func judge(_ output: String, bySchema schema: String, _ options: [String] = []) throws -> String {
        let result = try run(
            "/usr/bin/python3",
            [Repository.path("Tests/CommandTests/check-schema.py")] + options
                + [Repository.path("Documentation/schemas/\(schema).schema.json")],
            input: Data(output.utf8))
        return result.status == 0 ? "" : "status \(result.status): \(result.output)\(result.errors)"
    }

    /// Output goes to files, so that no pipe fills while nobody reads it.
    static func run(_ path: String, _ arguments: [String], input: Data? = nil) throws -> Result {
        let folder = try TemporaryFolder()
        let files = ["input", "output", "errors"].map { folder.url.appendingPathComponent($0) }
        for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        try input?.write(to: files[0])

        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        let errors = try String(contentsOf: files[2], encoding: .utf8)
        if errors.contains("WARNING: ThreadSanitizer") || errors.contains("ERROR: AddressSanitizer") {
            Issue.record("\(path) \(arguments): \(errors)")
        }
        return Result(
            status: process.terminationStatus, output: try String(contentsOf: files[1], encoding: .utf8), errors: errors
        )
    }
}

extension TemporaryFolder {
    /// False when a program is missing or fails.
    func run(_ script: String) throws -> Bool {
        try Command.run("/bin/bash", ["-c", "cd '\(url.path)' && \(script)"]).status == 0
    }
}

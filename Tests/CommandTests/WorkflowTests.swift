import AttlasTestSupport
import Foundation
import Testing

/// The steps of Documentation/ci/github.yml that need no service run as they are written: `bash -e`, nothing in the environment.
@Suite struct WorkflowTests {
    /// The commands of a step, as in the file.
    private func commands(_ step: String) throws -> String {
        let file = try Repository.text("Documentation/ci/github.yml")
        let block = try #require(file.components(separatedBy: "      - name: \(step)\n        run: ").dropFirst().first)
        let lines = block.components(separatedBy: "\n      - ")[0].split(separator: "\n")
        guard lines.first == "|" else { return String(lines[0]) }
        return lines.dropFirst().map { $0.dropFirst(10) }.joined(separator: "\n")
    }

    private func run(_ step: String, in folder: TemporaryFolder) throws -> Command.Result {
        let script = try folder.write(Array(commands(step).utf8), to: "step.sh")
        let binaries = URL(fileURLWithPath: Command.binary).deletingLastPathComponent().path
        return try Command.run(
            "/usr/bin/env",
            [
                "-i", "-C", folder.url.path, "PATH=\(binaries):/usr/bin:/bin",
                "GITHUB_STEP_SUMMARY=\(folder.url.path)/summary.md", "bash", "-e", script,
            ])
    }

    @Test func theStepsRun() throws {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            for name in ["heart-rate", "careless-scale"] {
                let octets = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("\(name).btsnoop")))
                _ = try folder.write(octets, to: "captures/\(name).btsnoop")
            }
            let expected = "expectations:\n  - { id: battery, service: Battery, exists: true }\n"
            _ = try folder.write(Array(expected.utf8), to: "captures/expectations.yaml")
            let report = try run("Report", in: folder)
            #expect(report.status == 0, "\(report.errors)")
            for name in ["reports/lint.sarif", "reports/lint.xml", "summary.md"] {
                let text = try String(contentsOf: folder.url.appending(path: name), encoding: .utf8)
                #expect(text.contains("captures/careless-scale.btsnoop"))
            }
            let check = try run("Check the expectations", in: folder)
            #expect(check.status == 0, "\(check.errors)")
            #expect(try run("Fail on errors", in: folder).status == 2)
            #expect(try commands("Install attlas").hasSuffix("make -C attlas install PREFIX=/usr/local"))
        }
    }
}

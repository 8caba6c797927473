import ArgumentParser
import AttlasCheck
import AttlasDissection
import AttlasLint
import AttlasRecords

/// The project's settings for findings: `--config FILE`, `--baseline FILE`.
struct ProjectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read rule severities and suppressed findings from this file. (default: the nearest \(LintConfiguration.fileName), in the folder "
                + "of a capture or above)",
            valueName: "file"), completion: .file(extensions: ["yaml", "yml"]), transform: FilesRead.note)
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Leave out the findings of an earlier lint --json, so that only new ones are reported.", valueName: "file"),
        completion: .file(), transform: FilesRead.note)
    var baseline: String?

    /// Reads the files; exits with 1 if there is a mistake in one of them.
    func load(for captures: [String], _ library: DissectorLibrary) throws -> Project {
        var mistakes: [DefinitionMistake] = []
        var project = Project(config: config)
        for path in Set(captures.compactMap(project.configuration(of:))).sorted() {
            do {
                project.configurations[path] = try LintConfiguration(path: path, library)
            } catch let error as ProjectMistakes {
                mistakes += error.mistakes
            }
        }
        do {
            project.baseline = try baseline.map { path throws(DefinitionMistake) in try LintBaseline(path: path) }
        } catch {
            mistakes.append(error)
        }
        for mistake in mistakes { printError(mistake.description) }
        if !mistakes.isEmpty { throw ExitCode(1) }
        return project
    }
}

/// The files that were read.
struct Project: Sendable {
    let config: String?
    var configurations: [String: LintConfiguration] = [:]
    var baseline: LintBaseline?

    func configuration(of capture: String) -> String? { config ?? LintConfiguration.path(above: capture) }

    /// Own rules for a capture.
    func limits(of capture: String) -> [Expectation] {
        configuration(of: capture).flatMap { configurations[$0]?.limits } ?? []
    }

    func apply(to model: inout LintModel, of capture: String) {
        configuration(of: capture).flatMap { configurations[$0] }?.apply(to: &model, of: capture)
        baseline?.apply(to: &model)
    }
}

import ArgumentParser
import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasReport

struct DissectorsCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Find mistakes in definition files and run their examples.",
        discussion: "The exit status is 1 if there is a mistake or an example fails.")

    @Argument(help: "Definition files, or folders of them.", completion: .file())
    var files: [String]

    func run() throws {
        var sources: [DefinitionSource] = []
        var mistakes: [DefinitionMistake] = []
        for path in files {
            do {
                sources += try DefinitionSource.files(at: path)
            } catch let mistake as DefinitionMistake {
                mistakes.append(mistake)
            }
        }
        let loader = DefinitionLoader(sources, above: .shipped)
        mistakes += loader.mistakes
        let library = DissectorLibrary.shipped.adding(loader.files)
        var definitions = 0
        var examples = 0
        for file in loader.files {
            let check = ExampleCheck(file, library: library)
            definitions += file.attributes.count
            examples += check.count
            mistakes += check.mistakes
        }
        try print(lines: mistakes.map(\.description))
        guard mistakes.isEmpty else { throw ExitCode.failure }
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        let counts = [
            count(sources.count, "file"), count(definitions, "definition"), count(examples, "example"),
        ]
        try print(lines: ["\(counts.joined(separator: ", ")): all right"])
    }
}

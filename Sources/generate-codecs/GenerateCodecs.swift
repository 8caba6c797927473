import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasGenerate
import Foundation

/// generate-codecs NAME OUTPUT FILE…: `attlas generate swift` for a build plugin, without what else the command depends on.
@main struct GenerateCodecs {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count > 2, let name = arguments.first, let output = arguments.dropFirst().first else {
            fail(["usage: generate-codecs NAME OUTPUT FILE…"])
        }
        var sources: [DefinitionSource] = []
        do {
            sources = try arguments.dropFirst(2).flatMap(DefinitionSource.files)
        } catch let mistake as DefinitionMistake {
            fail([mistake.description])
        }
        let loader = DefinitionLoader(sources, above: .shipped, areSeparate: true)
        guard loader.mistakes.isEmpty else { fail(loader.mistakes.map(\.description)) }
        let library = DissectorLibrary.shipped.adding(loader.files)
        let form = CodecForm(loader.files, name: name, resolve: library.definition)
        guard form.refusals.isEmpty else { fail(form.refusals.map(\.description)) }
        try CodeLanguage.swift.code(of: form).write(toFile: output, atomically: true, encoding: .utf8)
    }

    private static func fail(_ lines: [String]) -> Never {
        for line in lines { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
        exit(1)
    }
}

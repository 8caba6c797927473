import Foundation

/// The commands as the argument parser describes them, so that no test has a separate list.
package struct CommandDescription: Decodable {
    package struct Argument: Decodable {
        package enum Kind: String, Decodable { case positional, option, flag }
        package struct Name: Decodable {
            let kind: String
            let name: String
        }
        package struct Completion: Decodable {
            let file: [String: [String]]?
        }

        package let kind: Kind
        package let isOptional: Bool
        package let isRepeating: Bool
        let names: [Name]?
        package let valueName: String?
        package let allValues: [String]?
        let completionKind: Completion?

        /// `--output`; nil for a positional argument.
        package var option: String? { names?.first { $0.kind == "long" }.map { "--\($0.name)" } }
        package var isFile: Bool { completionKind?.file != nil }
        /// The name of the value in the help is part of the description.
        package var isOutput: Bool { isFile && valueName?.hasSuffix("out") == true }
        /// `in> … <out`: the last one is written.
        package var isInput: Bool { isFile && valueName != "out" }
    }

    let commandName: String
    let arguments: [Argument]?
    let subcommands: [CommandDescription]?

    private struct Dump: Decodable {
        let command: CommandDescription
    }

    /// Every command that is not a group of others, with the words that call it.
    ///
    /// - Parameter attlas: The command's path.
    package static func all(of attlas: String) throws -> [(words: [String], arguments: [Argument])] {
        let pipe = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: attlas)
        process.arguments = ["--experimental-dump-help"]
        process.standardOutput = pipe
        try process.run()
        let dump = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        func leaves(_ command: CommandDescription, _ words: [String]) -> [(words: [String], arguments: [Argument])] {
            let inner = command.subcommands ?? []
            guard inner.isEmpty else { return inner.flatMap { leaves($0, words + [$0.commandName]) } }
            return [(words, command.arguments ?? [])]
        }
        return try leaves(JSONDecoder().decode(Dump.self, from: dump).command, []).filter { $0.words != ["help"] }
    }
}

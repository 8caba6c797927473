import Foundation

/// The commands as the argument parser describes them, so that tests need no separate list.
struct CommandDescription: Decodable {
    struct Argument: Decodable {
        enum Kind: String, Decodable { case positional, option, flag }
        struct Name: Decodable {
            let kind: String
            let name: String
        }
        struct Completion: Decodable {
            let file: [String: [String]]?
        }

        let kind: Kind
        let isOptional: Bool
        let names: [Name]?
        let valueName: String?
        let allValues: [String]?
        let completionKind: Completion?

        /// `--output`; nil for a positional argument.
        var option: String? { names?.first { $0.kind == "long" }.map { "--\($0.name)" } }
        var isFile: Bool { completionKind?.file != nil }
        /// The name of the value in the help is part of the description.
        var isOutput: Bool { isFile && valueName?.hasSuffix("out") == true }
        /// `in> … <out`: the last one is written.
        var isInput: Bool { isFile && valueName != "out" }
    }

    let commandName: String
    let arguments: [Argument]?
    let subcommands: [CommandDescription]?

    private struct Dump: Decodable {
        let command: CommandDescription
    }

    /// Every command that is no group of others, with the words that call it.
    static func all() throws -> [(words: [String], arguments: [Argument])] {
        let dump = try Command.attlas(["--experimental-dump-help"]).output
        func leaves(_ command: CommandDescription, _ words: [String]) -> [(words: [String], arguments: [Argument])] {
            let inner = command.subcommands ?? []
            guard inner.isEmpty else { return inner.flatMap { leaves($0, words + [$0.commandName]) } }
            return [(words, command.arguments ?? [])]
        }
        return try leaves(JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command, [])
            .filter { $0.words != ["help"] }
    }
}

import ArgumentParser
import AttlasDissection
import AttlasInput
import AttlasText

/// Arguments that no command takes, and their probable meaning.
enum FirstMistake {
    /// With the command that a file alone stands for: on a terminal `open`, elsewhere `show`.
    static func completed(_ arguments: [String]) throws -> [String] {
        guard let first = arguments.first, isWord(first) else { return arguments }
        guard names.contains(first) else {
            guard first == "-" || SystemCalls.status(of: first) != nil else {
                throw unknown(first, "command and no file", among: names)
            }
            let isScreen =
                Output.isTerminal && Terminal.isPossible && (try? Attlas.parseAsRoot(["open"] + arguments)) != nil
            return [isScreen ? "open" : "show"] + arguments
        }
        let parts = commands.filter { $0.name.hasPrefix(first + " ") }.map {
            String($0.name.dropFirst(first.count + 1))
        }
        if !parts.isEmpty, arguments.count > 1, isWord(arguments[1]), !parts.contains(arguments[1]) {
            throw unknown(arguments[1], "command of \(first)", among: parts)
        }
        return arguments
    }

    /// Names of the commands.
    static var names: [String] { commands.filter { !$0.name.contains(" ") }.map(\.name) + ["help"] }

    /// Not an option.
    private static func isWord(_ argument: String) -> Bool { argument == "-" || !argument.hasPrefix("-") }

    private static func unknown(_ word: String, _ what: String, among names: [String]) -> ValidationError {
        let suggestion = NearestWord.suggestion(for: word, among: names)
        return ValidationError("There is no \(what) \"\(word)\"" + (suggestion.isEmpty ? "." : suggestion))
    }

    /// A message about an unknown option, with the commands that have it.
    static func explained(_ message: String) -> String {
        guard let match = message.firstMatch(of: #/Unknown option '(-+[A-Za-z0-9-]+)'\.?( Did you mean '[^']*'\?)?/#)
        else { return message }
        let option = String(match.1)
        let all = commands.map { (name: $0.name, options: options(of: $0.type)) }
        func owners(_ option: String) -> String {
            all.filter { $0.options.contains(option) }.map(\.name).joined(separator: ", ")
        }
        var text = "Unknown option '\(option)'."
        if !owners(option).isEmpty {
            text += " These commands have it: \(owners(option))."
        } else if let nearest = NearestWord.nearest(to: option, among: Set(all.flatMap(\.options))) {
            text += " Did you mean '\(nearest)' (\(owners(nearest)))?"
        } else {
            return message
        }
        return message.replacingCharacters(in: match.range, with: text)
    }

    private static let commands: [(name: String, type: any ParsableCommand.Type)] =
        Attlas.configuration.subcommands.flatMap { type in
            let name = type.configuration.commandName ?? ""
            return [(name, type)]
                + type.configuration.subcommands.map { ("\(name) \($0.configuration.commandName ?? "")", $0) }
        }

    /// Those that its help lists.
    private static func options(of type: any ParsableCommand.Type) -> [String] {
        type.helpMessage(columns: 200).split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
            line.dropFirst(2).prefix { $0 != "<" }.split { " ,/".contains($0) }.prefix { $0.hasPrefix("-") }.map(
                String.init)
        }
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}

import ArgumentParser
import AttlasDissection
import AttlasText

/// `attlas help PAGE`: a page of the documentation. `attlas help COMMAND` is the parser's own.
enum HelpPage {
    /// Whether the arguments request a page, which is then printed.
    ///
    /// - Parameter names: Names of the commands.
    static func print(_ arguments: [String], besides names: @autoclosure () -> [String]) throws -> Bool {
        guard arguments.first == "help", arguments.count == 2, !arguments[1].hasPrefix("-") else { return false }
        let (name, commands) = (arguments[1], names())
        guard !commands.contains(name) else { return false }
        if name == "topics" {
            try attlas.print(lines: topics(besides: commands))
            return true
        }
        // A page that is called as a command is meant with the end of its file's name.
        guard let page = embeddedFiles.first(where: { $0.name == name || "\($0.name).md" == name }) else {
            let names = commands + embeddedFiles.map(\.name)
            let suggestion = NearestWord.suggestion(for: name, among: names)
            throw ValidationError(
                "There is no command and no page \"\(name)\"\(suggestion.isEmpty ? "." : suggestion) "
                    + "attlas help topics lists the pages.")
        }
        try attlas.print(
            PageText.render(
                page.text, width: Output.terminalWidth ?? 100, isColoured: ColorOptions.isColouredByDefault))
        return true
    }

    /// A script of completions that proposes the commands and the pages after `help`: the parser's has nothing there.
    static func completing(_ script: String, besides commands: [String]) -> String {
        let words = (commands + names(besides: commands) + ["topics"]).joined(separator: " ")
        let isFish = script.contains("\ncomplete -c 'attlas'")
        return
            script
            // bash
            .replacing(
                "_attlas_help() {\n    repeating_flags=()",
                with:
                    "_attlas_help() {\n    COMPREPLY+=($(compgen -W '\(words)' -- \"${cur}\"))\n    repeating_flags=()"
            )
            // zsh
            .replacing("'*:subcommands:'", with: "'*:page:(\(words))'")
            + (isFish
                ? "\ncomplete -c 'attlas' -n '__attlas_should_offer_completions_for_positional \"attlas help\" -eq 1' -fa '\(words)'"
                : "")
    }

    /// Names of the pages. One that is called as a command has the end of its file's name.
    private static func names(besides commands: [String]) -> [String] {
        embeddedFiles.map { $0.name + (commands.contains($0.name) ? ".md" : "") }
    }

    /// Each page with its heading.
    private static func topics(besides commands: [String]) -> [String] {
        let names = names(besides: commands)
        let width = names.map(\.count).max() ?? 0
        return ["attlas help PAGE shows a page of the documentation:", ""]
            + zip(names, embeddedFiles).map { name, page in
                let heading = page.text.prefix { $0 != "\n" }.dropFirst(2).replacing("`", with: "")
                return "  \(name)" + String(repeating: " ", count: width + 2 - name.count) + heading
            }
    }
}

/// The help of a command without the options of most commands, which `--help-all` adds. Man pages and completions have all.
enum ShortHelp {
    /// The title of the groups that are left out.
    static let title = "Options of most commands"
    static let flag = "--help-all"

    static func folding(_ help: String) -> String {
        let heading = "\n\n\(title.uppercased()):\n"
        guard let start = help.firstRange(of: heading),
            let end = help[start.upperBound...].firstRange(of: "\n\n"),
            let command = help.firstMatch(of: #/USAGE: ([a-z ]+[a-z]) /#)?.1
        else { return help }
        let count = help[start.upperBound..<end.lowerBound].split(separator: "\n").count { $0.hasPrefix("  -") }
        let rest = help[end.lowerBound...]
        return help[..<start.lowerBound] + rest
            + "\n\(count) more options (keys, definitions, limits): \(command) \(flag)"
    }
}

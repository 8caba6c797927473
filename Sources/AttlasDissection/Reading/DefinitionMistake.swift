import Yams

/// Something wrong in a definition file, said so that a person can put it right.
public struct DefinitionMistake: Error, Sendable, Hashable, CustomStringConvertible {
    public var file: String
    public var line: Int
    public var column: Int
    /// What was found, what could stand there, and the nearest right word.
    public var message: String

    public init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// A mistake of a file as a whole is at line 0.
    public var description: String {
        line == 0 ? "\(file): \(message)" : "\(file):\(line):\(column): \(message)"
    }
}

extension DefinitionMistake {
    init(_ mistake: CompileMistake, file: String) {
        self.init(
            file: file, line: mistake.position.line, column: mistake.position.column, message: mistake.message)
    }

    init(_ error: any Error, file: String) {
        self.init(file: file, line: 1, column: 1, message: "not readable as YAML")
        switch error {
        case YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _):
            (line, column) = (mark.line, mark.column)
            // libyaml's own limit, which is 1 000, comes first where there are many more than ours.
            guard !problem.hasPrefix("Maximum nesting level") else {
                message = YAMLNode.depthMessage
                return
            }
            message = problem + (context.map { " (\($0.text), from line \($0.mark.line))" } ?? "")
        case YamlError.reader(let problem, _, _, _):
            message = problem
        case YamlError.duplicatedKeysInMapping(let keys, let context):
            (line, column) = (context.mark.line, context.mark.column)
            message = keys.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ") + " stands twice in one mapping"
        default: break
        }
    }
}

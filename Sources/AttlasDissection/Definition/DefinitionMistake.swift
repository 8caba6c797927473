/// A mistake in a definition file, with a message that helps to correct it.
package struct DefinitionMistake: Error, Sendable, Hashable, CustomStringConvertible {
    package var file: String
    package var line: Int
    package var column: Int
    /// A sentence: what was expected, what was found, and the nearest valid word.
    package var message: String

    package init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// A mistake of a file as a whole is at line 0.
    package var description: String {
        line == 0 ? "\(file): \(message)" : "\(file):\(line):\(column): \(message)"
    }
}

/// A mistake in a definition that prevents reading or compiling it. The caller that knows the file adds its name.
package struct CompileMistake: Error {
    package var position: SourcePosition
    package var message: String
    /// Those that were found after it.
    package var others: [CompileMistake] = []

    package init(position: SourcePosition, message: String) {
        self.position = position
        self.message = message
    }
}

extension DefinitionMistake {
    package init(_ mistake: CompileMistake, file: String) {
        self.init(
            file: file, line: mistake.position.line, column: mistake.position.column, message: mistake.message)
    }
}

import Foundation

extension DefinitionSource {
    /// The definition files at `path`: itself, or those in and below a folder, in the order of their names.
    public static func files(at path: String) throws -> [DefinitionSource] {
        guard FileManager.default.fileExists(atPath: path) else {
            throw DefinitionMistake(file: path, line: 0, column: 0, message: "there is no such file or folder")
        }
        var paths = [path]
        // Only a folder has something in it.
        if FileManager.default.fileExists(atPath: "\(path)/.") {
            let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
            paths = names.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted().map { "\(path)/\($0)" }
        }
        return try paths.map { path in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw DefinitionMistake(file: path, line: 0, column: 0, message: "cannot be read")
            }
            guard let text = String(validating: data, as: UTF8.self) else {
                throw DefinitionMistake(file: path, line: 0, column: 0, message: "is not UTF-8")
            }
            return DefinitionSource(path: path, text: text)
        }
    }
}

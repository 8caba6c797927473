import AttlasDissection
import AttlasSystem

extension DefinitionSource {
    /// The definition files at `path`: itself, or those in and below a folder, in the order of their names.
    package static func files(at path: String) throws -> [DefinitionSource] {
        guard FileSystem.exists(path) else {
            throw DefinitionMistake(file: path, line: 0, column: 0, message: "there is no such file or folder")
        }
        var paths = [path]
        // Only a folder has something in it.
        if FileSystem.exists("\(path)/.") {
            paths = FileSystem.names(below: path).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted()
                .map { "\(path)/\($0)" }
        }
        return try paths.map { path in
            let limit = YAMLNode.sizeLimit
            guard let octets = FileSystem.contents(of: path, limit: limit + 1) else {
                throw DefinitionMistake(file: path, line: 0, column: 0, message: "cannot be read")
            }
            // A file that is too large is not read to its end, which may cut a character; the reader refuses it.
            guard octets.count <= limit else {
                return DefinitionSource(path: path, text: String(decoding: octets, as: UTF8.self))
            }
            guard let text = String(validating: octets, as: UTF8.self) else {
                throw DefinitionMistake(file: path, line: 0, column: 0, message: "is not UTF-8")
            }
            return DefinitionSource(path: path, text: text)
        }
    }
}

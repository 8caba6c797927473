import AttlasCapture
import AttlasDefinitionFiles
import AttlasDissection
import AttlasLint
import AttlasValues

/// A project's settings for the rules of `lint`: Documentation/lint.md describes the file.
package struct LintConfiguration: Sendable {
    /// The name of the file, in the folder of a capture or above it.
    package static let fileName = "attlas.yaml"

    /// Findings that are left out.
    struct Exception: Sendable {
        let rule: Glob
        /// Pattern for the path from the folder of the file; nil for every capture.
        let file: Glob?
        /// In the peer's name or address; nil: of every peer.
        let peer: String?
        let reason: String
    }

    /// The last one that matches counts.
    var severities: [(rule: Glob, severity: LintRule.Severity)] = []
    var exceptions: [Exception] = []
    /// Own rules.
    package internal(set) var limits: [Expectation] = []
    /// The folder of the file, with a slash at its end.
    let folder: String

    /// - Throws: `ProjectMistakes`
    package init(path: String, _ library: DissectorLibrary) throws {
        folder = String(Self.absolute(path).reversed().drop { $0 != "/" }.reversed())
        var reader = ConfigurationReader(path: path)
        try reader.read(into: &self, library)
    }

    /// The nearest file in the folder of a capture or above it; nil if there is none.
    package static func path(above capture: String) -> String? {
        var folder = absolute(capture)
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            if FileSystem.exists("\(folder)/\(fileName)") { return "\(folder)/\(fileName)" }
        }
        return nil
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(SystemCalls.currentFolder() ?? "")/\(path)"
    }

    /// Changes the findings of a capture by the file's settings.
    package func apply(to model: inout LintModel, of capture: String) {
        let path = Self.absolute(capture)
        let name = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
        model.rank { rule in severities.last { $0.rule.matches(rule) }?.severity }
        let names = model
        model.suppress { rule, finding in
            exceptions.first { exception in
                guard exception.rule.matches(rule), exception.file?.matches(name) ?? true else { return false }
                guard let wanted = exception.peer.map(FoldedText.init) else { return true }
                guard let peer = finding?.place.peer else { return false }
                return [names.peerName(peer), peer.description].compactMap(\.self)
                    .contains { FoldedText($0).contains(wanted) }
            }?.reason
        }
    }
}

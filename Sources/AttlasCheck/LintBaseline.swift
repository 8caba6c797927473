import AttlasDefinitionFiles
import AttlasDissection
import AttlasLint
import AttlasSystem
import FoundationEssentials

/// The findings that an earlier `lint --json` had, by their fingerprints. Documentation/schemas/lint.schema.json.
package struct LintBaseline: Sendable {
    private static let sizeLimit = 256 << 20

    private let path: String
    private var fingerprints: Set<String> = []

    private struct Document: Decodable {
        struct Finding: Decodable {
            let fingerprint: String
        }

        let findings: [Finding]
    }

    package init(path: String) throws(DefinitionMistake) {
        self.path = path
        guard let octets = FileSystem.contents(of: path, limit: Self.sizeLimit + 1), octets.count <= Self.sizeLimit
        else {
            throw DefinitionMistake(file: path, line: 0, column: 0, message: "cannot be read")
        }
        for (index, line) in octets.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let document = try? JSONDecoder().decode(Document.self, from: Data(line)) else {
                throw DefinitionMistake(
                    file: path, line: index + 1, column: 1, message: "expected a document of attlas lint --json")
            }
            fingerprints.formUnion(document.findings.map(\.fingerprint))
        }
    }

    /// Leaves out known findings.
    package func apply(to model: inout LintModel) {
        model.suppress { _, finding in
            finding.flatMap { fingerprints.contains($0.fingerprint) ? "known from \(path)" : nil }
        }
    }
}

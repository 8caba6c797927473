import AttlasDefinitions
import AttlasDissection
import Foundation

extension DissectorLibrary {
    /// What comes with attlas and the examples of Dissectors/, which some recorded devices are laid out by.
    static let withExamples: DissectorLibrary = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Dissectors/examples")
        let sources = (try? DefinitionSource.files(at: String(folder.path()))) ?? []
        return DissectorLibrary.shipped.adding(DefinitionLoader(sources, above: .shipped).files)
    }()
}

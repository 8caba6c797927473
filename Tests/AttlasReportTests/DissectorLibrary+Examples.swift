import AttlasDefinitions
import AttlasDissection
import Foundation

extension DissectorLibrary {
    /// What comes with attlas and the definitions of the recorded devices, which are among the examples of Dissectors/.
    static let withExamples: DissectorLibrary = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Dissectors/examples")
        let sources = ["led-strip.yaml", "ice-cream-dispenser.yaml"].flatMap { name in
            (try? DefinitionSource.files(at: String(folder.appending(path: name).path()))) ?? []
        }
        return DissectorLibrary.shipped.adding(DefinitionLoader(sources, above: .shipped).files)
    }()
}

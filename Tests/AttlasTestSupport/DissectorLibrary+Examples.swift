import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import Foundation

extension DissectorLibrary {
    /// What comes with attlas and the examples of Dissectors/ that recorded devices are laid out by.
    public static let withExamples: DissectorLibrary = {
        let folder = Repository.root.appending(path: "Dissectors/examples")
        let sources = ["ice-cream-dispenser.yaml", "led-strip.yaml"].flatMap {
            (try? DefinitionSource.files(at: folder.appending(path: $0).path)) ?? []
        }
        return DissectorLibrary.shipped.adding(DefinitionLoader(sources, above: .shipped).files)
    }()
}

import AttlasDefinitions
import AttlasDissection
import AttlasReport
import AttlasWire
import Foundation
import Testing

@Suite struct ShippedDefinitionTests {
    static let sources: [DefinitionSource] = {
        let folder = repository.appending(path: "Dissectors").path()
        return (try? DefinitionSource.files(at: String(folder))) ?? []
    }()

    @Test func everyExampleHolds() {
        #expect(Self.sources.count >= 9)
        let loader = DefinitionLoader(Self.sources, above: DissectorLibrary.shipped)
        #expect(loader.mistakes.map(\.description) == [])
        for file in loader.files {
            let check = ExampleCheck(file, library: DissectorLibrary.shipped)
            #expect(check.mistakes.map(\.description) == [])
            #expect(check.count > 0)
        }
    }

    @Test func everyDefinitionHasAnExample() {
        let loader = DefinitionLoader(Self.sources, above: DissectorLibrary.shipped)
        for attribute in loader.files.flatMap(\.attributes) where !attribute.layouts.isEmpty {
            #expect(!attribute.examples.isEmpty, "\(attribute.uuid) \(attribute.name)")
        }
    }

    /// A definition goes through the archive of the binary and comes out as it went in.
    @Test func theBinaryHoldsEveryDefinition() {
        let loader = DefinitionLoader(Self.sources, above: DissectorLibrary.empty)
        let read = Set(loader.files.flatMap(\.attributes).map(\.uuid))
        #expect(Set(DissectorLibrary.shipped.definitions.map(\.uuid)) == read)
    }
}

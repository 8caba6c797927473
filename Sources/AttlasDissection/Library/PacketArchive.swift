import AttlasLocks

/// The definitions of HCI packets in an archive, whose index is read when the first one is looked up: few runs need them.
final class PacketArchive: Sendable {
    private struct Index {
        var archive: DefinitionArchive
        var entries: [DefinitionKey: DefinitionArchive.Entry]
    }

    private let text: StaticString
    private let index = Locked<Index?>(nil)

    init(_ text: StaticString) {
        self.text = text
    }

    func definition(of key: DefinitionKey) -> AttributeDefinition? {
        let index = loaded
        return index.entries[key].map(index.archive.definition)
    }

    var keys: [DefinitionKey] { Array(loaded.entries.keys) }

    private var loaded: Index {
        index.withLock { index in
            if let index { return index }
            let archive = DefinitionArchive(text)
            let entries = Dictionary(archive.entries.map { ($0.key, $0) }) { first, _ in first }
            let new = Index(archive: archive, entries: entries)
            index = new
            return new
        }
    }
}

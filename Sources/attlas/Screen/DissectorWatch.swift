import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection

/// The user's definition files, read again when they change. After a mistake, a file's last good text stays in force.
struct DissectorWatch {
    private let paths: [String]
    private let showsKeys: Bool
    private var state = State()
    /// The last text of each file that had no mistake.
    private var good: [String: DefinitionSource] = [:]

    /// The files at the paths.
    private struct State: Equatable {
        var texts: [String: String] = [:]
        /// Paths at which nothing could be read, and why.
        var missing: [String: DefinitionMistake] = [:]
    }

    /// The current mistakes in the files.
    private(set) var mistakes: [DefinitionMistake] = []

    /// - Parameter showsKeys: whether its definitions have values for keys.
    init(_ paths: [String], showsKeys: Bool) {
        self.paths = paths
        self.showsKeys = showsKeys
        _ = change()
    }

    /// The definitions in force when a file has changed, and nil as long as none has.
    mutating func change() -> DissectorLibrary? {
        guard !paths.isEmpty else { return nil }
        var sources: [DefinitionSource] = []
        var now = State()
        for path in paths {
            do {
                sources += try DefinitionSource.files(at: path)
            } catch {
                let mistake = error as? DefinitionMistake
                now.missing[path] =
                    mistake ?? DefinitionMistake(file: path, line: 0, column: 0, message: "cannot be read")
            }
        }
        for source in sources { now.texts[source.path] = source.text }
        guard now != state else { return nil }
        state = now

        var loader = DefinitionLoader(sources, above: .shipped)
        mistakes = now.missing.values.sorted { $0.file < $1.file } + loader.mistakes
        let bad = Set(loader.mistakes.map(\.file))
        for source in sources where !bad.contains(source.path) { good[source.path] = source }
        if !mistakes.isEmpty {
            let kept = sources.filter { !bad.contains($0.path) }
            let former = good.values.filter { source in
                bad.contains(source.path)
                    || now.missing.keys.contains { source.path == $0 || source.path.hasPrefix($0 + "/") }
            }
            loader = DefinitionLoader(kept + former.sorted { $0.path < $1.path }, above: .shipped)
        }
        let shipped = DissectorLibrary.shipped
        return (showsKeys ? shipped.showingKeys() : shipped).adding(loader.files)
    }
}

import AttlasDissection
import AttlasWire

/// The text of a definition file and where it came from.
package struct DefinitionSource: Sendable {
    package var path: String
    package var text: String
    /// Refuse a unit that is not in `Units`, as the definitions of the SIG's characteristics must; a vendor's unit is
    /// whatever the vendor says.
    package var requiresListedUnits: Bool

    package init(path: String, text: String, requiresListedUnits: Bool = false) {
        self.path = path
        self.text = text
        self.requiresListedUnits = requiresListedUnits
    }
}

/// One level of definitions out of its files. A file with a mistake is left out whole, the others load.
package struct DefinitionLoader: Sendable {
    package private(set) var files: [DefinitionFile] = []
    package private(set) var mistakes: [DefinitionMistake] = []

    /// - Parameters:
    ///   - library: the levels below, whose definitions these may use.
    ///   - areSeparate: the files are of different devices, which may use the same UUIDs.
    package init(_ sources: [DefinitionSource], above library: DissectorLibrary, areSeparate: Bool = false) {
        var flawed: [DefinitionFile] = []
        for source in sources {
            var reader = DefinitionReader(path: source.path, requiresListedUnits: source.requiresListedUnits)
            let (file, mistakes) = reader.read(source.text)
            if mistakes.isEmpty { files.append(file) } else { flawed.append(file) }
            self.mistakes += mistakes
        }
        noteMistakes(in: flawed, above: library)
        leaveOutDuplicates(areSeparate: areSeparate)
        // Leaving a file out may take away what another one uses.
        while leaveOutWhatDoesNotCompile(above: library) {}
        mistakes.sort { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
    }

    /// Those that only compiling finds, in what could be read of files with mistakes.
    private mutating func noteMistakes(in flawed: [DefinitionFile], above library: DissectorLibrary) {
        guard !flawed.isEmpty else { return }
        let complete = library.adding(files + flawed)
        for file in flawed {
            for attribute in file.attributes {
                // What could not be read is not missing.
                var isComplete = true
                do throws(CompileMistake) {
                    _ = try Dissector(attribute, assignedNumbers: library.assignedNumbers) { uuid in
                        let used = complete.definition(of: uuid)
                        if used == nil { isComplete = false }
                        return used
                    }
                } catch {
                    if isComplete { note(error, file.path) }
                }
            }
        }
    }

    private mutating func note(_ mistake: CompileMistake, _ path: String) {
        mistakes += ([mistake] + mistake.others).map { DefinitionMistake($0, file: path) }
    }

    private mutating func leaveOutDuplicates(areSeparate: Bool) {
        var attributes: [DefinitionKey: (path: String, line: Int)] = [:]
        var services: [DefinitionKey: (path: String, line: Int)] = [:]
        var kept: [DefinitionFile] = []
        for file in files {
            if areSeparate { (attributes, services) = ([:], [:]) }
            let found =
                Self.duplicate(in: file.attributes.map { ($0.key, $0.position) }, path: file.path, &attributes)
                ?? Self.duplicate(
                    in: file.services.map { (.attribute($0.uuid), $0.position) }, path: file.path, &services)
            if let found { mistakes.append(found) } else { kept.append(file) }
        }
        files = kept
    }

    private static func duplicate(
        in entries: [(key: DefinitionKey, position: SourcePosition)], path: String,
        _ seen: inout [DefinitionKey: (path: String, line: Int)]
    ) -> DefinitionMistake? {
        for (index, (key, position)) in entries.enumerated() {
            if let first = seen[key] {
                // A file that is left out defines nothing.
                for (key, _) in entries.prefix(index) { seen[key] = nil }
                return DefinitionMistake(
                    file: path, line: position.line, column: position.column,
                    message: "\(key) is defined already, at \(first.path):\(first.line)")
            }
            seen[key] = (path, position.line)
        }
        return nil
    }

    /// - Returns: whether a file went.
    private mutating func leaveOutWhatDoesNotCompile(above library: DissectorLibrary) -> Bool {
        let complete = library.adding(files)
        var kept: [DefinitionFile] = []
        for file in files {
            var isGood = true
            for attribute in file.attributes {
                do {
                    _ = try Dissector(attribute, assignedNumbers: library.assignedNumbers) { uuid in
                        file.definition(of: uuid) ?? complete.definition(of: uuid)
                    }
                } catch {
                    isGood = false
                    note(error, file.path)
                }
            }
            if isGood { kept.append(file) }
        }
        defer { files = kept }
        return kept.count < files.count
    }

    /// The definitions of values as `embed-dissectors` puts them into the binary: ASCII.
    package var archive: [UInt8] {
        DefinitionArchive.text(
            services: files.flatMap(\.services), attributes: attributes.filter { !$0.key.space.isPacket })
    }

    /// The definitions of HCI packets, in the same form.
    package var packetArchive: [UInt8] {
        DefinitionArchive.text(services: [], attributes: attributes.filter(\.key.space.isPacket))
    }

    /// The names of commands as a table of `AssignedNumbers`.
    package var commandTable: String {
        attributes.filter { $0.kind == .hciCommand }.sorted { $0.uuid.value < $1.uuid.value }
            .map { "\($0.uuid)\t\($0.name)\n" }.joined()
    }

    private var attributes: [AttributeDefinition] { files.flatMap(\.attributes) }
}

import ArgumentParser
import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasLint
import AttlasRecords
import AttlasTrace

/// A shell's proposals for an argument.
extension CompletionKind {
    static let rules = list(LintRule.all.map(\.id))
    static let filterNames = list(Filter.names)
    static let characteristics = names(\.characteristics)
    static let peers = names(\.peers)
    static let subjects = names { $0.characteristics + $0.peers }

    /// The only way by which names of a capture or of a definition file get to a shell.
    private static func names(_ find: @escaping @Sendable (CompletionNames) -> [String]) -> CompletionKind {
        custom { words, _, _ in
            let names = Set(find(CompletionNames(words)).filter(CompletionNames.isInert)).sorted()
            // zsh takes the text after a colon for a description.
            return CompletionShell.requesting == .zsh ? names.map { $0.replacing(":", with: #"\:"#) } : names
        }
    }
}

/// The names in the captures and the definition files of a command line.
struct CompletionNames {
    private(set) var peers: [String] = []
    private(set) var characteristics: [String]

    /// Files above this size are not read for a completion, and of the others not more records.
    private static let octetLimit = 16 << 20
    private static let recordLimit = 50_000
    private static let lengthLimit = 64

    init(_ words: [String]) {
        let paths = words.dropFirst().map { word in FilesRead.note(word.filter { !"\"'\\".contains($0) }) }
        Privileges.confine()
        let library = DissectorLibrary.shipped.adding(
            zip(paths, paths.dropFirst()).filter { $0.0 == "--dissectors" }
                .flatMap { (try? DefinitionLoader(DefinitionSource.files(at: $0.1), above: .shipped).files) ?? [] })
        characteristics = library.definitions.filter { $0.kind == .characteristic }.map(\.name)
        var captured: [String] = []
        for path in paths {
            guard let size = SystemCalls.regularFileSize(path), size <= Self.octetLimit,
                var reader = try? CaptureReader(path: path)
            else { continue }
            var trace = Trace()
            var search = PeerSearch()
            var records = 0
            while records < Self.recordLimit, let record = try? reader.next() {
                trace.decodeUnspecialized(record, into: &search)
                records += 1
            }
            peers += trace.peers.compactMap { peer in
                peer.mergedInto == nil
                    ? peer.name.flatMap { Self.isInert($0) ? $0 : nil } ?? peer.address?.description : nil
            }
            captured += Selection.characteristics(of: trace, library)
        }
        if !captured.isEmpty { characteristics = captured }
    }

    /// Whether no shell takes anything in `name` for more than a character: bash expands the words of its `compgen -W`, so a device could
    /// run commands by its name.
    static func isInert(_ name: String) -> Bool {
        guard name.utf8.count <= lengthLimit, let first = name.first, let last = name.last, first != "-",
            first != " ", last != " "
        else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ", ".", "-", "_", ":", "+", "/": true
            case "\0"..."\u{7F}": false
            default:
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
                    !scalar.properties.isDefaultIgnorableCodePoint
                default: false
                }
            }
        }
    }
}

import ArgumentParser
import AttlasDefinitions
import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasLint
import AttlasLive
import AttlasReport
import AttlasTrace

/// What a shell proposes for an argument.
extension CompletionKind {
    static let rules = list(LintRule.all.map(\.id))
    static let filterNames = list(Filter.names)
    static let characteristics = custom { _, _, _ in characteristicNames }
    static let peers = custom { words, _, _ in peers(ofCapturesAmong: words) }
    static let subjects = custom { words, _, _ in characteristicNames + peers(ofCapturesAmong: words) }

    private static var characteristicNames: [String] {
        DissectorLibrary.shipped.definitions.filter { $0.kind == .characteristic }.map(\.name)
    }

    /// Files above this size are not read for a completion, and of the others not more records.
    private static let octetLimit = 16 << 20
    private static let recordLimit = 50_000

    private static func peers(ofCapturesAmong words: [String]) -> [String] {
        Privileges.confine()
        var names: Set<String> = []
        for word in words.dropFirst() {
            let path = word.filter { !"\"'\\".contains($0) }
            guard let size = SystemCalls.regularFileSize(path), size <= octetLimit,
                var reader = try? CaptureReader(path: path)
            else { continue }
            var trace = Trace()
            var search = PeerSearch()
            var records = 0
            while records < recordLimit, let record = try? reader.next() {
                trace.decodeUnspecialized(record, into: &search)
                records += 1
            }
            for index in trace.peers.indices {
                guard let name = trace.peerName(index) ?? trace.peerAddress(index)?.description else { continue }
                // A name from the air that could steer the terminal is not proposed.
                var shown = TextBuffer()
                shown.append(display: name)
                if shown.bytes.elementsEqual(name.utf8) { names.insert(name) }
            }
        }
        return names.sorted()
    }
}

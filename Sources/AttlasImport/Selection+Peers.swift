import AttlasCapture
import AttlasFilter
import AttlasInput
import AttlasTrace

extension Selection {
    /// The same for a capture that is open; joined files are not read twice.
    package func knowingPeers(of info: CaptureInfo, _ makeTrace: () -> Trace) -> Selection {
        info.joined.isEmpty ? knowingPeers(of: info.file, makeTrace) : self
    }

    /// Knows the peers that `peer` names in the whole of a capture: a first reading looks for names that come late. A source that cannot be
    /// read twice is selected by the names known so far.
    package func knowingPeers(of path: String, _ makeTrace: () -> Trace) -> Selection {
        guard let peer, SystemCalls.regularFileSize(path) != nil, var reader = try? CaptureReader(path: path) else {
            return self
        }
        var search = PeerSearch()
        var trace = makeTrace()
        // The reading that shows the decoded part reports an error.
        while let record = try? reader.next() {
            trace.decodeUnspecialized(record, into: &search)
        }
        var selection = self
        selection.peers = search.peers(named: peer, in: trace)
        return selection
    }
}

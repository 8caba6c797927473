import AttlasInput
import AttlasTestSupport

@testable import AttlasTrace

/// What a recorded conversation becomes. The numbers of frames are those of the text next to the capture.
struct Story {
    let recorder: Recorder
    let peers: PagedArray<Peer>

    init(_ name: String) throws {
        var trace = Trace()
        var recorder = Recorder()
        var reader = try CaptureReader(capture: name)
        try trace.decode(&reader, into: &recorder)
        trace.finish(into: &recorder)
        self.recorder = recorder
        peers = trace.peers
    }

    func lines(_ kinds: String..., frames: ClosedRange<Int> = 1...Int.max) -> [String] {
        recorder.lines.filter { line in
            let words = line.split(separator: " ", maxSplits: 2)
            return kinds.contains(String(words[0])) && frames.contains(Int(words[1])!)
        }
    }

    /// What the ATT PDU of a frame is about: the handle, its name and where that is known from.
    func subject(_ frame: Int) -> String? {
        lines("att", frames: frame...frame).first.map { line in
            line.split(separator: " ").dropFirst(4).filter { $0 != "connection" && $0.count > 1 }
                .prefix { $0 != "answers" && !$0.hasPrefix("frames=") }.joined(separator: " ")
        }
    }
}

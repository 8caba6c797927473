import AttlasTestSupport

@testable import AttlasTrace

/// Feeds the packets to a trace and keeps what it says.
///
/// - Parameter undirected: As a capture does that does not record who sent a packet.
func decode(_ packets: [Packet], undirected: Bool = false, finish: Bool = false) -> Recorder {
    var trace = Trace()
    return decode(packets, with: &trace, undirected: undirected, finish: finish)
}

func decode(_ packets: [Packet], with trace: inout Trace, undirected: Bool = false, finish: Bool = false) -> Recorder {
    var recorder = Recorder()
    trace.decode(packets, as: RecordMaker(undirected: undirected), into: &recorder)
    if finish { trace.finish(into: &recorder) }
    return recorder
}

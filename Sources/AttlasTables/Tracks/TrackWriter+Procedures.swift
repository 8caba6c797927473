import AttlasCapture
import AttlasProcedures
import AttlasText
import AttlasTrace

/// Procedures of a connection, none of which overlap.
struct ProcedureLane {
    let track: UInt64
    /// When the last slice ended.
    var end: UInt64 = 0
}

extension TrackWriter {
    /// More overlap only in a capture of many bearers.
    private static let procedureLaneLimit = 8

    /// Those that ended.
    ///
    /// - Parameter time: the end of one that the capture does not end.
    mutating func writeProcedures(at time: Timestamp) {
        while let procedure = procedures.next() {
            guard let slot = procedure.slot, slot < links.count, links[slot]?.number == procedure.connection,
                let began = procedure.began
            else { continue }
            let start = Self.nanoseconds(began)
            let times = start...max(start, Self.nanoseconds(procedure.ended?.time ?? time))
            guard let track = procedureLane(slot, times) else { continue }
            writeSlice(track, times) { writer in
                writer.text.piece.removeAll()
                writer.text.piece.append(string: procedure.kind.rawValue)
                writer.packets.name("procedure", writer.text.piece)
                writer.packets.annotate("outcome", display: "\(procedure.outcome.word)")
                if let frame = procedure.beganFrame { writer.packets.annotate("begun_frame", frame) }
                if let frame = procedure.ended?.frame { writer.packets.annotate("ended_frame", frame) }
                writer.packets.annotate("steps", procedure.steps)
            }
        }
    }

    private mutating func procedureLane(_ slot: Int, _ times: ClosedRange<UInt64>) -> UInt64? {
        guard let link = links[slot] else { return nil }
        if let free = link.procedures.firstIndex(where: { $0.end <= times.lowerBound }) {
            links[slot]?.procedures[free].end = times.upperBound
            return link.procedures[free].track
        }
        guard link.procedures.count < Self.procedureLaneLimit, let track = links[slot]?.child() else { return nil }
        links[slot]?.procedures.append(ProcedureLane(track: track, end: times.upperBound))
        packets.describe(track, in: link.track, rank: 0) { name in
            name.append("Procedures")
            if link.procedures.count > 0 { name.append(" (\(link.procedures.count + 1))") }
        }
        return track
    }
}

import AttlasCapture
import AttlasFilter

/// Something that the user did, and when.
package struct UserMark: Sendable, Equatable {
    private enum Moment: Sendable, Equatable {
        case time(TimeBound)
        case frame(Int)
    }

    private let moment: Moment
    package let note: String

    private static let noteLimit = 200

    /// `12:03:05 lights on`, `37.5 lights on` (seconds from the first record) or `512 lights on` (a frame, as in the marks of `attlas open`).
    package init?(_ line: Substring) {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard let first = parts.first else { return nil }
        if let frame = Int(first), frame > 0 {
            moment = .frame(frame)
        } else if let bound = TimeBound(String(first)) {
            moment = .time(bound)
        } else {
            return nil
        }
        note = parts.count > 1 ? String(parts[1].prefix(Self.noteLimit)) : ""
    }

    /// Nanoseconds since 1970.
    /// - Parameter frames: the times of the frames with marks.
    func time(start: Timestamp, frames: [Int: Int64]) -> Int64? {
        switch moment {
        case .time(let bound):
            ValueSeries.limited(start.nanoseconds(since: .epoch))
                - ValueSeries.limited(bound.nanoseconds(to: start, start: start))
        case .frame(let frame): frames[frame]
        }
    }

    var frame: Int? { if case .frame(let frame) = moment { frame } else { nil } }
}

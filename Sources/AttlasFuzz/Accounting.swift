import AttlasTrace

/// Sees whether every record became something: a layer that decoded, or a fault that names it.
struct Accounting: EventSink {
    private var seen: [Bool] = []

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        note(event.frame)
        for index in event.frames.indices { note(event.frames[index]) }
    }

    private mutating func note(_ frame: Int) {
        while seen.count <= frame { seen.append(false) }
        seen[frame] = true
    }

    func has(_ frame: Int) -> Bool { frame < seen.count && seen[frame] }
}

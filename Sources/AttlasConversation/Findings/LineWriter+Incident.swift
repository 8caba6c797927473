import AttlasCapture
import AttlasIncidents
import AttlasText
import AttlasTrace

extension LineWriter {
    private static let margin = 11

    /// Device and event, and the frames; below it the description, its course, the cause and advice.
    ///
    /// - Parameter number: in the list; nil for the first line alone.
    package mutating func put(_ incident: Incident, _ number: Int?, _ model: IncidentsModel) {
        var piece = TextBuffer()
        if let number {
            piece.append(decimal: number)
            put(piece)
        }
        advance(to: 3)
        piece.removeAll()
        piece.append(lineOf: incident, model)
        if number != nil { piece.append(clock: incident.time, model.integrity) }
        putFolded(piece, number == nil ? .plain : .name, margin: 5)
        guard number != nil else { return }
        putPart("what", incident.what)
        if let before = incident.before { putPart("before", before) }
        for step in incident.steps { putPart(step.frame.map { "\($0)" } ?? "", step.text) }
        putPart("cause", "\(incident.cause.certainty.rawValue) · \(incident.cause.text)")
        putPart("next", incident.next, .good)
    }

    private mutating func putPart(_ label: String, _ text: String, _ style: TextStyle = .plain) {
        var piece = TextBuffer()
        piece.append(string: label)
        advance(to: 3)
        put(piece, .faint)
        advance(to: Self.margin)
        piece.removeAll()
        piece.append(display: text)
        putFolded(piece, style, margin: Self.margin)
    }
}

extension TextBuffer {
    private static let mostFrames = 3

    /// `HRM-7 F2:F2:F2:F2:F2:F2: connection lost · frame 9`
    package mutating func append(lineOf incident: Incident, _ model: IncidentsModel) {
        append(headOf: incident, model)
        append(" · \(own: incident.frameWords(Self.mostFrames))")
    }

    /// ` · 10:55:20 UTC`; nothing if the capture has no times.
    package mutating func append(clock time: Timestamp, _ integrity: CaptureIntegrity) {
        if let clock = integrity.clock(of: time) { append(" · \(own: clock)") }
    }

    /// `HRM-7 F2:F2:F2:F2:F2:F2: connection lost 6 times`
    package mutating func append(headOf incident: Incident, _ model: IncidentsModel) {
        if let address = incident.place.peer {
            append(name: model.peerName(address), address)
            append(": ")
        } else if let connection = incident.place.connection {
            append("connection \(connection): ")
        }
        append(display: incident.headline)
    }
}

extension Incident.Weight {
    package var style: TextStyle {
        switch self {
        case .broke: .bad
        case .hindered: .name
        case .noted: .faint
        }
    }
}

extension Incident {
    /// `frame 9`, `frames 1558, 6257, 6425 and 3 more`
    package func frameWords(_ most: Int) -> String {
        guard count > 1 else { return "frame \(frame)" }
        let named = occurrences.prefix(most).map { "\($0)" }.joined(separator: ", ")
        return count > most ? "frames \(named) and \(count - most) more" : "frames \(named)"
    }
}

extension CaptureIntegrity {
    /// `10:55:20 UTC`; nil if the capture has no times.
    package func clock(of time: Timestamp) -> String? {
        guard !cuts.contains(where: { $0.kind == .noTimes }) else { return nil }
        var clock = TextBuffer()
        clock.append(utcTimeOfDay: time)
        // A text without dates has times of the day in an unknown zone.
        return clock.text.dropFirst() + (isWithoutDate || info?.lacksZone ?? false ? "" : " UTC")
    }

    private var isWithoutDate: Bool { info.map { extent.isWithoutDate($0) } ?? false }
}

extension CaptureExtent {
    /// Whether the capture is a text that has times of the day, or none.
    func isWithoutDate(_ info: CaptureInfo) -> Bool {
        (info.isText || info.lacksTimes) && first.map { !$0.hasDate } ?? false
    }
}

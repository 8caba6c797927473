import AttlasConversation
import AttlasIncidents
import AttlasMetrics
import AttlasText

/// Marks of lines, and exports from the recording.
extension RecordingView {
    // MARK: Marks

    mutating func toggleMark() -> RecordingAction {
        guard let frame = moment?.line.frame else { return .none }
        return setMark(frame, marks.notes[frame] == nil ? "" : nil)
    }

    mutating func openNote() {
        guard let frame = moment?.line.frame else { return say("there is no line to mark", isBad: true) }
        open(.note, marks.notes[frame] ?? "")
    }

    mutating func note(_ text: String) -> RecordingAction {
        moment.map { setMark($0.line.frame, text) } ?? .none
    }

    private mutating func setMark(_ frame: Int, _ note: String?) -> RecordingAction {
        guard marks.set(frame, note) else {
            say("there are \(RecordingMarks.limit) marks: no room for one more", isBad: true)
            return .none
        }
        return .marked
    }

    mutating func goToMark(isForward: Bool, _ recording: Recording) {
        go(toFrameAmong: marks.frames, "mark", isForward: isForward, isKnown: true, recording)
    }

    // MARK: Export

    mutating func openExport(_ recording: Recording) {
        guard recording.lineCount > 0 else { return say("there is no line to export", isBad: true) }
        guard exportProgress == nil else { return say("an export is running; escape ends it", isBad: true) }
        open(.export, "")
    }

    mutating func export(_ name: String, _ recording: Recording) -> RecordingAction {
        guard !name.isEmpty else { return .none }
        guard let format = RecordingExport.Format(name: name) else {
            refuse(.export, name, "the end of the name says what is written: .txt .ndjson .csv .pcapng")
            return .none
        }
        guard !name.contains("/") else {
            refuse(.export, name, "a name without a folder: the file is written next to the capture")
            return .none
        }
        guard let anchor, let ends = frames(from: anchor, recording) else {
            return .export(name: name, format: format, frames: nil)
        }
        self.anchor = nil
        return .export(name: name, format: format, frames: ends)
    }

    private func frames(from anchor: Int, _ recording: Recording) -> ClosedRange<Int>? {
        guard let first = recording.line(min(anchor, selected)), let last = recording.line(max(anchor, selected)) else {
            return nil
        }
        return min(first.frame, last.frame)...max(first.frame, last.frame)
    }

    // MARK: Copy

    /// The line, the value of the field, the octets of the field, or the value of the attribute; without line breaks, because
    /// a shell runs each pasted line, and names from the air are in them.
    mutating func copy(_ recording: Recording) -> RecordingAction {
        var text = TextBuffer()
        let field = moment?.layers.flatMap { $0.fields.indices.contains(fields.index) ? $0.fields[fields.index] : nil }
        switch pane {
        case .conversation:
            for row in recording.line(selected)?.rows ?? [] {
                if text.count > 0 { text.append("  ") }
                text.append(contentsOf: row.text)
            }
        case .layers: text.append(string: field.map { $0.value.isEmpty ? $0.name : $0.value } ?? "")
        case .octets:
            let octets = field.flatMap { moment?.layers?.octets(of: $0.source) } ?? []
            if let range = field?.range, range.upperBound <= octets.count {
                for octet in octets[range] { text.append(hex: octet, digits: 2) }
            }
        case .tree:
            if let row = tree.selected { tree.appendValue(of: row.place.handle, to: &text) }
        case .overview:
            if let overview = recording.overview { self.overview.appendSelected(of: overview, to: &text) }
        case .plot, .values: break
        }
        guard text.count > 0 else {
            say("there is nothing to copy here", isBad: true)
            return .none
        }
        say("sent to the terminal's clipboard: \(counted(text.count, "octet"))")
        var line = TextBuffer()
        line.append(display: text.text)
        return .copy(line.text)
    }
}

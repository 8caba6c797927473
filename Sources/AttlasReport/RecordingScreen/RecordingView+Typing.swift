import AttlasFilter
import AttlasTrace
import AttlasValues

/// What is typed in the last line.
extension RecordingView {
    mutating func open(_ kind: Prompt.Kind, _ text: String) {
        prompt = Prompt(kind: kind, text: text, past: history[kind]?.count ?? 0)
    }

    mutating func type(_ key: ScreenKey, _ recording: Recording) -> RecordingAction {
        guard var typed = prompt else { return .none }
        typed.mistake = nil
        let past = history[typed.kind] ?? []
        switch key {
        case .escape:
            prompt = nil
            return .none
        case .enter:
            prompt = nil
            if !typed.text.isEmpty, past.last != typed.text {
                history[typed.kind] = (past + [typed.text]).suffix(100)
            }
            return accept(typed, recording)
        case .up, .down:
            typed.past = max(0, min(past.count, typed.past + (key == .up ? -1 : 1)))
            typed.text = typed.past < past.count ? past[typed.past] : ""
        case .backspace:
            if !typed.text.isEmpty { typed.text.removeLast() }
        // Control-U, as in a shell: all of it.
        case .character("\u{15}"): typed.text = ""
        case .character(let scalar) where scalar.value >= 0x20 && scalar.value != 0x7F && typed.text.count < 500:
            typed.text.unicodeScalars.append(scalar)
        default: break
        }
        prompt = typed
        return .none
    }

    mutating func accept(_ typed: Prompt, _ recording: Recording) -> RecordingAction {
        switch typed.kind {
        case .filter: return .filter(typed.text)
        case .search:
            search = typed.text
            if !search.isEmpty { findAgain(isForward: true) }
        case .jump: return jump(typed.text, recording)
        case .note: return note(typed.text)
        case .export: return export(typed.text, recording)
        }
        return .none
    }

    mutating func jump(_ text: String, _ recording: Recording) -> RecordingAction {
        if text == "q" { return .quit }
        var line: Int?
        if let frame = Int(text) {
            line = recording.line(atFrame: frame)
            wantedFrame = recording.isComplete ? nil : frame
        } else if text.hasSuffix("s"), let seconds = Double(text.dropLast()), abs(seconds) < 1e9,
            let start = moment?.playback.trace.start
        {
            line = recording.line(at: Int64(seconds * 1e9), since: start)
        } else if !text.isEmpty {
            say("\(text) is no frame (120) and no time (12.5s)", isBad: true)
        }
        if let line { selected = line }
        return .none
    }
}

import AttlasFilter
import AttlasTrace
import AttlasValues

/// Typing in the last line.
extension RecordingView {
    mutating func open(_ kind: Prompt.Kind, _ text: String) {
        prompt = Prompt(kind: kind, text: text, past: history[kind]?.count ?? 0)
    }

    mutating func type(_ key: ScreenKey, _ recording: Recording) -> RecordingAction {
        guard var typed = prompt else { return .none }
        typed.mistake = nil
        if key != .tab, key != .backTab { typed.completions = [] }
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
        case .tab, .backTab: complete(&typed, by: key == .tab ? 1 : -1, recording)
        case .up, .down:
            typed.past = max(0, min(past.count, typed.past + (key == .up ? -1 : 1)))
            typed.text = typed.past < past.count ? past[typed.past] : ""
        default: typed.text.type(key)
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
        case .jump: return jump(typed, recording)
        case .note: return note(typed.text)
        case .export: return export(typed.text, recording)
        }
        return .none
    }

    /// A frame, a time, or the action that was chosen by its words.
    private mutating func jump(_ typed: Prompt, _ recording: Recording) -> RecordingAction {
        if typed.text == "q" { return .quit }
        guard !typed.text.isEmpty else { return .none }
        if let line = line(at: typed.text, recording) {
            selected = line
            return .none
        }
        let actions = Self.actions(typed)
        guard actions.indices.contains(typed.chosen) else {
            say("\(typed.text) is no frame (120), no time (12.5s, 14:03:22) and no action", isBad: true)
            return .none
        }
        return perform(anew: actions[typed.chosen].command, recording)
    }

    /// The actions that are meant; none by a number or a time.
    static func actions(_ typed: Prompt) -> [(command: ScreenCommand, keys: String)] {
        guard typed.kind == .jump, typed.text.first?.isNumber != true else { return [] }
        return ScreenBinding.actions(typed.text, in: ScreenBinding.recording)
    }

    /// The next action, or completion of the filter.
    private func complete(_ typed: inout Prompt, by steps: Int, _ recording: Recording) {
        if typed.kind == .jump {
            let count = Self.actions(typed).count
            if count > 0 { typed.chosen = (typed.chosen + steps + count) % count }
        }
        guard typed.kind == .filter else { return }
        if typed.completions.isEmpty {
            let all = recording.filterCompletion().completions(of: typed.text)
            guard let first = all.first else { return }
            typed.text = first
            typed.completions = all
        } else {
            let count = typed.completions.count
            let chosen = (typed.chosen + steps + count) % count
            typed.text = typed.completions[chosen]
            typed.chosen = chosen
        }
    }
}

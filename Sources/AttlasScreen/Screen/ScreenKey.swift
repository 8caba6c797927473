/// A key, freed from its terminal.
package enum ScreenKey: Sendable, Equatable {
    case up, down, left, right, pageUp, pageDown, home, end
    case tab, backTab, enter, escape, backspace
    case character(Unicode.Scalar)
    /// Presses of the mouse, where it is taken.
    case click(row: Int, column: Int, isDouble: Bool)
    case wheel(row: Int, column: Int, isUp: Bool)
    /// The button comes up.
    case drop(row: Int, column: Int)

    /// As a person reads it.
    var name: String {
        switch self {
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .pageUp: "page-up"
        case .pageDown: "page-down"
        case .backTab: "shift-tab"
        case .character(" "): "space"
        case .character(let scalar) where scalar.value < 0x20:
            "control-\(Character(Unicode.Scalar(UInt8(scalar.value) + 0x40)))"
        case .character(let scalar): String(scalar)
        case .click, .wheel, .drop: "mouse"
        case .home, .end, .tab, .enter, .escape, .backspace: "\(self)"
        }
    }
}

extension ScreenKey {
    /// Which line of the help comes first after this key; nil: it is closed.
    func scrolled(help: Int) -> Int? {
        switch self {
        case .down, .pageDown, .character("j"), .character(" "): help + 5
        case .up, .pageUp, .character("k"): max(0, help - 5)
        default: nil
        }
    }
}

/// The request of a key to the owner of the screen.
package enum ScreenAction: Sendable, Equatable {
    case none, quit
    /// The expression, which may be a mistake; empty for none.
    case filter(String)
    /// The log follows another attribute, or none: `ScreenModel.follow`.
    case follow
    /// The user marks this moment, and will add a reason.
    case marking
    /// The note of that mark.
    case mark(String)
    /// Browses the records so far, while more come; the key is one of a recording's.
    case look(ScreenKey?)
}

extension String {
    /// Applies a key to a line that is being typed.
    mutating func type(_ key: ScreenKey) {
        switch key {
        case .backspace: if !isEmpty { removeLast() }
        // Control-U, as in a shell: all of it.
        case .character("\u{15}"): self = ""
        case .character(let scalar) where scalar.value >= 0x20 && scalar.value != 0x7F && count < 500:
            unicodeScalars.append(scalar)
        default: break
        }
    }
}

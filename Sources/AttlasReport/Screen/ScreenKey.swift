/// A key, freed from its terminal.
public enum ScreenKey: Sendable, Equatable {
    case up, down, left, right, pageUp, pageDown, home, end
    case tab, backTab, enter, escape, backspace
    case character(Unicode.Scalar)
    /// Presses of the mouse, where it is taken.
    case click(row: Int, column: Int, isDouble: Bool)
    case wheel(row: Int, column: Int, isUp: Bool)
}

/// The request of a key to the owner of the screen.
public enum ScreenAction: Sendable, Equatable {
    case none, quit
    /// The expression, which may be a mistake; empty for none.
    case filter(String)
}

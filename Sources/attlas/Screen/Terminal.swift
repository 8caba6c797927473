import AttlasCapture
import AttlasScreen
import AttlasText
import CNcurses
import Glibc

/// The terminal while the full screen has it. ncurses is the only one that writes to it.
@safe final class Terminal {
    private let isColoured: Bool
    private let input: UnsafeMutablePointer<FILE>
    private let output: UnsafeMutablePointer<FILE>
    /// The grid on the screen.
    private var shown: Grid?
    /// Where and when the button was pressed last.
    private var press: (row: CInt, column: CInt, time: Int64)?
    /// Nanoseconds between the two presses of a double click.
    private static let doubleClick: Int64 = 400_000_000

    /// Whether terminfo knows the terminal, and it can place its cursor.
    static var isPossible: Bool {
        var status: CInt = 0
        guard unsafe setupterm(nil, STDOUT_FILENO, &status) == OK else { return false }
        return capability("cup") != nil
    }

    /// Whether the locale's characters are those of Unicode.
    static let isUTF8: Bool = {
        unsafe setlocale(LC_CTYPE, "")
        return unsafe String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8"
    }()

    /// Takes the terminal. The keys come from it, also when standard input is a pipe.
    /// - Returns: nil when it cannot be had.
    init?(isColoured: Bool) {
        // Before ncurses checks for UTF-8.
        _ = Self.isUTF8
        guard let input = unsafe fopen("/dev/tty", "r"), let output = unsafe fdopen(dup(STDOUT_FILENO), "w") else {
            return nil
        }
        unsafe TerminalRescue.prepare(descriptor: fileno(input))
        guard unsafe attlas_screen_open(output, input) != 0 else { return nil }
        unsafe self.input = input
        unsafe self.output = output
        self.isColoured = isColoured && attlas_screen_colour() != 0
        TerminalRescue.install()
    }

    /// Whether presses of the mouse are keys; then the terminal selects no text with it.
    var takesMouse = false { didSet { attlas_screen_take_mouse(takesMouse ? 1 : 0) } }

    /// Gives the terminal back as it was.
    func close() {
        endwin()
        unsafe TerminalRescue.isNeeded = false
        unsafe fclose(input)
    }

    /// To the shell, until that wakes the process up again.
    func stop() {
        endwin()
        kill(getpid(), SIGSTOP)
        refresh()
        attlas_screen_clear()
        shown = nil
    }

    var size: Grid.Size {
        var (rows, columns): (CInt, CInt) = (0, 0)
        unsafe attlas_screen_size(&rows, &columns)
        return Grid.Size(columns: Int(columns), rows: Int(rows))
    }

    /// Puts the changes on the screen.
    func show(_ grid: Grid) {
        if shown?.size != grid.size {
            erase()
            shown = nil
        }
        for row in 0..<grid.size.rows {
            for column in 0..<grid.size.columns where shown.map({ $0[row, column] != grid[row, column] }) ?? true {
                put(grid[row, column], row, column)
            }
        }
        shown = grid
        refresh()
    }

    private func put(_ cell: Grid.Cell, _ row: Int, _ column: Int) {
        // Put with its left half.
        guard cell.scalars.0 != 0 else { return }
        let style = cell.style
        let pair: Int16
        switch style.text {
        case .bad: pair = 1
        case .good, .received: pair = 2
        case .sent: pair = 3
        case .plain, .faint, .name: pair = 0
        }
        let isBold = style.text == .name || style.text == .bad || style.text == .good
        unsafe withUnsafeTemporaryAllocation(of: wchar_t.self, capacity: 4) { character in
            let scalars = [cell.scalars.0, cell.scalars.1, cell.scalars.2, 0]
            for (index, scalar) in scalars.enumerated() { unsafe character[index] = wchar_t(scalar) }
            unsafe attlas_screen_put(
                CInt(row), CInt(column), character.baseAddress, isBold ? 1 : 0, style.text == .faint ? 1 : 0,
                style.isReversed != style.isFound ? 1 : 0, style.isFound ? 1 : 0, isColoured ? pair : 0)
        }
    }

    /// Copies a text to the terminal's clipboard: OSC 52, whose contents are digits of base64.
    func copy(_ text: String) {
        unsafe attlas_screen_send(output, "\u{1B}]52;c;\(Array(text.utf8).base64)\u{7}")
    }

    /// The next key; nil if none comes within a number of milliseconds, or one without a meaning here.
    func key(within milliseconds: Int) -> ScreenKey? {
        var code: UInt32 = 0
        let status = unsafe attlas_screen_key(CInt(milliseconds), &code)
        if status == KEY_CODE_YES { return CInt(code) == KEY_MOUSE ? mouse() : Self.functionKey(CInt(code)) }
        guard status == OK, let scalar = Unicode.Scalar(code) else { return nil }
        switch scalar {
        case "\t": return .tab
        case "\r", "\n": return .enter
        case "\u{1B}": return .escape
        case "\u{7F}", "\u{8}": return .backspace
        default: return .character(scalar)
        }
    }

    private func mouse() -> ScreenKey? {
        var (row, column): (CInt, CInt) = (0, 0)
        switch unsafe attlas_screen_mouse(&row, &column) {
        case 1:
            let now = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
            let isDouble =
                press.map { $0.row == row && $0.column == column && now - $0.time < Self.doubleClick } ?? false
            press = isDouble ? nil : (row, column, now)
            return .click(row: Int(row), column: Int(column), isDouble: isDouble)
        case 2: return .drop(row: Int(row), column: Int(column))
        case 4: return .wheel(row: Int(row), column: Int(column), isUp: true)
        case 5: return .wheel(row: Int(row), column: Int(column), isUp: false)
        default: return nil
        }
    }

    private static func functionKey(_ code: CInt) -> ScreenKey? {
        switch code {
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_PPAGE: .pageUp
        case KEY_NPAGE: .pageDown
        case KEY_HOME: .home
        case KEY_END: .end
        case KEY_BTAB: .backTab
        case KEY_ENTER: .enter
        case KEY_BACKSPACE: .backspace
        default: nil
        }
    }

    /// The terminal's octets for a capability, by terminfo, without the pauses that old terminals needed; nil if it lacks the capability.
    static func capability(_ name: String) -> [UInt8]? {
        guard let text = unsafe tigetstr(name), Int(bitPattern: text) != -1 else { return nil }
        var octets: [UInt8] = []
        var rest = unsafe Array(String(cString: text).utf8)[...]
        while let octet = rest.popFirst() {
            if octet == UInt8(ascii: "$"), rest.first == UInt8(ascii: "<"),
                let end = rest.firstIndex(of: UInt8(ascii: ">"))
            {
                rest = rest[(end + 1)...]
            } else {
                octets.append(octet)
            }
        }
        return octets
    }
}

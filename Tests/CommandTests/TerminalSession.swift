import Foundation

/// A shell in a separate terminal, made by tmux: what is typed, and what is shown.
final class TerminalSession {
    private static let program = "/usr/bin/tmux"
    static let isPossible = FileManager.default.isExecutableFile(atPath: program)

    private var questions = 0
    private let name = "attlas-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(columns: Int, rows: Int, locale: String = "C.UTF-8") throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let shell = "env -u NO_COLOR LC_ALL=\(locale) PS1='$ ' sh -i"
        start(["-u", "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", shell])
        try wait { $0.contains("$") }
    }

    /// The server that this starts keeps running, and must not keep what Foundation waits for.
    private func start(_ arguments: [String]) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor: CInt in 0...2 {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        for descriptor: CInt in 3..<1_024 { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
        // Threads of tests may block signals, and a shell that inherits that never ends.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var strings = unsafe (["tmux", "-L", name] + arguments).map { unsafe strdup($0) } + [nil]
        defer { for place in unsafe strings.indices { unsafe free(strings[place]) } }
        var process = pid_t()
        guard unsafe posix_spawn(&process, Self.program, &actions, &attributes, &strings, environ) == 0 else { return }
        waitpid(process, nil, 0)
    }

    deinit {
        _ = try? tmux(["kill-server"])
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        try Command.run(Self.program, ["-L", name] + arguments).output
    }

    /// Keys by tmux's names: "Tab", "C-z", "Up".
    func press(_ keys: String...) throws {
        try tmux(["send-keys"] + keys)
    }

    func type(_ text: String) throws {
        try tmux(["send-keys", "-l", text])
    }

    /// A command of the shell.
    func run(_ line: String) throws {
        try type(line)
        try press("Enter")
    }

    func resize(columns: Int, rows: Int) throws {
        try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// What is on the terminal.
    /// - Parameter escapes: with what gives it colours.
    func text(escapes: Bool = false) throws -> String {
        try tmux(["capture-pane", "-p"] + (escapes ? ["-e"] : []))
    }

    /// Waits until the terminal shows what is wanted, much longer than any machine needs, and says whether it does.
    @discardableResult
    func wait(_ isShown: (String) -> Bool) throws -> Bool {
        for _ in 0..<1_200 {
            if isShown(try text()) { return true }
            usleep(100_000)
        }
        return false
    }

    func shows(_ text: String) throws -> Bool {
        try wait { $0.contains(text) }
    }

    /// What programs may send to the clipboard with OSC 52.
    func takeClipboard() throws { try tmux(["set-option", "-s", "set-clipboard", "on"]) }

    var clipboard: String {
        get throws { try tmux(["show-buffer"]) }
    }

    /// The alternate screen, and a cursor: "0 1" is how a shell wants them.
    var state: String {
        get throws {
            try tmux(["display-message", "-p", "#{alternate_on} #{cursor_flag}"])
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// Whether the terminal becomes as a shell wants it: lines, echo, a cursor, its own screen.
    func isSane() throws -> Bool {
        // What is typed before the full screen has gone is read by it.
        guard try wait({ _ in (try? state) == "0 1" }) else { return false }
        // What was said the last time may still be on the terminal.
        questions += 1
        let file = folder.appendingPathComponent("stty\(questions)").path
        try run("stty -a > \(file); echo sett''led\(questions)")
        guard try shows("settled\(questions)") else { return false }
        let screen = try state
        let settings = try String(contentsOfFile: file, encoding: .utf8)
        let words = Set(settings.split { $0.isWhitespace || $0 == ";" })
        return words.isSuperset(of: ["icanon", "echo", "icrnl", "isig", "opost"]) && screen == "0 1"
    }
}

import AttlasTestSupport
import Foundation
import Testing

/// What a shell completes, typed into it on a terminal.
@Suite(.enabled(if: TerminalSession.isPossible)) struct CompletionTests {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/\(rawValue)") }

        /// Without the files of a user.
        var command: String {
            switch self {
            case .bash: "bash --norc -i"
            case .zsh: "zsh -f -i"
            case .fish: "fish --no-config -i"
            }
        }

        var setup: String {
            switch self {
            case .bash: "source completions"
            case .zsh: "fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D"
            case .fish: "source completions"
            }
        }
    }

    @Test(arguments: Shell.allCases.filter(\.isInstalled)) func completes(_ shell: Shell) throws {
        let session = try TerminalSession(columns: 120, rows: 40)
        let script = try Command.attlas(["--generate-completion-script", shell.rawValue]).output
        for name in shell == .zsh ? ["_attlas"] : ["completions"] {
            try script.write(to: session.folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        try FileManager.default.copyItem(
            atPath: Repository.capture("heart-rate.btsnoop"),
            toPath: session.folder.appendingPathComponent("heart-rate.btsnoop").path)
        let folder = URL(filePath: Command.binary).deletingLastPathComponent().path
        try session.run("cd \(session.folder.path); PATH=\(folder):$PATH HOME=$PWD exec \(shell.command)")
        try session.run("echo rea''dy")
        #expect(try session.shows("ready"))
        try session.run(shell.setup)
        for (typed, completed) in [
            ("attlas show hea", "attlas show heart-rate.btsnoop"),
            ("attlas show --dissectors hea", "attlas show --dissectors heart-rate.btsnoop"),
            ("attlas lint --disable att/request-o", "attlas lint --disable att/request-overlap"),
            ("attlas lint --explain att/inv", "attlas lint --explain att/invalid-handle"),
            ("attlas show --filter met", "attlas show --filter method"),
            (#"attlas show --characteristic Battery\ Cr"#, #"attlas show --characteristic Battery\ Critical\ Status"#),
            ("attlas show heart-rate.btsnoop --peer H", "attlas show heart-rate.btsnoop --peer HRM-7"),
            ("attlas export --table fie", "attlas export --table fields"),
            (#"attlas dissect Body\ Sen"#, #"attlas dissect Body\ Sensor\ Location"#),
        ] {
            try session.type(typed)
            try session.press("Tab")
            #expect(try session.shows(completed), "\(shell): \(typed)")
            // Control-C would also throw away what is typed right after it.
            try session.press("C-u")
        }
    }
}

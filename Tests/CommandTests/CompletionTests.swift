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

    /// The shell with its completions, in a folder with a capture of the project.
    private func start(_ shell: Shell) throws -> TerminalSession {
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
        return session
    }

    @Test(arguments: Shell.allCases.filter(\.isInstalled)) func completes(_ shell: Shell) throws {
        let session = try start(shell)
        for (typed, completed) in [
            ("attlas show hea", "attlas show heart-rate.btsnoop"),
            ("attlas show --dissectors hea", "attlas show --dissectors heart-rate.btsnoop"),
            ("attlas lint --disable att/request-o", "attlas lint --disable att/request-overlap"),
            ("attlas lint --explain att/inv", "attlas lint --explain att/invalid-handle"),
            ("attlas show --filter met", "attlas show --filter method"),
            (#"attlas show --characteristic Battery\ Cr"#, #"attlas show --characteristic Battery\ Critical\ Status"#),
            ("attlas show heart-rate.btsnoop --peer H", "attlas show heart-rate.btsnoop --peer HRM-7"),
            (
                "attlas why heart-rate.btsnoop Heart\\ Rate\\ M",
                "attlas why heart-rate.btsnoop Heart\\ Rate\\ Measurement"
            ),
            ("attlas help fil", "attlas help filter"),
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

    // MARK: Names that a shell would run

    /// Each runs `touch ran`, ends a quotation, breaks the line, or cannot be distinguished from another name, if a shell takes it for more than characters.
    private static let hostileNames = [
        "$(touch ran)", "`touch ran`", "a;touch ran", "a|touch ran", "a&touch ran", "'$(touch ran)'",
        "\"$(touch ran)\"",
        "a\n$(touch ran)", "a\r$(touch ran)", "a\\", "a\\$(touch ran)", "!touch", "!!", "-h", "--help", "~root", "*",
        "{a,b}",
        "${PWD}", "$((1+1))", "<(touch ran)", ">ran", "#a", "a\tb", " a", "a ", "=touch", "%1",
        "\u{202E}nar hcuot", "a\u{200B}b", "\u{1B}]0;a\u{7}", "", String(repeating: "a", count: 200),
        "$(touch ran)" + String(repeating: "a", count: 188),
    ]

    /// Each name on a separate device, and two that can be proposed.
    private static var hostileCapture: [UInt8] {
        let names = hostileNames + ["Zoe 2.0", "Żółw"]
        let conversations: [[Packet]] = names.enumerated().map { index, name in
            let octets: [UInt8] = [0x09, UInt8(2 + name.utf8.count), 3, 0] + Array(name.utf8)
            return [
                .connected(String(format: "%02X00000000C0", index)),
                .att(.tx, "08 0100 FFFF 002A"),
                .att(.rx, octets.map { String(format: "%02X", $0) }.joined()),
                .disconnected(),
            ]
        }
        return conversations.joined().enumerated().map { $1.at(milliseconds: Double($0)) }.btsnoop
    }

    private static var hostileDefinitions: String {
        hostileNames.filter { !$0.isEmpty }.enumerated().map { index, name in
            """
            - uuid: \(String(format: "%08X", index))-0000-4000-8000-000000000000
              name: "\(name.unicodeScalars.map { String(format: "\\U%08X", $0.value) }.joined())"

            """
        }.reduce("characteristics:\n", +)
    }

    @Test(arguments: ["show --peer", "show --characteristic", "why"]) func namesThatAreProposedAreInert(
        _ place: String
    ) throws {
        let folder = try TemporaryFolder()
        let (capture, definitions) = (folder.url.path + "/hostile.btsnoop", folder.url.path + "/hostile.yaml")
        try Data(Self.hostileCapture).write(to: URL(filePath: capture))
        try Self.hostileDefinitions.write(toFile: definitions, atomically: true, encoding: .utf8)
        let words = place.split(separator: " ").map(String.init)
        let argument = words.count > 1 ? words[1] : "positional@1"
        for shell in Shell.allCases {
            let typed = ["attlas", words[0], "--dissectors", definitions, capture] + words.dropFirst() + [""]
            let result = try Command.run(
                "/usr/bin/env",
                [
                    "SAP_SHELL=\(shell)", "SAP_SHELL_VERSION=5.2", Command.binary, "---completion", words[0], "--",
                    argument,
                ]
                    + ["\(typed.count - 1)", "0"] + typed)
            let lines = result.output.split(separator: "\n").filter { $0 != " " }
            #expect(!lines.isEmpty, "\(shell)")
            let inert = #/[\p{L}0-9._+\/:-]([\p{L}0-9 ._+\/:-]*[\p{L}0-9._+\/:-])?/#
            for line in lines {
                let name = shell == .zsh ? String(line.replacing(#"\:"#, with: ":")) : String(line)
                #expect(try inert.wholeMatch(in: name) != nil && !name.hasPrefix("-"), "\(shell): \(line)")
            }
            if place == "show --peer" {
                #expect(lines.contains("Zoe 2.0") && lines.contains("Żółw"), "\(shell)")
                expect(
                    lines.filter { $0.hasPrefix("C0") }.count, equals: Self.hostileNames.count, "\(shell): addresses")
            }
        }
    }

    @Test(arguments: Shell.allCases.filter(\.isInstalled)) func hostileNamesDoNotRun(_ shell: Shell) throws {
        let session = try start(shell)
        let files = session.folder
        try Data(Self.hostileCapture).write(to: files.appending(path: "hostile.btsnoop"))
        try Self.hostileDefinitions.write(
            to: files.appending(path: "hostile.yaml"), atomically: true, encoding: .utf8)
        for (typed, shown) in [
            ("attlas show hostile.btsnoop --peer Z", "attlas show hostile.btsnoop --peer Zoe"),
            ("attlas show hostile.btsnoop --peer ", "C0"),
            ("attlas show hostile.btsnoop --peer q", "attlas show hostile.btsnoop --peer q"),
            ("attlas why hostile.btsnoop C0", "attlas why hostile.btsnoop C0"),
            ("attlas show --dissectors hostile.yaml --characteristic ", "attlas show --dissectors hostile.yaml"),
        ] {
            try session.type(typed)
            try session.press("Tab", "Tab")
            #expect(try session.shows(shown), "\(shell): \(typed)")
            #expect(try session.text().contains(typed.trimmingCharacters(in: .whitespaces)), "\(shell): \(typed)")
            // A list that is too long to be shown asks first, and a menu has to be left.
            try session.press("C-c")
            try session.run("clear")
        }
        try session.run("echo in''tact; ls")
        #expect(try session.shows("intact"))
        #expect(!FileManager.default.fileExists(atPath: files.appending(path: "ran").path), "\(shell) ran a name")
    }
}

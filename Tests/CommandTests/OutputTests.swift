import AttlasFuzz
import AttlasTestSupport
import Foundation
import Testing

/// No command destroys what it reads, and none replaces a file without being asked to.
@Suite struct OutputTests {
    /// What an option asks for before it is looked at.
    private static let conditions = [
        "--seed": ["--anonymous"],
        "--fifo": ["--capture", "--extcap-interface", "attlas-file", "--file", "capture.btsnoop"],
        "--file": ["--capture", "--extcap-interface", "attlas-file"],
    ]

    /// A call of the command with a file for each argument that it cannot be without.
    private static func call(
        _ command: (words: [String], arguments: [CommandDescription.Argument]), writing output: String,
        by argument: Int,
        reading input: String?, by other: Int?
    ) -> [String] {
        var call = command.words
        for (index, entry) in command.arguments.enumerated() {
            let isTested = index == argument || index == other
            let file = index == other ? input : index == argument ? output : nil
            if let option = entry.option {
                if isTested {
                    let names = command.arguments.compactMap(\.option)
                    call += (conditions[option] ?? []).filter { !$0.hasPrefix("--") || names.contains($0) }
                    call += [option, file ?? ""]
                } else if option == "--force", command.arguments[argument].option != "--sqlite" {
                    call.append(option)
                }
            } else if isTested || !entry.isOptional {
                // What is read and written in one list.
                let isList = entry.isOutput && entry.isInput
                call +=
                    isList
                    ? [index == other ? input ?? "" : "capture.btsnoop", output]
                    : [file ?? (entry.isFile ? "capture.btsnoop" : value(of: entry, command.arguments[other ?? index]))]
            }
        }
        return call
    }

    /// `generate` decodes captures for a mock alone.
    private static func value(
        of entry: CommandDescription.Argument, _ input: CommandDescription.Argument
    ) -> String {
        let values = entry.allValues ?? ["swift"]
        return input.option != nil && values.contains("coremock") ? "coremock" : values[0]
    }

    private static let folder = """
        cp '\(Repository.capture("heart-rate.btsnoop"))' capture.btsnoop && cp capture.btsnoop log.btsnoop
        ln log.btsnoop hard.btsnoop && ln -s log.btsnoop soft.btsnoop && : > empty.btsnoop && chmod 600 empty.btsnoop && ln empty.btsnoop hard-empty.btsnoop
        '\(Command.binary)' readers new App > reader.btsnoop && ln reader.btsnoop hard-reader.btsnoop
        """

    private static func run(_ call: [String], in folder: TemporaryFolder) throws -> Command.Result {
        let words = call.map { "'\($0)'" }.joined(separator: " ")
        return try Command.run(
            "/bin/bash", ["-c", "cd '\(folder.url.path)' && exec timeout 60 '\(Command.binary)' \(words) < /dev/null"])
    }

    /// A pipe is no file to replace, and an empty name is none.
    @Test func whatIsNoFileIsNotReplaced() throws {
        let folder = try TemporaryFolder()
        try #require(try folder.run("mkfifo pipe && cp '\(Repository.capture("heart-rate.btsnoop"))' log.btsnoop"))
        for call in [
            ["convert", "--force", "--format", "pcapng", "log.btsnoop", "pipe"],
            ["anonymize", "--force", "--format", "btsnoop", "log.btsnoop", "pipe"],
            ["export", "--sqlite", "pipe", "log.btsnoop"],
            ["export", "--sqlite", "", "log.btsnoop"],
        ] {
            let result = try Self.run(call, in: folder)
            #expect(result.status == 1 && !result.errors.isEmpty && result.output.isEmpty, "\(call) \(result)")
            #expect(try folder.run("test -p pipe"), "\(call)")
        }
    }

    /// Every option and argument that names a file to write × every one that names a file to read × the file, and two links to it.
    @Test func noCommandWritesWhatItReads() throws {
        var tried = 0
        let folder = try TemporaryFolder()
        try #require(try folder.run(Self.folder))
        let content = try Data(contentsOf: URL(filePath: folder.path("log.btsnoop")))
        for command in try CommandDescription.all(of: Command.binary) {
            for (output, written) in command.arguments.enumerated() where written.isOutput {
                for (input, read) in command.arguments.enumerated() where read.isInput {
                    // Tests are of definitions, and what decodes captures is for mocks.
                    if written.option == "--tests", read.option != nil { continue }
                    // Keys and readers are read with the command line: an empty file has no key that is wrong.
                    let names =
                        switch read.option {
                        case "--keys": ["empty.btsnoop", "hard-empty.btsnoop"]
                        case "--readers": ["reader.btsnoop", "hard-reader.btsnoop"]
                        default: ["log.btsnoop", "hard.btsnoop", "soft.btsnoop"]
                        }
                    let file = names[0]
                    for name in names {
                        let call = Self.call(command, writing: name, by: output, reading: file, by: input)
                        let result = try Self.run(call, in: folder)
                        expect(result.status, equals: 1, "\(call): \(result.errors)")
                        #expect(
                            result.errors.contains("\(name): is a file that this command reads"),
                            "\(call): \(result.errors)")
                        tried += 1
                    }
                }
            }
        }
        #expect(tried > 100)
        try expect(Data(contentsOf: URL(filePath: folder.path("log.btsnoop"))), equals: content)
        #expect(try Data(contentsOf: URL(filePath: folder.path("empty.btsnoop"))).isEmpty)
    }

    /// Existing files, links and folders stay without `--force`; links and folders also with it.
    @Test func noCommandReplacesWithoutForce() throws {
        let folder = try TemporaryFolder()
        try #require(try folder.run(Self.folder + " && echo mine > mine.btsnoop && ln -s mine.btsnoop link.btsnoop"))
        var tried = 0
        for command in try CommandDescription.all(of: Command.binary) {
            for (output, written) in command.arguments.enumerated() where written.isOutput {
                var call = Self.call(command, writing: "mine.btsnoop", by: output, reading: nil, by: nil)
                call.removeAll { $0 == "--force" }
                let result = try Self.run(call, in: folder)
                expect(result.status, equals: 1, "\(call): \(result.errors)")
                #expect(result.errors.contains("mine.btsnoop: "), "\(call): \(result.errors)")
                let link = Self.call(command, writing: "link.btsnoop", by: output, reading: nil, by: nil)
                let followed = try Self.run(link, in: folder)
                expect(followed.status, equals: 1, "\(link): \(followed.errors)")
                #expect(followed.errors.contains("link.btsnoop: is "), "\(link): \(followed.errors)")
                tried += 1
            }
        }
        #expect(tried >= 9)
        try expect(String(contentsOfFile: folder.path("mine.btsnoop"), encoding: .utf8), equals: "mine\n")
    }

    /// A full disk leaves no file, a database neither: /dev/full cannot be renamed to, so a file of the greatest size allowed plays it.
    @Test(arguments: [
        "report capture.btsnoop -o out", "export --sqlite out capture.btsnoop", "export --arrow out capture.btsnoop",
        "export --perfetto out capture.btsnoop", "convert capture.btsnoop out.pcapng",
        "anonymize capture.btsnoop out.pcapng",
    ])
    func nothingIsLeftOfWhatCouldNotBeWritten(_ call: String) throws {
        let folder = try TemporaryFolder()
        try #require(try folder.run(Self.folder))
        let result = try Command.run(
            "/bin/bash",
            ["-c", "cd '\(folder.url.path)' && ulimit -f 1 && '\(Command.binary)' \(call); s=$?; ls -A; exit $s"])
        expect(result.status, equals: 1, "\(result.errors)")
        #expect(!result.errors.isEmpty)
        #expect(!result.output.contains("out"), "\(result.output)")
        #expect(!result.output.contains("partial"), "\(result.output)")
    }

    /// `-` is standard output, also for a report and for code.
    @Test func aHyphenIsStandardOutput() throws {
        let folder = try TemporaryFolder()
        for call in ["report '\(Repository.capture("heart-rate.btsnoop"))' -o -", "generate c 2A37 -o -"] {
            let result = try Command.run(
                "/bin/bash", ["-c", "cd '\(folder.url.path)' && '\(Command.binary)' \(call) && ls -A"])
            #expect(result.status == 0 && result.output.count > 1_000, "\(result.errors)")
            #expect(!result.output.hasSuffix("\n-\n"))
        }
    }

    /// In a folder that is another user's, each output has the same reason.
    @Test(
        .enabled(if: getuid() == 0, "only root can become another user"),
        arguments: ["report a -o x", "export --sqlite x a", "convert a x.pcapng"])
    func aFolderThatCannotBeWrittenIsSaid(_ call: String) throws {
        let folder = try TemporaryFolder()
        try #require(try folder.run("cp '\(Repository.capture("heart-rate.btsnoop"))' a && chmod 755 . && chmod 644 a"))
        let result = try Command.run(
            "/bin/bash",
            [
                "-c",
                "cd '\(folder.url.path)' && exec setpriv --reuid=65534 --regid=65534 --clear-groups '\(Command.binary)' \(call)",
            ])
        expect(result.status, equals: 1)
        #expect(result.errors.contains("Permission denied"), "\(result.errors)")
    }

    /// A container or a chroot may have no /proc, where Swift finds the arguments: no command prints the help and succeeds.
    @Test(
        .enabled(
            if: (try? Command.run("/usr/bin/unshare", ["-m", "umount", "-l", "/proc"]).status) == 0,
            "cannot unmount /proc"))
    func withoutProcNothingSucceeds() throws {
        let result = try Command.run(
            "/usr/bin/unshare",
            [
                "-m", "sh", "-c",
                "umount -l /proc; exec '\(Command.binary)' show '\(Repository.capture("heart-rate.btsnoop"))'",
            ])
        #expect(result.status == 1 && result.output.isEmpty)
        expect(result.errors, equals: "attlas: /proc is not mounted: the command line cannot be read\n")
    }

    /// The rest of a killed run is removed by the next one to write that name.
    @Test func theNextRunRemovesWhatAKilledOneLeft() throws {
        let folder = try TemporaryFolder()
        #expect(
            try folder.run(
                """
                \(Self.folder)
                echo half > .page.html.attlas-partial
                '\(Command.binary)' report capture.btsnoop -o page.html && '\(Command.binary)' report capture.btsnoop --force -o page.html
                [ ! -e .page.html.attlas-partial ]
                """))
    }
}

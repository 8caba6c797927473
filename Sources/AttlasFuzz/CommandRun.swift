import Foundation

/// Runs random command lines of attlas in a temporary folder, and checks the promises of SECURITY.md after each.
package struct CommandRun {
    /// One command line, and the circumstances in which it runs.
    private struct Call {
        var arguments: [String] = []
        /// The files that it names to be written.
        var outputs: [String] = []
        var input = "/dev/null"
        /// Commands of the shell before it runs: limits and closed descriptors.
        var prelude = ""
        var signal: (number: Int32, milliseconds: Int)?
        var isForced: Bool { arguments.contains("--force") }
        /// Whether it may wait for input, for a reader of its output or for a signal.
        var mayWait: Bool {
            ["live", "extcap", "open"].contains(arguments[0]) || arguments.contains { $0.contains("fifo") }
        }
    }

    /// Seconds in which a call ends, and after a signal.
    private static let patience = (call: 60.0, signal: 5.0)
    private static let callsOfACapture: UInt64 = 64
    private static let statuses: Set<Int32> = [0, 1, 2, 64, 129, 130, 143]

    package private(set) var findings: [String] = []
    package private(set) var calls = 0
    /// The number of calls by status.
    package private(set) var ends: [Int32: Int] = [:]

    private let attlas: String
    private let commands: [(words: [String], arguments: [CommandDescription.Argument])]
    private let captures: [String]
    private let folder = FileManager.default.temporaryDirectory.appending(path: "attlas-commands-\(UUID().uuidString)")
    private var work: String { folder.appending(path: "work").path }

    /// - Parameter captures: Paths; each call reads copies of two of them.
    package init(attlas: String, captures: [String]) throws {
        self.attlas = URL(filePath: attlas).standardizedFileURL.path
        self.captures = captures.map { URL(filePath: $0).standardizedFileURL.path }
        commands = try CommandDescription.all(of: attlas)
    }

    package var summary: String {
        let ends = ends.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key)" }.joined(separator: ", ")
        return "\(calls) calls, by status: \(ends); \(findings.count) findings"
    }

    /// Runs the calls of the seeds from `seed` on.
    /// - Parameter note: Called with each finding.
    package mutating func run(seed: UInt64, count: Int, until end: Date = .distantFuture, note: (String) -> Void) throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        try prepare(seed)
        for number in 0..<count where Date() < end {
            let seed = seed &+ UInt64(number)
            var generator = SeededGenerator(seed: seed)
            let call = makeCall(&generator)
            let before = Self.files(in: work)
            let found = try check(call, before)
            calls += 1
            for finding in found {
                findings.append(
                    "seed \(seed): \(call.prelude)attlas \(call.arguments) < \(call.input), signal \(call.signal.map { "\($0)" } ?? "none"): \(finding)"
                )
                note(findings[findings.count - 1])
            }
            let isLast = (seed &+ 1).isMultiple(of: Self.callsOfACapture)
            if isLast || before != Self.files(in: work) { try prepare(seed &+ 1) }
        }
    }

    // MARK: Files

    /// Files of each kind that the command reads or may not write to.
    private static let script = #"""
        chmod -R u+rwX "$1" 2> /dev/null; rm -rf "$1"; mkdir -p "$1" && cd "$1" || exit
        cp "$3" a.btsnoop; cp "$4" b.btsnoop; gzip < a.btsnoop > a.btsnoop.gz; tar czf two.tar.gz a.btsnoop b.btsnoop
        cp a.btsnoop "it's a \"name\" with blanks.btsnoop"; cp a.btsnoop $'new\nline \e[31m.btsnoop'; ln a.btsnoop hard; ln -s a.btsnoop soft
        "$2" convert a.btsnoop a.pcapng; "$2" convert a.btsnoop a.log --format text; "$2" tree --json a.btsnoop > tree.json
        "$2" dissectors new FFF1 Example > d.yaml; "$2" export --sqlite old.db a.btsnoop
        printf 'expectations:\n  - rtt: { below: 30000 ms }\n' > expectations.yaml; printf '1.5 lights on\n20 off\n' > marks
        printf 'ltk 000102030405060708090a0b0c0d0e0f\n' > keys; head -c 32 a.btsnoop > seed; chmod 600 keys seed
        : > empty; head -c 3001 b.btsnoop > cut.btsnoop; echo 'no capture' > old; echo '{"a":[' > wrong.json
        mkdir folder closed; cp a.btsnoop folder/; mkfifo fifo; ln -s nowhere dangling; cp a.btsnoop unreadable
        chmod 000 unreadable; chmod 555 closed
        """#

    private func prepare(_ seed: UInt64) throws {
        // The same for some calls in a row, so that not each one prepares its files.
        let place = Int(seed / Self.callsOfACapture % UInt64(captures.count))
        let process = try shell(Self.script, [work, attlas, captures[place], captures[(place + 1) % captures.count]])
        process.waitUntilExit()
    }

    private func shell(
        _ script: String, _ arguments: [String], in directory: String? = nil, input: String = "/dev/null"
    ) throws -> Process {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", script, "bash"] + arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "SWIFT_BACKTRACE": "enable=no", "TMPDIR": folder.path,
        ]
        if let directory { process.currentDirectoryURL = URL(filePath: directory) }
        process.standardInput = try FileHandle(
            forReadingFrom: URL(filePath: input, relativeTo: URL(filePath: work + "/")))
        for (name, property) in [("output", \Process.standardOutput), ("errors", \Process.standardError)] {
            let file = folder.appending(path: name)
            try Data().write(to: file)
            process[keyPath: property] = try FileHandle(forWritingTo: file)
        }
        try process.run()
        return process
    }

    /// The identity of each file's contents: a new inode, size or time is a change.
    private static func files(in folder: String) -> [String: String] {
        var files: [String: String] = [:]
        for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
            var entry = stat()
            guard unsafe lstat("\(folder)/\(name)", &entry) == 0 else { continue }
            // The time of a folder changes with a file that is made and removed in it.
            let isFolder = entry.st_mode & S_IFMT == S_IFDIR
            let change = isFolder ? "" : " \(entry.st_size) \(entry.st_mtim.tv_sec).\(entry.st_mtim.tv_nsec)"
            files[name] = "\(entry.st_ino) \(entry.st_mode)\(change)"
        }
        return files
    }

    // MARK: Command lines

    private static let inputs = [
        "a.btsnoop", "a.btsnoop", "a.btsnoop", "b.btsnoop", "a.pcapng", "a.log", "a.btsnoop.gz", "two.tar.gz",
        "two.tar.gz!/b.btsnoop",
        "cut.btsnoop", "it's a \"name\" with blanks.btsnoop", "new\nline \u{1B}[31m.btsnoop", "hard", "soft",
        "dangling", "unreadable", "empty",
        "old", "old.db", "d.yaml", "expectations.yaml", "tree.json", "wrong.json", "keys", "seed", "marks", "folder",
        "fifo", "missing", "",
        "/dev/null", "-",
    ]
    private static let outputs = [
        "new", "new.btsnoop", "new.pcapng", "new.html", "folder/new", "new \"file\"\n", "closed/new", "missing/new",
        "old", "old.db",
        "a.btsnoop", "hard", "soft", "dangling", "folder", "fifo", "empty", "/dev/null", "/dev/full", "-", "",
        String(repeating: "n", count: 255), String(repeating: "n", count: 256),
    ]
    /// By the option or the positional argument. The most probable file is first.
    private static let files = [
        "--dissectors": ["d.yaml", "folder"], "--gatt-db": ["tree.json", "b.btsnoop"], "--keys": ["keys"],
        "--seed": ["seed"],
        "--marks": ["marks"], "file> … <uuid": ["d.yaml", "2A37", "180D"], "files": ["d.yaml"],
        "expectations": ["expectations.yaml"],
    ]
    private static let key = "000102030405060708090a0b0c0d0e0f"
    private static let values = [
        "expr": ["error", "char == 2A37", "rtt > 1ms and not known", "field(", "frame >= 5 or", ""],
        "time": ["1", "0.5", "09:55:20", "2026-11-21T09:55:20Z", "-1"], "size": ["100k", "1M", "10"],
        "a-b": ["3", "5-90", "-200", "90-5"],
        "characteristic": ["2A37", "Heart Rate Measurement", "2A19"], "uuid": ["2A37", "FFF1", "180D"],
        "hex": ["0648", "00"],
        "subject": ["2A37", "1", "Heart Rate Measurement"], "name=number": ["connections=3", "peers=1"],
        "user": ["nobody", "root"],
        "text": ["1.5 lights on", "title"], "rule": ["att-timeout", "slow-discovery"],
        "extcap-interface": ["attlas-file"],
        "key": [key], "irk[=address]": [key, key + "=F2:F2:F2:F2:F2:F2"], "ltk[=address]": [key],
        "netkey[@ivindex]": [key],
        "peer": ["HRM-7", "F2:F2:F2:F2:F2:F2"],
    ]
    private static let anything = [
        "1", "3", "0", "-1", "7", "99999999999999999999", "1e308", "x", "", "\u{1B}[31m", "a\nb", "é\u{202E}", key,
        "=1+1", "--", "nobody",
    ]

    private func makeCall(_ generator: inout SeededGenerator) -> Call {
        let command = generator.pick(commands)
        var call = Call(arguments: command.words)
        var others: [String] = []
        for argument in command.arguments where argument.kind == .positional {
            guard !argument.isOptional || generator.once(in: 2) else { continue }
            for _ in 0..<(argument.isRepeating ? 1 + generator.below(3) : 1) {
                others.append(value(of: argument, &generator))
            }
            if argument.isOutput { call.outputs += others.suffix(1) }
        }
        let options = command.arguments.filter {
            $0.kind != .positional && !["--help", "--version"].contains($0.option)
        }
        for _ in 0..<generator.below(6) where !options.isEmpty {
            // Where something is written, more often than by chance.
            let outputs = options.filter { $0.isOutput || $0.option == "--force" }
            let argument = outputs.isEmpty || !generator.once(in: 3) ? generator.pick(options) : generator.pick(outputs)
            guard let option = argument.option, argument.isRepeating || !call.arguments.contains(option) else {
                continue
            }
            call.arguments.append(option)
            guard argument.kind == .option else { continue }
            call.arguments.append(value(of: argument, &generator))
            if argument.isOutput { call.outputs += call.arguments.suffix(1) }
        }
        if generator.once(in: 16) { others.append(generator.pick(Self.anything)) }
        call.arguments += others
        if generator.once(in: 3) { call.input = "a.btsnoop" }
        if generator.once(in: 12) { call.prelude = "ulimit -f \(1 + generator.below(40)); " }
        if generator.once(in: 20) {
            call.prelude += generator.pick(["exec >&-; ", "exec <&-; ", "exec 2>&-; ", "exec > /dev/full; "])
        }
        if generator.once(in: 4) || call.mayWait {
            call.signal = (generator.pick([SIGINT, SIGTERM, SIGHUP]), generator.below(call.mayWait ? 1_000 : 400))
        }
        return call
    }

    private func value(of argument: CommandDescription.Argument, _ generator: inout SeededGenerator) -> String {
        let isPlausible = !generator.once(in: 8)
        if argument.isOutput, !argument.isInput || generator.once(in: 2) { return generator.pick(Self.outputs) }
        let name = argument.option ?? argument.valueName ?? ""
        if isPlausible, let known = Self.files[name] { return generator.pick(known) }
        if argument.isFile { return generator.pick(isPlausible ? Array(Self.inputs.prefix(12)) : Self.inputs) }
        if isPlausible, let values = argument.allValues ?? Self.values[argument.valueName ?? ""] {
            return generator.pick(values)
        }
        return generator.pick(isPlausible ? Array(Self.anything.prefix(3)) : Self.anything)
    }

    // MARK: Promises

    private mutating func check(_ call: Call, _ before: [String: String]) throws -> [String] {
        let process = try shell(call.prelude + #"exec "$@""#, [attlas] + call.arguments, in: work, input: call.input)
        let begin = Date()
        func waits(seconds: Double, from start: Date) -> Bool {
            while process.isRunning, Date().timeIntervalSince(start) < seconds { usleep(2_000) }
            return process.isRunning
        }
        var found: [String] = []
        if let signal = call.signal {
            if waits(seconds: Double(signal.milliseconds) / 1_000, from: begin) {
                kill(process.processIdentifier, signal.number)
            }
        }
        let isHanging = waits(seconds: call.mayWait ? Self.patience.signal : Self.patience.call, from: Date())
        if isHanging {
            found.append("does not end")
            kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        ends[status, default: 0] += 1
        let output = [UInt8](try Data(contentsOf: folder.appending(path: "output")))
        let errors = [UInt8](try Data(contentsOf: folder.appending(path: "errors")))
        // Killed while the system was loading it, before any output.
        let isUnborn = call.signal.map { status == -$0.number } ?? false && output.isEmpty && errors.isEmpty
        // These commands report mistakes as their result.
        let isAnswer =
            status == 1 && ["why", "dissect", "dissectors", "readers"].contains(call.arguments[0]) && !output.isEmpty
        if !isHanging, !isUnborn, !Self.statuses.contains(status) {
            found.append("status \(status): \(String(decoding: errors.prefix(400), as: UTF8.self))")
        }
        if status != 0, status != 2, errors.isEmpty, !isUnborn, !isAnswer, !call.prelude.contains("2>&-") {
            found.append("status \(status) without a message")
        }
        if let finding = OutputInspector.finding(in: errors, .text) { found.append("messages with \(finding)") }
        let isText = !call.outputs.contains { ["-", ""].contains($0) } && call.arguments[0] != "extcap"
        let isColoured = call.arguments.contains("always")
        if isText, let finding = OutputInspector.finding(in: output, isColoured ? .colouredText : .text) {
            found.append("output with \(finding)")
        }
        return found + changes(call, before)
    }

    private func changes(_ call: Call, _ before: [String: String]) -> [String] {
        let after = Self.files(in: work)
        // A recording in parts has names that begin as its own.
        func isNamed(_ name: String) -> Bool {
            call.outputs.contains { output in
                let stem =
                    call.arguments[0] == "live" ? output.split(separator: ".").first.map(String.init) ?? output : output
                return name == output || call.arguments[0] == "live" && name.hasPrefix(stem)
            }
        }
        return Set(before.keys).union(after.keys).sorted().compactMap { name in
            if name.contains("attlas-partial") { return "\(name.debugDescription) is left" }
            guard before[name] != after[name] else { return nil }
            if before[name] == nil { return isNamed(name) ? nil : "\(name.debugDescription) is new" }
            let mayChange = call.isForced || call.arguments.contains("--sqlite")
            return isNamed(name) && mayChange
                ? nil : "\(name.debugDescription) changed: \(before[name] ?? "") is \(after[name] ?? "gone")"
        }
    }
}

import AttlasTestSupport
import Foundation
import Testing

/// What goes wrong is the machine's: each has an error that says what to try, and nothing that was decoded is lost.
@Suite struct MachineFaultTests {
    private static let heartRate = Repository.capture("heart-rate.btsnoop")

    /// In an empty folder, with `$attlas` and `$capture`.
    private func shell(_ script: String) throws -> Command.Result {
        try withExtendedLifetime(TemporaryFolder()) { folder in
            let head = "cd '\(folder.url.path)'; attlas='\(Command.binary)'; capture='\(Self.heartRate)'\n"
            return try Command.run("/bin/bash", ["-c", head + script])
        }
    }

    @Test func aClosedOutputIsAnErrorAndNoFileTakesItsPlace() throws {
        let shown = try shell("\"$attlas\" show \"$capture\" >&-")
        expect(shown.status, equals: 1)
        #expect(shown.errors.contains("It was closed"))
        // What was meant for standard output is not in the recording, whose descriptor would have been that.
        let live = try shell("\"$attlas\" live --write copy - < \"$capture\" >&-; \"$attlas\" show copy")
        #expect(live.output.contains("97 ATT operations"))
    }

    @Test func aClosedInputIsAnError() throws {
        let result = try shell("\"$attlas\" show - <&-")
        expect(result.status, equals: 1)
        #expect(result.errors.contains("cannot be read"))
    }

    @Test func aFullDiskSaysWhatToTry() throws {
        let result = try shell("\"$attlas\" show \"$capture\" > /dev/full")
        expect(result.status, equals: 1)
        #expect(result.errors.contains("Free some space"))
    }

    /// One of each way to write an answer.
    @Test(arguments: [
        "--help", "--generate-completion-script bash", "dissectors list --json", "generate c 2A37",
        "live --list-devices",
        "show \"$capture\"", "show --csv \"$capture\"", "lint --format sarif \"$capture\"", "report \"$capture\"",
        "export --arrow - \"$capture\"", "live --plain \"$capture\"",
    ])
    func anAnswerThatCannotBeWrittenIsAnError(_ command: String) throws {
        let result = try shell(
            """
            definitions='\(Repository.path("Dissectors/heart-rate.yaml"))'
            expectations=expectations.yaml
            printf 'expectations:\n  - { id: a, characteristic: 2A37, exists: true }\n' > $expectations
            "$attlas" \(command) > /dev/full
            echo "status $?"
            "$attlas" \(command) >&-
            echo "status $?"
            (sleep 0.1; "$attlas" \(command); echo "status $?" >&2) 2> errors | true
            tail -1 errors
            """)
        expect(result.output, equals: "status 1\nstatus 1\nstatus 0\n")
        #expect(result.errors.contains("attlas: standard output cannot be written: No space left on device. Free some"))
        #expect(result.errors.contains("attlas: standard output cannot be written: Bad file descriptor. It was closed"))
    }

    /// The recording is complete whatever happens to the lines, and the status says that lines are missing.
    @Test(arguments: [
        ("> /dev/full", "No space left on device; the recording continues. Free some"),
        (">&-", "Bad file descriptor; the recording continues. It was closed"),
        ("| true", "Broken pipe; the recording continues\n"),
    ])
    func aRecordingGoesOnWithoutStandardOutput(_ target: String, _ message: String) throws {
        let result = try shell(
            """
            (sleep 0.1; cat "$capture") | ("$attlas" live --json --write copy -; echo "status $?" >&2) \(target)
            "$attlas" show copy
            """)
        #expect(result.errors.contains("attlas: standard output cannot be written: \(message)"))
        #expect(result.errors.contains("status 1"))
        #expect(result.output.contains("97 ATT operations"))
    }

    /// Without a recording there is nothing to continue for.
    @Test func linesWithoutAReaderEndIt() throws {
        let result = try shell(
            """
            mkfifo fifo
            (cat "$capture"; exec sleep 20) > fifo & feeder=$!
            ("$attlas" live --json fifo; echo "status $?" >&2) | true
            kill -9 $feeder
            """)
        expect(result.errors, equals: "status 0\n")
    }

    /// A reader that takes nothing, as a pager does that nobody scrolls: the recording is complete, and SIGINT ends it.
    @Test func aReaderThatTakesNothingDoesNotHoldTheRecording() throws {
        let result = try shell(
            """
            mkfifo fifo lines
            "$attlas" live --write once "$capture" > /dev/null
            python3 -c 'octets = open("once", "rb").read(); open("many", "wb").write(octets[:16] + octets[16:] * 1500)'
            sleep 400 < lines & reader=$!
            (cat many; exec sleep 400) > fifo & feeder=$!
            "$attlas" live --json --write copy fifo > lines & live=$!
            for i in $(seq 1500); do cmp -s copy many && echo complete && break; sleep 0.2; done
            kill -INT $live
            wait $live
            echo "status $?"
            kill -9 $reader $feeder
            """)
        expect(result.output, equals: "complete\nstatus 1\n")
        #expect(
            result.errors.contains("the output: it takes too little: records are left out of it, not of the recording"))
        #expect(result.errors.contains("standard output takes nothing: the last lines were not printed"))
        #expect(result.errors.contains(" records were not shown: the output took too little"))
    }

    /// The recording ends with a whole record, and the conversation is shown to its end. ThreadSanitizer cannot: what it
    /// keeps is in files, too.
    @Test(.disabled(if: Sanitizer.isThreadSanitizer))
    func aRecordingThatReachesItsLimitEndsWithAWholeRecord() throws {
        let result = try shell(
            """
            (ulimit -f 4; "$attlas" live --write copy - < "$capture") | cat
            echo "status ${PIPESTATUS[0]}"
            "$attlas" show --hci --json copy > shown
            echo "status $?"
            wc -l < shown
            """)
        #expect(result.output.contains("97 ATT operations"))
        #expect(result.output.contains("status 1\nstatus 0"))
        #expect(result.errors.contains("File too large: recording stopped; the file ends with a complete record"))
        // Four blocks of 1 024 octets hold these records of it, and none is missing.
        let shown = try #require(result.output.split(separator: "\n").last.flatMap { Int($0) })
        #expect(shown > 80)
    }

    @Test func aFolderIsNamed() throws {
        let result = try shell("\"$attlas\" show . \"$capture\"")
        expect(result.status, equals: 1)
        #expect(result.errors.contains("the folder contains no capture files"))
        #expect(result.output.contains("97 ATT operations"))
    }

    @Test func aFIFOIsReadAsAPipe() throws {
        let result = try shell("mkfifo fifo; cat \"$capture\" > fifo & \"$attlas\" show fifo")
        expect(result.status, equals: 0)
        #expect(result.output.contains("97 ATT operations"))
    }

    /// Root may read everything; nobody may not, and then ThreadSanitizer may not read its own file either.
    @Test(
        .enabled(if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")),
        .disabled(if: Sanitizer.isThreadSanitizer))
    func aFileWithoutPermissionIsNamed() throws {
        let result = try shell(
            """
            chmod 755 .; cp "$attlas" attlas; cp "$capture" closed; chmod 600 closed
            setpriv --reuid 65534 --regid 65534 --clear-groups ./attlas show closed
            """)
        expect(result.status, equals: 1)
        #expect(result.errors.contains("Check the permissions of the file"))
    }

    @Test func aFileThatIsCutWhileItIsReadIsShownAsFarAsItGoes() throws {
        let result = try shell("(head -c 5000 \"$capture\"; sleep 0.2) | \"$attlas\" show -")
        expect(result.status, equals: 1)
        #expect(result.output.contains("ATT operations"))
        #expect(result.errors.contains("cut short"))
    }

    /// SIGTERM ends it like Control-C: with a summary, and status 0.
    @Test(arguments: ["TERM", "INT", "HUP"])
    func aSignalEndsItWithASummary(_ signal: String) throws {
        let result = try shell(
            """
            mkfifo fifo
            (cat "$capture"; exec sleep 200) > fifo & feeder=$!
            "$attlas" live --write copy fifo > output & live=$!
            for i in $(seq 1200); do grep -q 'Reset Energy' output && break; sleep 0.1; done
            kill -\(signal) $live
            wait $live
            echo "status $?"
            kill -9 $feeder
            cat output
            "$attlas" show copy
            """)
        #expect(result.output.hasPrefix("status 0\n"))
        // The summary of what was live, and the recording, to its last record.
        expect(result.output.components(separatedBy: "97 ATT operations").count, equals: 3)
    }

    /// A reader that is slower than attlas, through a pipe that somebody made non-blocking: nothing is lost.
    @Test func aSlowReaderGetsEverything() throws {
        let result = try shell(
            """
            cat > slow.py << 'END'
            import fcntl, os, subprocess, sys, time
            read, write = os.pipe()
            fcntl.fcntl(write, fcntl.F_SETFL, os.O_NONBLOCK)
            child = subprocess.Popen([sys.argv[1], "show", "--hci", "--json", sys.argv[2]], stdout=write)
            os.close(write)
            time.sleep(0.5)
            octets = 0
            while piece := os.read(read, 4096):
                octets += len(piece)
            print(octets, child.wait())
            END
            python3 slow.py "$attlas" "$capture"
            "$attlas" show --hci --json "$capture" | wc -c
            """)
        let counts = result.output.split(whereSeparator: \.isWhitespace)
        #expect(counts.count == 3 && counts[0] == counts[2] && counts[1] == "0")
        #expect((Int(counts.first ?? "") ?? 0) > 100_000)
    }

    /// A name is whatever somebody called a file.
    @Test func aFileNameCannotSteerTheTerminal() throws {
        let result = try shell(
            """
            cp "$capture" $'\\e[2J\u{202E}.btsnoop'
            for command in show tree devices stats lint; do "$attlas" $command *.btsnoop *.btsnoop $'\\e[2Jmissing'; done
            echo x > $'\\e[3Jtext.btsnoop'
            "$attlas" show *text.btsnoop
            "$attlas" show --gatt-db $'\\e[2Jmissing' --dissectors $'\\e[2Jmissing' "$capture"
            """)
        for text in [result.output, result.errors] {
            #expect(!text.unicodeScalars.contains("\u{1B}") && !text.unicodeScalars.contains("\u{202E}"))
            #expect(text.contains(#"\u{1B}[2J"#))
        }
    }
}

@Suite struct MachineFaultLongTests {
    /// Whatever is answered, and a reader that takes only its beginning is no failure.
    @Test(arguments: [
        "--help", "--version", "--version --verbose", "help live", "help topics", "live --help",
        "--generate-completion-script bash", "dissectors list", "dissectors list --json", "dissectors list --hci",
        "dissectors show 2A37", "dissectors check \"$definitions\"", "dissectors new FFF1 Level", "dissect 2A19 57",
        "generate c 2A37", "generate python 2A37 --check",
        "dissect --json 2A19 57", "live --list-devices", "show \"$capture\"", "show --json \"$capture\"",
        "show --csv \"$capture\"", "tree \"$capture\"", "devices \"$capture\"", "stats \"$capture\"",
        "lint \"$capture\"", "lint --list", "lint --list --json", "lint --explain att/invalid-handle",
        "lint --format sarif \"$capture\"", "why \"$capture\"", "check \"$capture\" \"$expectations\"",
        "diff \"$capture\" \"$capture\"", "report \"$capture\"", "export --arrow - \"$capture\"",
        "export --sqlite db --wide 2A37 \"$capture\"", "bench \"$capture\"", "live --plain \"$capture\"",
    ])
    func anAnswerThatCannotBeWrittenIsAnError(_ command: String) throws {
        try MachineFaultTests().anAnswerThatCannotBeWrittenIsAnError(command)
    }
}

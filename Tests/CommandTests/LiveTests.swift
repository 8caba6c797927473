import AttlasTestSupport
import Foundation
import Testing

/// `attlas live` from what needs no Bluetooth: pipes and growing files.
@Suite struct LiveTests {
    private func withFolder(_ body: (URL) throws -> Void) throws {
        try withExtendedLifetime(TemporaryFolder()) { try body($0.url) }
    }

    @Test func aPipeIsShownAndRecorded() throws {
        try withFolder { folder in
            let capture = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("heart-rate.btsnoop")))
            let copy = folder.appendingPathComponent("copy.btsnoop").path
            let live = try Command.attlas(["live", "--json", "--write", copy, "-"], input: capture)
            expect(live.status, equals: 0)
            let shown = try Command.attlas(["show", "--json", Repository.capture("heart-rate.btsnoop")])
            expect(lines(live.output, type: "att"), equals: lines(shown.output, type: "att"))
            let recorded = try Command.attlas(["show", "--json", copy])
            expect(lines(recorded.output, type: "att").count, equals: 97)
        }
    }

    private func lines(_ output: String, type: String) -> [Substring] {
        output.split(separator: "\n").filter { $0.hasPrefix("{\"type\":\"\(type)\"") }
    }

    /// Written in two pieces, replaced, and cut: everything is shown, until SIGINT ends it.
    @Test func aGrowingFileIsFollowed() throws {
        try withFolder { folder in
            let log = folder.appendingPathComponent("log.btsnoop")
            let first = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("heart-rate.btsnoop")))
            let second = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("ice-cream.btsnoop")))
            try first.prefix(3_000).write(to: log)
            let output = folder.appendingPathComponent("output")
            _ = FileManager.default.createFile(atPath: output.path, contents: nil)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Command.binary)
            process.arguments = ["live", "--json", "--follow", log.path]
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = FileHandle.nullDevice
            try process.run()
            func waitFor(_ count: Int) throws {
                for _ in 0..<1_200 {
                    let text = try String(contentsOf: output, encoding: .utf8)
                    if lines(text, type: "att").count >= count { return }
                    usleep(100_000)
                }
            }
            try waitFor(1)
            let handle = try FileHandle(forWritingTo: log)
            try handle.seekToEnd()
            try handle.write(contentsOf: first.dropFirst(3_000))
            try waitFor(97)
            let new = folder.appendingPathComponent("new")
            try second.write(to: new)
            try FileManager.default.removeItem(at: log)
            try FileManager.default.moveItem(at: new, to: log)
            try waitFor(97 + 58)
            process.interrupt()
            for _ in 0..<600 where process.isRunning { usleep(100_000) }
            if process.isRunning { process.terminate() }
            process.waitUntilExit()
            expect(process.terminationStatus, equals: 0)
            try expect(lines(String(contentsOf: output, encoding: .utf8), type: "att").count, equals: 97 + 58)
        }
    }

    /// Onto what is read, by whatever name: nothing is opened for writing.
    @Test(arguments: [
        "live --follow in --write in", "live --follow in --write soft --force", "live in --write hard --force",
        "live - --write in --force < in", "live --follow other --gatt-db in --write in --force",
    ])
    func aRecordingDoesNotDestroyWhatIsRead(_ command: String) throws {
        try withFolder { folder in
            let result = try Command.run(
                "/bin/bash",
                [
                    "-c",
                    """
                    cd '\(folder.path)'; cp '\(Repository.capture("heart-rate.btsnoop"))' in; cp in other
                    ln -s in soft; ln in hard
                    '\(Command.binary)' \(command); echo "status $?"; cmp in other && echo same
                    """,
                ])
            expect(result.output, equals: "status 1\nsame\n")
            #expect(result.errors.contains("is a file that this command reads: writing to it would destroy it"))
        }
    }

    @Test func anEarlierRecordingStaysUnlessForceIsGiven() throws {
        try withFolder { folder in
            let copy = folder.appendingPathComponent("copy.btsnoop").path
            let capture = Repository.capture("heart-rate.btsnoop")
            try expect(Command.attlas(["live", "--write", copy, capture]).status, equals: 0)
            let again = try Command.attlas(["live", "--write", copy, Repository.capture("ice-cream.btsnoop")])
            #expect(again.status == 1 && again.output.isEmpty)
            #expect(again.errors.contains("copy.btsnoop: exists already. Write to another file"))
            #expect(try Command.attlas(["show", copy]).output.contains("97 ATT operations"))
            try expect(Command.attlas(["live", "--write", copy, "--force", capture]).status, equals: 0)
        }
    }

    @Test(arguments: [
        ["--keep-files", "3"], ["--write", "x", "--keep-files", "3"], ["--write", "x", "--keep-size", "1M"],
        ["--write", "x", "--rotate-size", "1M", "--keep-size", "1M"], ["--force"], ["--time-names"],
        ["--write", "x", "--rotate-size", "1M", "--keep-files", "0"], ["--keep", "1m"],
        ["--write", "x", "--on", "broke"],
        ["--write", "x", "--keep", "1m", "--on", "link lost,rain"], ["--write", "x", "--keep-memory", "1M"],
    ])
    func optionsThatLackOthersAreWrongUsage(_ options: [String]) throws {
        try expect(Command.attlas(["live"] + options).status, equals: 64)
    }

    // MARK: Around incidents

    /// The read that is refused in frame 392 is 0.5 s after the connection; kinds may have hyphens.
    @Test(arguments: [
        ("broke", "request refused in frame 392: recorded with the 1 s before it", true),
        ("pairing failed,request-refused", "request refused in frame 392: recorded with the 1 s before it", true),
        ("link lost", "nothing happened that was to be recorded", false),
    ]) func whatIsAroundAnIncidentIsRecorded(_ kinds: String, _ message: String, _ isWritten: Bool) throws {
        try withFolder { folder in
            let copy = folder.appendingPathComponent("copy.btsnoop").path
            let capture = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("bluez-central.btsnoop")))
            let live = try Command.attlas(
                ["live", "--plain", "--write", copy, "--keep", "1s", "--on", kinds, "-"], input: capture)
            #expect(live.status == 0 && live.errors.contains(message), "\(live.errors)")
            expect(FileManager.default.fileExists(atPath: copy), equals: isWritten)
            guard isWritten else { return }
            let why = try Command.attlas(["why", copy])
            #expect(why.output.contains("(65 records, ") && why.output.contains("refused"), "\(why.output)")
        }
    }

    /// SIGKILL leaves a readable file with all records up to then; SIGTERM ends it as the end of the source does.
    @Test(arguments: ["KILL", "TERM"]) func aKilledRecordingIsReadable(_ signal: String) throws {
        try withFolder { folder in
            let script = """
                cd '\(folder.path)'; mkfifo pipe
                '\(Command.binary)' live --plain pipe --write copy.btsnoop --keep 1m --on broke > lines 2> errors &
                exec 3> pipe
                cat '\(Repository.capture("bluez-central.btsnoop"))' >&3
                for i in $(seq 300); do [ -e copy.btsnoop ] && [ "$(stat -c %s copy.btsnoop)" -gt 19000 ] && break; sleep 0.1; done
                kill -\(signal) $!; wait $! 2> /dev/null; cat errors
                """
            let result = try Command.run("/bin/bash", ["-c", script])
            #expect(result.output.contains("request refused in frame 392: recorded with the 56 s before it"))
            expect(result.output.contains("complete: "), equals: signal == "TERM", "\(result.output)")
            let show = try Command.attlas(["show", folder.appendingPathComponent("copy.btsnoop").path])
            #expect(show.status == 0 && show.output.contains("Insufficient"), "\(show.output)\(show.errors)")
        }
    }

    // MARK: Metrics

    /// Each line is a comment, or a metric with its type, its labels in quotes, and a number. Of the format 0.0.4 of Prometheus.
    @Test func countsAreInAFileForPrometheus() throws {
        try withFolder { folder in
            let path = folder.appendingPathComponent("attlas.prom").path
            try Data("old".utf8).write(to: URL(filePath: path))
            let capture = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("hasty-app.btsnoop")))
            let copy = try TemporaryFolder()
            let live = try Command.attlas(
                ["live", "--json", "--force", "--metrics", path, "--write", copy.path("copy.btsnoop"), "-"],
                input: capture)
            expect(live.status, equals: 0, "\(live.errors)")
            try expect(FileManager.default.contentsOfDirectory(atPath: folder.path), equals: ["attlas.prom"])
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            expect(mode, equals: 0o644)
            let lines = try String(contentsOf: URL(filePath: path), encoding: .utf8).split(separator: "\n")
            var types: [Substring: Substring] = [:]
            for line in lines {
                if let type = try #/# TYPE (\w+) (counter|gauge|histogram)/#.wholeMatch(in: line) {
                    #expect(types.updateValue(type.2, forKey: type.1) == nil)
                } else if !line.hasPrefix("# HELP ") {
                    let label = #"[a-z]+="[^"\\]*""#
                    let sample = try Regex(#"(\w+?)(_bucket|_sum|_count)?(\{\#(label)(,\#(label))*\})? -?[0-9.]+"#)
                    let match = try sample.wholeMatch(in: line)
                    let name = try #require(match?[1].substring, "\(line)")
                    #expect(types[name] != nil, "\(line)")
                }
            }
            for line in [
                "attlas_records_total 147", "attlas_connections_total 1",
                "attlas_incidents_total{kind=\"request refused\"} 1",
                "attlas_incidents_total{kind=\"link lost\"} 0", "attlas_incidents_by_weight_total{weight=\"broke\"} 2",
                "attlas_att_pdus_total{method=\"Read By Type Request\",direction=\"tx\"} 13",
                "attlas_att_round_trip_seconds_count{method=\"Write Request\"} 3",
                "attlas_att_round_trip_seconds_bucket{method=\"Write Request\",le=\"0.02\"} 2",
            ] { #expect(lines.contains(Substring(line)), "\(line)") }
        }
    }

    /// Counts are in the file before the end, too; a file that cannot be written is an error at once.
    @Test func countsAreThereMeanwhile() throws {
        try withFolder { folder in
            let script = """
                cd '\(folder.path)'; mkfifo pipe
                '\(Command.binary)' live --plain pipe --metrics x.prom > lines 2> errors &
                exec 3> pipe
                cat '\(Repository.capture("hasty-app.btsnoop"))' >&3
                for i in $(seq 300); do grep -q '^attlas_records_total 147' x.prom && break; sleep 0.1; done
                grep '^attlas_records_total' x.prom
                '\(Command.binary)' live --plain --metrics x.prom < '\(Repository.capture("hasty-app.btsnoop"))' - 2>&1
                '\(Command.binary)' live --plain --metrics pipe < '\(Repository.capture("hasty-app.btsnoop"))' - 2>&1
                '\(Command.binary)' live --plain --metrics - < '\(Repository.capture("hasty-app.btsnoop"))' - 2>&1
                kill -TERM $!; wait $!; echo "$?"; cat errors; exec 3>&-
                mkdir folder; '\(Command.binary)' live --plain pipe --metrics folder/x.prom > lines 2> errors &
                exec 3> pipe
                for i in $(seq 300); do [ -e folder/x.prom ] && break; sleep 0.1; done
                rm -r folder; exec 3>&-; wait $!; echo "$?"; grep -o 'folder/x.prom: cannot be written' errors
                """
            let result = try Command.run("/bin/bash", ["-c", script])
            #expect(
                result.output == """
                    attlas_records_total 147
                    attlas: x.prom: another program is writing it
                    attlas: pipe: is not a regular file. Name a new file.
                    attlas: -: is standard output, which this does not go to. Name a file, or ./- for one called so.
                    0
                    1
                    folder/x.prom: cannot be written

                    """,
                "\(result.output)")
            let capture = Repository.capture("hasty-app.btsnoop")
            let none = try Command.attlas(["live", capture, "--metrics", "/no/such/folder/x.prom"])
            #expect(none.status == 1 && none.errors.contains("/no/such/folder/x.prom: cannot be written"))
            let taken = folder.appendingPathComponent("taken.btsnoop").path
            try FileManager.default.copyItem(atPath: capture, toPath: taken)
            let other = try Command.attlas(["live", capture, "--metrics", taken])
            #expect(other.status == 1 && other.errors.contains("exists already"))
        }
    }

    @Test func whatIsWrongIsSaid() throws {
        let both = try Command.attlas(["live", "--device", "x", "--follow", "y"])
        expect(both.status, equals: 64)
        let controller = try Command.attlas(["live", "--controller", "wlan0"])
        #expect(controller.errors.contains("\"wlan0\" is not a controller; an example is hci0."))
        let missing = try Command.attlas(["live", "--follow", "/no/such/file"])
        expect(missing.status, equals: 1)
        #expect(missing.errors.contains("No such file"))
        let device = try Command.attlas(["live", "--device", "no-such-device"])
        expect(device.status, equals: 1)
        #expect(device.errors.hasPrefix("attlas: no-such-device: "))
    }
}

import AttlasTestSupport
import Foundation
import Testing

/// `attlas export --sqlite`, read by Python's SQLite.
@Suite struct ExportTests {
    private static func query(_ database: String, _ query: String) throws -> String {
        let script = """
            import sqlite3, sys
            for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep="|")
            """
        let result = try Command.run("/usr/bin/python3", ["-c", script, database, query])
        expect(result.status, equals: 0, "\(result.errors)")
        return result.output
    }

    /// Every operation, value, field and connection of `show --json`, with the same octets, numbers, names and times.
    @Test(arguments: Repository.someCaptureNames) func theTablesSayWhatTheLinesSay(_ name: String) throws {
        let folder = try TemporaryFolder()
        let exported = try Command.attlas(["export", "--sqlite", folder.path("out.db"), Repository.capture(name)])
        expect(exported.status, equals: 0, "\(exported.errors)")
        let lines = try Command.attlas(["show", "--json", Repository.capture(name)])
        let result = try Command.run(
            "/usr/bin/python3",
            [Repository.path("Tests/CommandTests/compare-tables.py"), folder.path("out.db"), "1"],
            input: Data(lines.output.utf8))
        expect(result.status, equals: 0, "\(result.output)\(result.errors)")
    }

    @Test func capturesAreAdded() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("out.db")
        let (first, second) = (Repository.capture("heart-rate.btsnoop"), Repository.capture("eatt.btsnoop"))
        try expect(Command.attlas(["export", "--sqlite", database, first]).status, equals: 0)
        let before = try Self.query(database, "SELECT count(*) FROM operations")
        try expect(Command.attlas(["export", "--sqlite", database, second, first]).status, equals: 0)
        let sum = try Command.run("/usr/bin/sha256sum", [first]).output.prefix { $0 != " " }
        try expect(Self.query(database, "SELECT sha256 FROM captures WHERE capture = 1"), equals: "\(sum)\n")
        let captures = try Self.query(database, "SELECT capture, file FROM captures ORDER BY capture")
        expect(captures, equals: "1|\(first)\n2|\(second)\n3|\(first)\n")
        try expect(Self.query(database, "SELECT count(*) FROM operations WHERE capture = 1"), equals: before)
        try expect(Self.query(database, "SELECT count(*) FROM operations WHERE capture = 3"), equals: before)
    }

    @Test func aViewAnswersWithoutAJoin() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("out.db")
        let capture = Repository.capture("heart-rate.btsnoop")
        try expect(Command.attlas(["export", "--sqlite", database, capture]).status, equals: 0)
        try expect(
            Self.query(database, "SELECT frame, utc, peer_name, bpm FROM heart_rate ORDER BY frame LIMIT 1"),
            equals: "140|2026-11-21T09:55:22.922434Z|HRM-7|72.0\n")
    }

    /// Frame 146 is 1E 4E 0100 2603 1F03 1703: 78 bpm, 1 kJ, and three intervals in units of 1/1024 s.
    @Test func aWideViewHasAColumnForEachField() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("out.db")
        let capture = Repository.capture("heart-rate.btsnoop")
        let wide = ["--wide", "Heart Rate Measurement", "--wide", "2A6E"]
        let result = try Command.attlas(["export", "--sqlite", database] + wide + [capture])
        #expect(
            result.status == 0 && result.output.hasSuffix("view wide_heart_rate_measurement: Heart Rate Measurement\n"))
        expect(result.errors, equals: "attlas: --wide: the database has no value of Temperature\n")
        let columns = "\"Heart Rate Measurement Value\", \"Energy Expended\", \"RR-Interval\""
        let query = "SELECT frame, \(columns) FROM wide_heart_rate_measurement WHERE frame IN (140, 146)"
        #expect(
            try Self.query(database, query) == """
                140|72|None|None
                146|78|1|\(806.0 / 1024), \(799.0 / 1024), \(791.0 / 1024)

                """)
        // Again, with more captures: the view is rebuilt.
        try expect(Command.attlas(["export", "--sqlite", database] + wide + [capture]).status, equals: 0)
        try expect(
            Self.query(database, "SELECT count(*) FROM wide_heart_rate_measurement WHERE frame = 140"), equals: "2\n")
    }

    @Test func aWideViewNeedsAKnownName() throws {
        let folder = try TemporaryFolder()
        let arguments = ["export", "--sqlite", folder.path("out.db"), "--wide", "Hart Rate Measurement"]
        let result = try Command.attlas(arguments + [Repository.capture("heart-rate.btsnoop")])
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out.db")))
        #expect(result.errors.hasPrefix("attlas: --wide: \"Hart Rate Measurement\" is neither a UUID nor in the name"))
    }

    /// What could be read before the damage is stored, with the reason for the end.
    @Test func aDamagedCaptureIsARowWithItsError() throws {
        let folder = try TemporaryFolder()
        var octets = Array(try Data(contentsOf: URL(fileURLWithPath: Repository.capture("heart-rate.btsnoop"))))
        octets.removeLast(7)
        let capture = try folder.write(octets, to: "cut.btsnoop")
        let database = folder.path("out.db")
        let result = try Command.attlas(["export", "--sqlite", database, capture])
        expect(result.status, equals: 1)
        let rows = try Self.query(database, "SELECT complete, error IS NOT NULL, records FROM captures")
        #expect(rows == "0|1|177\n" || rows == "0|1|176\n")
    }

    // MARK: Files that are not ours

    @Test func anotherProgramsDatabaseIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("other.db")
        _ = try Self.query(database, "CREATE TABLE notes (text)")
        let before = try Data(contentsOf: URL(fileURLWithPath: database))
        let result = try Command.attlas(["export", "--sqlite", database, Repository.capture("heart-rate.btsnoop")])
        expect(result.status, equals: 1)
        #expect(result.errors.contains("this database was not made by attlas"))
        try expect(Data(contentsOf: URL(fileURLWithPath: database)), equals: before)
    }

    @Test func aCaptureIsNoDatabase() throws {
        let folder = try TemporaryFolder()
        let octets = try Data(contentsOf: URL(fileURLWithPath: Repository.capture("heart-rate.btsnoop")))
        let copy = try folder.write(octets, to: "copy.btsnoop")
        let capture = Repository.capture("heart-rate.btsnoop")
        let result = try Command.attlas(["export", "--sqlite", copy, capture])
        expect(result.status, equals: 1)
        #expect(result.errors.contains("file is not a database"))
        try expect(Data(contentsOf: URL(fileURLWithPath: copy)), equals: octets)
    }

    @Test func otherTablesAreRefused() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("out.db")
        let capture = Repository.capture("heart-rate.btsnoop")
        try expect(Command.attlas(["export", "--sqlite", database, capture]).status, equals: 0)
        _ = try Self.query(database, "PRAGMA user_version = 99")
        let result = try Command.attlas(["export", "--sqlite", database, capture])
        expect(result.status, equals: 1)
        #expect(result.errors.contains("its tables are those of version 99"))
    }

    // MARK: Nothing half written

    /// As many octets as the file may have: a disk that is full.
    @Test func aFullDiskKeepsWhatWasThere() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("out.db")
        let capture = Repository.capture("heart-rate.btsnoop")
        try expect(Command.attlas(["export", "--sqlite", database, capture]).status, equals: 0)
        let size = try #require(FileManager.default.attributesOfItem(atPath: database)[.size] as? Int)
        let script = "ulimit -f \(size / 1024 + 8); exec '\(Command.binary)' export --sqlite '\(database)' '\(capture)'"
        let result = try Command.run("/bin/bash", ["-c", script])
        expect(result.status, equals: 1)
        #expect(result.errors.contains("is not in it"))
        try expect(Self.query(database, "SELECT count(*) FROM captures"), equals: "1\n")
        try expect(Self.query(database, "SELECT max(capture) FROM operations"), equals: "1\n")
        try expect(Self.query(database, "PRAGMA integrity_check"), equals: "ok\n")
    }

    /// The input waits after enough records that many of them are written, so that the process ends in the middle of the capture.
    @Test func aProcessThatIsKilledLeavesNothingOfTheCapture() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("out.db")
        let capture = Repository.capture("heart-rate.btsnoop")
        try expect(Command.attlas(["export", "--sqlite", database, capture]).status, equals: 0)
        let size = try #require(FileManager.default.attributesOfItem(atPath: database)[.size] as? Int)
        let octets = try Data(contentsOf: URL(fileURLWithPath: capture))
        var large = octets
        for _ in 1..<400 { large.append(octets.dropFirst(16)) }
        let path = folder.path("large.btsnoop")
        try large.write(to: URL(fileURLWithPath: path))
        let script = """
            (cat '\(path)'; sleep 60) | '\(Command.binary)' export --sqlite '\(database)' - &
            for i in $(seq 300); do [ "$(stat -c %s '\(database)')" -gt \(size) ] && break; sleep 0.1; done
            stat -c %s '\(database)'; kill -9 %1; pkill -9 -f '\(database)'; wait 2>/dev/null; exit 0
            """
        let killed = try Command.run("/bin/bash", ["-mc", script])
        // Rows were in the file.
        #expect(Int(killed.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > size)
        try expect(Self.query(database, "SELECT count(*) FROM captures"), equals: "1\n")
        try expect(Self.query(database, "SELECT max(capture) FROM records"), equals: "1\n")
        try expect(Self.query(database, "PRAGMA integrity_check"), equals: "ok\n")
    }

    @Test func rowsAreFoundWithoutReadingAllTables() throws {
        let folder = try TemporaryFolder()
        let database = folder.path("out.db")
        try expect(Command.attlas(["export", "--sqlite", database, Self.heartRate]).status, equals: 0)
        for query in [
            "SELECT * FROM heart_rate", "SELECT * FROM conversation WHERE operation = 1",
            "SELECT * FROM fields WHERE operation = 1", "SELECT * FROM operations WHERE characteristic_uuid = '2A37'",
            "SELECT * FROM advertisements WHERE address = ''", "SELECT * FROM findings WHERE rule = ''",
        ] {
            let plan = try Self.query(database, "EXPLAIN QUERY PLAN \(query)")
            #expect(plan.contains("SEARCH") && !plan.contains("SCAN"), "\(query): \(plan)")
        }
    }

    @Test func noOtherFolderIsWrittenTo() throws {
        let result = try Command.attlas([
            "export", "--sqlite", "/nowhere/out.db", Repository.capture("heart-rate.btsnoop"),
        ])
        expect(result.status, equals: 1)
        #expect(result.errors.contains("/nowhere/out.db: unable to open database file: No such file or directory"))
    }

    // MARK: Streams of Arrow

    private static let heartRate = Repository.capture("heart-rate.btsnoop")

    /// What the rows are, pyarrow is asked (Python/tests) and ArrowStreamTests.
    @Test func aStreamAppearsWhenItIsComplete() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.arrows")
        for table in ["operations", "fields"] {
            let result = try Command.attlas(["export", "--force", "--arrow", path, "--table", table, Self.heartRate])
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            let count = table == "fields" ? 232 : 97
            expect(result.output, equals: "\(Self.heartRate): capture 1 · \(table) \(count)\n")
            try expect(FileManager.default.contentsOfDirectory(atPath: folder.url.path), equals: ["out.arrows"])
        }
        let octets = try Data(contentsOf: URL(filePath: path))
        expect(octets.prefix(4), equals: Data([0xFF, 0xFF, 0xFF, 0xFF]))
        expect(octets.suffix(8), equals: Data([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]))
        // The same through a pipe, and nothing else.
        let piped = folder.path("piped.arrows")
        let script = "'\(Command.binary)' export --arrow - --table fields '\(Self.heartRate)' > '\(piped)'"
        try expect(Command.run("/bin/bash", ["-c", script]).status, equals: 0)
        try expect(Data(contentsOf: URL(filePath: piped)), equals: octets)
    }

    @Test func aStreamThatCannotBeWrittenIsAnError() throws {
        let full = try Command.attlas(["export", "--arrow", "/dev/full", Self.heartRate])
        expect(full.status, equals: 1)
        #expect(full.errors.hasPrefix("attlas: /dev/full: cannot be written: No space left on device"))
        let nowhere = try Command.attlas(["export", "--arrow", "/nowhere/out.arrows", Self.heartRate])
        expect(nowhere.status, equals: 1)
        #expect(nowhere.errors.hasPrefix("attlas: /nowhere/out.arrows: cannot be written: No such file or directory"))
        let folder = try TemporaryFolder()
        let copy = try folder.write(try Data(contentsOf: URL(filePath: Self.heartRate)), to: "copy.btsnoop")
        let capture = try Command.attlas(["export", "--arrow", copy, Self.heartRate])
        #expect(capture.status == 1 && capture.errors.contains("exists already"))
    }

    /// A file that cannot be read is reported, and the others are present; of what is damaged, what was read.
    @Test func aStreamHasWhatCouldBeRead() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.arrows")
        let missing = try Command.attlas(["export", "--arrow", path, "/nowhere", Self.heartRate])
        #expect(missing.status == 1 && missing.output.hasSuffix(": capture 1 · operations 97\n"))
        #expect(FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(atPath: path)
        try expect(Command.attlas(["export", "--arrow", path, "/nowhere"]).status, equals: 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        var octets = Array(try Data(contentsOf: URL(filePath: Self.heartRate)))
        octets.removeLast(7)
        let cut = try Command.attlas(["export", "--arrow", path, folder.write(octets, to: "cut.btsnoop")])
        #expect(cut.status == 1 && cut.output.hasSuffix(": capture 1 · operations 97\n"))
        #expect(cut.errors.contains("cut short"))
    }

    /// Who reads has enough; and a process that is interrupted in the middle of a capture.
    @Test func aStreamThatEndsEarlyLeavesNothing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.arrows")
        let script = """
            '\(Command.binary)' export --arrow - '\(Self.heartRate)' '\(Self.heartRate)' | head -c 100 | wc -c
            echo "${PIPESTATUS[0]}"
            mkfifo '\(path).in'
            '\(Command.binary)' export --arrow '\(path)' - < '\(path).in' &
            exec 3> '\(path).in'
            head -c 4000 '\(Self.heartRate)' >&3
            sleep 0.5; kill -INT $!; wait $!; echo "$?"
            """
        let result = try Command.run("/bin/bash", ["-mc", script])
        #expect(result.output.hasPrefix("100\n0\n"), "\(result.output)\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// Traces that follow one another are a trace, whose packets begin with the octet 0x0A: field 1, with a length.
    @Test func aTraceIsAFileOrStandardOutput() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("out.pftrace")
        let result = try Command.attlas(["export", "--perfetto", path, Self.heartRate, Self.heartRate])
        #expect(result.status == 0 && result.output.split(separator: "\n").count == 2, "\(result.errors)")
        #expect(result.output.contains("1 connection · 36 transactions"), "\(result.output)")
        let written = try Data(contentsOf: URL(filePath: path))
        expect(written.first, equals: 0x0A)
        #expect(String(decoding: written, as: UTF8.self).contains("heart-rate.btsnoop · 1 · HRM-7"))
        let script = "'\(Command.binary)' export --perfetto - '\(Self.heartRate)' | cksum | cut -d' ' -f2"
        let piped = try Command.run("/bin/bash", ["-c", script])
        let single = try Command.attlas(["export", "--force", "--perfetto", path, Self.heartRate])
        expect(single.status, equals: 0)
        try expect(piped.output, equals: "\(Data(contentsOf: URL(filePath: path)).count)\n", "\(piped.errors)")
    }

    @Test(arguments: [
        ("", "Give --sqlite FILE for a database, --arrow FILE for one table, --perfetto FILE for a trace, or"),
        ("--sqlite a.db --arrow a.arrows", "Give --sqlite FILE for a database, --arrow FILE for one table,"),
        ("--perfetto a.pftrace --arrow a.arrows", "Give --sqlite FILE for a database, --arrow FILE for one table,"),
        ("--perfetto a.pftrace --wide 2A37", "--wide is for --sqlite: it makes a view."),
        ("--perfetto a.pftrace --table fields", "--table is for --arrow."),
        ("--sqlite a.db --table fields", "--table is for --arrow: a database has all tables."),
        ("--arrow a.arrows --wide 2A37", "--wide is for --sqlite: it makes a view."),
        ("--sqlite a.db --force", "--force is for --arrow, --perfetto and --twin: a database is added to."),
        ("--arrow a.arrows --table x", "The value 'x' is invalid for '--table <table>'"),
    ]) func optionsThatDoNotGoTogetherAreRefused(_ options: String, _ reason: String) throws {
        let result = try Command.attlas(["export"] + options.split(separator: " ").map(String.init) + [Self.heartRate])
        #expect(result.status == 64 && result.errors.contains(reason), "\(result.errors)")
    }
}

@Suite struct ExportLongTests {
    @Test(arguments: Repository.captureNames) func theTablesSayWhatTheLinesSay(_ name: String) throws {
        try ExportTests().theTablesSayWhatTheLinesSay(name)
    }
}

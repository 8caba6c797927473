import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasCapture
@testable import AttlasInput
@testable import AttlasRecords

/// Recording: what was read is written, and reads back as the same records.
@Suite struct RecordWriterTests {
    private struct Kept: Equatable {
        let time: Timestamp
        let content: Record.Content
        let direction: Direction
        let controller: UInt16
        let octets: [UInt8]
        let missing: Int
    }

    private func records(of path: String) throws -> [Kept] {
        var reader = try CaptureReader(path: path)
        var records: [Kept] = []
        while let record = try reader.next() {
            let time = Timestamp(seconds: record.time.seconds, nanoseconds: record.time.nanoseconds, precision: 0)
            records.append(
                Kept(
                    time: time, content: record.content, direction: record.direction, controller: record.controller,
                    octets: record.bytes.copy(), missing: record.missing))
        }
        return records
    }

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        try body(folder.url.path)
    }

    private func files(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @discardableResult
    private func write(
        _ capture: String, to path: String, _ rotation: RecordWriter.Rotation = .init(),
        _ system: RecordWriter.System = .init()
    ) throws -> RecordWriter {
        var reader = try CaptureReader(capture: capture)
        let writer = try RecordWriter(OutputPath(path, .recording), rotation, system)
        while let record = try reader.next() { writer.write(record) }
        writer.flush()
        #expect(writer.failure == nil)
        return writer
    }

    @Test(arguments: ["heart-rate.btsnoop", "two-controllers.btsnoop", "two-controllers.pcap"], ["btsnoop", "pcapng"])
    func readsBackTheSame(capture: String, suffix: String) throws {
        try withFolder { folder in
            let path = "\(folder)/copy.\(suffix)"
            try write(capture, to: path)
            try expect(records(of: path), equals: records(of: Repository.capture(capture)))
        }
    }

    /// A sniffer's packets go to a separate interface; the event counter has no place in the format.
    @Test func packetsOfTheAirReadBackTheSame() throws {
        try withFolder { folder in
            let kind = PCAPKind()
            let packet = hex("78563412 0600 AABBCC")
            let heads = [
                "0C C4 00 00 00000000 034C", "01 00 00 00 00000000 0135", "27 00 00 00 00000000 8100",
                "FF 00 00 00 00000000 8184",
            ]
            let bytes = kind.header(256) + heads.flatMap { kind.record(hex($0) + packet + [0]) }
            let path = "\(folder)/air.pcapng"
            try Data(bytes).write(to: URL(filePath: "\(folder)/in.pcap"))
            let writer = try RecordWriter(path: path)
            var reader = try CaptureReader(bytes: bytes, name: "test")
            while let record = try reader.next() { writer.write(record) }
            writer.flush()
            #expect(writer.failure == nil)
            let copy = try records(of: path)
            let original = try records(of: "\(folder)/in.pcap")
            expect(copy.map(\.content), equals: original.map(\.content))
            expect(copy.map(\.direction), equals: original.map(\.direction))
            expect(copy.map(\.octets), equals: original.map(\.octets))
            expect(copy.map(\.controller), equals: [0, 0, 0, 0])

            let btsnoop = try RecordWriter(path: "\(folder)/air.btsnoop")
            reader = try CaptureReader(bytes: bytes, name: "test")
            while let record = try reader.next() { btsnoop.write(record) }
            #expect(
                btsnoop.failure?.reason.hasPrefix("btsnoop cannot hold packets from the air: recording stopped;")
                    == true)
        }
    }

    /// The files together hold what one would.
    @Test func beginsAnotherFileBySize() throws {
        try withFolder { folder in
            try write("heart-rate.btsnoop", to: "\(folder)/log.btsnoop", .init(octets: 2_000))
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(files.count > 3)
            let parts = (0..<files.count).map { $0 == 0 ? "log.btsnoop" : "log.\($0).btsnoop" }
            let joined = try parts.flatMap { try records(of: "\(folder)/\($0)") }
            try expect(joined, equals: records(of: Repository.capture("heart-rate.btsnoop")))
        }
    }

    /// By the clock of this machine: the times of the records are whatever a capture says.
    @Test func beginsAnotherFileByTime() throws {
        try withFolder { folder in
            var seconds: Int64 = 0
            var system = RecordWriter.System()
            system.clock = {
                seconds += 1
                return seconds * 1_000_000_000
            }
            // A call of the clock for the beginning of each file, and for each of the 177 records: one hour holds 60 calls.
            try write("heart-rate.btsnoop", to: "\(folder)/log.pcapng", .init(seconds: 60), system)
            try expect(files(in: folder), equals: ["log.1.pcapng", "log.2.pcapng", "log.pcapng"])
        }
    }

    // MARK: Existing files

    @Test func aFileIsReplacedOnlyWithForce() throws {
        try withFolder { folder in
            let path = "\(folder)/log.btsnoop"
            try Data("mine".utf8).write(to: URL(filePath: path))
            let error = #expect(throws: CaptureError.self) { try RecordWriter(path: path) }
            expect(error?.reason, equals: "exists already")
            try expect(Data(contentsOf: URL(filePath: path)), equals: Data("mine".utf8))
            // Who has it by another name keeps it.
            try FileManager.default.linkItem(atPath: path, toPath: "\(folder)/other")
            try RecordWriter(path: path, replaces: true).flush()
            try expect(Data(contentsOf: URL(filePath: path)).prefix(7), equals: Data("btsnoop".utf8))
            try expect(Data(contentsOf: URL(filePath: "\(folder)/other")), equals: Data("mine".utf8))
        }
    }

    /// A name that another program has taken meanwhile does not end a recording.
    @Test func namesThatAreTakenAreLeftOut() throws {
        try withFolder { folder in
            try Data("mine".utf8).write(to: URL(filePath: "\(folder)/log.1.btsnoop"))
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/log.2.btsnoop", withDestinationPath: "\(folder)/nowhere")
            try write("heart-rate.btsnoop", to: "\(folder)/log.btsnoop", .init(octets: 4_000))
            try expect(Data(contentsOf: URL(filePath: "\(folder)/log.1.btsnoop")), equals: Data("mine".utf8))
            try expect(files(in: folder), equals: ["log.1.btsnoop", "log.2.btsnoop", "log.3.btsnoop", "log.btsnoop"])
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/nowhere"))
        }
    }

    @Test func whatIsReadIsNeverReplaced() throws {
        try withFolder { folder in
            let source = "\(folder)/in.btsnoop"
            try Data("mine".utf8).write(to: URL(filePath: source))
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/soft", withDestinationPath: source)
            try FileManager.default.linkItem(atPath: source, toPath: "\(folder)/hard")
            FilesRead.note(source)
            FilesRead.note("\(folder)/in.btsnoop.1.x")
            for name in ["in.btsnoop", "soft", "hard", "./in.btsnoop"] {
                let error = #expect(throws: CaptureError.self) {
                    try RecordWriter(path: "\(folder)/\(name)", replaces: true)
                }
                expect(error?.reason, equals: "is a file that this command reads: writing to it would destroy it")
            }
            // Also when it appears later by the name of a next file.
            let rotated = try RecordWriter(
                path: "\(folder)/in.btsnoop.x", rotation: .init(octets: 1), replaces: true)
            var reader = try CaptureReader(capture: "heart-rate.btsnoop")
            for _ in 0..<3 { if let record = try reader.next() { rotated.write(record) } }
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/in.btsnoop.1.x"))
            try expect(Data(contentsOf: URL(filePath: source)), equals: Data("mine".utf8))
        }
    }

    @Test func linksAndDevicesAreNoRecordings() throws {
        try withFolder { folder in
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/link", withDestinationPath: "\(folder)/target")
            for (path, reason) in [
                ("\(folder)/link", "is a symbolic link, and links are not followed"),
                ("/dev/null", "is not a regular file"),
            ] {
                let error = #expect(throws: CaptureError.self) { try RecordWriter(path: path, replaces: true) }
                expect(error?.reason, equals: reason)
            }
            try expect(files(in: folder), equals: ["link"])
        }
    }

    @Test func twoRecordingsDoNotShareAFile() throws {
        try withFolder { folder in
            let path = "\(folder)/log.btsnoop"
            let first = try RecordWriter(path: path)
            let error = #expect(throws: CaptureError.self) { try RecordWriter(path: path, replaces: true) }
            expect(error?.reason, equals: "another program is writing it")
            first.flush()
        }
    }

    @Test func recordingsArePrivate() throws {
        try withFolder { folder in
            try RecordWriter(path: "\(folder)/log.btsnoop").flush()
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/log.btsnoop")[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    // MARK: How much is kept

    @Test func onlySoManyFilesAreKept() throws {
        try withFolder { folder in
            // Of an earlier recording: not one of these.
            try Data("mine".utf8).write(to: URL(filePath: "\(folder)/log.0.btsnoop"))
            let path = "\(folder)/log.btsnoop"
            let writer = try write("heart-rate.btsnoop", to: path, .init(octets: 2_000, keptFiles: 2))
            let names = try files(in: folder)
            #expect(names.count == 3 && names.first == "log.0.btsnoop")
            expect(writer.firstName, equals: "\(folder)/\(names[1])")
            // The last ones.
            let all = try records(of: Repository.capture("heart-rate.btsnoop"))
            let kept = try names.dropFirst().flatMap { try records(of: "\(folder)/\($0)") }
            #expect(kept == Array(all.suffix(kept.count)) && kept.count > 20)
        }
    }

    @Test func onlySoManyOctetsAreKept() throws {
        try withFolder { folder in
            try write("heart-rate.btsnoop", to: "\(folder)/log.pcapng", .init(octets: 1_000, keptOctets: 3_500))
            let sizes = try files(in: folder).map { try Data(contentsOf: URL(filePath: "\(folder)/\($0)")).count }
            #expect(sizes.count > 2)
            #expect(sizes.reduce(0, +) <= 3_500)
        }
    }

    /// A file that took the name of one of the recording's is somebody's.
    @Test func onlyItsOwnFilesAreRemoved() throws {
        try withFolder { folder in
            let path = "\(folder)/log.btsnoop"
            let writer = try RecordWriter(path: path, rotation: .init(octets: 2_000, keptFiles: 1))
            try FileManager.default.moveItem(atPath: path, toPath: "\(folder)/saved")
            try Data("mine".utf8).write(to: URL(filePath: path))
            var reader = try CaptureReader(capture: "heart-rate.btsnoop")
            while let record = try reader.next() { writer.write(record) }
            try expect(Data(contentsOf: URL(filePath: path)), equals: Data("mine".utf8))
            try expect(files(in: folder).count, equals: 3)
        }
    }

    /// Two files of one second have numbers besides.
    @Test func namesHaveTheTimeIfTheyShall() throws {
        try withFolder { folder in
            var system = RecordWriter.System()
            // 2026-11-21 06:41:45 UTC.
            system.date = { 1_795_243_305 }
            let path = "\(folder)/log.btsnoop"
            try write("heart-rate.btsnoop", to: path, .init(octets: 5_000, isNamedByTime: true), system)
            try expect(files(in: folder), equals: ["log.20261121T064145Z.1.btsnoop", "log.20261121T064145Z.btsnoop"])
        }
    }

    // MARK: What goes wrong

    /// The disk takes a number of octets, then there is an error: it is said once, and the file ends with a whole record.
    @Test(arguments: [
        (ENOSPC, "No space left on device"), (EIO, "Input/output error"), (EFBIG, "File too large"),
        (EDQUOT, "Disk quota exceeded"),
    ])
    func aDiskThatTakesNoMoreIsTold(number: CInt, message: String) throws {
        try withFolder { folder in
            let path = "\(folder)/log.btsnoop"
            var reader = try CaptureReader(capture: "heart-rate.btsnoop")
            let writer = try RecordWriter(OutputPath(path, .recording), .init(), disk(of: 5_000, then: number))
            while let record = try reader.next() { writer.write(record) }
            writer.flush()
            expect(
                writer.failure?.reason, equals: "\(message): recording stopped; the file ends with a complete record")
            #expect(writer.failure?.advice != nil)
            #expect(try records(of: path).count > 50)
        }
    }

    /// Of a file that is to be whole, nothing is left; what had the name before stays.
    @Test func aWholeFileOnAFullDiskIsNone() throws {
        try withFolder { folder in
            let path = "\(folder)/log.btsnoop"
            try Data("mine".utf8).write(to: URL(filePath: path))
            var reader = try CaptureReader(capture: "heart-rate.btsnoop")
            let writer = try RecordWriter(
                OutputPath(path, replaces: true), .init(), disk(of: 5_000, then: ENOSPC), isWhole: true)
            while let record = try reader.next() { writer.write(record) }
            let error = #expect(throws: CaptureError.self) { try writer.complete(isKept: true) }
            #expect(error?.file == path && error?.reason == "No space left on device")
            try expect(files(in: folder), equals: ["log.btsnoop"])
            try expect(Data(contentsOf: URL(filePath: path)), equals: Data("mine".utf8))
        }
    }

    /// A file that a SIGKILL leaves is a capture from its first moment.
    @Test(arguments: ["btsnoop", "pcapng"]) func aFileHasItsHeadAtOnce(suffix: String) throws {
        try withFolder { folder in
            let path = "\(folder)/log.\(suffix)"
            let writer = try RecordWriter(path: path)
            #expect(try records(of: path).isEmpty)
            withExtendedLifetime(writer) {}
        }
    }

    /// The disk is full before the head is in it: there is no file, and what had the name before stays.
    @Test(arguments: [0, 10]) func aFileWithoutItsHeadIsNone(octets: Int) throws {
        try withFolder { folder in
            try Data("mine".utf8).write(to: URL(filePath: "\(folder)/old.btsnoop"))
            for name in ["old", "new"] {
                let error = #expect(throws: CaptureError.self) {
                    try RecordWriter(
                        OutputPath("\(folder)/\(name).btsnoop", .recording, replaces: true), .init(),
                        disk(of: octets, then: ENOSPC))
                }
                expect(error?.reason, equals: "cannot be written: No space left on device")
            }
            try expect(files(in: folder), equals: ["old.btsnoop"])
            try expect(Data(contentsOf: URL(filePath: "\(folder)/old.btsnoop")), equals: Data("mine".utf8))
        }
    }

    /// What is kept goes only for a file that has begun: the disk is full when the second one is to begin.
    @Test func aFileThatCannotBeginCostsNone() throws {
        try withFolder { folder in
            var writes = 0
            var system = RecordWriter.System()
            system.write = { descriptor, octets in
                writes += 1
                if writes > 2 {
                    errno = ENOSPC
                    return -1
                }
                return SystemCalls.write(descriptor, octets)
            }
            var reader = try CaptureReader(capture: "heart-rate.btsnoop")
            let path = "\(folder)/log.btsnoop"
            let writer = try RecordWriter(OutputPath(path, .recording), .init(octets: 2_000, keptFiles: 1), system)
            while let record = try reader.next() { writer.write(record) }
            writer.flush()
            expect(writer.failure?.reason, equals: "cannot be written: No space left on device")
            expect(writer.firstName, equals: path)
            try expect(files(in: folder), equals: ["log.btsnoop"])
            #expect(try records(of: path).count > 20)
        }
    }

    /// Neither the first file nor a later one is left without a record: the disk is full from this write on. Two writes are a
    /// file: its head, and its records.
    @Test(arguments: [0, 1, 2, 3, 4]) func noEmptyFileIsLeft(writes: Int) throws {
        try withFolder { folder in
            var left = writes
            var system = RecordWriter.System()
            system.write = { descriptor, octets in
                left -= 1
                // The beginning of the file is still taken.
                if left < -1 {
                    errno = ENOSPC
                    return -1
                }
                return SystemCalls.write(descriptor, left == -1 ? octets.extracting(first: 16) : octets)
            }
            var reader = try CaptureReader(capture: "heart-rate.btsnoop")
            let writer = try RecordWriter(
                OutputPath("\(folder)/log.btsnoop", .recording), .init(octets: 2_000), system)
            while let record = try reader.next() { writer.write(record) }
            writer.flush()
            expect(
                writer.failure?.reason,
                equals: "No space left on device: recording stopped; without a record, the file was removed")
            try expect(files(in: folder).count, equals: writes / 2)
            expect(writer.firstName == nil, equals: writes < 2)
        }
    }

    private func disk(of octets: Int, then number: CInt) -> RecordWriter.System {
        var left = octets
        var system = RecordWriter.System()
        system.write = { descriptor, octets in
            guard left > 0 else {
                errno = number
                return -1
            }
            let count = SystemCalls.write(descriptor, octets.extracting(first: left))
            left -= count
            return count
        }
        return system
    }

    /// 9999-12-31 23:59:59.999999 and the last second of 64 bits; before 1970 for pcapng, whose times have no sign.
    @Test(arguments: [
        ("btsnoop", Int64.max, 1, Int64(9_223_372_036_854) - 62_168_256_000),
        ("pcapng", -1, 1, 0), ("pcapng", 253_402_300_799, 1, 18_446_744_073),
        ("btsnoop", 253_402_300_799, 0, 253_402_300_799), ("pcapng", 1_795_243_305, 0, 1_795_243_305),
    ])
    func timesOutsideTheFormatAreMovedAndTold(suffix: String, seconds: Int64, notices: Int, written: Int64) throws {
        try withFolder { folder in
            let path = "\(folder)/log.\(suffix)"
            let writer = try RecordWriter(path: path)
            let octets = hex("03 0C 00")
            for frame in 1...2 {
                let header = CollectionOfOne(
                    RecordHeader(
                        frame: frame, time: Timestamp(seconds: seconds, nanoseconds: 0, precision: 6),
                        content: .packet(.command), direction: .tx, controller: 0, length: octets.count, missing: 0,
                        lost: UInt32(frame - 1)))
                writer.write(Record(header, bytes: Bytes(octets.span)))
            }
            writer.flush()
            expect(writer.takeNotices().count, equals: notices)
            var reader = try CaptureReader(path: path)
            var times: [Int64] = []
            var lost: [UInt32] = []
            while let record = try reader.next() {
                times.append(record.time.seconds)
                lost.append(record.lost)
            }
            expect(times, equals: [written, written])
            // What the capture lost is in its recording, too.
            expect(lost, equals: [0, 1])
        }
    }

    @Test func whatCannotBeMadeIsTold() {
        #expect(throws: CaptureError.self) { try RecordWriter(path: "/no/such/folder/x.btsnoop") }
    }
}

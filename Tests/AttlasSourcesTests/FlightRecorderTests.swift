import AttlasLocks
import AttlasTestSupport
import AttlasThreads
import AttlasWire
import Foundation
import Glibc
import Testing

@testable import AttlasCapture
@testable import AttlasInput
@testable import AttlasRecords
@testable import AttlasSources

/// What is recorded around incidents.
@Suite struct FlightRecorderTests {
    /// A recorder whose records come when their time is, one in a batch.
    private final class Rig {
        let folder: TemporaryFolder
        let writer: RecordWriter
        var recorder: FlightRecorder
        var messages: [String] = []
        var now: Int64 = 0

        init(
            seconds: Int64 = 10, octets: Int = 1 << 20, _ rotation: RecordWriter.Rotation = .init(),
            system: RecordWriter.System = .init()
        ) throws {
            folder = try TemporaryFolder()
            writer = try RecordWriter(
                OutputPath("\(folder.url.path)/log.btsnoop", .recording), rotation, system, isInPieces: true)
            recorder = FlightRecorder(.init(seconds: seconds, octets: octets))
        }

        private func say(_ error: CaptureError) {
            messages.append("\((error.file as NSString).lastPathComponent): \(error.reason)")
        }

        /// - Parameter second: Of the record's own clock, if that is another.
        func record(_ frame: Int, at second: Int64? = nil, _ triggers: Int..., arriving: Int64? = nil) {
            now = (arriving ?? Int64(frame)) * 1_000_000_000
            let header = CollectionOfOne(
                RecordHeader(
                    frame: frame, time: Timestamp(seconds: second ?? Int64(frame), nanoseconds: 0, precision: 6),
                    content: .packet(.command), direction: .tx, controller: 0, length: 3, missing: 0, lost: 0))
            let octets: [UInt8] = [UInt8(truncatingIfNeeded: frame), 0x0C, 0x00]
            var batch = RecordBatch()
            batch.append(Record(header, bytes: Bytes(octets.span)))
            let all = triggers.map { FlightRecorder.Trigger(frame: $0, name: "link lost") }
            recorder.add(batch, at: now, all, to: writer, say)
        }

        func finish() { recorder.finish([], writer, say) }

        var files: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
        }

        /// The frames in a file, by the first octet of each.
        func frames(_ name: String) throws -> [Int] {
            var reader = try CaptureReader(path: "\(folder.url.path)/\(name)")
            var frames: [Int] = []
            while let record = try reader.next() { frames.append(Int(record.bytes[0])) }
            return frames
        }
    }

    @Test func theTimeBeforeAndAfterIsRecorded() throws {
        let rig = try Rig()
        for frame in 1...49 { rig.record(frame) }
        try expect(rig.files, equals: [])
        rig.record(50, 50)
        // On the disk at once.
        try expect(rig.frames("log.btsnoop"), equals: Array(40...50))
        for frame in 51...80 { rig.record(frame) }
        try expect(rig.frames("log.btsnoop"), equals: Array(40...60))
        rig.finish()
        expect(
            rig.messages,
            equals: [
                "log.btsnoop: link lost in frame 50: recorded with the 10 s before it",
                "log.btsnoop: complete: 21 records, 1 incident",
            ])
    }

    @Test func aTriggerMakesThePieceLonger() throws {
        let rig = try Rig()
        for frame in 1...100 {
            if frame == 20 || frame == 28 || frame == 60 { rig.record(frame, frame) } else { rig.record(frame) }
        }
        rig.finish()
        try expect(rig.files, equals: ["log.1.btsnoop", "log.btsnoop"])
        try expect(rig.frames("log.btsnoop"), equals: Array(10...38))
        try expect(rig.frames("log.1.btsnoop"), equals: Array(50...70))
        #expect(rig.messages.contains("log.btsnoop: complete: 29 records, 2 incidents"))
    }

    /// Each is known at the record that shows it, whatever it is about; one that comes first waits for its record.
    @Test func aTriggerWaitsForItsRecord() throws {
        let rig = try Rig(seconds: 2)
        rig.record(1, 5)
        for frame in 2...4 { rig.record(frame) }
        try expect(rig.files, equals: [])
        rig.record(5)
        rig.record(6)
        rig.record(7, 3)
        rig.finish()
        try expect(rig.frames("log.btsnoop"), equals: [3, 4, 5, 6, 7])
        expect(rig.messages.last, equals: "log.btsnoop: complete: 5 records, 2 incidents")
    }

    @Test func aShortSessionHasAllOfItsRecords() throws {
        let rig = try Rig(seconds: 60)
        for frame in 1...4 { rig.record(frame) }
        rig.record(5, 5)
        rig.finish()
        try expect(rig.frames("log.btsnoop"), equals: [1, 2, 3, 4, 5])
        expect(rig.messages.first, equals: "log.btsnoop: link lost in frame 5: recorded with the 4 s before it")
    }

    @Test func whatMemoryCutsIsSaid() throws {
        // Memory for ten records or so.
        let rig = try Rig(seconds: 100, octets: 1_000)
        for frame in 1...49 { rig.record(frame) }
        rig.record(50, 50)
        let kept = try rig.frames("log.btsnoop")
        #expect(kept.last == 50 && kept.count < 40 && kept.count > 2)
        expect(
            rig.messages,
            equals: [
                "log.btsnoop: link lost in frame 50: recorded with the \(50 - kept[0]) s before it, not 1 min 40 s: --keep-memory is 1000 octets"
            ])
    }

    /// Set back, or ahead by more than what is kept: the time of arrival counts.
    @Test(arguments: [-3_600, 3_600] as [Int64]) func aClockThatIsSetMakesNothingOld(_ step: Int64) throws {
        let rig = try Rig()
        for frame in 1...30 { rig.record(frame) }
        for frame in 31...34 { rig.record(frame, at: Int64(frame) + step) }
        rig.record(35, at: 35 + step, 35)
        try expect(rig.frames("log.btsnoop"), equals: Array(25...35))
        for frame in 36...60 { rig.record(frame, at: Int64(frame) + step) }
        try expect(rig.frames("log.btsnoop"), equals: Array(25...45))
    }

    /// A capture that comes at once has the times of its records.
    @Test func aFinishedCaptureHasItsOwnTime() throws {
        let rig = try Rig()
        for frame in 1...49 { rig.record(frame, arriving: 0) }
        rig.record(50, 50, arriving: 0)
        for frame in 51...80 { rig.record(frame, arriving: 0) }
        try expect(rig.frames("log.btsnoop"), equals: Array(40...60))
    }

    @Test func onlySoManyPiecesAreKept() throws {
        let rig = try Rig(seconds: 2, .init(keptFiles: 2))
        for frame in 1...100 { if frame.isMultiple(of: 20) { rig.record(frame, frame) } else { rig.record(frame) } }
        rig.finish()
        try expect(rig.files, equals: ["log.3.btsnoop", "log.4.btsnoop"])
        try expect(rig.frames("log.4.btsnoop"), equals: [98, 99, 100])
    }

    /// The file ends with a complete record, and no later piece begins.
    @Test func aFullDiskEndsIt() throws {
        let room = Locked(150)
        var system = RecordWriter.System()
        system.write = { descriptor, octets in
            let count = room.withLock { room in
                defer { room = max(0, room - octets.count) }
                return min(room, octets.count)
            }
            guard count > 0 else {
                errno = ENOSPC
                return -1
            }
            return SystemCalls.write(descriptor, octets.extracting(first: count))
        }
        let rig = try Rig(seconds: 5, system: system)
        for frame in 1...100 { if frame.isMultiple(of: 20) { rig.record(frame, frame) } else { rig.record(frame) } }
        rig.finish()
        #expect(rig.writer.failure?.reason.contains("the file ends with a complete record") == true)
        expect(rig.messages, equals: [])
        try expect(rig.files, equals: ["log.btsnoop"])
        // 16 octets of the file, and 27 of each record.
        try expect(rig.frames("log.btsnoop"), equals: Array(15...18))
    }

    @Test func aFolderThatCannotBeWrittenIsRefusedAtOnce() throws {
        let error = #expect(throws: CaptureError.self) {
            try RecordWriter(piecesOf: "/no/such/folder/x", rotation: .init(), replaces: false)
        }
        expect(error?.reason, equals: "cannot be written: No such file or directory")
    }

    // MARK: With the threads around it

    /// What is decoded decides, however fast records come: the last record is the incident.
    @Test func aTriggerAtTheEndIsRecorded() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.url.path)/log.btsnoop"
        let messages = Locked<[String]>([])
        let reception = Reception(
            OpenSource(kind: .pipe(path: Repository.capture("heart-rate.btsnoop"))), follows: false, isRecorded: true,
            window: .init(seconds: 1, octets: 1 << 20)
        ) { error in messages.withLock { $0.append(error.reason) } }
        let receiver = Worker {
            reception.receive { () throws(CaptureError) in
                try RecordWriter(piecesOf: path, rotation: .init(), replaces: false)
            }
        }
        let recorder = Worker { reception.record() }
        var last = 0
        while let batch = reception.view.next() {
            last = batch.lastFrame ?? last
            usleep(20_000)
        }
        reception.trigger(frame: last, "link lost")
        reception.endTriggers()
        reception.finishRecording { false }
        receiver?.join()
        recorder?.join()
        #expect(last == 177 && !reception.hasRecordingFailed && reception.recordingName == path)
        var reader = try CaptureReader(path: path)
        var count = 0
        while try reader.next() != nil { count += 1 }
        #expect(count > 1 && count < 177)
        expect(messages.withLock { $0.last }, equals: "complete: \(count) records, 1 incident")
    }
}

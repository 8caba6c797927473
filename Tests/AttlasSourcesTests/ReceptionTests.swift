import AttlasLocks
import AttlasTestSupport
import AttlasThreads
import AttlasWire
import Dispatch
import Foundation
import Testing

@testable import AttlasCapture
@testable import AttlasInput
@testable import AttlasRecords
@testable import AttlasSources

/// The view and the recording of a live source do not wait for each other.
@Suite struct ReceptionTests {
    private let capture = Repository.capture("heart-rate.btsnoop")

    /// Numbers of frames, and what was lost before each.
    private func take(_ queue: RecordQueue) -> [(frame: Int, lost: UInt32)] {
        var records: [(Int, UInt32)] = []
        while let batch = queue.next() {
            batch.visit { record in
                records.append((record.frame, record.lost))
                return true
            }
        }
        return records
    }

    private func batch(_ frame: Int, octets: [UInt8] = []) -> RecordBatch {
        let header = CollectionOfOne(
            RecordHeader(
                frame: frame, time: .epoch, content: .packet(.command), direction: .tx, controller: 0,
                length: octets.count, missing: 0, lost: 0))
        var batch = RecordBatch()
        batch.append(Record(header, bytes: Bytes(octets.span)))
        return batch
    }

    // MARK: The queue

    /// What finds no room is lost, and the next record that finds some says how many.
    @Test func whatFindsNoRoomIsCountedAndTold() {
        let queue = RecordQueue(limit: 2 * batch(1).size)
        #expect(!queue.put(batch(1), patience: 0))
        #expect(!queue.put(batch(2), patience: 0))
        #expect(queue.put(batch(3), patience: 0))
        #expect(!queue.put(batch(4), patience: 0))
        _ = queue.next()
        #expect(!queue.put(batch(5), patience: 0))
        queue.end()
        #expect(!queue.put(batch(6), patience: 0))
        let records = take(queue)
        expect(records.map(\.frame), equals: [2, 5])
        expect(records.map(\.lost), equals: [0, 2])
        expect(queue.lost, equals: 2)
    }

    /// A reader that takes something from time to time gets all of it.
    @Test func aReaderThatGoesOnIsWaitedFor() {
        let queue = RecordQueue(limit: 1)
        let worker = Worker {
            for frame in 1...20 { _ = queue.put(batch(frame), patience: .max) }
            queue.end()
        }
        expect(take(queue).map(\.frame), equals: Array(1...20))
        worker?.join()
        expect(queue.lost, equals: 0)
    }

    /// At the end there is room for what was read.
    @Test func nothingIsLostAtTheEnd() {
        let queue = RecordQueue(limit: 1)
        queue.stop()
        for frame in 1...3 { _ = queue.put(batch(frame), patience: 0) }
        queue.end()
        expect(take(queue).map(\.frame), equals: [1, 2, 3])
    }

    @Test func recordsAreCopiedWithTheirOctetsAndComments() throws {
        let blocks = PCAPNGBlocks()
        let comments = blocks.option(1, Array("here".utf8)) + blocks.option(1, Array("there".utf8))
        let capture =
            blocks.section() + blocks.interface(187) + blocks.enhanced(Sample.acl)
            + blocks.enhanced(Sample.acl, options: comments)
        var batch = RecordBatch()
        var reader = try CaptureReader(bytes: capture, name: "test")
        while let record = try reader.next() { batch.append(record) }
        reader = try CaptureReader(bytes: capture, name: "test")
        var count = 0
        try #require(batch.count > 0)
        batch.visit { copy in
            guard let record = try? reader.next() else { return false }
            count += 1
            expect(copy.bytes.copy(), equals: record.bytes.copy())
            expect(copy.comments, equals: record.comments)
            return true
        }
        expect(count, equals: batch.count)
    }

    // MARK: The disk

    /// A disk that takes the head of the file and then nothing: the view has everything, and the end does not wait for it.
    @Test func aDiskThatTakesNothingHoldsNobody() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.url.path)/copy.btsnoop"
        let told = Locked<[String]>([])
        let reception = Reception(OpenSource(kind: .pipe(path: capture)), follows: false, isRecorded: true) { error in
            told.withLock { $0.append(error.detailedDescription) }
        }
        let disk = DispatchSemaphore(value: 1)
        let receiver = Worker {
            reception.receive { () throws(CaptureError) in
                var system = RecordWriter.System()
                system.write = { descriptor, octets in
                    disk.wait()
                    return SystemCalls.write(descriptor, octets)
                }
                return try RecordWriter(OutputPath(path, .recording), .init(), system)
            }
        }
        let recorder = Worker { reception.record() }
        expect(take(reception.view).count, equals: 177)
        receiver?.join()
        reception.finishRecording { true }
        #expect(reception.hasRecordingFailed)
        expect(
            told.withLock { $0 },
            equals: [
                "the recording: the disk takes nothing: the last records are missing from the recording"
            ])
        // It takes everything after all.
        for _ in 0..<100 { disk.signal() }
        recorder?.join()
        var reader = try CaptureReader(path: path)
        var count = 0
        while try reader.next() != nil { count += 1 }
        expect(count, equals: 177)
    }

    /// A recording that cannot begin ends it before a record is read.
    @Test func aRecordingThatCannotBeginEndsIt() throws {
        let reception = Reception(OpenSource(kind: .pipe(path: capture)), follows: false, isRecorded: true) { _ in }
        reception.receive { () throws(CaptureError) in try RecordWriter(path: "/no/such/folder/x") }
        reception.record()
        #expect(take(reception.view).isEmpty)
        expect(reception.failure?.reason, equals: "cannot be written: No such file or directory")
        reception.finishRecording { false }
    }
}

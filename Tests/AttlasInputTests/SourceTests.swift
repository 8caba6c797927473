import AttlasTestSupport
import AttlasWire
import Dispatch
import Foundation
import Glibc
import Testing

@testable import AttlasCapture
@testable import AttlasInput

/// Where octets come from, and how few at a time.
@Suite struct SourceTests {
    /// Calls itself a pipe: gives at most `chunk` octets a read.
    func source(_ bytes: [UInt8], chunk: Int) -> ByteSource {
        var left = bytes[...]
        return ByteSource(name: "test") { buffer in
            let count = min(chunk, left.count, buffer.freeCapacity)
            for octet in left.prefix(count) { buffer.append(octet) }
            left = left.dropFirst(count)
            return .octets
        }
    }

    @Test(arguments: SampleFile.all, [1, 3, 17])
    func octetsInAnyPortionsGiveTheSameRecords(file: SampleFile, chunk: Int) {
        let reading = Reading { () throws(CaptureError) in try CaptureReader(source(file.bytes, chunk: chunk)) }
        expect(reading, equals: Reading(file.bytes))
    }

    /// Truncated, or written again, while it is read: the records up to there, and an error. One that was cut before has its own.
    @Test(arguments: ["log.btsnoop", "log.btsnoop.gz"]) func aFileThatBecomesShorterIsAnError(name: String) throws {
        let folder = try TemporaryFolder()
        var octets = btsnoopHeader()
        var generator = SplitMix64(seed: 1)
        for _ in 0..<4_000 {
            octets += btsnoopRecord([2] + (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
        try folder.write(octets, to: "log.btsnoop")
        if name.hasSuffix("gz") { _ = try #require(Tool("gzip")).run(["--keep", folder.path("log.btsnoop")]) }
        func cut(_ path: String) throws {
            try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 300_000)
        }
        var reader = try CaptureReader(path: folder.path(name))
        var count = 0
        var failure: CaptureError?
        do throws(CaptureError) {
            while let record = try reader.next() {
                if case .broken = record.content { continue }
                count += 1
                if count == 10 { #expect(throws: Never.self) { try cut(folder.path(name)) } }
            }
        } catch {
            failure = error
        }
        expect(failure?.kind, equals: .changed)
        #expect(count > 1_000 && count < 4_000)
    }

    /// A log that is being written is read to the end that it has then.
    @Test func aFileThatGrowsIsReadToItsEnd() throws {
        let folder = try TemporaryFolder()
        let records = (0..<2_000).flatMap { _ in btsnoopRecord([2] + [UInt8](repeating: 7, count: 200)) }
        try folder.write(btsnoopHeader() + records, to: "log.btsnoop")
        var reader = try CaptureReader(path: folder.path("log.btsnoop"))
        var count = 0
        while try reader.next() != nil {
            count += 1
            guard count == 1 else { continue }
            let log = try FileHandle(forWritingTo: URL(filePath: folder.path("log.btsnoop")))
            try log.seekToEnd()
            try log.write(contentsOf: Data(records))
        }
        expect(count, equals: 4_000)
    }

    @Test func recordsBeyondTheBufferAreReadWhole() {
        var file = btsnoopHeader()
        for length in [1, 262_143, 5, 200_000, 262_143, 70_000] {
            file += btsnoopRecord([2] + [UInt8](repeating: UInt8(length & 0xFF), count: length))
        }
        let reading = Reading { () throws(CaptureError) in try CaptureReader(source(file, chunk: 65_536)) }
        expect(reading, equals: Reading(file))
        expect(reading.records.map(\.bytes.count), equals: [1, 262_143, 5, 200_000, 262_143, 70_000])
    }

    @Test(arguments: SampleFile.all)
    func aRecordIsGivenAsSoonAsItsLastOctetArrived(file: SampleFile) {
        let records = Reading(file.bytes).records
        var sent = 0
        do throws(CaptureError) {
            var reader = try CaptureReader(
                ByteSource(name: "test") { buffer in
                    guard sent < file.bytes.count else { return .octets }
                    buffer.append(file.bytes[sent])
                    sent += 1
                    return .octets
                })
            for expected in records {
                guard let record = try reader.next() else { break }
                expect(record.frame, equals: expected.frame)
                #expect(file.ends.contains(sent), "more than the record was read")
            }
        } catch {
            Issue.record(error)
        }
    }

    @Test func aPipeDeliversOneOctetAtATime() throws {
        let file = SampleFile.btsnoop
        var ends: [CInt] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let (readEnd, writeEnd) = (ends[0], ends[1])
        let path = "/proc/self/fd/\(readEnd)"
        let writer = Thread {
            for octet in file.bytes { _ = SystemCalls.write(writeEnd, [octet].span) }
            close(writeEnd)
        }
        var reading = Reading { () throws(CaptureError) in try CaptureReader(path: path) }
        writer.join()
        close(readEnd)
        let inMemory = Reading(file.bytes)
        expect(reading.info?.file, equals: path)
        reading.info?.file = "test"
        expect(reading, equals: inMemory)
    }

    @Test func aReadThatFailsKeepsWhatCameBefore() {
        let bytes = SampleFile.btsnoop.bytes
        var isFirst = true
        let reading = Reading { () throws(CaptureError) in
            try CaptureReader(
                ByteSource(name: "test") { buffer in
                    guard isFirst else { return .failed(EIO) }
                    isFirst = false
                    for octet in bytes { buffer.append(octet) }
                    return .octets
                })
        }
        expect(reading.records, equals: Reading(bytes).records)
        expect(reading.error?.kind, equals: .system(EIO))
        expect(reading.error?.offset, equals: UInt64(bytes.count))
        expect(reading.error?.reason, equals: "cannot be read: Input/output error")
    }

    @Test func afterAnErrorThereIsNothing() throws {
        var reader = try CaptureReader(bytes: btsnoopHeader() + [0], name: "test")
        do throws(CaptureError) {
            let isNil = try reader.next() == nil
            Issue.record("no error, but \(isNil)")
        } catch {
            expect(error.kind, equals: .cutShort(need: 24, have: 1))
        }
        let isNil = try reader.next() == nil
        #expect(isNil)
    }

    @Test(arguments: [
        ("/nonexistent/file", ENOENT, "cannot be opened: No such file or directory"),
        ("/", EISDIR, "cannot be read: Is a directory"),
    ])
    func whatTheSystemRefusesIsSaidInItsWords(path: String, number: CInt, reason: String) {
        let error = Reading { () throws(CaptureError) in try CaptureReader(path: path) }.error
        expect(error?.kind, equals: .system(number))
        #expect(error?.detailedDescription.hasPrefix("\(path): \(reason)") == true)
        #expect(error?.advice != nil)
    }
}

/// A thread that is waited for.
struct Thread {
    private let end = DispatchSemaphore(value: 0)

    init(_ run: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async { [end] in
            run()
            end.signal()
        }
    }

    func join() {
        end.wait()
    }
}

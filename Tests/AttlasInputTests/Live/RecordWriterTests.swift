import AttlasInput
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

@testable import AttlasCapture

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

    private func write(_ capture: String, to path: String, _ rotation: RecordWriter.Rotation = .init()) throws {
        var reader = try CaptureReader(capture: capture)
        let writer = try RecordWriter(path: path, rotation: rotation)
        while let record = try reader.next() { writer.write(record) }
        writer.flush()
        #expect(writer.failure == nil)
    }

    @Test(arguments: ["heart-rate.btsnoop", "two-controllers.btsnoop", "two-controllers.pcap"], ["btsnoop", "pcapng"])
    func readsBackTheSame(capture: String, suffix: String) throws {
        try withFolder { folder in
            let path = "\(folder)/copy.\(suffix)"
            try write(capture, to: path)
            #expect(try records(of: path) == records(of: Repository.capture(capture)))
        }
    }

    /// A sniffer's packets go to an interface of their own; the event counter has no place in the format.
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
            #expect(copy.map(\.content) == original.map(\.content))
            #expect(copy.map(\.direction) == original.map(\.direction))
            #expect(copy.map(\.octets) == original.map(\.octets))
            #expect(copy.map(\.controller) == [1, 1, 1, 1])

            let btsnoop = try RecordWriter(path: "\(folder)/air.btsnoop")
            reader = try CaptureReader(bytes: bytes, name: "test")
            while let record = try reader.next() { btsnoop.write(record) }
            #expect(btsnoop.failure?.reason == "btsnoop cannot hold packets from the air: recording stopped")
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
            #expect(try joined == records(of: Repository.capture("heart-rate.btsnoop")))
        }
    }

    @Test func beginsAnotherFileByTime() throws {
        try withFolder { folder in
            try write("heart-rate.btsnoop", to: "\(folder)/log.pcapng", .init(seconds: 3))
            // The conversation takes 9.5 s.
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                    == ["log.1.pcapng", "log.2.pcapng", "log.3.pcapng", "log.pcapng"])
        }
    }

    /// /dev/full takes nothing: the first flush fails, and it is said once.
    @Test func aFullDiskIsTold() throws {
        var reader = try CaptureReader(capture: "heart-rate.btsnoop")
        let writer = try RecordWriter(path: "/dev/full")
        while let record = try reader.next() { writer.write(record) }
        writer.flush()
        #expect(writer.failure?.reason.hasPrefix("No space left on device") == true)
    }

    @Test func whatCannotBeMadeIsTold() {
        #expect(throws: CaptureError.self) { try RecordWriter(path: "/no/such/folder/x.btsnoop") }
    }
}

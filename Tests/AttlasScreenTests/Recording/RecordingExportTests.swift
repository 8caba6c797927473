import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasScreen
@testable import AttlasText

@Suite struct RecordingExportTests {
    private func export(
        _ format: RecordingExport.Format, frames: ClosedRange<Int>? = nil, filter: String? = nil
    ) throws -> (text: String, RecordingExport) {
        let recording = try Recording.indexed(Repository.capture("heart-rate.btsnoop"))
        if let filter { try recording.find(filter) }
        let export = try recording.export(format, frames: frames)
        var text = ""
        while !export.isComplete {
            export.advance(records: 13)
            text += String(decoding: export.lines.bytes, as: UTF8.self)
            export.lines.removeAll()
        }
        return (text, export)
    }

    @Test func objectsAreThoseOfShow() throws {
        let expected = try String(
            contentsOfFile: Repository.path("Captures/expected/heart-rate.btsnoop.show.ndjson"), encoding: .utf8)
        try expect(
            export(.json).text.split(separator: "\n").dropFirst(), equals: expected.split(separator: "\n").dropFirst())
    }

    @Test func aTableHasARowForEachOperation() throws {
        let rows = try export(.csv, frames: 134...137).text.split(separator: "\n")
        expect(rows.map { $0.prefix(6) }, equals: ["frame,", "134,20", "136,20", "137,20"])
        #expect(rows[2].hasSuffix("Device Information,System ID,,0x0024,,,59551,Insufficient Authentication (0x05)"))
    }

    @Test func linesAreThoseOfShow() throws {
        let text = try export(.text, filter: "error").text
        #expect(text.hasPrefix(Repository.capture("heart-rate.btsnoop")))
        #expect(text.contains("\n    136     2.191627  ← HRM-7 "))
        #expect(text.contains("\n    162     6.842138  ← HRM-7 "))
        #expect(text.contains("\nshown: 2 ATT operations · 2 errors"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test func objectsBeginWithTheCaptureAndEndWithItsIntegrity() throws {
        let lines = try export(.json, frames: 136...136).text.split(separator: "\n")
        expect(lines.count, equals: 3)
        #expect(lines.first?.contains("\"type\":\"capture\"") == true)
        #expect(lines.dropFirst().first?.contains("\"frame\":136,") == true)
        #expect(lines.last?.contains("\"integrity\"") == true)
    }

    @Test func recordsAreThoseOfTheLines() throws {
        let (_, all) = try export(.records)
        #expect(all.wants(1) && all.wants(177))
        let (_, errors) = try export(.records, filter: "error")
        expect((1...177).filter { errors.wants($0) }, equals: [136, 162])
        let (_, some) = try export(.records, frames: 40...50)
        expect((1...177).filter { some.wants($0) }, equals: Array(40...50))
        #expect(some.isPast(50) && !some.isPast(49))
    }

    @Test func aNameSaysTheFormat() {
        expect(RecordingExport.Format(name: "a.b.txt"), equals: .text)
        expect(RecordingExport.Format(name: "a.ndjson"), equals: .json)
        expect(RecordingExport.Format(name: "a.csv"), equals: .csv)
        expect(RecordingExport.Format(name: "a.pcapng"), equals: .records)
        #expect(RecordingExport.Format(name: "a") == nil)
        #expect(RecordingExport.Format(name: "") == nil)
    }
}

import AttlasInput
import AttlasTestSupport
import Testing

@testable import AttlasCapture

@Suite struct SeekableCaptureTests {
    /// From any record on, a format gives the same records as from the beginning.
    @Test(arguments: SampleFile.all)
    func readingGoesOnAnywhere(file: SampleFile) throws {
        let records = Reading(file.bytes).records
        let capture = try SeekableCapture(bytes: file.bytes, name: "test")
        var reader = try capture.reader(at: capture.start)
        for count in 0...records.count {
            let position = reader.position
            let rest = Reading { () throws(CaptureError) in try capture.reader(at: position) }
            expect(rest.records, equals: Array(records.dropFirst(count)), "from record \(count + 1)")
            _ = try reader.next()
        }
    }
}

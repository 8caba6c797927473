import AttlasCapture
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasInput
@testable import AttlasSources

/// What is received live.
@Suite struct LiveSourceTests {
    @Test func oneCaptureIsRequired() throws {
        guard let zip = Tool("zip") else { return }
        let octets = try [UInt8](Data(contentsOf: URL(filePath: Repository.capture("heart-rate.btsnoop"))))
        let folder = try TemporaryFolder([("a.log", octets), ("b.log", octets)])
        for (files, isEnd) in [(["a.log"], true), (["a.log", "b.log"], false)] {
            var captures = CaptureSet(bytes: try zip.run(["-q", "-"] + files, in: folder.url), name: "test")
            try expect(Reading(captures.first()).records.count, equals: 177)
            var error: CaptureError?
            do throws(CaptureError) { try captures.requireEnd() } catch let other { error = other }
            expect(error == nil, equals: isEnd)
            if !isEnd { expect(error?.reason, equals: "live reads one capture; another, test!/b.log, is not read") }
        }
    }
}

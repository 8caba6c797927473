import AttlasInput
import AttlasTestSupport
import AttlasTrace
import Testing

/// The program of Documentation/library.md.
@Suite struct LibraryPageTests {
    @Test func theLibraryIsUsedAsThePageSays() throws {
        let path = Repository.capture("heart-rate.btsnoop")
        var sink = Counter()
        // The page:
        var reader = try CaptureReader(path: path)
        var trace = Trace()
        while let record = try reader.next() { trace.decode(record, into: &sink) }
        // …
        #expect(sink.lastFrame == 177)

        let page = try Repository.text("Documentation/library.md")
        let block = try #require(page.firstMatch(of: #/```swift\n([^`]+)```/#)).1
        let own = try Repository.text("Tests/AttlasTraceTests/LibraryPageTests.swift").split(separator: "\n").map {
            $0.drop { $0 == " " }
        }
        for line in block.split(separator: "\n") { #expect(own.contains(line), "\(line)") }
    }
}

import AttlasInput
import AttlasTestSupport
import AttlasTrace
import Testing

/// The program of README.md, "As a library".
@Suite struct ReadmeTests {
    @Test func theLibraryIsUsedAsTheReadmeSays() throws {
        let path = Repository.capture("heart-rate.btsnoop")
        var sink = Counter()
        // The page:
        var reader = try CaptureReader(path: path)
        var trace = Trace()
        while let record = try reader.next() { trace.decode(record, into: &sink) }
        // …
        #expect(sink.lastFrame == 177)

        let readme = try Repository.text("README.md")
        let block = try #require(readme.firstMatch(of: #/```swift\n([^`]+)```/#)).1
        let own = try Repository.text("Tests/AttlasTraceTests/ReadmeTests.swift").split(separator: "\n").map {
            $0.drop { $0 == " " }
        }
        for line in block.split(separator: "\n") { #expect(own.contains(line), "\(line)") }
    }
}

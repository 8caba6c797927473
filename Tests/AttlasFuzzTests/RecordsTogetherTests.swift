import AttlasFuzz
import AttlasTestSupport
import Foundation
import Testing

/// Records that are read together are the same as those that are read one by one, also in damaged files; and so is what is decoded of
/// them.
@Suite struct RecordsTogetherTests {
    @Test func captures() throws {
        try Self.compare(
            Repository.someCaptureNames.map { Repository.captures.appending(path: $0) }
                + captureFiles(in: ["malformed"]))
    }

    fileprivate static func compare(_ files: [URL]) throws {
        let fuzzer = Fuzzer()
        #expect(files.count > 20)
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            fuzzer.compareWithPieces(bytes)
            fuzzer.compareWays(bytes)
        }
    }

    @Test(arguments: SampleFile.all)
    func damagedSamples(_ file: SampleFile) {
        let fuzzer = Fuzzer()
        for place in file.bytes.indices {
            var bytes = file.bytes
            bytes[place] = ~bytes[place]
            fuzzer.compareWithPieces(bytes)
            fuzzer.compareWithPieces(Array(file.bytes.prefix(place)))
        }
    }
}

@Suite struct RecordsTogetherLongTests {
    @Test func everyCapture() throws { try RecordsTogetherTests.compare(captureFiles()) }
}

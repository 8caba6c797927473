import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasCapture

/// Documentation/formats.md names every format and every link type that is read.
@Suite struct FormatsPageTests {
    @Test func thePageNamesAll() throws {
        let page = try Repository.text("Documentation/formats.md")
        for format in CaptureReader.formats {
            #expect(page.lowercased().contains("\n| \(format) |".lowercased()), "\(format)")
        }
        let supported = (0...3_000).map { LinkType(rawValue: $0) }.filter { $0.framing != nil }
        expect(supported.count, equals: page.matches(of: #/\n\| \d+ \|/#).count)
        for type in supported { #expect(page.contains("\n| \(type.rawValue) |"), "\(type)") }
    }
}

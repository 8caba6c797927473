import AttlasFilter
import AttlasMetrics
import AttlasTestSupport
import AttlasValues
import Foundation
import Testing

@testable import AttlasPage
@testable import AttlasText

/// The reports of captures of the project.
@Suite struct RecordedReportTests {
    private static func model(_ name: String) throws -> ReportModel {
        try document(ofCapture: name) { ReportCollector(selection: Selection(), values: $0) }
    }

    @Test(arguments: Repository.captureNames)
    func isAShortTextForATicket(_ name: String) throws {
        let model = try Self.model(name)
        try expect(
            printed { output in
                var markdown = ReportMarkdown(
                    ReportOptions(title: name), values: ValueInterpreter(library: .withExamples))
                markdown.write([(file: name, model: model)], into: &output)
            }.replacing("attlas \(AttlasVersion.text)", with: "attlas"), equalsFile: "\(name).report.md")
    }

    /// Without the frame, which is a separate file.
    @Test(arguments: ["careless-scale.btsnoop", "two-peripherals.btsnoop"])
    func isAPage(_ name: String) throws {
        let model = try Self.model(name)
        let page = try printed { output in
            var page = ReportPage(ReportOptions(title: name), values: ValueInterpreter(library: .withExamples))
            page.write(model, file: name, number: 1)
            page.finish(into: &output)
        }
        // Without style and script.
        let (begin, end) = (try #require(page.range(of: "<main>\n")), try #require(page.range(of: "</main>")))
        try expect(String(page[begin.upperBound..<end.lowerBound]), equalsFile: "\(name).report.html")
    }
}

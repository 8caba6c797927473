import AttlasFilter
import AttlasLint
import AttlasMetrics
import AttlasTestSupport
import AttlasValues
import Testing

@testable import AttlasDocuments

/// The documents of every capture of the project.
@Suite struct RecordedDocumentTests {
    @Test(arguments: Repository.captureNames)
    func hasTrees(_ name: String) throws {
        let model = try document(ofCapture: name) { TreeCollector(values: $0) }
        try expect(
            printed { output in
                var text = TreeText(model, width: nil, isColoured: false)
                text.write(file: nil, into: &output)
            }, equalsFile: "\(name).tree.txt")
        try expectJSON(
            printed { output in
                var json = TreeJSON(model)
                json.write(file: name, into: &output)
            }, equals: "\(name).tree.json")
    }

    @Test(arguments: Repository.captureNames)
    func hasDevices(_ name: String) throws {
        let model = try document(ofCapture: name) { _ in DeviceCollector() }
        let values = ValueInterpreter(library: .withExamples)
        try expect(
            printed { output in
                var text = DevicesText(model, values: values, width: nil, isColoured: false)
                text.write(into: &output)
            }, equalsFile: "\(name).devices.txt")
        try expectJSON(
            printed { output in
                var json = DevicesJSON(model, values: values)
                json.write(file: name, into: &output)
            }, equals: "\(name).devices.json")
    }

    @Test(arguments: Repository.captureNames)
    func hasStatistics(_ name: String) throws {
        let model = try document(ofCapture: name) { SelectedStatistics(selection: Selection(), values: $0) }
        try expect(
            printed { output in
                var text = StatisticsText(model, grouping: .connection, width: nil, isColoured: false)
                text.write(file: nil, into: &output)
            }, equalsFile: "\(name).stats.txt")
        try expectJSON(
            printed { output in
                var json = StatisticsJSON(model, grouping: .connection)
                json.write(file: name, into: &output)
            }, equals: "\(name).stats.json")
    }

    /// What `attlas lint` says of each capture was compared with its page, and is true.
    @Test(arguments: Repository.captureNames)
    func hasFindings(_ name: String) throws {
        let model = try document(ofCapture: name) { LintCollector(values: $0) }
        try expect(
            printed { output in
                var text = LintText(model, width: nil, isColoured: false)
                text.write(file: nil, into: &output)
            }, equalsFile: "\(name).lint.txt")
        try expectJSON(
            printed { output in
                var json = LintJSON(model)
                json.write(file: name, into: &output)
            }, equals: "\(name).lint.json")
    }

    /// Each sentence was compared with the conversation. The schema is that of the second.
    @Test(arguments: [
        ("heart-rate.btsnoop", "Heart Rate Measurement"), ("hasty-app.btsnoop", nil),
        ("many-sensors.btsnoop", "Battery Level"),
    ])
    func hasAnswers(_ name: String, _ subject: String?) throws {
        let model = try document(ofCapture: name) { WhyCollector(subject, values: $0) }
        try expect(
            printed { output in
                var text = WhyText(model, width: 100, isColoured: false)
                text.write(file: nil, into: &output)
            }, equalsFile: "\(name).why.txt")
        try expectJSON(
            printed { output in
                var json = WhyJSON(model)
                json.write(file: name, into: &output)
            }, equals: "\(name).why.json")
    }

    /// A device more, with the same tree of the other one; and two devices whose trees have little in common.
    @Test(arguments: [
        ("heart-rate.btsnoop", "two-peripherals.btsnoop"), ("careless-scale.btsnoop", "hasty-app.btsnoop"),
    ])
    func differ(_ first: String, _ second: String) throws {
        let snapshots = try [first, second].map { name in
            try document(ofCapture: name) { SnapshotCollector(file: name, selection: Selection(), values: $0) }
        }
        let difference = CaptureDifference(snapshots[0], snapshots[1])
        let verdict = DifferenceVerdict(difference, failOn: [.tree, .slower, .incomplete], tolerance: 20)
        let values = ValueInterpreter(library: .withExamples)
        try expect(
            printed { output in
                var text = DifferenceText(values: values, width: nil, isColoured: false)
                text.write(difference, verdict, into: &output)
            }, equalsFile: "\(first).\(second).diff.txt")
        try expectJSON(
            printed { output in
                var json = DifferenceJSON(values: values)
                json.write(difference, verdict, into: &output)
            }, equals: "\(first).\(second).diff.json")
    }

    private func expectJSON(_ output: String, equals file: String) throws {
        try expect(linesOfObjects(output), equalsFile: file)
    }
}

import AttlasCheck
import AttlasColumns
import AttlasDefinitions
import AttlasDissection
import AttlasFilter
import AttlasFuzz
import AttlasInput
import AttlasSQLite
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Foundation
import Testing

@testable import AttlasConversation
@testable import AttlasScreen
@testable import AttlasTables
@testable import AttlasText

/// Every output of the secrets of a group, without `--show-keys`.
private struct LeakMatrix {
    let group: LeakGroup
    let discovered: LeakConversation
    let imported: LeakConversation

    init(_ group: LeakGroup) {
        self.group = group
        // Discovered in the first connection, remembered in the second.
        discovered = LeakConversation(group.secrets) { conversation in
            conversation.connect()
            conversation.discover()
            conversation.transport()
            conversation.sendPackets()
            conversation.disconnect()
            conversation.connect()
            conversation.transport()
        }
        imported = LeakConversation(group.secrets) { conversation in
            conversation.connect()
            conversation.transport()
        }
    }

    /// Records an issue for each output that shows a secret, and for each that is empty.
    func check() throws {
        checkPipeline(discovered) { Trace() }
        let table = imported.imported
        checkPipeline(imported) {
            var trace = Trace()
            trace.import(table)
            return trace
        }
        try checkDatabase()
        checkLayers()
        try checkScreen()
        try checkFilters()
        try checkExpectations()
    }

    private func expectNoSecret(_ octets: [UInt8], in output: String) {
        #expect(!octets.isEmpty, "\(group.name): \(output) is empty")
        if let leak = LeakMarker.find(in: octets) { Issue.record("\(group.name): \(output): \(leak)") }
    }

    private func checkPipeline(_ conversation: LeakConversation, _ makeTrace: @escaping () -> Trace) {
        let fuzzer = Fuzzer(library: group.library, makeTrace: makeTrace)
        fuzzer.inspector.isIdle = true
        var outputs: [UInt8] = []
        fuzzer.inspector.onOutput = { outputs += $1 }
        // Conversation plain, with packets and octets, and narrow; tables, columns, reports, trees, statistics, answers, findings,
        // differences.
        for choice: UInt8 in [0x00, 0x18, 0x50, 0x03, 0x13, 0x14, 0x04, 0x05, 0x16, 0x06, 0x07] {
            outputs = []
            fuzzer.pipeline(conversation.list, choice)
            expectNoSecret(outputs, in: "outputs \(choice)")
        }
    }

    private func decode<Sink: EventSink>(_ sink: inout Interpreted<Sink>) -> Trace {
        var trace = Trace()
        discovered.list.forEachRecord { trace.decode($0, into: &sink) }
        trace.finish(into: &sink)
        return trace
    }

    /// The file of `attlas export --sqlite`, with all its cells, and the columns of octets as Arrow has them.
    private func checkDatabase() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("leak.sqlite")
        let export = try SQLiteExport(path, temporaryFiles: folder.url.path)
        try export.begin()
        var octets: [UInt8] = []
        var sink = Interpreted(library: group.library) { values in
            TableWriter(
                ArrowSink(Table.allCases) { batch in
                    export.write(batch)
                    octets += batch.columns.filter { $0.kind == .octets }.flatMap(\.octets)
                }, capture: export.capture, values: values)
        }
        let trace = decode(&sink)
        _ = sink.finish(in: trace, CaptureIntegrity(CaptureExtent(), in: trace))
        try export.commit()
        expectNoSecret(octets, in: "columns of octets")
        expectNoSecret(Array(try Data(contentsOf: URL(filePath: path))), in: "the database")
    }

    /// The fields of each packet that `open` shows, and the octets that it copies.
    private struct LayersSink: EventSink {
        var values: ValueInterpreter
        var record: KeptRecord?
        var text: [UInt8] = []

        var wantsPackets: Bool { true }

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            guard let record else { return }
            let layers = PacketLayers(record, event, &values, in: trace)
            for field in layers.fields { text += "\(field.name) \(field.value)\n".utf8 }
            for source in PacketLayers.Source.allCases {
                text += layers.octets(of: source)
                text.append(0x0A)
            }
        }
    }

    private func checkLayers() {
        var trace = Trace()
        var sink = Interpreted(library: group.library) { LayersSink(values: $0) }
        discovered.list.forEachRecord { record in
            sink.sink.record = KeptRecord(record)
            trace.decode(record, into: &sink)
        }
        expectNoSecret(sink.sink.text, in: "the layers of packets")
    }

    /// The tree of the full screen with the last values, and the text that it copies of each.
    private func checkScreen() throws {
        var stream = BTSnoopStream()
        for entry in discovered.list.entries { stream.append(entry) }
        let capture = try SeekableCapture(bytes: stream.octets, name: "leak")
        let recording = try Recording(capture, Trace(), library: group.library, options: ConversationText.Options())
        recording.advance(records: .max)
        var view = RecordingView(isASCII: false)
        let size = Grid.Size(columns: 200, rows: 80)
        recording.resize(columns: size.columns)
        var rows: [UInt8] = []
        var copies: [UInt8] = []
        func paint() {
            view.layOut(recording, size)
            let grid = view.paint(recording, size)
            for row in 0..<size.rows { rows += Array("\(grid.text(row: row))\n".utf8) }
        }
        func press(_ key: ScreenKey) {
            if case .copy(let text) = view.handle(key, recording) { copies += Array("\(text)\n".utf8) }
        }
        for key: ScreenKey in [.end, .character("y"), .tab, .tab, .tab, .home] {
            paint()
            press(key)
        }
        // The place of a row is known once it was laid out; a page has less rows than the grid.
        for index in 0..<3 * group.secrets.count {
            if index % 20 == 0 { paint() }
            press(.down)
            press(.character("y"))
        }
        paint()
        expectNoSecret(rows, in: "the tree of the screen")
        expectNoSecret(copies, in: "copies")
    }

    /// A filter that asks for a secret selects nothing: it would answer whether a guess is right.
    private func checkFilters() throws {
        for expression in ["value contains 517A517A", "value contains 7A517A51"] {
            let filter = try Filter(expression, library: group.library)
            var selection = Selection()
            selection.filter = filter
            var sink = Interpreted(library: group.library) { values in
                Selected(
                    sink: ConversationJSON(values: values, showsHCI: false, file: nil), selection: selection,
                    values: values)
            }
            _ = decode(&sink)
            let isEmpty = sink.sink.sink.lines.bytes.isEmpty
            #expect(isEmpty, "\(group.name): \(expression) selects values")
        }
    }

    /// `attlas check`, with limits that no number of a secret field keeps, and all findings.
    private func checkExpectations() throws {
        let folder = try TemporaryFolder()
        var text = "expectations:\n  - { id: findings, lint: 'value/*' }\n"
        for (index, secret) in group.secrets.enumerated() where !secret.definition.key.space.isPacket {
            for field in secret.fields {
                let name = group.library.dissector(for: secret.definition.key)?.fields[field].name ?? ""
                text +=
                    "  - { id: limit-\(index)-\(field), characteristic: '\(secret.definition.uuid)', field: '\(name)', "
                text += "range: -2..-1 }\n"
            }
        }
        let expectations = try Expectation.file(folder.write(Array(text.utf8), to: "e.yaml"), group.library)
        var sink = Interpreted(library: group.library) { CheckCollector(expectations, isStrict: true, values: $0) }
        let trace = decode(&sink)
        let model = sink.finish(in: trace, CaptureIntegrity(CaptureExtent(), in: trace))
        expectNoSecret(Array(model.findings.map(\.sentence).joined(separator: "\n").utf8), in: "check")
    }

    /// The outputs would show a leak: with `--show-keys`, every secret is in one.
    func expectEverySecretWithKeys() {
        let fuzzer = Fuzzer(library: group.library.showingKeys())
        fuzzer.inspector.isIdle = true
        var json: [UInt8] = []
        fuzzer.inspector.onOutput = { form, octets in
            if form == .json { json = octets + [0] }
        }
        fuzzer.pipeline(discovered.list, 0x08)
        for secret in group.secrets {
            let digits = secret.octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(
                LeakMarker.place(of: digits, in: json) != nil,
                "\(secret.definition.key) \(secret.definition.name)")
        }
        #expect(LeakMarker.find(in: json) != nil)
    }
}

/// No output shows a key without `--show-keys`: secrets of each way to lay out and to assemble values, in every situation.
@Suite struct LeakTests {
    static let groups = LeakGroup.some

    @Test(arguments: groups) func noOutputHasASecret(_ group: LeakGroup) throws {
        let matrix = LeakMatrix(group)
        try matrix.check()
        matrix.expectEverySecretWithKeys()
    }

    /// Printers take octets from a `ValueInterpreter`, which withholds keys, and none from the PDUs.
    @Test func printersReadNoValuesFromPDUs() throws {
        let sources = Repository.root.appending(path: "Sources")
        var found: [String] = []
        let others = ["AttlasSQLite", "AttlasMetrics", "AttlasLint", "AttlasFilter", "AttlasCheck", "attlas"]
        for module in Repository.printers + others {
            let folder = sources.appending(path: module)
            let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap {
                $0 as? String
            }
            #expect(!names.isEmpty)
            for name in names where name.hasSuffix(".swift") {
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                // A regular expression takes long in a debug build.
                for line in text.split(separator: "\n") where line.contains("ttributeValue") || line.contains("setOfV")
                {
                    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                    let reads = code.matches(of: /\.(attributeValue|partAttributeValue|setOfValues)\b(?!\??\.count\b)/)
                    if !reads.isEmpty { found.append("\(module)/\(name): \(code.drop(while: \.isWhitespace))") }
                }
            }
        }
        expect(found, equals: [])
    }
}

/// All secrets of the definitions in Dissectors/.
@Suite struct LeakLongTests {
    @Test func everySecretFieldIsTried() {
        expect(LeakGroup.all.flatMap(\.untried), equals: [])
        #expect(LeakGroup.all.count > 1)
    }

    @Test(arguments: LeakGroup.all) func noOutputHasASecret(_ group: LeakGroup) throws {
        try LeakMatrix(group).check()
    }

    @Test(arguments: LeakGroup.all) func everySecretIsShownWithKeys(_ group: LeakGroup) {
        LeakMatrix(group).expectEverySecretWithKeys()
    }
}

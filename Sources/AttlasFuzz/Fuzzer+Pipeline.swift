import AttlasCapture
import AttlasColumns
import AttlasConversation
import AttlasDocuments
import AttlasFilter
import AttlasIncidents
import AttlasInference
import AttlasLint
import AttlasMetrics
import AttlasPage
import AttlasScreen
import AttlasTables
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Records to outputs: text and NDJSON, tables, the documents of the other commands, and `attlas anonymize`.
extension Fuzzer {
    /// The first octet: bits 0–2 choose the outputs, 3 and 4 others of them (columns instead of CSV, a report instead of trees); 5 asks for colours, 6 and 7 for a narrow terminal.
    func pipeline(_ input: [UInt8]) {
        let choice = input.first ?? 0
        let list = RecordList(encoded: input.dropFirst())
        // It takes as long as two of the outputs.
        if inputs & 3 == 0 { compareWays(list) }
        pipeline(list, choice)
    }

    package func pipeline(_ list: RecordList, _ choice: UInt8) {
        records += list.entries.count
        switch choice & 7 {
        case 0...2: conversation(list, choice)
        case 3 where choice & 0x10 != 0: columns(list)
        case 3: tables(list, choice)
        case 4 where choice & 0x10 != 0: report(list, choice)
        case 4: trees(list, choice)
        case 5 where choice & 0x10 != 0: layouts(list, choice)
        case 5: statistics(list, choice)
        case 6 where choice & 0x10 != 0: answers(list, choice)
        case 6: findings(list, choice)
        case 7 where choice & 0x10 != 0: anonymize(list, choice)
        case 7 where choice & 0x08 != 0: fleet(list, choice)
        default: difference(list, choice)
        }
    }

    private func width(_ choice: UInt8) -> Int? {
        [nil, 40, 80, 200][Int(choice >> 6)]
    }

    private func textForm(_ choice: UInt8) -> OutputInspector.Form { choice & 0x20 == 0 ? .text : .colouredText }

    /// Parsing costs more than all the rest: one input in eight.
    private var jsonForm: OutputInspector.Form { inputs & 7 == 0 ? .json : .jsonUnparsed }

    private func decode<Sink: EventSink>(_ list: RecordList, into sink: inout Sink, _ trace: inout Trace) {
        list.forEachRecord { trace.decode($0, into: &sink) }
        trace.finish(into: &sink)
    }

    private func textOptions(_ choice: UInt8) -> ConversationText.Options {
        var options = ConversationText.Options()
        options.showsHCI = choice & 0x08 != 0
        options.showsHex = choice & 0x10 != 0
        options.isColoured = choice & 0x20 != 0
        options.width = width(choice)
        options.time = ConversationText.Options.Time.allCases[Int(choice >> 3) % 4]
        return options
    }

    private func document<Collector: DocumentCollector>(
        _ list: RecordList, _ makeCollector: (ValueInterpreter) -> Collector
    ) -> Collector.Document {
        var sink = Interpreted(library: library, makeCollector)
        var trace = makeTrace()
        decode(list, into: &sink, &trace)
        return sink.finish(in: trace, CaptureIntegrity(CaptureExtent(), in: trace))
    }

    private func conversation(_ list: RecordList, _ choice: UInt8) {
        var sink = Interpreted(library: library) { values in
            func selected<Sink: LineSink>(_ sink: Sink) -> Selected<Sink> {
                Selected(
                    sink: sink, selection: Selection(), values: values,
                    findings: choice & 0x40 != 0 ? FindingLines(following: values) : FindingLines())
            }
            return SinkPair(
                first: selected(ConversationText(values: values, options: textOptions(choice))),
                second: selected(
                    ConversationJSON(
                        values: values, showsHCI: choice & 0x08 != 0, file: choice & 0x10 != 0 ? "a" : nil)))
        }
        var trace = makeTrace()
        trace.addNetKey(PacketTemplates.meshKey)
        decode(list, into: &sink, &trace)
        sink.sink.first.finishFindings(in: trace)
        sink.sink.second.finishFindings(in: trace)
        inspector.inspect(textForm(choice), &sink.sink.first.sink.lines)
        inspector.inspect(jsonForm, &sink.sink.second.sink.lines)
    }

    private func tables(_ list: RecordList, _ choice: UInt8) {
        var sink = Interpreted(library: library) { values in
            SinkPair(
                first: ConversationCSV(values: values, file: nil, hasHeader: true),
                second: FieldSeries(
                    names: Self.fieldNames, values: values, file: "a", hasHeader: choice & 0x08 != 0))
        }
        var trace = makeTrace()
        decode(list, into: &sink, &trace)
        inspector.inspect(.csv, &sink.sink.first.lines)
        inspector.inspect(.csv, &sink.sink.second.lines)
    }

    /// Every text of every table; and each table as a stream.
    private func columns(_ list: RecordList) {
        var batches: [ArrowBatch] = []
        let summary = document(list) { values in
            TableWriter(ArrowSink(Table.allCases) { batches.append($0) }, capture: 1, values: values)
        }
        var texts = TextBuffer()
        for batch in batches {
            precondition(batch.rows == summary.count(of: batch.table), "\(batch.table) has other rows")
            for column in batch.columns {
                if let fault = column.fault(rows: batch.rows) { preconditionFailure("\(batch.table): \(fault)") }
                switch column.kind {
                case .text: texts.append(contentsOf: column.octets)
                case .word: texts.append(contentsOf: column.words.octets)
                case .integer, .real, .boolean, .octets, .time, .duration: break
                }
                texts.append(byte: UInt8(ascii: "\n"))
            }
            var stream = ArrowStream(batch.table, to: .keeping())
            stream.write(batch)
            stream.finish()
            precondition((stream.output.kept?.count ?? 1).isMultiple(of: 8), "\(batch.table): a stream out of line")
        }
        inspector.inspect(.text, &texts)
        tracks(list)
    }

    /// Every text of a trace.
    private func tracks(_ list: RecordList) {
        var octets: [UInt8] = []
        _ = document(list) { values in
            TrackWriter(capture: 1, file: "a", values: values) {
                octets += $0.bytes
                $0.removeAll()
            }
        }
        var texts = TraceTexts(octets).texts
        inspector.inspect(.text, &texts)
    }

    private func trees(_ list: RecordList, _ choice: UInt8) {
        let trees = document(list) { TreeCollector(values: $0) }
        let seen = document(list) { _ in DeviceCollector() }
        let keys = document(list) { _ in KeysCollector() }
        let values = ValueInterpreter(library: library)
        inspector.inspect(textForm(choice)) { output in
            var tree = TreeText(trees, width: width(choice), isColoured: choice & 0x20 != 0)
            tree.write(file: choice & 0x08 == 0 ? nil : "a", into: &output)
            var devices = DevicesText(seen, values: values, width: width(choice), isColoured: choice & 0x20 != 0)
            devices.write(into: &output)
            var text = KeysText(keys, showsValues: false, width: width(choice), isColoured: choice & 0x20 != 0)
            text.write(file: choice & 0x08 == 0 ? nil : "a", into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var tree = TreeJSON(trees)
            tree.write(file: "a", into: &output)
            var devices = DevicesJSON(seen, values: values)
            devices.write(file: "a", into: &output)
            var document = KeysJSON(keys, showsValues: false)
            document.write(file: "a", into: &output)
        }
    }

    private func report(_ list: RecordList, _ choice: UInt8) {
        let model = document(list) { ReportCollector(selection: Selection(), isCompared: true, values: $0) }
        let comparison = ReportComparison(("a", model), ("b", model))
        let options = ReportOptions(title: "a", showsValues: choice & 0x08 == 0)
        inspector.inspect(.html) { output in
            var page = ReportPage(options, values: ValueInterpreter(library: library))
            if let comparison { page.write(comparison) }
            page.finish(into: &output)
        }
        inspector.inspect(.text) { output in
            var document = ReportMarkdown(options, values: ValueInterpreter(library: library))
            if let comparison { document.write(comparison, into: &output) }
        }
    }

    private func statistics(_ list: RecordList, _ choice: UInt8) {
        let model = document(list) { SelectedStatistics(selection: Selection(), values: $0) }
        let grouping = StatisticsGrouping.allCases[Int(choice >> 3) % StatisticsGrouping.allCases.count]
        inspector.inspect(textForm(choice)) { output in
            var tables = StatisticsText(
                model, grouping: grouping, width: width(choice), isColoured: choice & 0x20 != 0)
            tables.write(file: nil, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = StatisticsJSON(model, grouping: grouping)
            document.write(file: "a", into: &output)
        }
        var traffic = TrafficCounts()
        var trace = makeTrace()
        decode(list, into: &traffic, &trace)
        inspector.inspect(.text) { output in
            var metrics = MetricsText(LiveCounts(traffic))
            metrics.write(into: &output)
        }
    }

    private func layouts(_ list: RecordList, _ choice: UInt8) {
        score(list, choice)
        let twins = document(list) { TwinCollector(values: $0) }
        for device in twins.devices {
            inspector.inspect(.text) { output in
                var yaml = TwinYAML(device, twins.names)
                yaml.write(file: "a", leftOut: twins.leftOut, twins.integrity, into: &output)
            }
        }
        inspector.inspect(.text) { output in
            var text = TextBuffer()
            text.append(string: CoreBluetoothMockCode(twins.devices, of: twins, file: "a", name: "b").text)
            output.write(&text)
        }
        let marks = ["1 on", "0.5 off", "00:00:00", "9999-12-31T00:00:00Z \u{1B}[2J"].compactMap { UserMark($0[...]) }
        let model = document(list) { InferenceCollector(choice & 0x08 != 0 ? nil : "", marks: marks, values: $0) }
        inspector.inspect(textForm(choice)) { output in
            var text = InferenceText(model, width: width(choice), isColoured: choice & 0x20 != 0)
            text.write(file: nil, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = InferenceJSON(model)
            document.write(file: "a", into: &output)
        }
        let values = document(list) { ValuesCollector("", values: $0) }
        inspector.inspect(textForm(choice)) { output in
            var text = ValuesText(values, width: width(choice), isColoured: choice & 0x20 != 0)
            text.write(file: nil, into: &output)
        }
        let fewer = document(RecordList(Array(list.entries.dropLast()))) { ValuesCollector("", values: $0) }
        inspector.inspect(textForm(choice)) { output in
            var text = ValuesDifferenceText(
                ValuesDifference(values, fewer), width: width(choice), isColoured: choice & 0x20 != 0)
            text.write(into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = ValuesJSON(values)
            document.write(file: "a", into: &output)
        }
    }

    /// Scores a few definitions that match values in the seeds.
    private func score(_ list: RecordList, _ choice: UInt8) {
        let definitions = [0x2A19, 0x2A37, 0x2A00, 0x2902, 0x2A05, 0x2A2B].compactMap {
            library.definition(of: BluetoothUUID($0 as UInt16))
        }
        let model = document(list) { DefinitionScoreCollector(definitions, values: $0) }
        inspector.inspect(textForm(choice)) { output in
            var text = DefinitionScoreText(model, width: width(choice), isColoured: choice & 0x20 != 0)
            text.write(file: nil, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = DefinitionScoreJSON(model)
            document.write(file: "a", into: &output)
        }
    }

    private func answers(_ list: RecordList, _ choice: UInt8) {
        let model = document(list) { WhyCollector(choice & 0x08 != 0 ? nil : "Battery Level", values: $0) }
        inspector.inspect(textForm(choice)) { output in
            var text = WhyText(model, width: width(choice), isColoured: choice & 0x20 != 0)
            text.write(file: nil, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = WhyJSON(model)
            document.write(file: "a", into: &output)
        }
    }

    private func findings(_ list: RecordList, _ choice: UInt8) {
        let model = document(list) { LintCollector(values: $0) }
        inspector.inspect(textForm(choice)) { output in
            var text = LintText(model, width: width(choice), isColoured: choice & 0x20 != 0)
            text.write(file: nil, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = LintJSON(model)
            document.write(file: "a", into: &output)
            let reports = [LintReport(file: "a", model)]
            var log = LintSARIF(reports, version: "1")
            log.write(into: &output)
            var quality = LintCodeQuality(reports)
            quality.write(into: &output)
        }
        inspector.inspect(.text) { output in
            let reports = [LintReport(file: "a", model)]
            var suites = LintJUnit(reports, failingFrom: .info)
            suites.write(into: &output)
            var annotations = LintAnnotations(reports)
            annotations.write(into: &output)
            var table = LintMarkdown(reports)
            table.write(into: &output)
        }
    }

    /// As `show --findings` and `convert --annotate` do: the trace of the lines has not met the notes' subjects yet.
    func notes(_ input: [UInt8]) {
        let list = RecordList(encoded: input.dropFirst())
        records += list.entries.count
        let choice = input.first ?? 0
        let found = document(list) { LintCollector(values: $0) }.findings
        let incidents = document(list) { IncidentCollector(values: $0) }
        func show<Sink: LineSink>(_ makeSink: (ValueInterpreter) -> Sink) -> Sink {
            var sink = Interpreted(library: library) { values in
                Selected(
                    sink: makeSink(values), selection: Selection(), values: values, findings: FindingLines(found))
            }
            var trace = makeTrace()
            decode(list, into: &sink, &trace)
            sink.sink.finishFindings(in: trace)
            return sink.sink.sink
        }
        var text = show { ConversationText(values: $0, options: textOptions(choice)) }
        inspector.inspect(textForm(choice), &text.lines)
        var json = show { ConversationJSON(values: $0, showsHCI: choice & 0x08 != 0, file: nil) }
        inspector.inspect(jsonForm, &json.lines)
        var annotator = RecordAnnotator(makeTrace(), RecordNotes(incidents, found), library: library)
        var comments = TextBuffer()
        list.forEachRecord { record in
            var options: [UInt8] = []
            annotator.annotate(record, &options)
            for comment in PacketOptions(Bytes(options.span)).comments { comments.append("\(display: comment)\n") }
        }
        inspector.inspect(.text, &comments)
    }

    private func fleet(_ list: RecordList, _ choice: UInt8) {
        let half = list.entries.count / 2
        let groups = [RecordList(Array(list.entries[..<half])), RecordList(Array(list.entries[half...]))].map {
            let capture = document($0) { FleetCollector(values: $0) }
            var group = FleetGroup(name: "a")
            group.add(capture.devices, of: "a", hours: capture.hours)
            return group
        }
        let comparisons = [FleetComparison(groups[1], against: groups[0])]
        inspector.inspect(textForm(choice)) { output in
            var text = FleetText(width: width(choice), isColoured: choice & 0x20 != 0)
            text.write(comparisons, into: &output)
        }
        inspector.inspect(textForm(0)) { output in
            var document = FleetMarkdown()
            document.write(comparisons, into: &output)
        }
        inspector.inspect(.html) { output in
            var page = FleetPage(ReportOptions(title: "a"), values: ValueInterpreter(library: library))
            page.write(comparisons, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = FleetJSON()
            document.write(comparisons, into: &output)
        }
    }

    private func difference(_ list: RecordList, _ choice: UInt8) {
        let half = list.entries.count / 2
        let snapshots = [RecordList(Array(list.entries[..<half])), RecordList(Array(list.entries[half...]))].map {
            document($0) { SnapshotCollector(file: "a", selection: Selection(), values: $0) }
        }
        let difference = CaptureDifference(snapshots[0], snapshots[1])
        let verdict = DifferenceVerdict(difference, failOn: DifferenceVerdict.Criterion.allCases, tolerance: 0)
        let values = ValueInterpreter(library: library)
        inspector.inspect(textForm(choice)) { output in
            var tables = DifferenceText(values: values, width: width(choice), isColoured: choice & 0x20 != 0)
            tables.write(difference, verdict, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = DifferenceJSON(values: values)
            document.write(difference, verdict, into: &output)
        }
    }
}

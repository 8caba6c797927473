import AttlasCapture
import AttlasMetrics
import AttlasReport
import AttlasTrace
import AttlasWire

/// Records to outputs: text and NDJSON, tables, and the documents of the other commands.
extension Fuzzer {
    /// The first octet: bits 0–2 choose the outputs; 5 asks for colours, 6 and 7 for a narrow terminal.
    func pipeline(_ input: [UInt8]) {
        let choice = input.first ?? 0
        pipeline(RecordList(encoded: input.dropFirst()), choice)
    }

    public func pipeline(_ list: RecordList, _ choice: UInt8) {
        records += list.entries.count
        switch choice & 7 {
        case 0...2: conversation(list, choice)
        case 3: tables(list, choice)
        case 4: trees(list, choice)
        case 5: statistics(list, choice)
        case 6: findings(list, choice)
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

    private func conversation(_ list: RecordList, _ choice: UInt8) {
        let text = ConversationText(values: ValueReader(library: library), options: textOptions(choice))
        let json = ConversationJSON(
            values: ValueReader(library: library), showsHCI: choice & 0x08 != 0, file: choice & 0x10 != 0 ? "a" : nil)
        var sink = Both(first: text, second: json)
        var trace = Trace()
        decode(list, into: &sink, &trace)
        inspector.inspect(textForm(choice), &sink.first.lines)
        inspector.inspect(jsonForm, &sink.second.lines)
    }

    private func tables(_ list: RecordList, _ choice: UInt8) {
        let table = ConversationCSV(values: ValueReader(library: library), file: nil, hasHeader: true)
        let series = FieldSeries(
            names: Self.fieldNames, values: ValueReader(library: library), file: "a", hasHeader: choice & 0x08 != 0)
        var sink = Both(first: table, second: series)
        var trace = Trace()
        decode(list, into: &sink, &trace)
        inspector.inspect(.csv, &sink.first.lines)
        inspector.inspect(.csv, &sink.second.lines)
    }

    private func trees(_ list: RecordList, _ choice: UInt8) {
        let values = ValueReader(library: library)
        var sink = Both(
            first: Both(first: Following(values), second: TreeCollector()), second: DeviceCollector())
        var trace = Trace()
        decode(list, into: &sink, &trace)
        sink.second.finish(in: trace)
        inspector.inspect(textForm(choice)) { output in
            var tree = TreeText(
                collector: sink.first.second, values: values, width: width(choice), isColoured: choice & 0x20 != 0)
            tree.write(trace, file: choice & 0x08 == 0 ? nil : "a")
            tree.drain(into: &output)
            var devices = DevicesText(values: values, width: width(choice), isColoured: choice & 0x20 != 0)
            devices.write(sink.second, start: nil, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var tree = TreeJSON(collector: sink.first.second, values: values)
            tree.write(trace, file: "a", into: &output)
            var devices = DevicesJSON(values: values)
            devices.write(sink.second, file: "a", into: &output)
        }
    }

    private func statistics(_ list: RecordList, _ choice: UInt8) {
        let values = ValueReader(library: library)
        var sink = SelectedStatistics(selection: Selection(), values: values)
        var trace = Trace()
        decode(list, into: &sink, &trace)
        sink.finish(in: trace)
        let grouping = StatisticsGrouping.allCases[Int(choice >> 3) % StatisticsGrouping.allCases.count]
        inspector.inspect(textForm(choice)) { output in
            var tables = StatisticsText(
                values: values, grouping: grouping, width: width(choice), isColoured: choice & 0x20 != 0)
            tables.write(sink.collector, trace, file: nil, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = StatisticsJSON(values: values, grouping: grouping)
            document.write(sink.collector, trace, file: "a", into: &output)
        }
    }

    private func findings(_ list: RecordList, _ choice: UInt8) {
        let values = ValueReader(library: library)
        var sink = LintSink(values: values)
        var trace = Trace()
        decode(list, into: &sink, &trace)
        sink.finish(in: trace)
        let findings = sink.collector.findings
        inspector.inspect(textForm(choice)) { output in
            var text = LintText(values: values, width: width(choice), isColoured: choice & 0x20 != 0)
            text.write(findings, trace, file: nil, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = LintJSON(values: values)
            document.write(findings, trace, file: "a", into: &output)
        }
    }

    private func difference(_ list: RecordList, _ choice: UInt8) {
        let values = ValueReader(library: library)
        let half = list.entries.count / 2
        let snapshots = [RecordList(Array(list.entries[..<half])), RecordList(Array(list.entries[half...]))].map {
            list in
            var sink = SelectedStatistics(
                selection: Selection(), values: ValueReader(library: library), readsFields: true)
            var trace = Trace()
            decode(list, into: &sink, &trace)
            sink.finish(in: trace)
            return CaptureSnapshot(sink, trace, file: "a")
        }
        let difference = CaptureDifference(snapshots[0], snapshots[1])
        inspector.inspect(textForm(choice)) { output in
            var tables = DifferenceText(values: values, width: width(choice), isColoured: choice & 0x20 != 0)
            tables.write(difference, into: &output)
        }
        inspector.inspect(jsonForm) { output in
            var document = DifferenceJSON(values: values)
            document.write(difference, into: &output)
        }
    }
}

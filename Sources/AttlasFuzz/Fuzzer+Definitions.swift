import AttlasConversation
import AttlasDefinitionFiles
import AttlasDissection
import AttlasDocuments
import AttlasFilter
import AttlasGenerate
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Values read by definitions, definitions read from YAML, and filters.
extension Fuzzer {
    func dissection(_ input: [UInt8]) {
        guard input.count >= 3 else { return }
        let key = Self.keys[(Int(input[0]) | Int(input[1]) << 8) % Self.keys.count]
        guard let dissector = library.dissector(for: key) else { return }
        let access = AttributeAccess.allCases[Int(input[2] & 3)]
        dissect(Array(input.dropFirst(3)), dissector, access, context: input[2] >> 2)
    }

    /// - Parameter context: numbers from elsewhere, when it is not 0.
    private func dissect(_ octets: [UInt8], _ dissector: Dissector, _ access: AttributeAccess, context: UInt8) {
        records += 1
        var dissection = Dissection()
        if context != 0 { dissection.context = dissector.context.map { _ in Int64(context) &- 1 } }
        dissector.dissect(Bytes(octets.span), operation: access, into: &dissection)
        let value = ShownOctets(Bytes(octets.span), dissection, of: dissector)
        var text = TextBuffer()
        text.append(summaryOf: dissection, of: dissector, value: value)
        text.append("\n")
        text.append(tableOf: dissection, of: dissector, value: value)
        inspector.inspect(.text, &text)
        text.append("{")
        text.append(jsonOf: dissection, of: dissector, value: value)
        text.append("}\n")
        inspector.inspect(.json, &text)
    }

    func definitions(_ input: [UInt8]) {
        let source = DefinitionSource(path: "fuzz.yaml", text: String(decoding: input, as: UTF8.self))
        let loader = DefinitionLoader([source], above: library)
        for mistake in loader.mistakes {
            var text = TextBuffer()
            text.append(display: mistake.description)
            inspector.inspect(.text, &text)
        }
        guard !loader.files.isEmpty else { return }
        let library = library.adding(loader.files)
        for file in loader.files {
            for mistake in ExampleCheck(file, library: library).mistakes {
                var text = TextBuffer()
                text.append(display: mistake.description)
                inspector.inspect(.text, &text)
            }
            generate(file, library)
            for attribute in file.attributes.prefix(8) {
                guard let dissector = library.dissector(for: attribute.key) else { continue }
                for length in [0, 1, 2, 20, 600] {
                    let octets = (0..<length).map { input[$0 % max(1, input.count)] }
                    dissect(octets, dissector, .read, context: 0)
                }
                if let assembly = dissector.assembly { assemble(input, assembly, dissector) }
            }
        }
    }

    /// Values of several lengths as the parts of messages.
    private func assemble(_ input: [UInt8], _ assembly: AssemblyDefinition, _ dissector: Dissector) {
        var assembler = MessageAssembler(assembly)
        var rest = input.prefix(2_048)
        for number in 0..<64 where !rest.isEmpty {
            let part = Array(rest.prefix(1 + number % 21))
            rest = rest.dropFirst(part.count)
            let (outcome, _) = assembler.add(Bytes(part.span), frame: number + 1, at: Int64(number) * 1_000)
            if outcome == .complete { dissect(assembler.message, dissector, .notify, context: 0) }
        }
    }

    private func generate(_ file: DefinitionFile, _ library: DissectorLibrary) {
        var file = file
        file.attributes = Array(file.attributes.prefix(8))
        let form = CodecForm([file], name: file.attributes.first?.name ?? "", resolve: library.definition)
        for language in CodeLanguage.allCases {
            var text = TextBuffer()
            text.append(string: language.code(of: form) + language.tests(of: form, importing: "codecs"))
            inspector.inspect(.text, &text)
        }
    }

    func filter(_ input: [UInt8]) {
        let expression = String(decoding: input, as: UTF8.self)
        let filter: Filter
        do throws(FilterMistake) {
            filter = try Filter(expression, library: library)
        } catch {
            var text = TextBuffer()
            text.append(display: error.description)
            text.append("\n")
            text.append(string: error.excerpt)
            text.append("\n")
            return inspector.inspect(.text, &text)
        }
        var selection = Selection()
        selection.filter = filter
        var sink = Interpreted(library: library) { values in
            Selected(
                sink: ConversationText(values: values, options: ConversationText.Options()), selection: selection,
                values: values)
        }
        var trace = Trace()
        conversation.forEachRecord { trace.decode($0, into: &sink) }
        trace.finish(into: &sink)
        inspector.inspect(.text, &sink.sink.sink.lines)
    }
}

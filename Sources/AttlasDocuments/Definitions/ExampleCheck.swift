import AttlasDissection
import AttlasIncidents
import AttlasText
import AttlasValues
import AttlasWire

/// Runs the examples of a definition file and collects mismatches.
package struct ExampleCheck {
    package private(set) var mistakes: [DefinitionMistake] = []
    /// Examples that were run.
    package private(set) var count = 0

    private let library: DissectorLibrary
    private let path: String
    private var dissection = Dissection()

    /// - Parameter library: one that holds the file's definitions.
    package init(_ file: DefinitionFile, library: DissectorLibrary) {
        self.library = library
        path = file.path
        for attribute in file.attributes {
            guard let dissector = library.dissector(for: attribute.key) else { continue }
            for example in attribute.examples {
                count += 1
                check(example, dissector)
            }
        }
    }

    private mutating func check(_ example: Example, _ dissector: Dissector) {
        guard let octets = octets(of: example, dissector) else { return }
        let value = Bytes(octets.span)
        guard setContext(of: example, dissector) else { return }
        dissector.dissect(value, operation: example.operation, into: &dissection)
        func verify(_ isRight: Bool, got: String, wanted: String, at position: SourcePosition? = nil) {
            guard !isRight else { return }
            let position = position ?? example.position
            mistakes.append(
                DefinitionMistake(
                    file: path, line: position.line, column: position.column,
                    message: "\(dissector.name): got \(got), wanted \(wanted)"))
        }
        if let fault = dissection.fault {
            let field = dissector.fields[fault.field].name
            verify(example.isFault, got: "a fault in \"\(field)\": \(fault.reason.text)", wanted: "no fault")
        } else {
            verify(!example.isFault, got: "no fault", wanted: "a fault")
        }
        verify(
            dissection.unexplained.count == example.unexplained,
            got: "\(counted(dissection.unexplained.count, "octet")) unexplained", wanted: "\(example.unexplained)")
        verify(
            dissection.hasReservedBits == example.hasReservedBits,
            got: dissection.hasReservedBits ? "reserved bits set" : "no reserved bits set",
            wanted: example.hasReservedBits ? "some" : "none")
        verify(
            dissection.hasOutOfRange == example.hasOutOfRange,
            got: dissection.hasOutOfRange ? "a number outside its range" : "no number outside its range",
            wanted: example.hasOutOfRange ? "some" : "none")
        verify(
            dissection.hasWrongCheck == example.hasWrongCheck,
            got: dissection.hasWrongCheck ? "a wrong check" : "no wrong check",
            wanted: example.hasWrongCheck ? "a wrong one" : "none")
        if let text = example.text {
            var line = TextBuffer()
            line.append(summaryOf: dissection, of: dissector, value: ShownOctets(value, dissection, of: dissector))
            let got = line.text
            verify(got == text, got: "the line \(got)", wanted: text)
        }
        for wanted in example.shows {
            let shown = Shown(dissection, dissector, octets)
            guard let difference = shown.difference(from: wanted, inside: nil) else { continue }
            verify(false, got: difference.got, wanted: difference.wanted, at: difference.position)
        }
    }
}

extension ExampleCheck {
    /// The value, or the message that its parts yield.
    private mutating func octets(of example: Example, _ dissector: Dissector) -> [UInt8]? {
        guard !example.parts.isEmpty else { return example.octets }
        guard let assembly = dissector.assembly else {
            note(dissector, example.position, "got parts, wanted \"hex\": its messages are not split")
            return nil
        }
        var assembler = MessageAssembler(assembly)
        var outcome = MessageAssembler.Outcome.stray
        for (index, part) in example.parts.enumerated() {
            if outcome == .complete { outcome = .stray }
            (outcome, _) = assembler.add(Bytes(part.span), frame: index + 1, at: 0)
        }
        guard outcome == .complete, assembler.parts.count == example.parts.count else {
            note(dissector, example.position, "got \(assembler.message.count) octets of a message, wanted all of it")
            return nil
        }
        return assembler.message
    }

    private mutating func setContext(of example: Example, _ dissector: Dissector) -> Bool {
        dissection.context = dissector.context.map { definition in
            example.context.first { $0.name == definition.name }?.value
        }
        for given in example.context where !dissector.context.contains(where: { $0.name == given.name }) {
            note(dissector, given.position, "got \"\(given.name)\", which is not in its context")
            return false
        }
        return true
    }

    private mutating func note(_ dissector: Dissector, _ position: SourcePosition, _ message: String) {
        mistakes.append(
            DefinitionMistake(
                file: path, line: position.line, column: position.column, message: "\(dissector.name): \(message)"))
    }
}

/// The content of a dissection, in the words of examples.
private struct Shown {
    let dissection: Dissection
    let dissector: Dissector
    let octets: [UInt8]

    init(_ dissection: Dissection, _ dissector: Dissector, _ octets: [UInt8]) {
        self.dissection = dissection
        self.dissector = dissector
        self.octets = octets
    }

    struct Difference {
        var got: String
        var wanted: String
        var position: SourcePosition
    }

    /// nil: none.
    func difference(from wanted: Example.Named, inside record: Int?) -> Difference? {
        var groups: [Dissection.Group] = []
        dissection.forEachGroup(in: dissection.content(ofRecord: record), of: dissector) { group in
            if !group.isUnexplained { groups.append(group) }
        }
        func named(_ name: some StringProtocol) -> Dissection.Group? {
            groups.first { dissector.fields[Int($0.field)].name == name }
        }
        if let group = named(wanted.name) {
            return difference(from: wanted.expectation, named: wanted.name, wanted.position, group)
        }
        // "Field.Bits": a number of several bits.
        if let dot = wanted.name.lastIndex(of: "."), let group = named(wanted.name[..<dot]),
            let bits = dissector.fields[Int(group.field)].bits
                .first(where: { $0.name == wanted.name[wanted.name.index(after: dot)...] })
        {
            let number = bits.value(in: dissection[group.first].raw)
            let label = bits.labels.first { $0.contains(number) }?.label
            let texts = [label, "\(number)"].compactMap { $0 }
            if case .text(let text) = wanted.expectation, texts.contains(text) { return nil }
            return Difference(
                got: "\(wanted.name) \(texts[0])", wanted: Self.words(wanted.expectation), position: wanted.position)
        }
        let names = groups.map { "\"\(dissector.fields[Int($0.field)].name)\"" }.joined(separator: ", ")
        return Difference(
            got: names.isEmpty ? "no fields" : "the fields \(names)", wanted: "\"\(wanted.name)\"",
            position: wanted.position)
    }

    private func difference(
        from wanted: Example.Expectation, named name: String, _ position: SourcePosition, _ group: Dissection.Group
    ) -> Difference? {
        let definition = dissector.fields[Int(group.field)]
        let record = group.first
        switch wanted {
        case .fields(let fields) where group.count == 1:
            return fields.lazy.compactMap { difference(from: $0, inside: record) }.first
        case .list(let items) where definition.isRepeated:
            guard items.count == group.count else {
                return Difference(
                    got: "\(name) \(group.count) times", wanted: "\(items.count)", position: position)
            }
            var record = group.first
            for item in items {
                let one = Dissection.Group(
                    first: record, count: 1, field: group.field, end: dissection.end(ofRecord: record))
                record = one.end
                if let found = difference(from: item, named: name, position, one) { return found }
            }
            return nil
        case .list(let items) where !definition.bits.isEmpty:
            let raw = dissection[record].raw
            let set = definition.bits.filter { $0.isFlag && $0.value(in: raw) != 0 }.map(\.name)
            let wantedNames = items.map(Self.words)
            guard set == wantedNames else {
                return Difference(
                    got: "\(name) [\(set.joined(separator: ", "))]",
                    wanted: "[\(wantedNames.joined(separator: ", "))]", position: position)
            }
            return nil
        case .text(let text):
            let texts = texts(of: dissection[record])
            guard !texts.contains(text) else { return nil }
            return Difference(got: "\(name) \(texts[0])", wanted: text, position: position)
        case .fields, .list:
            return Difference(
                got: "\(name) as one value", wanted: "\(Self.words(wanted))", position: position)
        }
    }

    /// Accepted texts for a value: as it is shown, a string without its quotes, the number under a label.
    private func texts(of field: DissectedField) -> [String] {
        let value = ShownOctets(Bytes(octets.span), dissection, of: dissector)
        var buffer = TextBuffer()
        buffer.append(valueOf: field, in: value, of: dissector)
        var texts = [buffer.text]
        switch dissector.fields[Int(field.field)].type {
        case .utf8, .utf8z: texts.insert(String(texts[0].dropFirst().dropLast()), at: 0)
        default: break
        }
        if let label = dissector.label(of: field) { texts.append(label) }
        if let number = dissector.number(of: field) {
            buffer.removeAll()
            buffer.append(number: number)
            texts.append(buffer.text)
        }
        return texts
    }

    private static func words(_ expectation: Example.Expectation) -> String {
        switch expectation {
        case .text(let text): text
        case .list(let items): "[" + items.map(words).joined(separator: ", ") + "]"
        case .fields(let fields):
            "{ " + fields.map { "\($0.name): \(words($0.expectation))" }.joined(separator: ", ") + " }"
        }
    }
}

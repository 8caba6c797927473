import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasGenerate
import AttlasTestSupport
import AttlasWire
import Foundation
import Testing

/// Generated codecs next to the dissectors of the same definitions.
struct ComparedCodecs {
    let form: CodecForm
    let dissectors: [Dissector]

    init(_ sources: [DefinitionSource]) throws {
        // Each by itself: different devices use the same UUIDs.
        let files = sources.flatMap { source in
            let loader = DefinitionLoader([source], above: .shipped)
            expect(loader.mistakes, equals: [])
            return loader.files
        }
        let library = DissectorLibrary.shipped.adding(files)
        form = CodecForm(files, name: "Tested", resolve: library.definition)
        dissectors = try form.codecs.map {
            try Dissector(
                $0.definition, assignedNumbers: library.assignedNumbers, withholdsKeys: false,
                resolve: library.definition)
        }
    }

    init(yaml: String) throws { try self.init([DefinitionSource(path: "test.yaml", text: yaml)]) }

    // MARK: Inputs

    struct Input {
        var codec: Int
        var octets: [UInt8]
    }

    /// Values that others have published (`ATTLAS_VECTORS`), by their characteristic.
    private static let published: [BluetoothUUID: [[UInt8]]] = {
        guard let path = ProcessInfo.processInfo.environment["ATTLAS_VECTORS"],
            let text = try? String(contentsOfFile: path, encoding: .utf8)
        else { return [:] }
        var values: [BluetoothUUID: [[UInt8]]] = [:]
        for line in text.split(separator: "\n") {
            guard let row = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let uuid = (row["uuid"] as? String).flatMap({ BluetoothUUID($0) }),
                let octets = (row["hex"] as? String).flatMap(ScalarText.octets)
            else { continue }
            values[uuid, default: []].append(octets)
        }
        return values
    }()

    /// The examples, their beginnings, the same with changes, and octets at random.
    func inputs(perCodec count: Int, seed: UInt64) -> [Input] {
        var generator = SplitMix64(seed: seed)
        var inputs: [Input] = []
        for (index, codec) in form.codecs.enumerated() {
            let examples = codec.definition.examples.filter { codec.operations.contains($0.operation) }
                .map { $0.parts.isEmpty ? $0.octets : $0.parts.flatMap { $0 } }
            inputs += (Self.published[codec.definition.uuid] ?? []).map { Input(codec: index, octets: $0) }
            inputs += examples.map { Input(codec: index, octets: $0) }
            for _ in 0..<count {
                var octets = examples.randomElement(using: &generator) ?? []
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: octets = generator.octets(upTo: 24)
                case 1: octets = Array(octets.prefix(Int.random(in: 0...octets.count, using: &generator)))
                case 2: octets += generator.octets(upTo: 6)
                default: break
                }
                for _ in 0..<Int.random(in: 0...3, using: &generator) where !octets.isEmpty {
                    let place = Int.random(in: 0..<octets.count, using: &generator)
                    octets[place] =
                        Bool.random(using: &generator)
                        ? octets[place] ^ 1 << UInt8.random(in: 0..<8, using: &generator)
                        : UInt8.random(in: .min ... .max, using: &generator)
                }
                inputs.append(Input(codec: index, octets: octets))
            }
        }
        return inputs
    }

    static func lines(_ inputs: [Input]) -> [UInt8] {
        Array(inputs.map { "\($0.codec) x\(hexadecimal($0.octets))\n" }.joined().utf8)
    }

    static func hexadecimal(_ octets: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    // MARK: Expected output

    /// What the dissector reads, as the programs print it, and the octets that have to be written again.
    func expected(_ inputs: [Input]) -> [String] {
        var dissection = Dissection()
        return inputs.map { input in
            let (codec, dissector) = (form.codecs[input.codec], dissectors[input.codec])
            let value = Bytes(input.octets.span)
            dissector.dissect(value, operation: codec.operations[0], into: &dissection)
            if dissection.fault != nil || dissection.hasWrongCheck { return "refused" }
            let unexplained = input.octets[dissection.unexplained]
            let text = Self.text(codec.root, dissection, nil, input.octets, unexplained, dissector)
            return "\(text) \(Self.hexadecimal(input.octets))"
        }
    }

    private static func text(
        _ record: CodecRecord, _ dissection: Dissection, _ parent: Int?, _ octets: [UInt8], _ rest: ArraySlice<UInt8>,
        _ dissector: Dissector
    ) -> String {
        var contents: [ObjectIdentifier: [String]] = [:]
        var rest = rest
        let range = dissection.content(ofRecord: parent)
        var index = range.lowerBound
        while index < range.upperBound {
            let field = dissection[index]
            if field.field == DissectedField.unexplainedOctets {
                rest = octets[field.range]
            } else if let member = record.members.first(where: { $0.fieldIndexes.contains(Int(field.field)) }) {
                contents[ObjectIdentifier(member), default: []] += text(member, dissection, index, octets, dissector)
            }
            index = dissection.end(ofRecord: index)
        }
        let members = record.stored.compactMap { member -> String? in
            if case .context = member.kind { return nil }
            if case .unexplained = member.kind { return list(rest) }
            let texts = contents[ObjectIdentifier(member)] ?? []
            return member.presence == .repeated ? "[\(texts.joined(separator: ","))]" : texts.last ?? "-"
        }
        return "(\(members.joined(separator: ",")))"
    }

    private static func list(_ octets: ArraySlice<UInt8>) -> String {
        "[\(octets.map { String($0) }.joined(separator: ","))]"
    }

    private static func text(
        _ member: CodecMember, _ dissection: Dissection, _ index: Int, _ octets: [UInt8], _ dissector: Dissector
    ) -> [String] {
        let field = dissection[index]
        switch member.kind {
        case .number(_, let isSigned):
            let raw = UInt64(bitPattern: field.raw) & ~member.derivedMask
            return [isSigned ? "\(Int64(bitPattern: raw))" : "\(raw)"]
        case .computed: return ["\(field.raw)"]
        case .check:
            // It is known only if it is special, or if it may be left out.
            return field.special != .none || member.isGuessed ? ["\(UInt64(bitPattern: field.raw))"] : []
        case .octets:
            let own = Array(octets[field.range])
            if member.field?.type == .utf8z { return [list(own.dropLast())] }
            let content = dissector.fields[Int(field.field)].content(of: Bytes(own.span))
            return [list(own.prefix(content.count))]
        case .record(let record): return [text(record, dissection, index, octets, [], dissector)]
        case .unexplained, .context: return []
        }
    }
}

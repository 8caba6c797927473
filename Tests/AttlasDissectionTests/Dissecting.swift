import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasText
import AttlasValues
import AttlasWire
import Testing

/// What a value becomes, for tests: everything as plain values.
struct Dissected {
    var dissector: Dissector
    var dissection = Dissection()
    var octets: [UInt8]

    init(_ dissector: Dissector, _ octets: [UInt8], _ operation: AttributeAccess = .read) {
        self.dissector = dissector
        self.octets = octets
        dissector.dissect(Bytes(octets.span), operation: operation, into: &dissection)
    }

    init(_ uuid: UInt16, _ octets: [UInt8], _ operation: AttributeAccess = .read) throws {
        try self.init(#require(DissectorLibrary.shipped.dissector(for: BluetoothUUID(uuid))), octets, operation)
    }

    /// Of the first characteristic in a file that must be right.
    init(yaml: String, _ octets: [UInt8], _ operation: AttributeAccess = .read) throws {
        let loader = DefinitionLoader([DefinitionSource(path: "test.yaml", text: yaml)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [])
        let uuid = try #require(loader.files.first?.attributes.first?.uuid)
        let library = DissectorLibrary.shipped.adding(loader.files)
        self.init(try #require(library.dissector(for: uuid)), octets, operation)
    }

    private var shown: ShownOctets {
        @_lifetime(borrow self) get { ShownOctets(Bytes(octets.span), dissection, of: dissector) }
    }

    var text: String {
        var buffer = TextBuffer()
        buffer.append(summaryOf: dissection, of: dissector, value: shown)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    var json: String {
        var buffer = TextBuffer()
        buffer.append(jsonOf: dissection, of: dissector, value: shown)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    var records: [DissectedField] { (0..<dissection.count).map { dissection[$0] } }

    var names: [String] { records.map { dissector.fields[Int($0.field)].name } }

    var raws: [Int64] { records.map(\.raw) }

    /// "name = number" of each field that has one.
    var numbers: [String] {
        records.compactMap { record in
            guard let number = dissector.number(of: record) else { return nil }
            var buffer = TextBuffer()
            buffer.append(number: number)
            return "\(dissector.fields[Int(record.field)].name) = \(String(decoding: buffer.bytes, as: UTF8.self))"
        }
    }
}

/// A file of one characteristic with these fields.
func definition(_ fields: String) -> String {
    "characteristics:\n  - uuid: F0000001-0000-4000-8000-000000000000\n    name: Test\n    fields:\n"
        + fields.split(separator: "\n").map { "      \($0)\n" }.joined()
}

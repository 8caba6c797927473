import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasText
import AttlasValues
import AttlasWire

/// Reads the octets of values by a definition: one that comes with attlas, or your own.
///
/// ```swift
/// let colour = try Dissector(yaml: text)
/// let fields = try colour.decode([0x01, 0x0A, 0xFF, 0x80, 0x00])
/// ```
public struct Dissector: Sendable {
    let files: [DefinitionFile]
    private let dissectors: [AttlasDissection.Dissector]

    /// The definitions of a file: `attlas help dissectors` describes the format.
    /// - Parameters:
    ///   - yaml: the text of the file.
    ///   - name: stands for the file in messages.
    /// - Throws: where the text is not a definition, by line and column.
    public init(yaml: String, named name: String = "definition") throws(DefinitionError) {
        let loader = DefinitionLoader([DefinitionSource(path: name, text: yaml)], above: .shipped)
        guard loader.mistakes.isEmpty else { throw DefinitionError(description: loader.mistakes.map(\.description)) }
        files = loader.files
        let library = DissectorLibrary.shipped.adding(files)
        dissectors = files.flatMap(\.attributes).compactMap { library.dissector(for: $0.key) }
        guard !dissectors.isEmpty else { throw DefinitionError(description: ["\(name): it defines no values"]) }
    }

    /// A definition that comes with attlas.
    /// - Parameter attribute: a UUID or a name.
    /// - Throws: when none has this name. The error names the nearest one.
    public init(_ attribute: String) throws(UnknownName) {
        files = []
        do throws(NameMistake) {
            dissectors = [try DissectorLibrary.shipped.dissector(named: attribute)]
        } catch {
            throw UnknownName(description: error.message)
        }
    }

    /// The names of its definitions.
    public var names: [String] { dissectors.map(\.name) }

    /// Reads a value.
    /// - Parameters:
    ///   - octets: the whole value, or the whole message that it was split into.
    ///   - attribute: which of its definitions, by UUID or name; nil for the only one, or the first.
    ///   - operation: the operation that carried the value, if the layout depends on it; nil for the best fit.
    /// - Throws: where the value ends early, a checksum is wrong, or a number is not permitted. An `UnknownName` for an attribute that
    ///   it does not define.
    public func decode(
        _ octets: some Sequence<UInt8>, of attribute: String? = nil, as operation: AttributeAccess? = nil
    ) throws -> Fields {
        let dissector = try attribute.map(dissector) ?? dissectors[0]
        let octets = Array(octets)
        let context = [Int64?](repeating: nil, count: dissector.context.count)
        let readings = ContextFreeReading.all(of: [octets], as: operation, by: dissector, context: context)
        guard let dissection = readings.first?.dissection else {
            throw UnknownName(description: "\(dissector.name) has no layout for this operation")
        }
        if let fault = DissectionError(dissection, of: dissector) { throw fault }
        return Fields(
            dissection, of: dissector, ShownOctets(Bytes(octets.span), dissection, of: dissector), isPartial: false)
    }

    private func dissector(of attribute: String) throws(UnknownName) -> AttlasDissection.Dissector {
        let uuid = BluetoothUUID(attribute)
        if let found = dissectors.first(where: { $0.uuid == uuid || FoldedText($0.name) == FoldedText(attribute) }) {
            return found
        }
        throw UnknownName(
            description: "\"\(attribute)\" is not defined" + NearestWord.suggestion(for: attribute, among: names))
    }
}

extension DissectorLibrary {
    /// The definitions that come with attlas, and before them others.
    package static func shipped(with dissectors: [Dissector]) -> DissectorLibrary {
        let files = dissectors.flatMap(\.files)
        return files.isEmpty ? .shipped : shipped.adding(files)
    }
}

/// Mistakes in a definition, each with its line and column.
public struct DefinitionError: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(description lines: [String]) { description = lines.joined(separator: "\n") }
}

/// A fault in a value.
public struct DissectionError: Error, Sendable, CustomStringConvertible {
    /// The field.
    public let field: String
    /// Where it begins in the value.
    public let offset: Int
    /// `Blue: the value ends within the field, needs 5 octets, has 4`
    public let description: String

    init?(_ dissection: Dissection, of dissector: AttlasDissection.Dissector) {
        var text = TextBuffer()
        if let fault = dissection.fault {
            text.append(fault, of: dissector)
            (field, offset) = (dissector.fields[fault.field].name, fault.offset)
        } else {
            let records = (0..<dissection.count).map { dissection[$0] }
            guard let record = records.first(where: { $0.hasWrongCheck || $0.isOutOfRange }) else { return nil }
            let definition = dissector.fields[Int(record.field)]
            if record.hasWrongCheck {
                text.append(display: definition.contradiction)
            } else {
                text.append(display: definition.name)
                text.append(outsideRangeOf: definition)
            }
            (field, offset) = (definition.name, Int(record.offset))
        }
        description = text.text
    }
}

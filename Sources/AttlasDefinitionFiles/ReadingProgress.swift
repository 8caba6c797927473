import AttlasDissection
import AttlasWire

/// Results of reading a file: its mistakes, the types that it names, and the texts among its fields.
final class ReadingProgress {
    /// Fields that the types of a file add where they are used.
    private static let fieldLimit = 65_536
    private static let depthLimit = 16
    static let mistakeLimit = 100

    /// Shipped definitions take their units from the table; a vendor's may be anything.
    let requiresListedUnits: Bool
    private(set) var mistakes: [CompileMistake] = []
    /// Names of fields that a switch may compare with texts.
    var texts: Set<String> = []
    /// Those that have not been read yet, too.
    private(set) var types: [String: YAMLNode] = [:]
    private var layouts: [String: Layout] = [:]
    private var counts: [String: Int] = [:]
    private var unfinished: [String] = []
    private var added = 0

    init(requiresListedUnits: Bool) {
        self.requiresListedUnits = requiresListedUnits
    }

    func note(_ mistake: CompileMistake) {
        if mistakes.count < Self.mistakeLimit { mistakes.append(mistake) }
    }

    /// Returns the result of `read`; `fallback` after a mistake, which is noted.
    func noting<Value>(_ fallback: Value, _ read: () throws(CompileMistake) -> Value) -> Value {
        do throws(CompileMistake) {
            return try read()
        } catch {
            note(error)
            return fallback
        }
    }

    /// Mistakes since the last call.
    func takeMistakes() -> [CompileMistake] {
        defer { mistakes = [] }
        return mistakes
    }

    func add(type name: YAMLNode, _ node: YAMLNode) throws(CompileMistake) {
        let text = try name.text("the name of a type")
        guard !text.isEmpty, BluetoothUUID(text) == nil else {
            throw name.mistake("\"\(text)\" cannot be the name of a type")
        }
        types[text] = node
    }

    /// nil if the file has no such type.
    func type(_ name: String, at place: YAMLNode) throws(CompileMistake) -> Layout? {
        guard let node = types[name] else { return nil }
        if unfinished.contains(name) { throw place.mistake("the type \"\(name)\" contains itself") }
        guard unfinished.count < Self.depthLimit else {
            throw place.mistake("types use each other more than \(Self.depthLimit) deep")
        }
        if layouts[name] == nil {
            unfinished.append(name)
            defer { unfinished.removeLast() }
            // A type with a mistake is read once.
            layouts[name] = Layout(operations: [], elements: [])
            layouts[name] = try read(node)
            counts[name] = layouts[name].map { Self.count($0.elements) }
        }
        added += counts[name, default: 0]
        guard added <= Self.fieldLimit else {
            throw place.mistake("the types of this file add more than \(Self.fieldLimit) fields")
        }
        return layouts[name]
    }

    private func read(_ node: YAMLNode) throws(CompileMistake) -> Layout {
        let mapping = try YAMLMapping(node, what: "a type", keys: ["order", "fields", "summary"])
        var reader = FieldReader(self)
        reader.isBigEndian = try mapping["order"].map(FieldReader.isBigEndian) ?? false
        return Layout(
            operations: [], elements: try reader.elements(try mapping.required("fields", of: "a type")),
            summary: try mapping["summary"]?.source("a summary"))
    }

    private static func count(_ elements: [Element]) -> Int {
        var count = 0
        var rest = elements
        while let element = rest.popLast() {
            switch element {
            case .field(let field):
                count += 1
                rest += field.elements
            case .choice(let branches): rest += branches.flatMap(\.elements)
            }
        }
        return count
    }
}

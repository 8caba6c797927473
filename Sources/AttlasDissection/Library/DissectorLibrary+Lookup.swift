import AttlasWire

/// A name that nothing, or more than one thing, has.
public struct NameMistake: Error, Sendable {
    /// A sentence without a full stop.
    package let message: String
}

extension DissectorLibrary {
    private static let listLimit = 5

    /// The attribute that a user names: by its UUID, by its name, or by a part of the name that no other one has.
    package func attribute(named text: String) throws(NameMistake) -> BluetoothUUID {
        if let uuid = BluetoothUUID(text) { return uuid }
        let named = definitions.filter { $0.key.space == .attribute }
        let equal = named.filter { $0.name.lowercased() == text.lowercased() }
        let found = equal.isEmpty ? named.filter { $0.name.lowercased().contains(text.lowercased()) } : equal
        if found.count == 1 { return found[0].uuid }
        if found.isEmpty {
            throw NameMistake(
                message: "\"\(text)\" is neither a UUID nor in the name of an attribute with a definition"
                    + NearestWord.suggestion(for: text, among: named.map(\.name)))
        }
        // Names that begin with the text come first: many vendors' names end with an ordinary word.
        let begins = { (name: String) in name.lowercased().hasPrefix(text.lowercased()) }
        let listed = found.filter { begins($0.name) } + found.filter { !begins($0.name) }
        let list = listed.prefix(Self.listLimit).map { "\($0.name) (\($0.uuid))" }.joined(separator: ", ")
        let more = found.count > Self.listLimit ? " and \(found.count - Self.listLimit) more" : ""
        throw NameMistake(message: "\"\(text)\" may be \(list)\(more)")
    }

    /// The dissector of a company where the number is written as one (`0x004C`); else of an attribute, or of a service whose data is
    /// advertised.
    public func dissector(named text: String) throws(NameMistake) -> Dissector {
        if text.hasPrefix("0x"), let company = ScalarText.integer(text).flatMap(UInt16.init(exactly:)) {
            if let dissector = dissector(for: .manufacturerData(company)) { return dissector }
            throw NameMistake(message: "there is no definition of the data of company \(text)")
        }
        if let dissector = recognized(named: text) { return dissector }
        let uuid = try attribute(named: text)
        if let dissector = dissector(for: uuid) ?? dissector(for: .serviceData(uuid)) { return dissector }
        let name = attributeName(of: uuid).map { " (\($0))" } ?? ""
        throw NameMistake(message: "there is no definition of \(uuid)\(name)")
    }
}

import ArgumentParser
import AttlasDissection
import AttlasWire

extension DissectorLibrary {
    private static let listLimit = 5

    /// The attribute that an argument names: by its UUID, by its name, or by a part of the name that no other one has.
    func attribute(_ text: String) throws -> BluetoothUUID {
        if let uuid = BluetoothUUID(text) { return uuid }
        let named = definitions.filter { $0.key.space == .attribute }
        let equal = named.filter { $0.name.lowercased() == text.lowercased() }
        let found = equal.isEmpty ? named.filter { $0.name.lowercased().contains(text.lowercased()) } : equal
        if found.count == 1 { return found[0].uuid }
        if found.isEmpty {
            printError(
                "\"\(text)\" is neither a UUID nor in the name of an attribute with a definition"
                    + NearestWord.suggestion(for: text, among: named.map(\.name)))
        } else {
            let list = found.prefix(Self.listLimit).map { "\($0.name) (\($0.uuid))" }.joined(separator: ", ")
            let more = found.count > Self.listLimit ? " and \(found.count - Self.listLimit) more" : ""
            printError("\"\(text)\" may be \(list)\(more)")
        }
        throw ExitCode.failure
    }
}

import AttlasDissection
import AttlasTrace
import AttlasWire

/// The UUIDs of a capture with their names, for output after the trace is gone.
public struct UUIDNames: Sendable {
    private struct Entry {
        let uuid: BluetoothUUID
        let service: String?
        let attribute: String?
        let assignee: String?
    }

    private let entries: [Entry]

    /// Copies all UUIDs of the trace, with their names.
    public init(_ trace: borrowing Trace, _ library: DissectorLibrary) {
        var entries: [Entry] = []
        for uuid in trace.uuids.all {
            entries.append(
                Entry(
                    uuid: uuid, service: library.serviceName(of: uuid), attribute: library.attributeName(of: uuid),
                    assignee: library.assignee(of: uuid)))
        }
        self.entries = entries
    }

    /// UUID of a number of that trace.
    public subscript(_ index: UUIDIndex) -> BluetoothUUID { entries[Int(index.value)].uuid }

    /// Name as a service or as an attribute; nil if it has none.
    public func knownName(_ index: UUIDIndex, _ kind: NameKind) -> String? {
        let entry = entries[Int(index.value)]
        return kind == .service ? entry.service : entry.attribute
    }

    /// Whom a UUID without a name is assigned to.
    public func assignee(_ index: UUIDIndex) -> String? { entries[Int(index.value)].assignee }

    /// The name, or the short form of the UUID if it has none.
    public func name(_ index: UUIDIndex, _ kind: NameKind) -> String {
        knownName(index, kind) ?? self[index].abbreviated
    }
}

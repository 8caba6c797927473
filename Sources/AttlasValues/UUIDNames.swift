import AttlasDissection
import AttlasTrace
import AttlasWire

/// The UUIDs of a capture with their names, for output after the trace is gone.
public struct UUIDNames: Sendable {
    private let uuids: [BluetoothUUID]
    private let library: DissectorLibrary

    /// Copies all UUIDs of the trace.
    public init(_ trace: borrowing Trace, _ library: DissectorLibrary) {
        uuids = trace.uuids.all
        self.library = library
    }

    /// UUID of a number of that trace.
    public subscript(_ index: UUIDIndex) -> BluetoothUUID { uuids[Int(index.value)] }

    /// Name of a company; nil if it has none.
    package func companyName(_ identifier: UInt16) -> String? { library.companyName(of: identifier) }

    /// Name of a service of BR/EDR; nil if it has none.
    package func name(_ service: SerialServices.Service) -> String? { service.name(library) }

    /// Name as a service or as an attribute; nil if it has none.
    public func knownName(_ index: UUIDIndex, _ kind: NameKind) -> String? { library.knownName(self[index], kind) }

    /// Name as a service or as an attribute; nil if it has none.
    public func knownName(_ uuid: BluetoothUUID, _ kind: NameKind) -> String? { library.knownName(uuid, kind) }

    /// Whom a UUID without a name is assigned to.
    public func assignee(_ index: UUIDIndex) -> String? { library.assignee(of: self[index]) }

    /// The name, or the short form of the UUID if it has none.
    public func name(_ index: UUIDIndex, _ kind: NameKind) -> String { name(self[index], kind) }

    /// The name, or the short form of the UUID if it has none.
    public func name(_ uuid: BluetoothUUID, _ kind: NameKind) -> String { knownName(uuid, kind) ?? uuid.abbreviated }
}

import AttlasWire

/// How an imported table is used.
public enum ImportedTableChange: Sendable {
    /// It was put in for the peer of the connection, or for the recorded host.
    ///
    /// - Parameters:
    ///   - attributes: How many entries it has.
    ///   - isPresumed: The capture does not contain the address of this peer; the table is the only one there is.
    case used(attributes: Int, isPresumed: Bool)
    /// The server has another Database Hash: the imported table is invalid, and was dropped.
    case outdated(imported: UInt128, seen: UInt128)
    /// The capture shows another attribute at a handle: the imported table is invalid, and was dropped.
    case conflict(handle: AttributeHandle, imported: UUIDIndex, seen: UUIDIndex)
}

/// The tables that were given with the capture.
struct Imports: Sendable {
    struct Item: Sendable {
        let owner: ImportedOwner?
        let name: String?
        let isLocal: Bool
        let table: AttributeTable
        var uses = 0
    }

    var items: [Item] = []

    var isEmpty: Bool { items.isEmpty }

    /// The table of the device with this address. A device without one cannot be recognized: it gets the
    /// table of the only device there is one of.
    func index(for address: BluetoothAddress?) -> Int? {
        guard let address else {
            let peers = items.indices.filter { !items[$0].isLocal }
            guard let first = peers.first else { return nil }
            let owner = items[first].owner
            let isOnly = peers.count == 1 || owner != nil && peers.allSatisfy { items[$0].owner == owner }
            return isOnly ? first : nil
        }
        return items.firstIndex { $0.owner?.matches(address) ?? false }
    }
}

extension Trace {
    /// Gives a table that was learned elsewhere, for the peer or the host with its owner's address. Call it before the first record.
    ///
    /// With several tables for the same owner, the first is used. Tables beyond a trace's limit for peers are not taken.
    public mutating func `import`(_ table: ImportedTable) {
        let count = imports.items.reduce(0) { $0 + $1.table.count }
        guard imports.items.count < limits.peers, count < limits.attributes else { return }
        imports.items.append(
            Imports.Item(
                owner: table.owner, name: table.name, isLocal: table.isLocal, table: AttributeTable(table, in: &uuids)))
    }

    /// How many devices a table that was given with `import` was used for, in the order in which they were given.
    public var importedTableUses: [Int] { imports.items.map(\.uses) }

    /// Puts in the table of the connection's peer, if one was given, once for each peer: when it was dropped, it stays so.
    @_semantics("optimize.sil.specialize.generic.never")
    mutating func useImport<Sink: EventSink & ~Copyable>(_ slot: Int, _ context: PDUContext, into sink: inout Sink) {
        let peer = connections[slot].peer
        guard !imports.isEmpty, !peerTable.peers[peer].isImportSettled else { return }
        let address = peerTable.peers[peer].address
        peerTable[peer].isImportSettled = true
        guard let index = imports.index(for: address) else { return }
        // A name is a device's, and here the device is only presumed.
        if address != nil, peerTable[peer].name == nil { peerTable[peer].name = imports.items[index].name }
        putIn(
            index, ConnectionServer(side: .peer, slot: slot), isPresumed: address == nil, context, into: &sink)
    }

    /// The same for the host, when its own server is spoken to.
    mutating func useHostImport<Sink: EventSink & ~Copyable>(_ slot: Int, _ context: PDUContext, into sink: inout Sink)
    {
        let controller = connections[slot].controllerIndex
        guard !controllers[controller].isImportSettled, let address = controllers[controller].address else { return }
        controllers[controller].isImportSettled = true
        guard let index = imports.index(for: address) else { return }
        putIn(index, ConnectionServer(side: .local, slot: slot), isPresumed: false, context, into: &sink)
    }

    private mutating func putIn<Sink: EventSink & ~Copyable>(
        _ index: Int, _ server: ConnectionServer, isPresumed: Bool, _ context: PDUContext, into sink: inout Sink
    ) {
        imports.items[index].uses += 1
        let (imported, types) = (imports.items[index].table, types)
        var conflict: AttributeTable.Conflict?
        withTable(server) { conflict = $0.takeIn(imported, types: types) }
        let change =
            conflict.map { ImportedTableChange($0) } ?? .used(attributes: imported.count, isPresumed: isPresumed)
        emit(context, server.slot, .importedTable(change, server.side), into: &sink)
    }

    // MARK: What the capture shows

    /// A server changes as a whole: when it shows one attribute to be another than was imported, nothing of that holds.
    mutating func compareWithImport<Sink: EventSink & ~Copyable>(
        _ handle: AttributeHandle, _ type: UUIDIndex, _ server: ConnectionServer, _ context: PDUContext,
        into sink: inout Sink
    ) {
        guard hasImported(server) else { return }
        drop(table(of: server).conflict(handle, type, types: types), server, context, into: &sink)
    }

    mutating func compareWithImport<Sink: EventSink & ~Copyable>(
        _ service: AttributeTable.Service, _ server: ConnectionServer, _ context: PDUContext, into sink: inout Sink
    ) {
        guard hasImported(server) else { return }
        drop(table(of: server).conflict(service, types: types), server, context, into: &sink)
    }

    mutating func compareWithImport<Sink: EventSink & ~Copyable>(
        _ hash: AttributeTable.DatabaseHash, _ server: ConnectionServer, _ context: PDUContext, into sink: inout Sink
    ) {
        guard hasImported(server) else { return }
        drop(table(of: server).conflict(hash), server, context, into: &sink)
    }

    /// Asked for every attribute that is found: no table is copied.
    private func hasImported(_ server: ConnectionServer) -> Bool {
        switch server.side {
        case .peer: peerTable.peers[connections[server.slot].peer].table.hasImported
        case .local: controllers[connections[server.slot].controllerIndex].table.hasImported
        }
    }

    private mutating func drop<Sink: EventSink & ~Copyable>(
        _ conflict: AttributeTable.Conflict?, _ server: ConnectionServer, _ context: PDUContext, into sink: inout Sink
    ) {
        guard let conflict else { return }
        withTable(server) { $0.forgetImported() }
        emit(context, server.slot, .importedTable(ImportedTableChange(conflict), server.side), into: &sink)
    }
}

extension ImportedTableChange {
    fileprivate init(_ conflict: AttributeTable.Conflict) {
        switch conflict {
        case .attribute(let handle, let imported, let seen):
            self = .conflict(handle: handle, imported: imported, seen: seen)
        case .databaseHash(let imported, let seen): self = .outdated(imported: imported, seen: seen)
        }
    }
}

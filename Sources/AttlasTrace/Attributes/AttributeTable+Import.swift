import AttlasWire

extension AttributeTable {
    /// Adds attributes learned of the same server under another address. If two contradict each other, the newer one stays.
    mutating func merge(_ other: AttributeTable) {
        let newer = lastConnection > other.lastConnection ? self : other
        if lastConnection > other.lastConnection { self = other }
        hasImported = hasImported || newer.hasImported
        if let hash = newer.databaseHash { insert(hash) }
        for service in newer.services { insert(service) }
        for include in newer.includes { insert(include) }
        for characteristic in newer.characteristics { insert(characteristic) }
        for attribute in newer.typedAttributes { insert(attribute) }
    }

    /// The number of the connection in which something was learned last.
    private var lastConnection: Int {
        var last = 0
        for service in services { last = max(last, service.learned.connection) }
        for characteristic in characteristics { last = max(last, characteristic.learned.connection) }
        for attribute in typedAttributes { last = max(last, attribute.learned.connection) }
        return last
    }
}

/// Imported entries, next to those that the capture shows.
extension AttributeTable {
    /// Two things that cannot both be true of one server.
    enum Conflict: Sendable {
        case attribute(AttributeHandle, imported: UUIDIndex, seen: UUIDIndex)
        case databaseHash(imported: UInt128, seen: UInt128)
    }

    /// Adds an imported table to the attributes seen so far. If they contradict each other, only those seen stay.
    mutating func takeIn(_ imported: AttributeTable, types: DeclarationTypes) -> Conflict? {
        var whole = imported
        if let hash = databaseHash {
            if let conflict = whole.conflict(hash) { return conflict }
            whole.insert(hash)
        }
        for service in services {
            if let conflict = whole.conflict(service, types: types) { return conflict }
            whole.insert(service)
        }
        for include in includes {
            if let conflict = whole.conflict(include.handle, types.include, types: types) { return conflict }
            whole.insert(include)
        }
        for characteristic in characteristics {
            let handle = characteristic.handle
            let conflict =
                whole.conflict(handle, types.characteristic, types: types)
                ?? whole.conflict(characteristic.valueHandle, characteristic.uuid, types: types)
            if let conflict { return conflict }
            whole.insert(characteristic)
        }
        for attribute in typedAttributes {
            if let conflict = whole.conflict(attribute.handle, attribute.uuid, types: types) { return conflict }
            whole.insert(attribute)
        }
        self = whole
        return nil
    }

    /// The imported attribute of a handle, if it differs from the one seen.
    func conflict(_ handle: AttributeHandle, _ seen: UUIDIndex, types: DeclarationTypes) -> Conflict? {
        guard let known = info(handle, connection: 0, types: types), known.knownFrom == .imported, known.type != seen
        else { return nil }
        return .attribute(handle, imported: known.type, seen: seen)
    }

    /// The same for a service: no other one may lie in its range, and none may begin where it does.
    func conflict(_ service: Service, types: DeclarationTypes) -> Conflict? {
        let type = service.isPrimary != false ? types.primaryService : types.secondaryService
        if let conflict = conflict(service.handle, type, types: types) { return conflict }
        var first: Service?
        services.walkDown(from: service.endHandle) { other in
            let isSame = other.handle == service.handle && other.uuid == service.uuid
            // The last service of a server may end at 0xFFFF: in truth it ends where the next one begins.
            let end = other.endHandle == .max ? other.handle : other.endHandle
            if other.learned.isImported, !isSame, end >= service.handle { first = other }
            return other.handle > service.handle
        }
        return first.map { .attribute(max($0.handle, service.handle), imported: $0.uuid, seen: service.uuid) }
    }

    func conflict(_ hash: DatabaseHash) -> Conflict? {
        guard let known = databaseHash, known.isImported, known.value != hash.value else { return nil }
        return .databaseHash(imported: known.value, seen: hash.value)
    }
}

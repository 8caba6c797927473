import AttlasWire

/// The attributes of one GATT server, as far as a capture shows them. Core Specification, Vol 3, Part G, 2.6 and 3.
///
/// Each list is sorted by handle. An entry says in which connection it was learned, so that what was learned in an
/// earlier one can be told apart. Of two entries that contradict each other the newer one stays.
public struct AttributeTable: Sendable {
    /// A service declaration with the range of its handles.
    public struct Service: Sendable {
        public let handle: AttributeHandle
        public internal(set) var endHandle: AttributeHandle
        public let uuid: UUIDIndex
        /// nil if only an include declaration names it.
        public let isPrimary: Bool?
        public let learned: Learned
    }

    /// An include declaration: another service of the same server.
    public struct Include: Sendable {
        public let handle: AttributeHandle
        public let includedHandle: AttributeHandle
        public let endHandle: AttributeHandle
        public let uuid: UUIDIndex?
        public let learned: Learned
    }

    /// A characteristic declaration.
    public struct Characteristic: Sendable {
        public let handle: AttributeHandle
        public let valueHandle: AttributeHandle
        public let properties: CharacteristicProperties
        public let uuid: UUIDIndex
        public let learned: Learned
    }

    /// An attribute whose type is known and that no declaration above describes: in most cases a descriptor.
    public struct TypedAttribute: Sendable {
        public let handle: AttributeHandle
        public let uuid: UUIDIndex
        /// The UUID is one of the descriptors' (0x2900–0x29FF).
        public let isDescriptor: Bool
        /// The UUID is one of the declarations' (0x2800–0x28FF), and the declaration itself was not captured.
        public let isDeclaration: Bool
        /// The UUID is one of the characteristics' (0x2A00–0x2CFF), or was asked for in a Read By Type Request, as those of
        /// characteristics are.
        public let isValue: Bool
        public let learned: Learned

        init(handle: AttributeHandle, uuid: UUIDIndex, type: BluetoothUUID, wasReadByType: Bool, learned: Learned) {
            self.handle = handle
            self.uuid = uuid
            let short = type.uint16 ?? 0
            isDescriptor = (0x2900...0x29FF).contains(short)
            isDeclaration = (0x2800...0x28FF).contains(short)
            isValue = !isDescriptor && !isDeclaration && (wasReadByType || (0x2A00...0x2CFF).contains(short))
            self.learned = learned
        }
    }

    /// When and how something became known.
    public struct Learned: Sendable {
        /// 0 of what was imported.
        public let frame: Int
        /// The number of the connection; 0 of what was imported.
        public let connection: Int
        /// nil when the capture shows it outright.
        public let inference: Inference?

        static let imported = Learned(frame: 0, connection: 0, inference: nil)

        public var isImported: Bool { connection == 0 }
    }

    /// The Database Hash that the server reported last. Vol 3, Part G, 7.3.
    public struct DatabaseHash: Sendable {
        /// The octets as a little-endian number.
        public let value: UInt128
        let frame: Int
        /// 0 of what was imported.
        let connection: Int

        var isImported: Bool { connection == 0 }
    }

    /// A table that is full takes no more: those handles stay unknown.
    var limit = TraceLimits.standard.attributesOfAServer
    /// There is no room for more in all tables together.
    var isClosed = false

    public private(set) var services: [Service] = [] { didSet { known.removeAll() } }
    public private(set) var includes: [Include] = [] { didSet { known.removeAll() } }
    public private(set) var characteristics: [Characteristic] = [] { didSet { known.removeAll() } }
    public private(set) var typedAttributes: [TypedAttribute] = [] { didSet { known.removeAll() } }
    public private(set) var databaseHash: DatabaseHash?

    /// What was looked up since the table changed last.
    var known = KnownAttributes()

    public init() {}

    public var isEmpty: Bool {
        services.isEmpty && characteristics.isEmpty && typedAttributes.isEmpty
    }

    /// Whether anything in it was imported, or has been.
    var hasImported = false

    /// Whether the capture showed anything of it.
    public var hasLearned: Bool {
        services.contains { !$0.learned.isImported } || characteristics.contains { !$0.learned.isImported }
            || typedAttributes.contains { !$0.learned.isImported }
    }

    /// Entries of all kinds.
    var count: Int { services.count + includes.count + characteristics.count + typedAttributes.count }
    var isFull: Bool { count >= limit || isClosed }

    public func service(containing handle: AttributeHandle) -> Service? {
        guard let service = services.last(notAbove: handle, by: \.handle), handle <= service.endHandle else {
            return nil
        }
        return service
    }

    /// The last characteristic declared at or before `handle` in the same service.
    public func characteristic(before handle: AttributeHandle) -> Characteristic? {
        guard let owner = characteristics.last(notAbove: handle, by: \.handle) else { return nil }
        if let service = service(containing: handle), owner.handle < service.handle { return nil }
        if let service = service(containing: owner.handle), handle > service.endHandle { return nil }
        if let declaration = declaration(before: handle), declaration > owner.handle { return nil }
        return owner
    }

    /// The last declaration at or before `handle` of which only the type is known.
    private func declaration(before handle: AttributeHandle) -> AttributeHandle? {
        var index = typedAttributes.firstIndex(above: handle, by: \.handle)
        while index > 0 {
            index -= 1
            if typedAttributes[index].isDeclaration { return typedAttributes[index].handle }
            // What lies further away than descriptors do is of another characteristic.
            if handle - typedAttributes[index].handle > 32 { return nil }
        }
        return nil
    }

    public func typedAttribute(_ handle: AttributeHandle) -> TypedAttribute? {
        guard let attribute = typedAttributes.last(notAbove: handle, by: \.handle), attribute.handle == handle else {
            return nil
        }
        return attribute
    }

    /// Whether the handle is the only one between the value of a characteristic that notifies or indicates and the next
    /// declaration or the end of the service. Such a characteristic has a Client Characteristic Configuration (Vol 3, Part
    /// G, 3.3.1.1), so that this is where it is.
    func isSoleDescriptor(_ handle: AttributeHandle) -> Bool {
        guard let service = service(containing: handle), let owner = characteristic(before: handle),
            !owner.properties.isDisjoint(with: [.notify, .indicate]), owner.valueHandle == handle &- 1
        else { return false }
        return handle == service.endHandle
            || characteristics.last(notAbove: handle + 1, by: \.handle)?.handle == handle + 1
    }
}

extension AttributeTable {
    mutating func insert(_ service: Service) {
        guard service.handle > 0, service.endHandle >= service.handle, !isFull else { return }
        func overlaps(_ other: Service) -> Bool {
            other.handle <= service.endHandle && other.endHandle >= service.handle
        }
        func isSame(_ other: Service) -> Bool {
            other.handle == service.handle && other.endHandle == service.endHandle && other.uuid == service.uuid
        }
        // The last service of a server may end at 0xFFFF: in truth it ends where the next one begins.
        if let index = services.firstIndex(where: { $0.handle < service.handle && $0.endHandle == 0xFFFF }) {
            services[index].endHandle = service.handle - 1
        }
        // Services do not overlap: the server was another one when it had that service.
        if services.contains(where: { overlaps($0) && !isSame($0) }) {
            services.removeAll(where: overlaps)
            forget { service.handle...service.endHandle ~= $0 && $1.connection < service.learned.connection }
        }
        services.insertSorted(service, by: \.handle)
        typedAttributes.removeSorted(service.handle, by: \.handle)
    }

    /// Where a service ends that begins at `handle`, as far as is known: before the next one.
    func end(ofServiceAt handle: AttributeHandle, types: DeclarationTypes) -> AttributeHandle {
        if let known = services.last(notAbove: handle, by: \.handle), known.handle == handle { return known.endHandle }
        if let include = includes.first(where: { $0.includedHandle == handle }) { return include.endHandle }
        var next = services.first { $0.handle > handle }?.handle
        let declared = typedAttributes.first {
            $0.handle > handle && ($0.uuid == types.primaryService || $0.uuid == types.secondaryService)
        }
        if let declared { next = min(next ?? declared.handle, declared.handle) }
        return next.map { $0 - 1 } ?? 0xFFFF
    }

    mutating func insert(_ include: Include) {
        guard include.handle > 0, !isFull else { return }
        includes.insertSorted(include, by: \.handle)
        typedAttributes.removeSorted(include.handle, by: \.handle)
    }

    mutating func insert(_ characteristic: Characteristic) {
        let handles = (characteristic.handle, characteristic.valueHandle)
        guard handles.0 > 0, handles.1 > handles.0, !isFull else { return }
        characteristics.removeAll {
            $0.handle != handles.0
                && ($0.handle == handles.1 || $0.valueHandle == handles.0 || $0.valueHandle == handles.1)
        }
        characteristics.insertSorted(characteristic, by: \.handle)
        typedAttributes.removeSorted(handles.0, by: \.handle)
        typedAttributes.removeSorted(handles.1, by: \.handle)
    }

    /// Notes the type of an attribute. A declaration that describes the attribute already says more and stays.
    mutating func insert(_ attribute: TypedAttribute) {
        let handle = attribute.handle
        guard handle > 0, !isFull else { return }
        if attribute.isDeclaration, declares(handle) { return }
        if let owner = characteristics.last(notAbove: handle, by: \.handle),
            owner.handle == handle || owner.valueHandle == handle
        {
            if owner.valueHandle == handle && owner.uuid == attribute.uuid { return }
            characteristics.removeSorted(owner.handle, by: \.handle)
        }
        services.removeSorted(handle, by: \.handle)
        includes.removeSorted(handle, by: \.handle)
        typedAttributes.insertSorted(attribute, by: \.handle)
    }

    /// Whether a declaration at this handle was captured.
    private func declares(_ handle: AttributeHandle) -> Bool {
        services.last(notAbove: handle, by: \.handle)?.handle == handle
            || includes.last(notAbove: handle, by: \.handle)?.handle == handle
            || characteristics.last(notAbove: handle, by: \.handle)?.handle == handle
    }

    /// Takes back what was inferred of an attribute.
    mutating func removeInferred(_ handle: AttributeHandle) {
        guard typedAttribute(handle)?.learned.inference != nil else { return }
        typedAttributes.removeSorted(handle, by: \.handle)
    }

    /// Another hash, another server: what was seen while the last one held no longer does.
    mutating func insert(_ hash: DatabaseHash) {
        defer { databaseHash = hash }
        guard let known = databaseHash, known.value != hash.value else { return }
        if known.connection == hash.connection {
            forget { $1.frame <= known.frame }
        } else {
            forget { $1.connection < hash.connection }
        }
    }

    /// The range becomes unknown again, as after Service Changed. Vol 3, Part G, 7.1.
    mutating func forget(_ range: ClosedRange<AttributeHandle>) {
        services.removeAll { range.contains($0.handle) }
        includes.removeAll { range.contains($0.handle) }
        characteristics.removeAll { range.contains($0.handle) || range.contains($0.valueHandle) }
        typedAttributes.removeAll { range.contains($0.handle) }
        databaseHash = nil
    }

    mutating func forgetImported() {
        forget { $1.isImported }
        hasImported = false
        if databaseHash?.isImported ?? false { databaseHash = nil }
    }

    private mutating func forget(where isStale: (AttributeHandle, Learned) -> Bool) {
        services.removeAll { isStale($0.handle, $0.learned) }
        includes.removeAll { isStale($0.handle, $0.learned) }
        characteristics.removeAll { isStale($0.handle, $0.learned) }
        typedAttributes.removeAll { isStale($0.handle, $0.learned) }
    }
}

import AttlasCapture
import AttlasWire

/// The attributes of one GATT server, as far as a capture shows them. Core Specification, Vol 3, Part G, 2.6 and 3.
///
/// Each list is sorted by handle. An entry has the connection in which it was learned, so that entries of earlier ones can be
/// distinguished. If two entries contradict each other, the newer one stays.
public struct AttributeTable: Sendable {
    /// A service declaration with the range of its handles.
    public struct Service: Sendable, Keyed {
        /// Handle of the service declaration.
        public let handle: AttributeHandle
        /// Last handle of the service (End Group Handle).
        public internal(set) var endHandle: AttributeHandle
        /// Service UUID.
        public let uuid: UUIDIndex
        /// nil if only an include declaration names it.
        public let isPrimary: Bool?
        /// Where the entry comes from.
        public let learned: Learned

        /// Order of the table: the handle.
        public var key: AttributeHandle { handle }
    }

    /// An include declaration: another service of the same server.
    public struct Include: Sendable, Keyed {
        /// Handle of the include declaration.
        public let handle: AttributeHandle
        /// Handle of the included service declaration.
        public let includedHandle: AttributeHandle
        /// Last handle of the included service.
        public let endHandle: AttributeHandle
        /// Service UUID; nil if it has 128 bits and was not read.
        public let uuid: UUIDIndex?
        /// Where the entry comes from.
        public let learned: Learned

        /// Order of the table: the handle.
        public var key: AttributeHandle { handle }
    }

    /// A characteristic declaration.
    public struct Characteristic: Sendable, Keyed {
        /// Handle of the characteristic declaration.
        public let handle: AttributeHandle
        /// Handle of the value.
        public let valueHandle: AttributeHandle
        /// Characteristic Properties (Vol 3, Part G, 3.3.1.1).
        public let properties: CharacteristicProperties
        /// Characteristic UUID.
        public let uuid: UUIDIndex
        /// Where the entry comes from.
        public let learned: Learned

        /// Order of the table: the handle.
        public var key: AttributeHandle { handle }
    }

    /// An attribute whose type is known and that no declaration above describes: in most cases a descriptor.
    public struct TypedAttribute: Sendable, Keyed {
        /// Attribute handle, 0x0001 to 0xFFFF.
        public let handle: AttributeHandle
        /// Attribute type.
        public let uuid: UUIDIndex
        /// The UUID is one of the descriptors' (0x2900–0x29FF).
        public let isDescriptor: Bool
        /// The UUID is one of the declarations' (0x2800–0x28FF), and the declaration itself was not captured.
        public let isDeclaration: Bool
        /// The UUID is one of the characteristics' (0x2A00–0x2CFF), or a Read By Type Request searched for it, as for those of
        /// characteristics.
        public let isValue: Bool
        /// Where the entry comes from.
        public let learned: Learned

        /// Order of the table: the handle.
        public var key: AttributeHandle { handle }

        init(handle: AttributeHandle, uuid: UUIDIndex, type: BluetoothUUID, wasReadByType: Bool, learned: Learned) {
            self.handle = handle
            self.uuid = uuid
            let short = type.uint16 ?? 0
            isDescriptor = BluetoothUUID.descriptors.contains(short)
            isDeclaration = BluetoothUUID.declarations.contains(short)
            isValue =
                !isDescriptor && !isDeclaration && (wasReadByType || BluetoothUUID.characteristics.contains(short))
            self.learned = learned
        }
    }

    private struct ValueOwner: Sendable, Keyed {
        /// The handle of the value.
        let key: AttributeHandle
        let handle: AttributeHandle
    }

    private struct IncludedService: Sendable, Keyed {
        struct Key: Sendable, Comparable {
            let includedHandle: AttributeHandle
            let hasUUID: Bool
            let handle: AttributeHandle

            static func < (first: Key, second: Key) -> Bool { first.rank < second.rank }
            private var rank: Int { Int(includedHandle) << 17 | (hasUUID ? 1 << 16 : 0) | Int(handle) }
        }

        let key: Key

        init(_ include: Include) {
            key = Key(includedHandle: include.includedHandle, hasUUID: include.uuid != nil, handle: include.handle)
        }
    }

    /// When and how something became known.
    public struct Learned: Sendable {
        /// 0 for imported attributes.
        public let frame: Int
        /// The number of the connection; 0 for imported attributes.
        public let connection: Int
        /// The epoch for imported attributes.
        public let time: Timestamp
        /// nil when the capture shows it outright.
        public let inference: Inference?

        static let imported = Learned(frame: 0, connection: 0, time: .epoch, inference: nil)

        /// Whether it was imported and not captured.
        public var isImported: Bool { connection == 0 }
    }

    /// The Database Hash that the server reported last. Vol 3, Part G, 7.3.
    public struct DatabaseHash: Sendable {
        /// The octets as a little-endian number.
        public let value: UInt128
        let frame: Int
        /// 0 for imported attributes.
        let connection: Int

        var isImported: Bool { connection == 0 }
    }

    /// Lookups since the table changed last.
    var known = KnownAttributes()
    /// A table that is full takes no more: those handles stay unknown.
    var limit = TraceLimits.standard.attributesOfAServer
    /// There is no room for more in all tables together.
    var isClosed = false

    /// None overlaps another one.
    public private(set) var services = SortedRuns<Service>() { didSet { known.removeAll() } }
    /// Include declarations, by handle.
    public private(set) var includes = SortedRuns<Include>() { didSet { known.removeAll() } }
    /// Characteristic declarations, by handle.
    public private(set) var characteristics = SortedRuns<Characteristic>() { didSet { known.removeAll() } }
    /// Attributes with a known type and no declaration, by handle.
    public private(set) var typedAttributes = SortedRuns<TypedAttribute>() { didSet { known.removeAll() } }
    /// The characteristics by the handles of their values, of which no two are the same.
    private var valueOwners = SortedRuns<ValueOwner>()
    /// The includes by the services that they name.
    private var includedServices = SortedRuns<IncludedService>()
    /// nil if it was neither captured nor imported.
    public private(set) var databaseHash: DatabaseHash?
    /// The table before each change, the latest last.
    public private(set) var former: [Former] = []

    /// A table that holds no longer.
    public struct Former: Sendable {
        /// The frame up to which it held.
        public let until: Int
        /// The reason for its end.
        public let reason: Reason
        /// The table as it was.
        public let table: AttributeTable
        /// The number of the connection in which it ended.
        let connection: Int

        /// A reason for the end of a table's validity.
        public enum Reason: String, Sendable {
            /// Vol 3, Part G, 7.1.
            case serviceChanged = "Service Changed"
            /// Vol 3, Part G, 7.3.
            case databaseHash = "another Database Hash"
            case rediscovery = "discovery gave another result"
        }
    }

    /// Earlier versions that are kept.
    private static let formerLimit = 4

    init() {}

    /// Whether no service, characteristic or typed attribute is known.
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

    /// Entries of all kinds, with those of earlier versions.
    var heldCount: Int { former.reduce(count) { $0 + $1.table.count } }
    /// Entries of all kinds.
    var count: Int { services.count + includes.count + characteristics.count + typedAttributes.count }
    var isFull: Bool { count >= limit || isClosed }

    /// Service whose range holds a handle; nil without one.
    public func service(containing handle: AttributeHandle) -> Service? {
        guard let service = services.last(notAbove: handle), handle <= service.endHandle else {
            return nil
        }
        return service
    }

    /// The last characteristic declared at or before `handle` in the same service.
    public func characteristic(before handle: AttributeHandle) -> Characteristic? {
        guard let owner = characteristics.last(notAbove: handle) else { return nil }
        if let service = service(containing: handle), owner.handle < service.handle { return nil }
        if let service = service(containing: owner.handle), handle > service.endHandle { return nil }
        if let declaration = declaration(before: handle), declaration > owner.handle { return nil }
        return owner
    }

    /// The last declaration at or before `handle` of which only the type is known.
    private func declaration(before handle: AttributeHandle) -> AttributeHandle? {
        var declaration: AttributeHandle?
        typedAttributes.walkDown(from: handle) { attribute in
            if attribute.isDeclaration { declaration = attribute.handle }
            // An attribute further away than descriptors belongs to another characteristic.
            return !attribute.isDeclaration && handle - attribute.handle <= 32
        }
        return declaration
    }

    /// Attribute with a known type at a handle.
    public func typedAttribute(_ handle: AttributeHandle) -> TypedAttribute? {
        typedAttributes[handle]
    }

    /// Whether the handle is the only one between the value of a characteristic that notifies or indicates and the next
    /// declaration or the end of the service. The characteristic then has a Client Characteristic Configuration (Vol 3,
    /// Part G, 3.3.1.1), so that this is where it is.
    func isSoleDescriptor(_ handle: AttributeHandle) -> Bool {
        guard let service = service(containing: handle), let owner = characteristic(before: handle),
            !owner.properties.isDisjoint(with: [.notify, .indicate]), owner.valueHandle == handle &- 1
        else { return false }
        return handle == service.endHandle
            || characteristics[handle + 1] != nil
    }
}

extension AttributeTable {
    mutating func insert(_ service: Service) {
        guard service.handle > 0, service.endHandle >= service.handle, !isFull else { return }
        // The last service of a server may end at 0xFFFF: in truth it ends where the next one begins.
        if var last = services.last, last.handle < service.handle, last.endHandle == .max {
            last.endHandle = service.handle - 1
            services.insert(last)
        }
        // Services do not overlap: the server was another one when it had that service.
        if let other = services.last(notAbove: service.endHandle), other.endHandle >= service.handle,
            other.handle != service.handle || other.endHandle != service.endHandle || other.uuid != service.uuid
        {
            keep(until: service.learned, .rediscovery)
            while let other = services.last(notAbove: service.endHandle), other.endHandle >= service.handle {
                services.remove(other.handle)
                forget(other.handle...other.endHandle) { $0.connection < service.learned.connection }
            }
            forget(service.handle...service.endHandle) { $0.connection < service.learned.connection }
        }
        services.insert(service)
        typedAttributes.remove(service.handle)
    }

    /// Discovery found no primary service that begins in the range: those of earlier connections are gone.
    mutating func lackServices(in range: ClosedRange<AttributeHandle>, _ learned: Learned) {
        var gone: [Service] = []
        services.walkUp(above: range.lowerBound - 1) { service in
            guard service.handle <= range.upperBound else { return false }
            if service.isPrimary == true, service.learned.connection < learned.connection { gone.append(service) }
            return true
        }
        guard !gone.isEmpty else { return }
        keep(until: learned, .rediscovery)
        for service in gone {
            services.remove(service.handle)
            forget(service.handle...service.endHandle) { $0.connection < learned.connection }
        }
    }

    /// Where a service ends that begins at `handle`, as far as is known: before the next one.
    func end(ofServiceAt handle: AttributeHandle, types: DeclarationTypes) -> AttributeHandle {
        if let known = services[handle] { return known.endHandle }
        if let include = include(of: handle) { return include.endHandle }
        var next = services.first(above: handle)?.handle
        typedAttributes.walkUp(above: handle) { attribute in
            if let next, attribute.handle >= next { return false }
            guard attribute.uuid == types.primaryService || attribute.uuid == types.secondaryService else {
                return true
            }
            next = attribute.handle
            return false
        }
        return next.map { $0 - 1 } ?? 0xFFFF
    }

    /// The first include declaration that names the service at `handle`.
    private func include(of handle: AttributeHandle) -> Include? {
        let named = [false, true].compactMap { includedService(at: handle, hasUUID: $0) }
        return named.min().flatMap { includes[$0] }
    }

    /// The first include declaration that names the service at `handle`, with or without its UUID.
    private func includedService(at handle: AttributeHandle, hasUUID: Bool) -> AttributeHandle? {
        let place = IncludedService.Key(includedHandle: handle, hasUUID: hasUUID, handle: 0)
        guard let key = includedServices.first(above: place)?.key, key.includedHandle == handle, key.hasUUID == hasUUID
        else { return nil }
        return key.handle
    }

    /// Whether an include declaration names the service at `handle` without its UUID.
    func includesUnnamed(_ handle: AttributeHandle) -> Bool { includedService(at: handle, hasUUID: false) != nil }

    mutating func insert(_ include: Include) {
        guard include.handle > 0, !isFull else { return }
        removeInclude(include.handle)
        includes.insert(include)
        includedServices.insert(IncludedService(include))
        typedAttributes.remove(include.handle)
    }

    private mutating func removeInclude(_ handle: AttributeHandle) {
        if let removed = includes.remove(handle) { includedServices.remove(IncludedService(removed).key) }
    }

    mutating func insert(_ characteristic: Characteristic) {
        let (handle, valueHandle) = (characteristic.handle, characteristic.valueHandle)
        guard handle > 0, valueHandle > handle, !isFull else { return }
        if let old = characteristics[handle], old.uuid != characteristic.uuid || old.valueHandle != valueHandle {
            keep(until: characteristic.learned, .rediscovery)
        }
        removeCharacteristic(valueHandle)
        for value in [handle, valueHandle] {
            if let owner = valueOwners[value], owner.handle != handle { removeCharacteristic(owner.handle) }
        }
        if let old = characteristics[handle], old.valueHandle != valueHandle { valueOwners.remove(old.valueHandle) }
        characteristics.insert(characteristic)
        valueOwners.insert(ValueOwner(key: valueHandle, handle: handle))
        typedAttributes.remove(handle)
        typedAttributes.remove(valueHandle)
    }

    private mutating func removeCharacteristic(_ handle: AttributeHandle) {
        if let removed = characteristics.remove(handle) { valueOwners.remove(removed.valueHandle) }
    }

    /// Notes the type of an attribute. A declaration that describes the attribute already has more and stays.
    mutating func insert(_ attribute: TypedAttribute) {
        let handle = attribute.handle
        guard handle > 0, !isFull else { return }
        if attribute.isDeclaration, declares(handle) { return }
        if let owner = characteristics.last(notAbove: handle),
            owner.handle == handle || owner.valueHandle == handle
        {
            if owner.valueHandle == handle && owner.uuid == attribute.uuid { return }
            removeCharacteristic(owner.handle)
        }
        services.remove(handle)
        removeInclude(handle)
        typedAttributes.insert(attribute)
    }

    /// Whether a declaration at this handle was captured.
    private func declares(_ handle: AttributeHandle) -> Bool {
        services[handle] != nil || includes[handle] != nil || characteristics[handle] != nil
    }

    /// Removes inferred facts about an attribute.
    mutating func removeInferred(_ handle: AttributeHandle) {
        guard typedAttribute(handle)?.learned.inference != nil else { return }
        typedAttributes.remove(handle)
    }

    /// Another hash means another server: attributes seen with the last hash are no longer valid.
    mutating func insert(_ hash: DatabaseHash) {
        defer { databaseHash = hash }
        guard let known = databaseHash, known.value != hash.value else { return }
        keep(until: hash.frame, .databaseHash, connection: hash.connection)
        if known.connection == hash.connection {
            forget { $0.frame <= known.frame }
        } else {
            forget { $0.connection < hash.connection }
        }
    }

    /// The range becomes unknown again, as after Service Changed. Vol 3, Part G, 7.1.
    ///
    /// - Parameters:
    ///   - frame: The indication's frame.
    ///   - connection: Its number.
    mutating func forget(_ range: ClosedRange<AttributeHandle>, frame: Int, connection: Int) {
        keep(until: frame, .serviceChanged, connection: connection)
        forget(range) { _ in true }
        for owner in valueOwners.remove(in: range) { characteristics.remove(owner.handle) }
        databaseHash = nil
    }

    private mutating func keep(until learned: Learned, _ reason: Former.Reason) {
        // One discovery finds one difference after the other.
        guard former.last?.connection != learned.connection else { return }
        keep(until: learned.frame, reason, connection: learned.connection)
    }

    /// Keeps the table as it is now, if the capture showed it and there is room.
    private mutating func keep(until frame: Int, _ reason: Former.Reason, connection: Int) {
        guard count > 0, hasLearned else { return }
        while former.count >= Self.formerLimit || (former.count > 0 && heldCount + count > limit) {
            former.removeFirst()
        }
        guard heldCount + count <= limit else { return }
        var table = self
        table.former = []
        former.append(Former(until: frame, reason: reason, table: table, connection: connection))
    }

    /// Whether a handle was explained by an earlier version.
    package func wasKnown(_ handle: AttributeHandle) -> Bool { former.contains { $0.table.knows(handle) } }

    /// The latest earlier version that knows `handle`, if the current table does not contradict it.
    func former(of handle: AttributeHandle) -> AttributeTable? {
        former.last { version in
            guard let service = service(containing: handle) else { return version.table.knows(handle) }
            return version.table.knows(handle) && version.table.services[service.handle]?.uuid == service.uuid
        }?.table
    }

    private func knows(_ handle: AttributeHandle) -> Bool {
        services[handle] != nil || includes[handle] != nil || characteristics[handle] != nil
            || valueOwners[handle] != nil || typedAttributes[handle] != nil
    }

    mutating func forgetImported() {
        forget(where: \.isImported)
        hasImported = false
        if databaseHash?.isImported ?? false { databaseHash = nil }
    }

    private mutating func forget(
        _ range: ClosedRange<AttributeHandle> = 0...0xFFFF, where isStale: (Learned) -> Bool
    ) {
        services.remove(in: range) { isStale($0.learned) }
        for include in includes.remove(in: range, where: { isStale($0.learned) }) {
            includedServices.remove(IncludedService(include).key)
        }
        for characteristic in characteristics.remove(in: range, where: { isStale($0.learned) }) {
            valueOwners.remove(characteristic.valueHandle)
        }
        typedAttributes.remove(in: range) { isStale($0.learned) }
    }
}

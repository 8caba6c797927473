import AttlasWire

/// The attributes of a GATT server, learned elsewhere: from another capture, or from a host's stored data.
public struct ImportedTable: Sendable {
    /// A service declaration.
    public struct Service: Sendable {
        /// Handle of the service declaration.
        public var handle: AttributeHandle
        /// Last handle of the service (End Group Handle).
        public var endHandle: AttributeHandle
        /// Service UUID.
        public var uuid: BluetoothUUID
        /// Primary service; otherwise secondary.
        public var isPrimary: Bool

        /// Takes the fields of the declaration; handles are not checked.
        public init(handle: AttributeHandle, endHandle: AttributeHandle, uuid: BluetoothUUID, isPrimary: Bool) {
            self.handle = handle
            self.endHandle = endHandle
            self.uuid = uuid
            self.isPrimary = isPrimary
        }
    }

    /// An include declaration.
    public struct Include: Sendable {
        /// Handle of the include declaration.
        public var handle: AttributeHandle
        /// Handle of the included service declaration.
        public var includedHandle: AttributeHandle
        /// Last handle of the included service.
        public var endHandle: AttributeHandle
        /// Service UUID; nil if it has 128 bits and was not read.
        public var uuid: BluetoothUUID?

        /// Takes the fields of the declaration; handles are not checked.
        public init(
            handle: AttributeHandle, includedHandle: AttributeHandle, endHandle: AttributeHandle, uuid: BluetoothUUID?
        ) {
            self.handle = handle
            self.includedHandle = includedHandle
            self.endHandle = endHandle
            self.uuid = uuid
        }
    }

    /// A characteristic declaration.
    public struct Characteristic: Sendable {
        /// Handle of the characteristic declaration.
        public var handle: AttributeHandle
        /// Handle of the value.
        public var valueHandle: AttributeHandle
        /// Characteristic Properties (Vol 3, Part G, 3.3.1.1).
        public var properties: CharacteristicProperties
        /// Characteristic UUID.
        public var uuid: BluetoothUUID

        /// Takes the fields of the declaration; handles are not checked.
        public init(
            handle: AttributeHandle, valueHandle: AttributeHandle, properties: CharacteristicProperties,
            uuid: BluetoothUUID
        ) {
            self.handle = handle
            self.valueHandle = valueHandle
            self.properties = properties
            self.uuid = uuid
        }
    }

    /// An attribute of which the type is known: in most cases a descriptor.
    public struct Attribute: Sendable {
        /// Attribute handle, 0x0001 to 0xFFFF.
        public var handle: AttributeHandle
        /// Attribute type.
        public var uuid: BluetoothUUID

        /// Takes handle and type; the handle is not checked.
        public init(handle: AttributeHandle, uuid: BluetoothUUID) {
            self.handle = handle
            self.uuid = uuid
        }
    }

    /// Whose server it is; nil if it is unknown.
    public var owner: ImportedOwner?
    /// The owner's name for itself, if known.
    public var name: String?
    /// Whether it is the table of the host that was recorded. It is for a device with the owner's address only.
    public var isLocal = false
    /// As the server reported it, if that is known: while it stays the same, the table holds. Vol 3, Part G, 7.3.
    public var databaseHash: UInt128?
    /// Service declarations, in any order.
    public var services: [Service] = []
    /// Include declarations, in any order.
    public var includes: [Include] = []
    /// Characteristic declarations, in any order.
    public var characteristics: [Characteristic] = []
    /// Descriptors and other typed attributes, in any order.
    public var attributes: [Attribute] = []

    /// An empty table.
    public init(owner: ImportedOwner?) {
        self.owner = owner
    }

    /// Whether it has no service, characteristic or attribute.
    public var isEmpty: Bool { services.isEmpty && characteristics.isEmpty && attributes.isEmpty }
}

/// The address of a table's owner. A host's stored data may leave out whether it is a random address.
public struct ImportedOwner: Hashable, Sendable {
    /// The 48 bits of the address.
    let value: UInt64
    /// nil when it is not known.
    let isRandom: Bool?

    /// Keeps the low 48 bits of `value`.
    public init(_ value: UInt64, isRandom: Bool?) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.isRandom = isRandom
    }

    init(_ address: BluetoothAddress) {
        self.init(address.value, isRandom: address.isRandom)
    }

    func matches(_ address: BluetoothAddress) -> Bool {
        address.value == value && address.isRandom == isRandom ?? address.isRandom
    }
}

extension ImportedOwner: CustomStringConvertible {
    public var description: String { BluetoothAddress(value, isRandom: isRandom ?? false).description }
}

extension AttributeTable {
    /// Takes over an imported table. An invalid entry is left out, as if a server had sent it.
    init(_ imported: ImportedTable, in uuids: inout UUIDTable) {
        self.init()
        hasImported = true
        for service in imported.services {
            guard let uuid = uuids.index(ofImported: service.uuid) else { continue }
            insert(
                Service(
                    handle: service.handle, endHandle: service.endHandle, uuid: uuid, isPrimary: service.isPrimary,
                    learned: .imported))
        }
        for include in imported.includes {
            insert(
                Include(
                    handle: include.handle, includedHandle: include.includedHandle, endHandle: include.endHandle,
                    uuid: include.uuid.flatMap { uuids.index(ofImported: $0) }, learned: .imported))
        }
        for characteristic in imported.characteristics {
            guard let uuid = uuids.index(ofImported: characteristic.uuid) else { continue }
            insert(
                Characteristic(
                    handle: characteristic.handle, valueHandle: characteristic.valueHandle,
                    properties: characteristic.properties, uuid: uuid, learned: .imported))
        }
        for attribute in imported.attributes {
            guard let index = uuids.index(ofImported: attribute.uuid) else { continue }
            insert(
                TypedAttribute(
                    handle: attribute.handle, uuid: index, type: attribute.uuid, wasReadByType: false,
                    learned: .imported))
        }
        if let hash = imported.databaseHash { insert(DatabaseHash(value: hash, frame: 0, connection: 0)) }
    }
}

extension ImportedTable {
    /// The table that a trace learned of a peer.
    public init?(peer index: Int, in trace: borrowing Trace) {
        guard trace.peers.indices.contains(index) else { return nil }
        let peer = trace.peers[index]
        self.init(owner: peer.address.map { ImportedOwner($0) })
        name = peer.name
        add(peer.table, in: trace)
    }

    /// The table that peers discovered of a recorded host, whose address is known.
    public init?(controller index: Int, in trace: borrowing Trace) {
        guard trace.controllers.indices.contains(index), let address = trace.controllers[index].address else {
            return nil
        }
        self.init(owner: ImportedOwner(address))
        isLocal = true
        add(trace.controllers[index].table, in: trace)
    }

    /// Inferred attributes are left out: here they would look like facts.
    private mutating func add(_ table: AttributeTable, in trace: borrowing Trace) {
        databaseHash = table.databaseHash?.value
        for service in table.services {
            services.append(
                Service(
                    handle: service.handle, endHandle: service.endHandle, uuid: trace.uuids[service.uuid],
                    isPrimary: service.isPrimary != false))
        }
        for include in table.includes {
            var uuid: BluetoothUUID?
            if let index = include.uuid { uuid = trace.uuids[index] }
            includes.append(
                Include(
                    handle: include.handle, includedHandle: include.includedHandle, endHandle: include.endHandle,
                    uuid: uuid))
        }
        for characteristic in table.characteristics {
            characteristics.append(
                Characteristic(
                    handle: characteristic.handle, valueHandle: characteristic.valueHandle,
                    properties: characteristic.properties, uuid: trace.uuids[characteristic.uuid]))
        }
        for attribute in table.typedAttributes where attribute.learned.inference == nil {
            attributes.append(Attribute(handle: attribute.handle, uuid: trace.uuids[attribute.uuid]))
        }
    }
}

import AttlasWire

/// The way in which attlas learned an attribute.
public enum KnownFrom: String, CaseIterable, Sendable {
    /// Seen in this connection.
    case discovery
    /// Seen in an earlier connection with the same peer.
    case remembered
    /// Seen in this capture, and the server's table has changed since then.
    case former
    /// Not seen in this capture: from a table that was given with it.
    case imported
    /// Concluded from behaviour; see `AttributeInfo.inference`.
    case inferred
}

/// The reason for a conclusion.
public enum Inference: String, Sendable {
    case configurationWrite = "0x0001, 0x0002 or 0x0003 was written to it, then values came from the handle before it"
    case soleDescriptor =
        "the only handle after the value of a characteristic that notifies or indicates; 0x0000 to 0x0003 was written to it"
}

/// The attribute at a handle, in one table at one context.
public struct AttributeInfo: Sendable, Equatable {
    /// Kind of attribute within its service.
    public enum Role: Sendable {
        /// A Service, Include or Characteristic declaration.
        case declaration
        /// Characteristic Value.
        case value
        /// Characteristic descriptor.
        case descriptor
    }

    /// Kind of attribute within its service.
    public let role: Role
    /// The attribute's own type: the characteristic's UUID for its value, 2902 for a descriptor, 2803 for a declaration.
    public let type: UUIDIndex
    /// The service whose range holds the handle.
    public let service: UUIDIndex?
    /// Where that service is declared: one UUID may have several services.
    public let serviceHandle: AttributeHandle?
    /// The characteristic that the attribute belongs to.
    public let characteristic: UUIDIndex?
    /// The handle of that characteristic's value.
    public let valueHandle: AttributeHandle?
    /// Characteristic Properties; nil without a known characteristic.
    public let properties: CharacteristicProperties?
    /// Source of this knowledge.
    public let knownFrom: KnownFrom
    /// Evidence of a conclusion; nil if the attribute was discovered.
    public let inference: Inference?

    /// Its own type, when it is not the value of the characteristic.
    public var descriptor: UUIDIndex? { role == .value ? nil : type }

    /// The same for a table that has changed since.
    var asFormer: AttributeInfo {
        AttributeInfo(
            role: role, type: type, service: service, serviceHandle: serviceHandle, characteristic: characteristic,
            valueHandle: valueHandle, properties: properties, knownFrom: .former, inference: inference)
    }
}

/// The UUIDs of an attribute, independent of the numbers of a trace.
public struct AttributeUUIDs: Sendable {
    /// Kind of attribute within its service.
    public let role: AttributeInfo.Role
    /// The attribute's own type.
    public let type: BluetoothUUID
    /// The service whose range holds the handle.
    public let service: BluetoothUUID?
    /// The characteristic that the attribute belongs to.
    public let characteristic: BluetoothUUID?
    /// The handle of that characteristic's value.
    public let valueHandle: AttributeHandle?

    package init(_ attribute: AttributeInfo, in trace: borrowing Trace) {
        role = attribute.role
        type = trace.uuids[attribute.type]
        service = attribute.service.map { trace.uuids[$0] }
        characteristic = attribute.characteristic.map { trace.uuids[$0] }
        valueHandle = attribute.valueHandle
    }

    /// Its own type, when it is not the value of the characteristic.
    public var descriptor: BluetoothUUID? { role == .value ? nil : type }
}

/// The UUIDs of the declarations, numbered once for each trace.
struct DeclarationTypes: Sendable {
    let primaryService: UUIDIndex
    let secondaryService: UUIDIndex
    let include: UUIDIndex
    let characteristic: UUIDIndex
    let clientCharacteristicConfiguration: UUIDIndex
    let serviceChanged: UUIDIndex
    let deviceName: UUIDIndex
    let databaseHash: UUIDIndex

    init(in uuids: inout UUIDTable) {
        func number(_ uuid: BluetoothUUID) -> UUIDIndex {
            guard let index = uuids.index(of: uuid) else {
                preconditionFailure("a new UUID table has room")
            }
            return index
        }
        primaryService = number(.primaryService)
        secondaryService = number(.secondaryService)
        include = number(.include)
        characteristic = number(.characteristic)
        clientCharacteristicConfiguration = number(.clientCharacteristicConfiguration)
        serviceChanged = number(.serviceChanged)
        deviceName = number(.deviceName)
        databaseHash = number(.databaseHash)
    }
}

extension AttributeTable {
    /// The attribute at `handle`, as it is or was before the table changed; nil if it is not in the capture.
    ///
    /// - Parameter frame: where the table of then is asked for; nil: this table.
    func info(
        _ handle: AttributeHandle, at frame: Int? = nil, connection: Int, types: DeclarationTypes
    ) -> AttributeInfo? {
        if let frame, let version = former.first(where: { $0.until > frame }) {
            return version.table.currentInfo(handle, connection: connection, types: types)
        }
        if let known = currentInfo(handle, connection: connection, types: types) { return known }
        guard !former.isEmpty, let table = former(of: handle) else { return nil }
        return table.currentInfo(handle, connection: connection, types: types)?.asFormer
    }

    private func currentInfo(_ handle: AttributeHandle, connection: Int, types: DeclarationTypes) -> AttributeInfo? {
        let service = service(containing: handle)
        func knownFrom(_ learned: Learned) -> KnownFrom {
            if learned.inference != nil { return .inferred }
            if learned.isImported { return .imported }
            return learned.connection == connection ? .discovery : .remembered
        }
        func info(
            _ role: AttributeInfo.Role, _ type: UUIDIndex, _ characteristic: UUIDIndex?,
            _ valueHandle: AttributeHandle?, _ properties: CharacteristicProperties?, _ learned: Learned
        ) -> AttributeInfo {
            AttributeInfo(
                role: role, type: type, service: service?.uuid, serviceHandle: service?.handle,
                characteristic: characteristic, valueHandle: valueHandle, properties: properties,
                knownFrom: knownFrom(learned), inference: learned.inference)
        }

        let owner = characteristic(before: handle)
        if let owner {
            if owner.valueHandle == handle {
                return info(.value, owner.uuid, owner.uuid, handle, owner.properties, owner.learned)
            }
            if owner.handle == handle {
                return info(
                    .declaration, types.characteristic, owner.uuid, owner.valueHandle, owner.properties, owner.learned)
            }
        }
        if let service, service.handle == handle {
            let type = service.isPrimary == false ? types.secondaryService : types.primaryService
            return info(.declaration, type, nil, nil, nil, service.learned)
        }
        if let include = includes[handle] {
            return info(.declaration, types.include, nil, nil, nil, include.learned)
        }
        guard let attribute = typedAttribute(handle) else { return nil }
        if attribute.isDeclaration { return info(.declaration, attribute.uuid, nil, nil, nil, attribute.learned) }
        // Without a declaration before it, an attribute can only be a value, unless its type is a descriptor's.
        let isValue = attribute.isValue || owner == nil && !attribute.isDescriptor
        return info(
            isValue ? .value : .descriptor, attribute.uuid, isValue ? attribute.uuid : owner?.uuid,
            isValue ? handle : owner?.valueHandle, isValue ? nil : owner?.properties, attribute.learned)
    }
}

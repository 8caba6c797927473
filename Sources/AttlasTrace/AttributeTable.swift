import AttlasWire

/// The attributes of one GATT server, as far as a capture shows them. Core Specification, Vol 3, Part G, 2.6 and 3.
///
/// Each list is sorted by handle. An entry says in which connection it was learned, so that what was learned in an
/// earlier one can be told apart.
public struct AttributeTable: Sendable {
    /// A service declaration with the range of its handles.
    public struct Service: Sendable {
        public let handle: AttributeHandle
        public let endHandle: AttributeHandle
        public let uuid: UUIDIndex
        public let isPrimary: Bool
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
        public let learned: Learned
    }

    /// When and how something became known.
    public struct Learned: Sendable {
        public let frame: Int
        /// The number of the connection.
        public let connection: Int
        /// nil when the capture shows it outright.
        public let inference: Inference?
    }

    public private(set) var services: [Service] = []
    public private(set) var includes: [Include] = []
    public private(set) var characteristics: [Characteristic] = []
    public private(set) var typedAttributes: [TypedAttribute] = []
    /// The Database Hash that the server reported last. Vol 3, Part G, 7.3.
    var databaseHash: UInt128?

    public init() {}

    public var isEmpty: Bool {
        services.isEmpty && characteristics.isEmpty && typedAttributes.isEmpty
    }

    mutating func insert(_ service: Service) {
        guard service.handle > 0, service.endHandle >= service.handle else { return }
        services.insertSorted(service, by: \.handle)
    }

    mutating func insert(_ include: Include) {
        includes.insertSorted(include, by: \.handle)
    }

    mutating func insert(_ characteristic: Characteristic) {
        guard characteristic.handle > 0, characteristic.valueHandle > characteristic.handle else { return }
        characteristics.insertSorted(characteristic, by: \.handle)
        typedAttributes.removeSorted(characteristic.valueHandle, by: \.handle)
    }

    /// Notes the type of an attribute. A declaration that describes the attribute already says more and stays.
    mutating func insert(_ attribute: TypedAttribute) {
        guard attribute.handle > 0 else { return }
        if let owner = characteristics.last(notAbove: attribute.handle, by: \.handle),
            owner.handle == attribute.handle || owner.valueHandle == attribute.handle
        {
            return
        }
        if services.last(notAbove: attribute.handle, by: \.handle)?.handle == attribute.handle { return }
        if includes.last(notAbove: attribute.handle, by: \.handle)?.handle == attribute.handle { return }
        typedAttributes.insertSorted(attribute, by: \.handle)
    }

    /// The range becomes unknown again, as after Service Changed. Vol 3, Part G, 7.1.
    mutating func forget(_ range: ClosedRange<AttributeHandle>) {
        services.removeAll { range.contains($0.handle) }
        includes.removeAll { range.contains($0.handle) }
        characteristics.removeAll { range.contains($0.handle) || range.contains($0.valueHandle) }
        typedAttributes.removeAll { range.contains($0.handle) }
        databaseHash = nil
    }

    /// Forgets what was learned in connections before the one with this number.
    mutating func forget(learnedBefore connection: Int) {
        services.removeAll { $0.learned.connection < connection }
        includes.removeAll { $0.learned.connection < connection }
        characteristics.removeAll { $0.learned.connection < connection }
        typedAttributes.removeAll { $0.learned.connection < connection }
    }

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
        return owner
    }

    public func typedAttribute(_ handle: AttributeHandle) -> TypedAttribute? {
        guard let attribute = typedAttributes.last(notAbove: handle, by: \.handle), attribute.handle == handle else {
            return nil
        }
        return attribute
    }
}

/// Characteristic Properties. Core Specification, Vol 3, Part G, 3.3.1.1.
public struct CharacteristicProperties: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let broadcast = Self(rawValue: 0x01)
    public static let read = Self(rawValue: 0x02)
    public static let writeWithoutResponse = Self(rawValue: 0x04)
    public static let write = Self(rawValue: 0x08)
    public static let notify = Self(rawValue: 0x10)
    public static let indicate = Self(rawValue: 0x20)
    public static let authenticatedSignedWrites = Self(rawValue: 0x40)
    public static let extendedProperties = Self(rawValue: 0x80)
}

extension Array {
    /// The last element whose key is not above `key`, in an array sorted by that key.
    func last<Key: Comparable>(notAbove key: Key, by keyPath: (Element) -> Key) -> Element? {
        let index = firstIndex(above: key, by: keyPath)
        return index == 0 ? nil : self[index - 1]
    }

    /// Replaces the element with the same key, or puts the new one in its place.
    mutating func insertSorted<Key: Comparable>(_ element: Element, by keyPath: (Element) -> Key) {
        let key = keyPath(element)
        let index = firstIndex(above: key, by: keyPath)
        if index > 0, keyPath(self[index - 1]) == key {
            self[index - 1] = element
        } else {
            insert(element, at: index)
        }
    }

    /// Removes the element with this key, if there is one.
    mutating func removeSorted<Key: Comparable>(_ key: Key, by keyPath: (Element) -> Key) {
        let index = firstIndex(above: key, by: keyPath)
        if index > 0, keyPath(self[index - 1]) == key { remove(at: index - 1) }
    }

    private func firstIndex<Key: Comparable>(above key: Key, by keyPath: (Element) -> Key) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if keyPath(self[middle]) <= key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

import AttlasTrace
import AttlasWire

/// An attribute table as a tree, and the attributes without a known place in it.
package struct TableTree: Sendable {
    package struct ServiceNode: Sendable {
        /// nil outside discovered services.
        package let service: AttributeTable.Service?
        package fileprivate(set) var includes: [AttributeTable.Include] = []
        package fileprivate(set) var characteristics: [CharacteristicNode] = []
        /// Attributes of known type in no characteristic.
        package fileprivate(set) var others: [AttributeTable.TypedAttribute] = []

        var isEmpty: Bool { includes.isEmpty && characteristics.isEmpty && others.isEmpty }
    }

    package struct CharacteristicNode: Sendable {
        package let characteristic: AttributeTable.Characteristic
        package fileprivate(set) var descriptors: [AttributeTable.TypedAttribute] = []
    }

    package private(set) var services: [ServiceNode] = []
    /// Handles that were used and are explained by nothing.
    package private(set) var unknownHandles: [AttributeHandle] = []
    /// The frames between which the table was learned, as far as this capture shows it.
    package private(set) var learnedFrames: ClosedRange<Int>?
    /// Whether some of it was imported.
    package private(set) var hasImported = false

    package init(_ table: AttributeTable, used handles: some Sequence<AttributeHandle>) {
        var homeless = ServiceNode(service: nil)
        services = table.services.map { ServiceNode(service: $0) }
        var explained: Set<AttributeHandle> = Set(table.services.map(\.handle))

        for include in table.includes {
            note(include.learned, include.handle, &explained)
            place(include.handle, homeless: &homeless) { $0.includes.append(include) }
        }
        for characteristic in table.characteristics {
            note(characteristic.learned, characteristic.handle, &explained)
            explained.insert(characteristic.valueHandle)
            let node = CharacteristicNode(characteristic: characteristic)
            place(characteristic.handle, homeless: &homeless) { $0.characteristics.append(node) }
        }
        for attribute in table.typedAttributes {
            note(attribute.learned, attribute.handle, &explained)
            place(attribute.handle, homeless: &homeless) { node in
                let owner = node.characteristics.count(notAbove: attribute.handle) { $0.characteristic.handle } - 1
                if !attribute.isDeclaration, owner >= 0 {
                    node.characteristics[owner].descriptors.append(attribute)
                } else {
                    node.others.append(attribute)
                }
            }
        }
        for service in table.services { note(service.learned, service.handle, &explained) }
        if !homeless.isEmpty { services.append(homeless) }
        unknownHandles = handles.filter { !explained.contains($0) && !table.wasKnown($0) }.sorted()
    }

    /// The part of the tree that a later version of the table lacks.
    func without(_ newer: AttributeTable) -> TableTree {
        let services = Dictionary(newer.services.map { ($0.handle, $0.uuid) }) { first, _ in first }
        let characteristics = Dictionary(newer.characteristics.map { ($0.handle, $0) }) { first, _ in first }
        func isKept(_ attribute: AttributeTable.TypedAttribute) -> Bool {
            newer.typedAttribute(attribute.handle)?.uuid == attribute.uuid
        }
        var rest = self
        rest.unknownHandles = []
        rest.services = self.services.compactMap { node in
            var node = node
            node.includes = []
            node.others.removeAll(where: isKept)
            node.characteristics = node.characteristics.compactMap { item in
                var item = item
                item.descriptors.removeAll(where: isKept)
                let now = characteristics[item.characteristic.handle]
                let isSame =
                    now?.uuid == item.characteristic.uuid && now?.valueHandle == item.characteristic.valueHandle
                return isSame && item.descriptors.isEmpty ? nil : item
            }
            let isSame = node.service.map { services[$0.handle] == $0.uuid } ?? true
            return isSame && node.isEmpty ? nil : node
        }
        return rest
    }

    private mutating func note(
        _ learned: AttributeTable.Learned, _ handle: AttributeHandle, _ explained: inout Set<AttributeHandle>
    ) {
        explained.insert(handle)
        if learned.isImported {
            hasImported = true
            return
        }
        // Nobody discovered it.
        guard learned.inference == nil else { return }
        let known = learnedFrames ?? learned.frame...learned.frame
        learnedFrames = min(known.lowerBound, learned.frame)...max(known.upperBound, learned.frame)
    }

    private mutating func place(
        _ handle: AttributeHandle, homeless: inout ServiceNode, _ put: (inout ServiceNode) -> Void
    ) {
        let index = services.count(notAbove: handle) { $0.service?.handle ?? 0 } - 1
        if index >= 0, let service = services[index].service, handle <= service.endHandle {
            put(&services[index])
        } else {
            put(&homeless)
        }
    }
}

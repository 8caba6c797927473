import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The rows of an attribute table on the screen: services and, below each, its characteristics.
struct ScreenTree {
    struct Row {
        enum Kind {
            case service, characteristic, unknown
        }

        let kind: Kind
        /// Handle; for a characteristic, that of its value.
        let handle: AttributeHandle
        let name: String
        let type: UUIDIndex?
        let place: ValuePlace?
        /// Handles of the descriptors.
        let descriptors: [AttributeHandle]
    }

    private(set) var rows: [Row] = []
    /// Columns of the longest name, other than those of services.
    private(set) var nameWidth = 0
    private var state: State?

    /// The inputs of the rows.
    private struct State: Equatable {
        let owner: TableOwner
        let counts: [Int]
    }

    /// Pictures since the rows were made.
    private var pictures = 0
    /// After this number the rows are rebuilt in any case.
    private static let pictureLimit = 20

    /// Rebuilds the rows when the table has changed.
    mutating func update(_ owner: TableOwner, _ model: inout ScreenModel, in trace: borrowing Trace) {
        guard let table = Self.table(owner, in: trace) else {
            rows = []
            state = nil
            return
        }
        let now = State(
            owner: owner,
            counts: [
                table.services.count, table.includes.count, table.characteristics.count, table.typedAttributes.count,
                model.tree.activities.count(of: owner),
            ])
        pictures += 1
        guard state != now || pictures > Self.pictureLimit else { return }
        pictures = 0
        state = now
        rows = []
        let tree = TableTree(table, used: model.tree.activities.handles(of: owner))
        for service in tree.services { add(service, owner, &model, in: trace) }
        for handle in tree.unknownHandles {
            let row = Row(
                kind: .unknown, handle: handle, name: "unknown", type: nil, place: nil, descriptors: [])
            rows.append(row)
        }
        var text = TextBuffer()
        nameWidth = 0
        for row in rows where row.kind != .service {
            text.removeAll()
            text.append(display: row.name)
            nameWidth = max(nameWidth, text.columns)
        }
    }

    static func table(_ owner: TableOwner, in trace: borrowing Trace) -> AttributeTable? {
        switch owner {
        case .peer(let index): index < trace.peers.count ? trace.peers[index].table : nil
        case .local(let index): index < trace.controllers.count ? trace.controllers[index].table : nil
        }
    }

    private mutating func add(
        _ node: TableTree.ServiceNode, _ owner: TableOwner, _ model: inout ScreenModel, in trace: borrowing Trace
    ) {
        if let service = node.service {
            let name = model.values.name(service.uuid, .service, in: trace)
            rows.append(
                Row(
                    kind: .service, handle: service.handle, name: name, type: service.uuid, place: nil,
                    descriptors: []))
        }
        for characteristic in node.characteristics {
            let declared = characteristic.characteristic
            rows.append(
                Row(
                    kind: .characteristic, handle: declared.valueHandle,
                    name: model.values.name(declared.uuid, .characteristic, in: trace), type: declared.uuid,
                    place: ValuePlace(declared, of: node.service, isValue: true, owner: owner),
                    descriptors: characteristic.descriptors.map(\.handle)))
        }
        for attribute in node.others {
            rows.append(
                Row(
                    kind: .characteristic, handle: attribute.handle,
                    name: model.values.name(
                        attribute.uuid, attribute.isDescriptor ? .descriptor : .characteristic, in: trace),
                    type: attribute.uuid, place: nil, descriptors: []))
        }
    }
}

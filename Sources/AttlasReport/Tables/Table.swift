/// The tables that a decoded conversation is written to. Documentation/tables.md is made of this description.
///
/// Every row begins with the number of its capture.
public enum Table: Int, CaseIterable, Sendable {
    case captures, records, peers, connections, links, attributes, operations, fields, advertisements, findings
    case incidents, incidentFrames, faults

    public var name: String { self == .incidentFrames ? "incident_frames" : "\(self)" }

    /// What a row stands for.
    public var meaning: String {
        switch self {
        case .captures: "A capture that was read."
        case .records: "A record of the capture, in the order of the file."
        case .peers:
            "A device that the host was connected with, or the peripheral of a connection captured from the air."
        case .connections: "A connection, from its making or the first sign of it to its end."
        case .links: "A change of a connection: its parameters, PHYs, data length, MTU or encryption."
        case .attributes: "An attribute of a GATT server, as it was known at the end of the capture."
        case .operations:
            "An ATT PDU. Of a PDU with the values of several attributes, a row for each. A value that several PDUs moved has one row more, after the last of them."
        case .fields: "A field of a value, or some bits of a field with a name, as a definition reads it."
        case .advertisements:
            "An advertising report, an advertisement captured from the air, or the response to an inquiry."
        case .findings: "What lint finds."
        case .incidents:
            "What broke, slowed down or stopped, the most important first. Equal incidents of a device are one, with a count; at most 1,024 different ones of a capture."
        case .incidentFrames: "A frame of the evidence of an incident, or a step of its course."
        case .faults:
            "What could not be decoded, fields that contradict their definition, what is missing, and jumps of the clock."
        }
    }

    /// Whether its rows are of what a selection holds; the others are of the whole capture.
    public var isSelected: Bool {
        switch self {
        case .links, .operations, .fields, .advertisements, .faults: true
        case .captures, .records, .peers, .connections, .attributes, .findings, .incidents, .incidentFrames: false
        }
    }

    /// The columns that no two rows have alike, and by which other tables name a row.
    public var key: [String] {
        switch self {
        case .captures: ["capture"]
        case .peers: ["capture", "peer"]
        case .connections: ["capture", "connection"]
        case .operations: ["operation"]
        case .fields: ["operation", "field"]
        case .incidents: ["capture", "incident"]
        case .records, .links, .attributes, .advertisements, .findings, .incidentFrames, .faults: []
        }
    }

    /// Columns that name a row of another table by its key.
    public var references: [(columns: [String], table: Table)] {
        let capture = (["capture"], Table.captures)
        let connection = (["capture", "connection"], Table.connections)
        let peer = (["capture", "peer"], Table.peers)
        switch self {
        case .captures: return []
        case .records, .peers, .advertisements: return [capture]
        case .connections, .attributes: return [capture, peer]
        case .links, .operations, .findings, .incidents: return [capture, connection]
        case .faults: return [capture, connection, (["operation"], Table.operations)]
        case .fields: return [capture, (["operation"], Table.operations)]
        case .incidentFrames: return [capture, (["capture", "incident"], Table.incidents)]
        }
    }

    public var columns: [TableColumn] { [.always("capture", .integer, "The number of the capture.")] + ownColumns }

    private var ownColumns: [TableColumn] {
        switch self {
        case .captures: Self.captureColumns
        case .records: Self.recordColumns
        case .peers: Self.peerColumns
        case .connections: Self.connectionColumns
        case .links: Self.linkColumns
        case .attributes: Self.attributeColumns
        case .operations: Self.operationColumns
        case .fields: Self.fieldColumns
        case .advertisements: Self.advertisementColumns
        case .findings: Self.findingColumns
        case .incidents: Self.incidentColumns
        case .incidentFrames: Self.incidentFrameColumns
        case .faults: Self.faultColumns
        }
    }
}

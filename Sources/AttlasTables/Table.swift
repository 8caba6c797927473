/// The tables that a decoded conversation is written to. Documentation/tables.md is made of this description.
///
/// Every row begins with the number of its capture.
public enum Table: Int, CaseIterable, Sendable {
    case captures, records, peers, connections, links, procedures, attributes, operations, fields, advertisements,
        findings
    case channelData, incidents, incidentFrames, faults

    package var name: String {
        switch self {
        case .channelData: "channel_data"
        case .incidentFrames: "incident_frames"
        default: "\(self)"
        }
    }

    /// The meaning of a row.
    package var meaning: String {
        switch self {
        case .captures: "A capture that was read."
        case .records: "A record, in the order of the file."
        case .peers:
            "A device that the host connected to, or the peripheral of a connection from the air."
        case .connections: "A connection, from its setup or first packet to its end."
        case .links: "A change of a connection: its parameters, PHYs, data length, MTU or encryption."
        case .procedures:
            "A procedure, from its first PDU to its last, with its outcome: see procedures.md. Ordered by end."
        case .attributes: "An attribute of a GATT server, as known at the end."
        case .operations:
            "An ATT PDU, with a row for each of its values. A value joined from several PDUs has one more row, after the last of them."
        case .fields: "A field of a value, or named bits of a field, by a definition."
        case .advertisements:
            "An advertising report, an advertisement from the air, or a response to an inquiry."
        case .findings: "Findings of lint."
        case .channelData: "What was sent on a channel of RFCOMM, or of a dynamic PSM or SPSM."
        case .incidents:
            "What broke, the most important first. Equal incidents of a device are one, with a count; at most 1,024 different ones."
        case .incidentFrames: "A frame or a step of an incident's evidence."
        case .faults:
            "Decoding faults, fields that contradict their definition, missing data, and clock jumps."
        }
    }

    /// Whether its rows are limited to a selection; those of other tables are about the whole capture.
    package var isSelected: Bool {
        switch self {
        case .links, .operations, .fields, .advertisements, .channelData, .faults: true
        case .captures, .records, .peers, .connections, .procedures, .attributes, .findings, .incidents,
            .incidentFrames:
            false
        }
    }

    /// The columns that no two rows have alike, and by which other tables name a row.
    package var key: [String] {
        switch self {
        case .captures: ["capture"]
        case .peers: ["capture", "peer"]
        case .connections: ["capture", "connection"]
        case .operations: ["operation"]
        case .fields: ["operation", "field"]
        case .incidents: ["capture", "incident"]
        case .records, .links, .procedures, .attributes, .advertisements, .findings, .channelData, .incidentFrames,
            .faults:
            []
        }
    }

    /// Columns that name a row of another table by its key.
    package var references: [(columns: [String], table: Table)] {
        let capture = (["capture"], Table.captures)
        let connection = (["capture", "connection"], Table.connections)
        let peer = (["capture", "peer"], Table.peers)
        switch self {
        case .captures: return []
        case .records, .peers, .advertisements: return [capture]
        case .connections, .attributes: return [capture, peer]
        case .links, .procedures, .operations, .findings, .channelData, .incidents: return [capture, connection]
        case .faults: return [capture, connection, (["operation"], Table.operations)]
        case .fields: return [capture, (["operation"], Table.operations)]
        case .incidentFrames: return [capture, (["capture", "incident"], Table.incidents)]
        }
    }

    package var columns: [TableColumn] { [.always("capture", .integer, "The number of the capture.")] + ownColumns }

    private var ownColumns: [TableColumn] {
        switch self {
        case .captures: Self.captureColumns
        case .records: Self.recordColumns
        case .peers: Self.peerColumns
        case .connections: Self.connectionColumns
        case .links: Self.linkColumns
        case .procedures: Self.procedureColumns
        case .attributes: Self.attributeColumns
        case .operations: Self.operationColumns
        case .fields: Self.fieldColumns
        case .advertisements: Self.advertisementColumns
        case .findings: Self.findingColumns
        case .channelData: Self.channelDataColumns
        case .incidents: Self.incidentColumns
        case .incidentFrames: Self.incidentFrameColumns
        case .faults: Self.faultColumns
        }
    }
}

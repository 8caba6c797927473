/// What the columns of each table hold.
extension Table {
    private static let frame = TableColumn.always("frame", .integer, "The number of the record, counted from 1.")
    private static let time = TableColumn.always("time", .time, "When.")
    private static let connection = TableColumn.maybe("connection", .integer, "The number of the connection.")

    static let captureColumns: [TableColumn] = [
        .maybe("file", .text, "The path as it was given; of an archive, with the file inside it."),
        .maybe(
            "sha256", .text,
            "Of the file, or of the archive; nothing for what cannot be read twice, and for joined files."),
        .maybe("format", .word, "btsnoop, pcap, pcapng, PacketLogger, hcidump, btsnooz or text (…)."),
        .maybe("link_type", .word, "What the records are."),
        .always("records", .integer, "Records that were read."),
        .maybe("first_time", .time, "Of the first record."),
        .maybe("last_time", .time, "Of the last record."),
        .always("complete", .boolean, "Whether nothing is known to be missing from the capture."),
        .maybe("error", .text, "Why it could not be read to its end."),
        .always("attlas", .text, "The version of attlas that read it."),
    ]

    static let recordColumns: [TableColumn] = [
        .always("record", .integer, "The position in the file, counted from 1."),
        .always(
            "frame", .integer,
            "The number by which other tables name it: of a record that is no packet, that of the packet before it."),
        time,
        .always(
            "kind", .word,
            "command, acl, synchronous, event, isochronous, air, monitor, packetlogger, unknown or broken."),
        .always("direction", .word, "tx: from the host, or from the central; rx: to it."),
        .always("controller", .integer, "The index of the controller or of the interface."),
        .always("octets", .integer, unit: "octets", "Captured octets of the packet."),
        .always("missing_octets", .integer, unit: "octets", "Octets of the packet that the capture does not have."),
        .always("lost_before", .integer, "Records that were lost since the one before."),
    ]

    static let peerColumns: [TableColumn] = [
        .always("peer", .integer, "The number of the device, counted from 1."),
        .maybe("address", .text, "Its identity address where that is known."),
        .maybe("address_type", .word, "public, random-static, random-resolvable or random-non-resolvable."),
        .maybe("name", .text, "What it called itself last."),
        .maybe("same_as", .integer, "The peer that this one turned out to be."),
    ]

    static let connectionColumns: [TableColumn] = [
        .always("connection", .integer, "The number of the connection, counted from 1."),
        .maybe("peer", .integer, "The number of the device."),
        .maybe("peer_address", .text, "The device's address."),
        .maybe("peer_name", .text, "What the device called itself last."),
        .always("controller", .integer, "The index of the controller or of the interface."),
        .maybe("connection_handle", .integer, "Of HCI."),
        .maybe("access_address", .integer, "Of a connection captured from the air."),
        .always("transport", .word, "LE or BR/EDR."),
        .maybe("role", .word, "The recorded host's: central or peripheral."),
        .always("begun_frame", .integer, "The record with which it was made, or its first one."),
        .always("begun_time", .time, "The time of that record."),
        .always("whole", .boolean, "Whether its making was captured."),
        .maybe("ended_frame", .integer, "The record with which it ended."),
        .maybe("ended_time", .time, "The time of that record."),
        .maybe(
            "ended_by", .word,
            "host, peer, link or unknown; of a connection captured from the air central or peripheral."),
        .maybe("reason_code", .integer, "The error code of the disconnection."),
        .maybe("reason", .word, "Its name, or what else ended the connection."),
    ]

    static let linkColumns: [TableColumn] = [
        frame, time, connection,
        .always("change", .word, "parameters, phy, data_length, mtu or encryption."),
        .maybe("interval", .duration, "The connection interval."),
        .maybe("latency", .integer, "Connection events that the peripheral may skip."),
        .maybe("supervision_timeout", .duration, "After which silence the link is lost."),
        .maybe("tx_phy", .word, "To the peer."),
        .maybe("rx_phy", .word, "From the peer."),
        .maybe("max_tx_octets", .integer, unit: "octets", "Of a packet to the peer."),
        .maybe("max_rx_octets", .integer, unit: "octets", "Of a packet from the peer."),
        .maybe("mtu", .integer, unit: "octets", "The ATT_MTU in force."),
        .maybe("encrypted", .boolean, "Whether the link is encrypted from now on."),
        .maybe("status", .word, "Why encryption failed."),
    ]

    static let attributeColumns: [TableColumn] = [
        .maybe(
            "peer", .integer,
            "The device whose attribute it is; nothing for the recorded host, and for the central of a capture from the air."
        ),
        .maybe("controller", .integer, "The controller of that host."),
        .always("handle", .integer, "The attribute handle."),
        .always("role", .word, "service, characteristic, descriptor or other."),
        .maybe("end_handle", .integer, "Of a service, its last handle."),
        .maybe("value_handle", .integer, "Of a characteristic, the handle of its value."),
        .always("uuid", .word, "Of the service, the characteristic, or the attribute's type."),
        .maybe("name", .word, "Of that UUID."),
        .maybe("service_uuid", .word, "Of the service that it belongs to."),
        .maybe("service", .word, "The name of that service."),
        .maybe("characteristic_uuid", .word, "Of the characteristic that it belongs to."),
        .maybe("characteristic", .word, "The name of that characteristic."),
        .maybe("properties", .text, "Of a characteristic, separated by blanks."),
    ]

    static let operationColumns: [TableColumn] = [
        .always("operation", .integer, "Counted from 1, over all captures of the database."),
        frame, time, connection,
        .always("direction", .word, "tx: from the host, or from the central; rx: to it."),
        .always("opcode", .integer, "Of the PDU; of a value that several PDUs moved, that of the last one."),
        .always("method", .word, "The name of the PDU, or long read, or prepared write."),
        .always("part", .integer, "0, and of the further values of the same PDU 1, 2 …"),
        .always("server", .word, "Whose attribute it is: peer or local."),
        .maybe("handle", .integer, "The attribute handle."),
        .maybe("service_uuid", .word, "Of the service."),
        .maybe("service", .word, "Its name."),
        .maybe("characteristic_uuid", .word, "Of the characteristic."),
        .maybe("characteristic", .word, "Its name."),
        .maybe("descriptor_uuid", .word, "Of an attribute that is not the value of the characteristic."),
        .maybe("descriptor", .word, "Its name."),
        .maybe("value", .octets, "The octets of the value; nothing where there are none, and for keys."),
        .maybe("text", .text, "What the value, or the PDU, says, as show prints it."),
        .maybe("request_frame", .integer, "Of a response, the record of its request."),
        .maybe("round_trip", .duration, "Of a response, from the record of its request."),
        .maybe("error_code", .integer, "Of an Error Response."),
        .maybe("error", .word, "The name of that code."),
    ]

    static let fieldColumns: [TableColumn] = [
        .always("operation", .integer, "Whose value has the field."),
        .always("field", .integer, "Counted from 1, in the order of the octets."),
        .always("path", .word, "The names from the outermost structure to the field, with / between them."),
        .always("name", .word, "The last of these names."),
        .maybe(
            "number", .real, "The scaled number, in its unit; nothing for what is no number, and for special values."),
        .maybe("unit", .word, "Of the number."),
        .maybe("text", .text, "The value as show prints it, without its unit; nothing for a field that was not read."),
        .always(
            "offset", .integer, unit: "octets",
            "Where the field begins in the value, or in the message that the value completes."),
        .always("length", .integer, unit: "octets", "Octets of the field."),
        .maybe("special", .word, "The name of a special value, such as NaN; number is then nothing."),
        .maybe("checksum", .word, "Of a CRC or another checksum: right or wrong."),
        .always("out_of_range", .boolean, "Whether the number is outside the range that its definition permits."),
        .always("undefined", .boolean, "Whether the number has none of the meanings that its definition lists."),
        .maybe("fault", .word, "Why the field could not be read: it is the last one of its value."),
        .maybe("need", .integer, unit: "octets", "Octets that the value needs up to the end of this field."),
        .maybe("have", .integer, unit: "octets", "Octets that it has."),
        .always("faulty", .boolean, "Whether the value has a row in faults, for this field or another."),
    ]

    static let advertisementColumns: [TableColumn] = [
        frame, time,
        .always("controller", .integer, "The index of the controller or of the interface."),
        .maybe("address", .text, "Of the advertiser."),
        .maybe("address_type", .word, "public, random-static, random-resolvable or random-non-resolvable."),
        .maybe("identity_address", .text, "Of a private address that was resolved."),
        .maybe("rssi", .integer, unit: "dBm", "How strong it was heard."),
        .maybe("tx_power", .integer, unit: "dBm", "How strong it says that it sends."),
        .always("connectable", .boolean, "Whether it can be connected to."),
        .always("scan_response", .boolean, "Whether it answers a scan request."),
        .always("extended", .boolean, "Whether it is extended advertising."),
        .maybe("name", .text, "The local name."),
        .maybe("company_id", .integer, "Of the first manufacturer data."),
        .maybe("company", .word, "The name of that company."),
        .maybe("service_uuids", .text, "Of services, separated by blanks."),
        .always("data", .octets, "All advertising data."),
    ]

    static let findingColumns: [TableColumn] = [
        .always("rule", .word, "Its id; attlas lint --explain explains it."),
        .always("severity", .word, "error, warning or information."),
        frame, time, connection,
        .maybe("peer_address", .text, "The device that it is about."),
        .maybe("handle", .integer, "The attribute that it is about."),
        .always("message", .text, "What happened."),
        .always("count", .integer, "How often."),
        .always("last_frame", .integer, "The record in which it was seen last."),
        .always("fingerprint", .text, "The same for the same fault in another capture."),
    ]

    static let incidentColumns: [TableColumn] = [
        .always("incident", .integer, "The number of the incident, counted from 1."),
        .always("kind", .word, "One of the kinds in what-broke.md: link lost, pairing failed …"),
        .always("weight", .word, "broke, hindered or noted."),
        .always("frame", .integer, "The record where it became true first."),
        .always("time", .time, "The time of that record."),
        .always("count", .integer, "How often it happened."),
        .maybe("peer_address", .text, "The device that it is about."),
        .maybe("peer_name", .text, "What that device called itself last."),
        .maybe("connection", .integer, "The number of the first connection."),
        .maybe("server", .word, "Whose attribute it is about: peer or local."),
        .maybe("handle", .integer, "The attribute that it is about."),
        .maybe("service_uuid", .word, "Of its service."),
        .maybe("service", .word, "The name of that service."),
        .maybe("characteristic_uuid", .word, "Of its characteristic."),
        .maybe("characteristic", .word, "The name of that characteristic."),
        .maybe("descriptor_uuid", .word, "Of an attribute that is not the value of the characteristic."),
        .maybe("descriptor", .word, "Its name."),
        .always("title", .text, "The incident in a few words."),
        .always("what", .text, "What happened the first time."),
        .maybe("before", .text, "What preceded it."),
        .always("certainty", .word, "Of the cause: proved, likely or unknown."),
        .always("cause", .text, "The cause; of an unknown one, what would show it."),
        .always("next", .text, "What to do."),
        .maybe("follows", .integer, "A frame of the incident that this one is a consequence of."),
    ]

    static let incidentFrameColumns: [TableColumn] = [
        .always("incident", .integer, "The number of the incident."),
        .maybe("frame", .integer, "The number of the record; nothing for a step that did not happen."),
        .always("occurrence", .boolean, "Whether the incident became true in this frame."),
        .maybe("text", .text, "The step of the first occurrence."),
    ]

    static let faultColumns: [TableColumn] = [
        frame, time, connection,
        .always(
            "kind", .word,
            "fault, lost, missed, limit or clock_step; of a field, as in fields, also checksum, out_of_range, undefined or special (a reserved value)."
        ),
        .maybe("layer", .word, "Of a fault, and of what is wrong with a field."),
        .maybe("reason", .text, "What is wrong, or which limit."),
        .maybe("need", .integer, unit: "octets", "Octets that were needed."),
        .maybe("have", .integer, unit: "octets", "Octets that were present."),
        .maybe(
            "number", .integer,
            "Records that were lost, packets that were missed, the limit, or the nanoseconds of a clock step."),
        .maybe("operation", .integer, "The operation whose PDU or value is faulty."),
        .maybe("field", .integer, "The number of the field."),
    ]
}

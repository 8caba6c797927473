/// The columns of each table.
extension Table {
    private static let frame = TableColumn.always("frame", .integer, "The record, counted from 1.")
    private static let time = TableColumn.always("time", .time, "Its time.")
    private static let connection = TableColumn.maybe("connection", .integer, "The connection.")

    static let captureColumns: [TableColumn] = [
        .maybe("file", .text, "The path as given, in an archive with the inner file."),
        .maybe("sha256", .text, "Of the file or the archive; empty for a pipe and for joined files."),
        .maybe("format", .word, "btsnoop, pcap, pcapng, PacketLogger, hcidump, btsnooz or text (…)."),
        .maybe("link_type", .word, "The kind of packets."),
        .maybe("recorded_by", .text, "The phone or host, by the name of a bug report or as the file has it."),
        .always("records", .integer, "Records read."),
        .maybe("first_time", .time, "Of the first record."),
        .maybe("last_time", .time, "Of the last record."),
        .always("complete", .boolean, "No missing data."),
        .maybe("error", .text, "Why reading stopped early."),
        .always("attlas", .text, "The version of attlas."),
    ]

    static let recordColumns: [TableColumn] = [
        .always("record", .integer, "Position in the file, counted from 1."),
        .always(
            "frame", .integer,
            "Its number in other tables; for a record that is not a packet, that of the previous packet."),
        time,
        .always(
            "kind", .word,
            "command, acl, synchronous, event, isochronous, air, monitor, packetlogger, unknown or broken."),
        .always("direction", .word, "tx: from the host or the central; rx: to it."),
        .always("controller", .integer, "Index of the controller or interface."),
        .always("octets", .integer, unit: "octets", "Captured."),
        .always("missing_octets", .integer, unit: "octets", "Cut by the capture."),
        .always("lost_before", .integer, "Records lost since the previous one."),
    ]

    static let peerColumns: [TableColumn] = [
        .always("peer", .integer, "The device, counted from 1."),
        .maybe("address", .text, "The identity address, if known."),
        .maybe("address_type", .word, "public, random-static, random-resolvable or random-non-resolvable."),
        .maybe("name", .text, "The last name."),
        .maybe("same_as", .integer, "The peer that this one turned out to be."),
    ]

    static let connectionColumns: [TableColumn] = [
        .always("connection", .integer, "Counted from 1."),
        .maybe("peer", .integer, "The device."),
        .maybe("peer_address", .text, "Its address."),
        .maybe("peer_name", .text, "Its last name."),
        .always("controller", .integer, "Index of the controller or interface."),
        .maybe("connection_handle", .integer, "From HCI."),
        .maybe("access_address", .integer, "From the air."),
        .always("transport", .word, "LE or BR/EDR."),
        .maybe("role", .word, "Of the recorded host: central or peripheral."),
        .always("begun_frame", .integer, "The first record."),
        .always("begun_time", .time, "Its time."),
        .always("whole", .boolean, "Its setup was captured."),
        .maybe("ended_frame", .integer, "The last record."),
        .maybe("ended_time", .time, "Its time."),
        .maybe(
            "ended_by", .word,
            "host, peer, link or unknown; from the air, central or peripheral."),
        .maybe("reason_code", .integer, "The error code of the disconnection."),
        .maybe("reason", .word, "Its name, or another reason."),
        .maybe(
            "lost", .boolean, "Neither side ended it: supervision timeout, no response or a failed integrity check."),
        .maybe("duration", .duration, "From its beginning to its end, both captured."),
        .maybe("reconnected_after", .duration, "From the end of the device's previous connection."),
        .maybe("after_loss", .boolean, "The previous connection was lost."),
        .maybe("failed_attempts", .integer, "Attempts since the previous connection that led to none."),
        .maybe("attempt", .duration, "From the command of the host to the connection."),
        .maybe("discovered_after", .duration, "From the beginning to the end of the first discovery."),
        .maybe("encrypted_after", .duration, "… to the first encryption."),
        .maybe("first_value_after", .duration, "… to the first value of a server."),
        .maybe("bonded", .boolean, "Both sides keep keys."),
        .maybe("interval", .duration, "Connection interval at the end."),
        .maybe("latency", .integer, "Connection events that the peripheral may skip, at the end."),
        .maybe("supervision_timeout", .duration, "Supervision timeout at the end."),
        .maybe("mtu", .integer, unit: "octets", "ATT_MTU at the end."),
        .maybe("tx_phy", .word, "To the peer, at the end."),
        .maybe("rx_phy", .word, "From the peer, at the end."),
        .maybe("max_tx_octets", .integer, unit: "octets", "Longest packet to the peer, at the end."),
        .maybe("max_rx_octets", .integer, unit: "octets", "Longest packet from the peer, at the end."),
        .maybe("last_rssi", .integer, unit: "dBm", "The last reading of the peer's signal."),
        .maybe("last_rssi_before_end", .duration, "From that reading to the end."),
        .maybe("rssi_change", .integer, unit: "dB", "Over the last minute of readings."),
        .maybe("tx_values", .integer, "PDUs with values to the peer."),
        .maybe("rx_values", .integer, "PDUs with values from the peer."),
        .maybe("tx_octets", .integer, unit: "octets", "Of values, to the peer."),
        .maybe("rx_octets", .integer, unit: "octets", "Of values, from the peer."),
        .maybe("longest_silence", .duration, "Without a whole L2CAP frame."),
        .maybe("failed_procedures", .integer, "Refused, late, unanswered or interrupted, without single requests."),
        .maybe("own_version", .word, "Bluetooth version of the host's controller, or of the central on the air."),
        .maybe("own_company", .word, "Maker of that controller."),
        .maybe("own_subversion", .integer, "Its own version."),
        .maybe("peer_version", .word, "Bluetooth version of the peer's controller."),
        .maybe("peer_company", .word, "Maker of that controller."),
        .maybe("peer_subversion", .integer, "Its own version."),
    ]

    /// The columns from `lost` on.
    static let connectionFacts = connectionColumns.count - (connectionColumns.firstIndex { $0.name == "lost" } ?? 0)

    static let linkColumns: [TableColumn] = [
        frame, time, connection,
        .always("change", .word, "parameters, phy, data_length, mtu or encryption."),
        .maybe("interval", .duration, "Connection interval."),
        .maybe("latency", .integer, "Connection events that the peripheral may skip."),
        .maybe("supervision_timeout", .duration, "Supervision timeout."),
        .maybe("tx_phy", .word, "To the peer."),
        .maybe("rx_phy", .word, "From the peer."),
        .maybe("max_tx_octets", .integer, unit: "octets", "Longest packet to the peer."),
        .maybe("max_rx_octets", .integer, unit: "octets", "Longest packet from the peer."),
        .maybe("mtu", .integer, unit: "octets", "ATT_MTU."),
        .maybe("encrypted", .boolean, "The link is now encrypted."),
        .maybe("status", .word, "Why encryption failed."),
    ]

    static let procedureColumns: [TableColumn] = [
        .always("kind", .word, "A kind of procedures.md: connection attempt, discovery, pairing …"),
        connection,
        .maybe("peer_address", .text, "The device; for an attempt, the one that was to be connected."),
        .always("asker", .word, "tx: begun by the host or the central; rx: by the other side."),
        .maybe("begun_frame", .integer, "The first record; empty if the capture has only the end."),
        .maybe("begun_time", .time, "Its time."),
        .maybe("ended_frame", .integer, "The last record; empty if the capture ended first."),
        .maybe("ended_time", .time, "Its time."),
        .maybe("duration", .duration, "From the first record to the last."),
        .always("steps", .integer, "Exchanges of ATT, or PDUs of a pairing."),
        .maybe("waited", .duration, "Sum of the round trips of its exchanges."),
        .maybe("request", .word, "The request of an exchange, or the first one of several."),
        .maybe("server", .word, "Owner of the attribute: peer or local."),
        .maybe("handle", .integer, "Attribute handle."),
        .maybe("service_uuid", .word, "Service."),
        .maybe("service", .word, "Its name."),
        .maybe("characteristic_uuid", .word, "Characteristic."),
        .maybe("characteristic", .word, "Its name."),
        .maybe("descriptor_uuid", .word, "Attribute other than the characteristic's value."),
        .maybe("descriptor", .word, "Its name."),
        .always("outcome", .word, "done, refused, late, unanswered, cancelled, interrupted, open or doubtful."),
        .maybe("code", .integer, "The error code or the reason of a refusal."),
        .maybe("reason", .word, "Its name."),
    ]

    static let attributeColumns: [TableColumn] = [
        .maybe(
            "peer", .integer,
            "The device with the attribute; empty for the recorded host, and for the central of a capture from the air."
        ),
        .maybe("controller", .integer, "That host's controller."),
        .always("handle", .integer, "Attribute handle."),
        .always("role", .word, "service, characteristic, descriptor or other."),
        .maybe("end_handle", .integer, "Last handle of a service."),
        .maybe("value_handle", .integer, "Value handle of a characteristic."),
        .always("uuid", .word, "Service, characteristic or attribute type."),
        .maybe("name", .word, "Its name."),
        .maybe("service_uuid", .word, "Its service."),
        .maybe("service", .word, "Its name."),
        .maybe("characteristic_uuid", .word, "Its characteristic."),
        .maybe("characteristic", .word, "Its name."),
        .maybe("properties", .text, "Of a characteristic, with spaces between."),
    ]

    static let operationColumns: [TableColumn] = [
        .always("operation", .integer, "Counted from 1 over all captures of the database."),
        frame, time, connection,
        .always("direction", .word, "tx: from the host or the central; rx: to it."),
        .always("opcode", .integer, "Of the PDU; for a joined value, of the last PDU."),
        .always("method", .word, "PDU name, long read or prepared write."),
        .always("part", .integer, "0; 1, 2 … for further values of the PDU."),
        .always("server", .word, "Owner of the attribute: peer or local."),
        .maybe("handle", .integer, "Attribute handle."),
        .maybe("service_uuid", .word, "Service."),
        .maybe("service", .word, "Its name."),
        .maybe("characteristic_uuid", .word, "Characteristic."),
        .maybe("characteristic", .word, "Its name."),
        .maybe("descriptor_uuid", .word, "Attribute other than the characteristic's value."),
        .maybe("descriptor", .word, "Its name."),
        .maybe("value", .octets, "Octets of the value; empty for keys."),
        .maybe("text", .text, "The value or the PDU, as show prints it."),
        .maybe("request_frame", .integer, "The request of a response."),
        .maybe("round_trip", .duration, "From the request to the response."),
        .maybe("error_code", .integer, "Of an Error Response."),
        .maybe("error", .word, "Its name."),
    ]

    static let fieldColumns: [TableColumn] = [
        .always("operation", .integer, "The operation with the value."),
        .always("field", .integer, "Counted from 1, by position."),
        .always("path", .word, "Names from the outermost structure to the field, with / between."),
        .always("name", .word, "The last of them."),
        .maybe("number", .real, "Scaled, in its unit; empty for special values and for fields that are not numbers."),
        .maybe("unit", .word, "Its unit."),
        .maybe("text", .text, "As show prints it, without unit; empty for a field that was not read."),
        .always(
            "offset", .integer, unit: "octets",
            "Position in the value, or in the message that the value completes."),
        .always("length", .integer, unit: "octets", "Length."),
        .maybe("special", .word, "Name of a special value, such as NaN."),
        .maybe("checksum", .word, "right or wrong, for a checksum or a constant."),
        .always("out_of_range", .boolean, "Outside the permitted range."),
        .always("undefined", .boolean, "None of the defined values."),
        .maybe("fault", .word, "Why this last field could not be read."),
        .maybe("need", .integer, unit: "octets", "Needed up to the end of this field."),
        .maybe("have", .integer, unit: "octets", "Available."),
        .always("faulty", .boolean, "The value has a row in faults."),
    ]

    static let advertisementColumns: [TableColumn] = [
        frame, time,
        .always("controller", .integer, "Index of the controller or interface."),
        .maybe("address", .text, "Advertiser."),
        .maybe("address_type", .word, "public, random-static, random-resolvable or random-non-resolvable."),
        .maybe("identity_address", .text, "Of a resolved private address."),
        .maybe("rssi", .integer, unit: "dBm", "Signal strength."),
        .maybe("tx_power", .integer, unit: "dBm", "Advertised TX power."),
        .always("connectable", .boolean, "Connectable."),
        .always("scan_response", .boolean, "Scan response."),
        .always("extended", .boolean, "Extended advertising."),
        .maybe("name", .text, "Local name."),
        .maybe("company_id", .integer, "From the first manufacturer data."),
        .maybe("company", .word, "Its name."),
        .maybe("service_uuids", .text, "With spaces between."),
        .always("data", .octets, "All advertising data."),
    ]

    static let channelDataColumns: [TableColumn] = [
        frame, time, connection,
        .always("direction", .word, "tx: from the host or the central; rx: to it."),
        .maybe("rfcomm_channel", .integer, "The Server Channel."),
        .maybe("psm", .integer, "The PSM or SPSM, without RFCOMM."),
        .always("server", .word, "Whose service has the channel: peer or local."),
        .maybe("service", .text, "UUID of the service, as its device listed it."),
        .maybe("name", .text, "By a definition, else of the service."),
        .always("value", .octets, "What was sent."),
        .maybe("text", .text, "Fields, by a definition."),
        .always("cut", .boolean, "The capture lacks a part of it."),
    ]

    static let findingColumns: [TableColumn] = [
        .always("rule", .word, "The id; see attlas lint --explain."),
        .always("severity", .word, "error, warning or information."),
        frame, time, connection,
        .maybe("peer_address", .text, "The device that it is about."),
        .maybe("handle", .integer, "The attribute that it is about."),
        .always("message", .text, "What happened."),
        .always("count", .integer, "How often."),
        .always("last_frame", .integer, "Its last record."),
        .always("fingerprint", .text, "Equal for the same fault in another capture."),
    ]

    static let incidentColumns: [TableColumn] = [
        .always("incident", .integer, "Counted from 1."),
        .always("kind", .word, "A kind of what-broke.md: link lost, pairing failed …"),
        .always("weight", .word, "broke, hindered or noted."),
        .always("frame", .integer, "First record where it became true."),
        .always("time", .time, "Its time."),
        .always("count", .integer, "How often."),
        .maybe("peer_address", .text, "The device that it is about."),
        .maybe("peer_name", .text, "Its last name."),
        .maybe("connection", .integer, "The first connection."),
        .maybe("server", .word, "Owner of the attribute: peer or local."),
        .maybe("handle", .integer, "The attribute that it is about."),
        .maybe("service_uuid", .word, "Service."),
        .maybe("service", .word, "Its name."),
        .maybe("characteristic_uuid", .word, "Characteristic."),
        .maybe("characteristic", .word, "Its name."),
        .maybe("descriptor_uuid", .word, "Attribute other than the characteristic's value."),
        .maybe("descriptor", .word, "Its name."),
        .always("title", .text, "A few words."),
        .always("what", .text, "What happened the first time."),
        .maybe("before", .text, "What preceded it."),
        .always("certainty", .word, "proved, likely or unknown."),
        .always("cause", .text, "The cause, or what would show it."),
        .always("next", .text, "What to do."),
        .maybe("follows", .integer, "A frame of the incident that caused this one."),
    ]

    static let incidentFrameColumns: [TableColumn] = [
        .always("incident", .integer, "The incident."),
        .maybe("frame", .integer, "The record; empty for a step that did not happen."),
        .always("occurrence", .boolean, "The incident became true here."),
        .maybe("text", .text, "The step, at the first occurrence."),
    ]

    static let faultColumns: [TableColumn] = [
        frame, time, connection,
        .always(
            "kind", .word,
            "fault, lost, missed, limit or clock_step; for a field also checksum, out_of_range, undefined or special (a reserved value)."
        ),
        .maybe("layer", .word, "Of the fault."),
        .maybe("reason", .text, "The fault or the limit."),
        .maybe("need", .integer, unit: "octets", "Needed."),
        .maybe("have", .integer, unit: "octets", "Available."),
        .maybe(
            "number", .integer,
            "Lost records, missed packets, the limit, or nanoseconds of a clock step (292 years at most)."),
        .maybe("operation", .integer, "The faulty operation."),
        .maybe("field", .integer, "The field."),
    ]
}

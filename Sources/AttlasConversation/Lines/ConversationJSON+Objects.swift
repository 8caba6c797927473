import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The type `object_transfer`.
extension ConversationJSON {
    mutating func write(_ transfer: ObjectTransfer, _ sdu: borrowing ChannelSDU) {
        json.member("channel", code: sdu.localChannel.rawValue, digits: 4)
        json.member("server", transfer.server.rawValue)
        json.member("operation", transfer.operation.rawValue)
        json.object("object") { json in
            json.member("id", transfer.object.id)
            json.member("name", transfer.object.name)
            if let type = transfer.object.type {
                json.write("type", type, name: values.library.assignedNumbers.name(of: type))
            }
            json.member("current_size_octets", transfer.object.currentSize)
            json.member("allocated_size_octets", transfer.object.allocatedSize)
        }
        json.member("request_frame", transfer.requestFrame)
        json.member("offset", transfer.offset)
        json.member("length", transfer.length)
        json.member("part_octets", transfer.part)
        json.member("transferred_octets", transfer.transferred)
        json.member("complete", transfer.isComplete)
        if transfer.excess > 0 { json.member("excess_octets", transfer.excess) }
        if transfer.isCut { json.member("cut", true) }
        guard transfer.isComplete else { return }
        json.member("value", hex: Bytes(transfer.requestedOctets.span))
        json.member("text", transfer.text)
    }
}

/// The type `serial`.
extension ConversationJSON {
    mutating func write(_ data: borrowing SerialData, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let connection = event.connection else { return }
        json.write(data.channel)
        if let service = values.service(of: data.channel, connection, in: trace) {
            json.write(service.classes.first, name: service.name(values.library))
        }
        json.member("name", values.name(of: data.channel, connection, in: trace))
        json.member("length", data.octets.count)
        if !data.isWhole { json.member("cut", true) }
        json.member("value", hex: data.octets)
        if let reading = values.read(data, event.direction, connection, in: trace) {
            json.write(reading, values.dissection)
        }
    }
}

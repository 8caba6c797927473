import AttlasCapture
import AttlasMetrics
import AttlasText
import AttlasValues
import AttlasWire

/// The devices of a capture as one JSON document, described by Documentation/schemas/devices.schema.json.
package struct DevicesJSON {
    private var json = JSONWriter()
    private let model: DevicesModel
    private let values: ValueInterpreter

    package init(_ model: DevicesModel, values: ValueInterpreter) {
        self.model = model
        self.values = values
    }

    package mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/devices/1")
        json.member("file", file)
        json.key("devices")
        json.beginArray()
        for device in model.devices { write(device) }
        json.endArray()
        if !model.devicesWithoutAddress.isEmpty {
            json.key("without_address")
            json.beginArray()
            for stranger in model.devicesWithoutAddress { write(stranger) }
            json.endArray()
        }
        write(
            "periodic_advertising_of_others",
            model.broadcasts.filter { broadcast in
                !model.devices.contains { $0.address == broadcast.address }
            })
        write("own_periodic_advertising", model.ownBroadcasts)
        json.member("forgotten", model.forgotten)
        json.write(model.integrity)
        json.endObject()
        json.endLine()
        output.write(&json.text)
    }

    private mutating func write(_ device: DeviceCollector.Device) {
        json.beginObject()
        json.write(device.address)
        if !device.privateAddresses.isEmpty {
            json.array("private_addresses", device.privateAddresses) { $0.string($1.description) }
        }
        var data = device.data
        data.name = device.connectedName ?? data.name
        json.write(data, values)
        json.write(rssi: device.rssi)
        json.member("advertisements", device.advertisements)
        if device.inquiryResponses > 0 { json.member("inquiry_responses", device.inquiryResponses) }
        json.member("connectable", device.isConnectable)
        json.member("connections", device.connections)
        json.member("connected", device.isConnected)
        write("first_seen", device.firstSeen)
        write("last_seen", device.lastSeen)
        json.member("gone", device.isGone)
        write("periodic_advertising", model.broadcasts(of: device.address))
        json.endObject()
    }

    private mutating func write(_ key: StaticString, _ broadcasts: [Broadcast]) {
        guard !broadcasts.isEmpty else { return }
        json.key(key)
        json.beginArray()
        for broadcast in broadcasts { write(broadcast) }
        json.endArray()
    }

    private mutating func write(_ broadcast: Broadcast) {
        json.beginObject()
        if let address = broadcast.address { json.write(address) }
        json.member("sid", broadcast.sid)
        if let interval = broadcast.interval { json.member("interval_us", Int(interval) * 1_250) }
        json.member("phy", broadcast.phy?.name)
        json.member("followed", broadcast.isSynchronized)
        json.member("lost", broadcast.isLost)
        json.member("reports", broadcast.reports)
        if broadcast.isTruncated { json.member("truncated", true) }
        if let isEnabled = broadcast.isEnabled { json.member("enabled", isEnabled) }
        json.write(rssi: broadcast.rssi)
        if let data = broadcast.data { json.write(data, values) }
        if let group = broadcast.group {
            json.key("big")
            json.beginObject()
            json.member("streams", group.streams)
            json.member("iso_interval_us", Int(group.isoInterval) * 1_250)
            json.member("sdu_interval_us", group.sduInterval)
            json.member("max_sdu_octets", group.maxSDU)
            json.member("max_pdu_octets", group.maxPDU)
            json.member("phy", group.phy.name)
            json.member("framed", group.isFramed)
            json.member("encrypted", group.isEncrypted)
            json.endObject()
        }
        json.endObject()
    }

    private mutating func write(_ stranger: DevicesModel.Stranger) {
        json.beginObject()
        json.member("name", stranger.name)
        json.member("transport", stranger.transport.rawValue)
        if let accessAddress = stranger.accessAddress {
            json.member("access_address", code: accessAddress, digits: 8)
        } else {
            json.member("connection_handle", stranger.handle)
        }
        write("first_seen", stranger.firstSeen)
        json.member("connected", stranger.isConnected)
        json.endObject()
    }

    private mutating func write(_ key: StaticString, _ time: Timestamp) {
        json.key(key)
        json.value { text in
            text.append("\"")
            text.append(utc: time)
            text.append("\"")
        }
    }
}

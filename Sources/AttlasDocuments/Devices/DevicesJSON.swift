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
        json.objects("devices", model.devices) { $0.write($1, model.broadcasts(of: $1.address), values) }
        if !model.devicesWithoutAddress.isEmpty {
            json.objects("without_address", model.devicesWithoutAddress) { $0.write($1) }
        }
        json.write("periodic_advertising_of_others", model.broadcastsOfOthers, values)
        json.write("own_periodic_advertising", model.ownBroadcasts, values)
        json.member("forgotten", model.forgotten)
        json.endDocument(model.integrity, into: &output)
    }
}

extension JSONWriter {
    fileprivate mutating func write(
        _ device: DeviceCollector.Device, _ broadcasts: [Broadcast], _ values: ValueInterpreter
    ) {
        write(device.address)
        if !device.privateAddresses.isEmpty {
            array("private_addresses", device.privateAddresses) { $0.string($1.description) }
        }
        var data = device.data
        data.name = device.connectedName ?? data.name
        write(data, values)
        write(rssi: device.rssi)
        member("advertisements", device.advertisements)
        if device.inquiryResponses > 0 { member("inquiry_responses", device.inquiryResponses) }
        member("connectable", device.isConnectable)
        member("connections", device.connections)
        member("connected", device.isConnected)
        member("first_seen", device.firstSeen)
        member("last_seen", device.lastSeen)
        member("gone", device.isGone)
        write("periodic_advertising", broadcasts, values)
    }

    fileprivate mutating func write(_ key: StaticString, _ broadcasts: [Broadcast], _ values: ValueInterpreter) {
        if !broadcasts.isEmpty { objects(key, broadcasts) { $0.write($1, values) } }
    }

    private mutating func write(_ broadcast: Broadcast, _ values: ValueInterpreter) {
        if let address = broadcast.address { write(address) }
        member("sid", broadcast.sid)
        member("interval_us", broadcast.interval.map { Int($0) * 1_250 })
        member("phy", broadcast.phy?.name)
        member("followed", broadcast.isSynchronized)
        member("lost", broadcast.isLost)
        member("reports", broadcast.reports)
        if broadcast.isTruncated { member("truncated", true) }
        if let isEnabled = broadcast.isEnabled { member("enabled", isEnabled) }
        write(rssi: broadcast.rssi)
        if let data = broadcast.data { write(data, values) }
        guard let group = broadcast.group else { return }
        object("big") { json in
            json.member("streams", group.streams)
            json.member("iso_interval_us", Int(group.isoInterval) * 1_250)
            json.member("sdu_interval_us", group.sduInterval)
            json.member("max_sdu_octets", group.maxSDU)
            json.member("max_pdu_octets", group.maxPDU)
            json.member("phy", group.phy.name)
            json.member("framed", group.isFramed)
            json.member("encrypted", group.isEncrypted)
        }
    }

    fileprivate mutating func write(_ stranger: DevicesModel.Stranger) {
        member("name", stranger.name)
        member("transport", stranger.transport.rawValue)
        if let accessAddress = stranger.accessAddress {
            member("access_address", code: accessAddress, digits: 8)
        } else {
            member("connection_handle", stranger.handle)
        }
        member("first_seen", stranger.firstSeen)
        member("connected", stranger.isConnected)
    }
}

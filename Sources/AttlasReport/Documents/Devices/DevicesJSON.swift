import AttlasCapture
import AttlasMetrics
import AttlasValues
import AttlasWire

/// The devices of a capture as one JSON document, described by Documentation/schemas/devices.schema.json.
public struct DevicesJSON {
    private var json = JSONWriter()
    private let model: DevicesModel
    private let values: ValueInterpreter

    public init(_ model: DevicesModel, values: ValueInterpreter) {
        self.model = model
        self.values = values
    }

    public mutating func write(file: String, into output: inout Output) {
        json.beginDocument("attlas/devices/1")
        json.member("file", file)
        json.key("devices")
        json.beginArray()
        for device in model.devices { write(device) }
        json.endArray()
        if !model.strangers.isEmpty {
            json.key("without_address")
            json.beginArray()
            for stranger in model.strangers { write(stranger) }
            json.endArray()
        }
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
            json.key("private_addresses")
            json.beginArray()
            for address in device.privateAddresses { json.string(address.description) }
            json.endArray()
        }
        var data = device.data
        data.name = device.connectedName ?? data.name
        json.write(data, values)
        if let rssi = device.rssi {
            json.key("rssi_dbm")
            json.beginObject()
            json.member("min", rssi.lowerBound)
            json.member("max", rssi.upperBound)
            json.endObject()
        }
        json.member("advertisements", device.advertisements)
        if device.inquiryResponses > 0 { json.member("inquiry_responses", device.inquiryResponses) }
        json.member("connectable", device.isConnectable)
        json.member("connections", device.connections)
        json.member("connected", device.isConnected)
        write("first_seen", device.firstSeen)
        write("last_seen", device.lastSeen)
        json.member("gone", device.isGone)
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

import AttlasTrace
import AttlasWire

extension JSONWriter {
    /// The members `rfcomm_channel` or `psm`, and `server`.
    package mutating func write(_ channel: SerialData.Channel) {
        switch channel.number {
        case .rfcomm(let number): member("rfcomm_channel", Int(number))
        case .psm(let psm): member("psm", code: psm, digits: 4)
        }
        member("server", channel.server.rawValue)
    }

    /// The object `service`: of BR/EDR, as a device listed it.
    package mutating func write(_ service: BluetoothUUID?, name: String?) {
        object("service") { json in
            json.member("uuid", service?.description)
            json.member("name", name)
        }
    }
}

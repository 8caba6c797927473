import AttlasWire

/// What every document calls a peer without a name and without an address.
let unknownPeer = "Unknown peer"

extension TextBuffer {
    /// `HRM-7 F2:F2:F2:F2:F2:F2`, or what is known of it.
    mutating func append(name: String?, _ address: BluetoothAddress?) {
        if let name { append(display: name) }
        if name != nil, address != nil { append(" ") }
        if let address { append(address) }
        if name == nil, address == nil { append(string: unknownPeer) }
    }
}

/// The header before a packet inside a record, which gives the packet's type and direction.
///
/// To add a sniffer's header: a `LinkType`, a case here, its fields as `RadioInfo` in `PacketHead+Air.swift`, and
/// octet tests in `AirTests`.
enum PacketFraming: Hashable, Sendable {
    /// No header: the record's flags give both.
    case h1
    /// The H4 indicator.
    case h4
    /// Four octets of direction, then the H4 indicator. LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR.
    case h4WithDirection
    /// Adapter index and opcode, of two octets each. LINKTYPE_BLUETOOTH_LINUX_MONITOR.
    case monitor
    /// Nothing: adapter index and opcode are the record's flags. btsnoop 2001.
    case monitorInFlags
    /// Nothing: a packet from the air. LINKTYPE_BLUETOOTH_LE_LL.
    case linkLayer
    /// A sniffer's data about a packet from the air. LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.
    case linkLayerWithPHDR
    /// The same in the way of Nordic's sniffer. LINKTYPE_NORDIC_BLE.
    case nordicSniffer
    /// Per-packet information around one of other link types. LINKTYPE_PPI.
    case ppi
    /// A transfer on USB, with at most one packet or a part of it: `USBTransport`. LINKTYPE_USB_LINUX and others.
    case usb(USBFraming)
}

extension LinkType {
    /// How its packets are read; nil if attlas does not read them.
    var framing: PacketFraming? {
        switch self {
        case .h1: .h1
        case .h4, .bluetoothHCIH4: .h4
        case .btsnoopMonitor: .monitorInFlags
        case .bluetoothHCIH4WithPHDR: .h4WithDirection
        case .bluetoothLinuxMonitor: .monitor
        case .bluetoothLELL: .linkLayer
        case .bluetoothLELLWithPHDR: .linkLayerWithPHDR
        case .nordicBLE: .nordicSniffer
        case .ppi: .ppi
        case .linuxUSB: .usb(.linux)
        case .linuxUSBMmapped: .usb(.linuxMmapped)
        case .usbPcap: .usb(.usbPcap)
        default: nil
        }
    }
}

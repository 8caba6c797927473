/// The headers that a capture's packets begin with: a pcap LINKTYPE_ value, or a btsnoop datalink (1001 and above).
///
/// https://www.tcpdump.org/linktypes.html; the btsnoop values are the ones that Symbian and BlueZ gave out.
public struct LinkType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let h1 = LinkType(rawValue: 1001)
    package static let h4 = LinkType(rawValue: 1002)
    /// Linux monitor in btsnoop (2001).
    public static let btsnoopMonitor = LinkType(rawValue: 2001)

    package static let bluetoothHCIH4 = LinkType(rawValue: 187)
    package static let bluetoothHCIH4WithPHDR = LinkType(rawValue: 201)
    /// LINKTYPE_BLUETOOTH_LINUX_MONITOR.
    public static let bluetoothLinuxMonitor = LinkType(rawValue: 254)

    package static let ppi = LinkType(rawValue: 192)
    package static let bluetoothLELL = LinkType(rawValue: 251)
    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.
    public static let bluetoothLELLWithPHDR = LinkType(rawValue: 256)
    package static let nordicBLE = LinkType(rawValue: 272)

    package static let linuxUSB = LinkType(rawValue: 189)
    package static let linuxUSBMmapped = LinkType(rawValue: 220)
    package static let usbPcap = LinkType(rawValue: 249)

    /// Whether it is one of pcap and pcapng; otherwise one of btsnoop.
    package var isOfPCAP: Bool { rawValue < 1000 }

    /// Whether packets from the air are in it.
    package var isOfAir: Bool {
        switch self {
        case .ppi, .bluetoothLELL, .bluetoothLELLWithPHDR, .nordicBLE: true
        default: false
        }
    }

    /// Whether transfers on USB are in it, with the packets of Bluetooth controllers.
    package var isOfUSB: Bool {
        switch self {
        case .linuxUSB, .linuxUSBMmapped, .usbPcap: true
        default: false
        }
    }

    /// Whether records of it can be written to a file of pcapng: the transfers on USB are not kept.
    package var keepsPackets: Bool { isOfPCAP && !isOfUSB }

    /// Whether Linux recorded it: by usbmon.
    package var isOfLinux: Bool { self == .linuxUSB || self == .linuxUSBMmapped }

    /// The name, for those that a Bluetooth engineer is likely to meet.
    var name: String? {
        switch rawValue {
        case 1: "Ethernet"
        case 101: "raw IP"
        case 105: "IEEE 802.11"
        case 113: "Linux cooked capture"
        case 127: "IEEE 802.11 radiotap"
        case 147...162: "reserved for private use"
        case 187: "HCI H4"
        case 189: "Linux USB"
        case 192: "PPI, per-packet information"
        case 195: "IEEE 802.15.4"
        case 201: "HCI H4 with direction"
        case 220: "Linux USB, mmapped"
        case 230: "IEEE 802.15.4 without FCS"
        case 249: "USBPcap"
        case 251: "Bluetooth LE link layer"
        case 254: "Linux monitor"
        case 255: "Bluetooth BR/EDR baseband"
        case 256: "Bluetooth LE link layer with pseudo-header"
        case 272: "nRF Sniffer for Bluetooth LE"
        case 1001: "HCI H1"
        case 1002: "HCI H4"
        case 1003: "HCI BSCP"
        case 1004: "HCI H5, three-wire UART"
        case 2001: "Linux monitor"
        case 2002: "Linux simulator"
        default: nil
        }
    }

    /// "251 (Bluetooth LE link layer)", as refusals name it.
    var numberAndName: String {
        name.map { "\(rawValue) (\($0))" } ?? "\(rawValue)"
    }
}

extension LinkType: CustomStringConvertible {
    /// "HCI H4 (1002)".
    public var description: String {
        name.map { "\($0) (\(rawValue))" } ?? "link type \(rawValue)"
    }
}

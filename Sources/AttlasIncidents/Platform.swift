import AttlasCapture
import AttlasTrace
import AttlasWire

/// The system that recorded a log, for advice in its own words.
enum Platform: Sendable {
    case android, apple, linux, windows, zephyr
    /// An app's log of operations.
    case app

    /// As far as the format shows it.
    init?(_ info: CaptureInfo) {
        if info.isAppLog {
            self = .app
        } else if info.format == "btsnooz"
            || info.cuts.contains(where: { $0.kind == .androidFiltered || $0.kind == .androidSnooz })
        {
            self = .android
        } else if info.format == "PacketLogger" {
            self = .apple
        } else if info.format == "hcidump" || info.linkTypes.contains(where: \.isOfLinux) {
            self = .linux
        } else if info.linkTypes.contains(.usbPcap) {
            self = .windows
        } else {
            return nil
        }
    }

    /// As far as a command shows it. The host of Android asks every controller for the additions of Google's HCI requirements.
    init?(_ opcode: HCIOpcode) {
        guard opcode == .androidGetVendorCapabilities else { return nil }
        self = .android
    }

    /// As far as a note of a Linux monitor shows it: the kernel and Zephyr write their versions.
    init?(note: Bytes) {
        let text = String(decoding: note.prefix(64).copy(), as: UTF8.self)
        if text.contains("Linux version") {
            self = .linux
        } else if text.contains("Zephyr") {
            self = .zephyr
        } else {
            return nil
        }
    }

    /// How to record the HCI events that a log lacks; nil if nothing is known to help.
    static func recordingEvents(on platform: Platform?, isText: Bool) -> String? {
        switch platform {
        case .android: "Set the Bluetooth HCI snoop log to Enabled, not Filtered, and switch Bluetooth off and on."
        case .apple: "Install Apple's Bluetooth logging profile, and record with PacketLogger."
        case .linux: "Record with btmon -w."
        case .windows: "Record with Microsoft's Bluetooth Test Platform."
        case .app, .zephyr: nil
        case nil: isText ? nil : "Android: set the Bluetooth HCI snoop log to Enabled, not Filtered."
        }
    }
}

/// Advice that differs between platforms; the raw value is the advice in an incident.
enum PlatformAdvice: String, CaseIterable {
    case deleteBonds = "Delete the bond on both devices and pair again."
    case deleteOwnBond = "Delete the bond on this host and pair again."
    case discoverAgain = "Discover the table again: forget the device, then connect."
    case pair = "Pair first, then repeat the request."
    case subscribeAgain = "Subscribe after each connection."
    case shortenInterval = "Ask for an interval of 15 ms during the transfer, or write without response."
    case exchangeMTU = "Exchange a larger MTU first; a longer value needs a long read or a long write."

    func way(on platform: Platform) -> String? {
        switch (self, platform) {
        case (.deleteBonds, .android), (.deleteOwnBond, .android):
            "Android: forget the device in the Bluetooth settings."
        case (.deleteBonds, .apple), (.deleteOwnBond, .apple):
            "iOS and macOS: forget the device in the Bluetooth settings; an app cannot do it."
        case (.deleteBonds, .linux), (.deleteOwnBond, .linux): "Linux: bluetoothctl remove ADDRESS."
        case (.deleteBonds, .windows), (.deleteOwnBond, .windows):
            "Windows: remove the device in the Bluetooth settings."
        case (.deleteBonds, .zephyr), (.deleteOwnBond, .zephyr): "Zephyr: bt_unpair()."
        case (.discoverAgain, .android):
            "Android: without a bond, switch Bluetooth off and on."
        case (.discoverAgain, .apple): "iOS and macOS: switch Bluetooth off and on."
        case (.discoverAgain, .linux): "Linux: bluetoothctl remove ADDRESS."
        case (.discoverAgain, .windows): "Windows: GetGattServicesAsync(BluetoothCacheMode.Uncached)."
        case (.pair, .android): "Android: createBond(), or let the system ask."
        case (.pair, .apple): "iOS and macOS pair by themselves when the device refuses with this code."
        case (.pair, .linux): "Linux: bluetoothctl pair ADDRESS, with an agent."
        case (.pair, .windows): "Windows: DeviceInformation.Pairing.PairAsync(), or the Bluetooth settings."
        case (.pair, .zephyr): "Zephyr: bt_conn_set_security()."
        case (.subscribeAgain, .android):
            "Android: write the descriptor as well; setCharacteristicNotification() alone sends nothing."
        case (.shortenInterval, .android): "Android: requestConnectionPriority(CONNECTION_PRIORITY_HIGH)."
        case (.shortenInterval, .apple): "iOS and macOS: only the device can ask."
        case (.shortenInterval, .windows):
            "Windows 11: RequestPreferredConnectionParameters(ThroughputOptimized)."
        case (.shortenInterval, .zephyr): "Zephyr: bt_conn_le_param_update()."
        case (.exchangeMTU, .android): "Android: requestMtu(517) after connecting."
        case (.exchangeMTU, .linux): "Linux: BlueZ exchanges the MTU by itself when it connects."
        case (.exchangeMTU, .windows): "Windows exchanges the MTU by itself; GattSession.MaxPduSize has it."
        case (.exchangeMTU, .zephyr): "Zephyr: bt_gatt_exchange_mtu()."
        default: nil
        }
    }
}

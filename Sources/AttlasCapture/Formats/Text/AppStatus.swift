import AttlasWire

/// The status of an operation in an app's log: a code of HCI or ATT, or one of the operating system's own.
struct AppStatus: Equatable {
    let code: Int
    let system: ApplicationStatus.System

    init(code: Int, _ system: ApplicationStatus.System = .android) {
        // NimBLE adds 0x100 to errors of ATT, and 0x200 to those of HCI.
        let isPassedOn = system == .nimble && 0x100..<0x300 ~= code
        (self.code, self.system) = isPassedOn ? (code & 0xFF, .bluedroid) : (code, system)
    }

    /// The reason of a Pairing Failed PDU and its sender. NimBLE adds 0x400 to reasons that it sends, and 0x500 to received ones.
    var pairingReason: (reason: UInt8, sender: Direction)? {
        guard system == .nimble, 0x400..<0x600 ~= code else { return nil }
        return (UInt8(code & 0xFF), code < 0x500 ? .tx : .rx)
    }

    var isSuccess: Bool { code == 0 && system != .coreBluetooth && system != .unknown }

    static let withoutReason = AppStatus(code: 0, .unknown)

    /// The log has the end alone.
    var isWithoutReason: Bool { code == 0 && system == .unknown }

    var hasReason: Bool { !isSuccess && !isWithoutReason }

    /// The reason of HCI for the end of a connection; the app ended it when nothing failed. For a status without a reason, the packet has
    /// Unspecified Error, and the record the status.
    var reason: UInt8 { isSuccess ? 0x16 : isOfHCI ? UInt8(code) : 0x1F }

    /// Whether it more likely ends an attempt to connect than another device's connection.
    var isOfAttempt: Bool {
        switch system {
        case .android, .bluedroid, .nimble, .zephyr, .words: code == 0x3E || !isOfHCI
        case .unknown: false
        case .coreBluetooth: [10, 11, 12].contains(code)
        }
    }

    /// Whether a request failed because the connection had ended: `org.bluez.Error.NotConnected`, "GATT server is disconnected", "not connected".
    var isWithoutConnection: Bool { system == .words && [14, 17, 18].contains(code) }

    /// Whether it is the reason of HCI for the end of an established connection.
    var isOfEnd: Bool { [0x08, 0x13, 0x14, 0x15, 0x16, 0x22, 0x28, 0x3D].contains(code) && isOfHCI }

    /// The error code of ATT. Vol 3, Part F, 3.4.1.1.
    var error: UInt8 { isOfATT ? UInt8(code) : 0x0E }

    /// Bluedroid passes on codes of HCI and ATT, and Android's later stacks do. Others are their own.
    private var isOfBluedroid: Bool { system == .android || system == .bluedroid }

    /// Its 1 is its own, because no link ends with Unknown HCI Command.
    private var isOfHCI: Bool { isOfBluedroid && 0..<0x46 ~= code && code != 1 }

    /// From 0x81 on, some are Android's own.
    private var isOfATT: Bool {
        guard isOfBluedroid else { return false }
        switch code {
        case 0x01...0x13, 0x80, 0x90...0x92, 0x94...0x9F, 0xE0...0xFF: return true
        default: return false
        }
    }

    var ownReason: ApplicationStatus? { isOfHCI ? nil : own }
    /// - Parameter isAsked: whether the log has the app's call that ends the connection.
    func ownReason(isAsked: Bool) -> ApplicationStatus? {
        !isAsked && own == .terminatedByPhone ? own : ownReason
    }
    var ownError: ApplicationStatus? { isOfATT ? nil : own }

    private var own: ApplicationStatus { ApplicationStatus(system, UInt16(clamping: code)) }
}

extension ApplicationStatus {
    /// On the packet that was made of it.
    var comment: String {
        switch self {
        case .noReason: "\(words): the one in this packet is attlas's own"
        case .terminatedByPhone: "\(words) in the log, which does not show that the app asked for it"
        case .notInLog: "\(words): attlas made this packet for the device that the next line names"
        default: "\(words) in the log; it has no code in a packet"
        }
    }
}

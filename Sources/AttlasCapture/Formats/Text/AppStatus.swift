import AttlasWire

/// The status of an operation in an app's log: a code of HCI or ATT, or one of the operating system's own.
struct AppStatus: Equatable {
    let code: Int
    let system: ApplicationStatus.System

    init(code: Int, _ system: ApplicationStatus.System = .android) {
        (self.code, self.system) = (code, system)
    }

    var isSuccess: Bool { code == 0 && system == .android }

    /// The log has the end alone.
    var isWithoutReason: Bool { code == 0 && system == .unknown }

    /// The reason of HCI for the end of a connection; the app ended it when nothing failed. For a status without a reason, the packet has
    /// Unspecified Error, and the record the status.
    var reason: UInt8 { isSuccess ? 0x16 : isOfHCI ? UInt8(code) : 0x1F }

    /// Whether it more likely ends an attempt to connect than another device's connection.
    var isOfAttempt: Bool {
        switch system {
        case .android, .unknown: code == 0x3E || !isOfHCI && !isWithoutReason
        case .coreBluetooth: [10, 11, 12].contains(code)
        case .blueZ: true
        }
    }

    /// The error code of ATT. Vol 3, Part F, 3.4.1.1.
    var error: UInt8 { isOfATT ? UInt8(code) : 0x0E }

    /// Android passes on reasons of HCI. Its 1 is its own, because no link ends with Unknown HCI Command.
    private var isOfHCI: Bool { system == .android && 0..<0x46 ~= code && code != 1 }

    /// From 0x81 on, some are Android's own.
    private var isOfATT: Bool {
        guard system == .android else { return false }
        switch code {
        case 0x01...0x13, 0x80, 0x90...0x92, 0x94...0x9F, 0xE0...0xFF: return true
        default: return false
        }
    }

    var ownReason: ApplicationStatus? { isOfHCI ? nil : own }
    var ownError: ApplicationStatus? { isOfATT ? nil : own }

    private var own: ApplicationStatus { ApplicationStatus(system, UInt16(clamping: code)) }
}

extension ApplicationStatus {
    /// On the packet that was made of it.
    var comment: String {
        switch self {
        case .noReason: "\(words); a packet has one"
        case .notInLog: "\(words): attlas made this packet for the device that the next line names"
        default: "\(words) in the log; it has no code in a packet"
        }
    }
}

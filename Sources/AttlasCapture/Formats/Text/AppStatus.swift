/// The status of an operation in an app's log: a code of HCI or ATT, or one of Android's own.
struct AppStatus: Equatable {
    let code: Int

    var isSuccess: Bool { code == 0 }

    /// The reason of HCI for the end of a connection; the app ended it when nothing failed.
    var reason: UInt8 { isSuccess ? 0x16 : isOfHCI ? UInt8(code) : 0x1F }

    /// Whether it more likely ends an attempt to connect than another device's connection.
    var isOfAttempt: Bool { code == 0x3E || !isOfHCI }

    /// The error code of ATT. Vol 3, Part F, 3.4.1.1.
    var error: UInt8 { isOfATT ? UInt8(code) : 0x0E }

    private var isOfHCI: Bool { code < 0x46 }

    /// From 0x81 on, some are Android's own.
    private var isOfATT: Bool {
        switch code {
        case 0x01...0x13, 0x80, 0x90...0x92, 0x94...0x9F, 0xE0...0xFF: true
        default: false
        }
    }

    var reasonComment: String? { isOfHCI ? nil : comment }
    var errorComment: String? { isOfATT ? nil : comment }

    private var comment: String {
        let name = Self.names[code].map { ", \($0) of Android" } ?? ""
        return "status \(code) in the log\(name); it has no code in a packet"
    }

    /// Of gatt_api.h and BluetoothGatt.
    private static let names: [Int: String] = [
        0x81: "GATT_INTERNAL_ERROR", 0x84: "GATT_BUSY", 0x85: "GATT_ERROR", 0x87: "GATT_ILLEGAL_PARAMETER",
        0x89: "GATT_AUTH_FAIL", 0x8F: "GATT_CONGESTED", 0x93: "GATT_CONNECTION_TIMEOUT", 0x101: "GATT_FAILURE",
    ]
}

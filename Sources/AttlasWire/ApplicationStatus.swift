/// A status that an app's log reports where a packet would have a code: it is the operating system's own, and no code of HCI or ATT.
public struct ApplicationStatus: Hashable, Sendable {
    /// Who gave the status.
    public enum System: UInt8, Sendable {
        /// `BluetoothGatt` and the stack's gatt_api.h.
        case android
        /// `CBError` of Core Bluetooth.
        case coreBluetooth
        /// bluetoothd, by the errno of Linux that it has a word for.
        case blueZ
        /// A library, which has only words.
        case unknown

        /// Its name in JSON.
        package var name: StaticString {
            switch self {
            case .android: "Android"
            case .coreBluetooth: "Core Bluetooth"
            case .blueZ: "BlueZ"
            case .unknown: "unknown"
            }
        }
    }

    /// Who gave the status.
    public let system: System
    /// Number in that system.
    public let code: UInt16

    /// A status of a system.
    public init(_ system: System, _ code: UInt16) {
        self.system = system
        self.code = code
    }
}

extension ApplicationStatus {
    /// Its name, its usual cause, and advice.
    private struct Row {
        let code: UInt16
        let name: String
        let cause: String
        let advice: String
    }

    /// The peer decided on the end.
    public static let peripheralDisconnected = ApplicationStatus(.coreBluetooth, 7)

    /// The peer was not heard for the supervision timeout.
    public static let connectionTimeout = ApplicationStatus(.coreBluetooth, 6)

    /// The log has the end alone.
    public static let noReason = ApplicationStatus(.unknown, 0)

    /// The log does not have the event: what follows shows that there was one.
    public static let notInLog = ApplicationStatus(.unknown, 1)

    /// Whether the log has a status.
    package var isStatus: Bool { self != .noReason && self != .notInLog }

    private var row: Row? {
        switch system {
        case .android: Self.android.first { $0.code == code }
        case .coreBluetooth: Self.coreBluetooth.first { $0.code == code }
        case .blueZ: Self.blueZ.first { $0.code == code }
        case .unknown: nil
        }
    }

    /// `GATT_ERROR`; nil for a number without a name.
    public var name: String? { row?.name }

    /// `status 133 of Android (GATT_ERROR)`
    public var words: String {
        let name = row.map { " (\($0.name))" } ?? ""
        return switch system {
        case .android: "status \(code) of Android\(name)"
        case .coreBluetooth: "error \(code) of Core Bluetooth\(name)"
        case .blueZ: row.map { "\($0.name) of BlueZ" } ?? "errno \(code) of BlueZ"
        case .unknown where self == .noReason: "no reason in the log"
        case .unknown where self == .notInLog: "not in the log"
        case .unknown: "a status that the log does not name"
        }
    }

    /// Its usual cause: a sentence; nil if that is not known.
    public var cause: String? { row.map { $0.cause } }

    /// Advice: a sentence.
    public var advice: String {
        row.map { $0.advice } ?? "Record the packets: an app does not see why (attlas help getting-a-log)."
    }

    private static let retry: String =
        "Close the BluetoothGatt, wait a second and connect again; if it stays, record the HCI log."
    private static let btmon: String = "Record it with btmon, which has the reason of the controller."
    private static let record: String = "Record the HCI log: it has the code of the packet."
    private static let order: String = "Start the next operation after the callback of the one before."

    /// gatt_api.h of Android's stack and the constants of `BluetoothGatt`.
    private static let android = [
        Row(
            code: 0x01, name: "GATT_CONN_L2C_FAILURE", cause: "The stack could not open its channel to the device.",
            advice: retry),
        Row(
            code: 0x81, name: "GATT_INTERNAL_ERROR", cause: "The Bluetooth stack of the phone failed.",
            advice: "Switch Bluetooth off and on; if it stays, record the HCI log."),
        Row(
            code: 0x84, name: "GATT_BUSY", cause: "Another operation of the app was not finished.", advice: order),
        Row(
            code: 0x85, name: "GATT_ERROR",
            cause:
                "The stack gives no reason. After a connect, the device mostly did not answer within the time: it does not "
                + "advertise, is out of range or connected to another host; other causes are too many open BluetoothGatt "
                + "objects, and a bond that only one side has.",
            advice:
                "Check that the device advertises; close the BluetoothGatt, wait a second and connect again; then remove the "
                + "bond. The HCI log has the code of the packet."),
        Row(
            code: 0x87, name: "GATT_ILLEGAL_PARAMETER", cause: "The stack refused a parameter of the app.",
            advice: "Compare the arguments of the call with its documentation."),
        Row(
            code: 0x89, name: "GATT_AUTH_FAIL", cause: "Pairing or encryption failed, or one side lost the bond.",
            advice: "Remove the bond on both devices and pair again."),
        Row(
            code: 0x8F, name: "GATT_CONGESTED", cause: "The app writes faster than the link sends.",
            advice: "Wait for onCharacteristicWrite before each write."),
        Row(
            code: 0x93, name: "GATT_CONNECTION_TIMEOUT",
            cause: "The connection was not made, or was lost, within the time of the stack.",
            advice: "Check that the device advertises and is in range, then connect again."),
        Row(
            code: 0x100, name: "GATT_CONN_CANCEL", cause: "The app or the stack cancelled the connection.",
            advice: "Look at which call of the app cancelled it."),
        Row(
            code: 0x101, name: "GATT_FAILURE",
            cause: "The operation failed in the phone, mostly because there was no connection any more.",
            advice: "Look at the operation and the connection state before it; record the HCI log."),
    ]

    /// `CBError.Code`.
    private static let coreBluetooth = [
        Row(code: 0, name: "unknown", cause: "Core Bluetooth gives no reason.", advice: record),
        Row(
            code: 1, name: "invalidParameters", cause: "Core Bluetooth refused a parameter of the app.",
            advice: "Compare the arguments of the call with its documentation."),
        Row(
            code: 2, name: "invalidHandle", cause: "The attribute does not exist any more: the table changed.",
            advice: "Discover the services again."),
        Row(
            code: 3, name: "notConnected", cause: "There was no connection any more.",
            advice: "Connect again before the operation."),
        Row(
            code: 4, name: "outOfSpace", cause: "The device or the iPhone has no room for it.", advice: record),
        Row(
            code: 5, name: "operationCancelled", cause: "The app or the system cancelled it.",
            advice: "Look at which call of the app cancelled it."),
        Row(
            code: 6, name: "connectionTimeout", cause: "The device was not heard for the supervision timeout.",
            advice: "Repeat with both devices close to each other."),
        Row(
            code: 7, name: "peripheralDisconnected", cause: "The device closed the connection.",
            advice: "Look at the log of the device: it decided on the end."),
        Row(
            code: 10, name: "connectionFailed", cause: "The connection was not established.",
            advice: "Check that the device advertises and is in range, then connect again."),
        Row(
            code: 11, name: "connectionLimitReached", cause: "The iPhone has as many connections as it can hold.",
            advice: "Close other connections first."),
        Row(
            code: 12, name: "unknownDevice", cause: "Core Bluetooth does not know the peripheral any more.",
            advice: "Scan for the device again before you connect."),
        Row(
            code: 13, name: "operationNotSupported", cause: "The iPhone or the device does not support it.",
            advice: "Leave the operation out."),
        Row(
            code: 14, name: "peerRemovedPairingInformation", cause: "The device deleted the bond.",
            advice: "Forget the device in the settings of the iPhone, then pair again."),
        Row(
            code: 15, name: "encryptionTimedOut", cause: "Encryption was not finished in time.",
            advice: "Forget the device in the settings of the iPhone, then pair again."),
        Row(
            code: 16, name: "tooManyLEPairedDevices", cause: "The iPhone has as many bonds as it can hold.",
            advice: "Forget a device in the settings of the iPhone."),
    ]

    /// btd_error_le_conn_from_errno in src/error.c of BlueZ 5.86.
    private static let blueZ = [
        Row(code: 5, name: "le-connection-create-socket", cause: "The kernel gave bluetoothd no socket.", advice: btmon),
        Row(
            code: 16, name: "le-connection-busy", cause: "Another attempt to connect was not finished.",
            advice: "Wait until the attempt before has ended."),
        Row(
            code: 31, name: "le-connection-concurrent-connection-limit",
            cause: "The controller has as many connections as it can hold.", advice: "Close other connections first."),
        Row(
            code: 38, name: "le-connection-unknown", cause: "BlueZ has no word for the kernel's error.", advice: btmon),
        Row(
            code: 71, name: "le-connection-link-layer-protocol-error",
            cause: "The two controllers did not agree on a procedure of the link layer.", advice: btmon),
        Row(
            code: 95, name: "le-connection-not-supported", cause: "The adapter or the device does not support it.",
            advice: btmon),
        Row(
            code: 103, name: "le-connection-abort-by-local",
            cause:
                "The link ended before it could be used: the device was hardly heard, the adapter was scanning or had other traffic, "
                + "or the attempt was cancelled.",
            advice: "Stop scanning, move the two together and try again; btmon has the reason of the controller."),
        Row(
            code: 104, name: "le-connection-abort-by-remote", cause: "The device ended the link before it could be used.",
            advice: "Remove the device from BlueZ and pair again if it has a bond; its log has the reason."),
        Row(
            code: 110, name: "le-connection-timeout", cause: "The device did not answer in time.",
            advice: "Check that the device advertises and is in range, then connect again."),
        Row(
            code: 111, name: "le-connection-refused", cause: "The device refused the connection or its channel.",
            advice: btmon),
        Row(
            code: 113, name: "le-connection-adapter-not-powered", cause: "The adapter is off.",
            advice: "Switch it on: bluetoothctl power on."),
        Row(
            code: 114, name: "le-connection-already-connected", cause: "There was a connection or an attempt already.",
            advice: "Use that connection, or disconnect first."),
    ]
}

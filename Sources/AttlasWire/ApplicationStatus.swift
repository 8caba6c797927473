/// A status that an app's log reports where a packet would have a code: it is the operating system's own, and no code of HCI or ATT.
public struct ApplicationStatus: Hashable, Sendable {
    /// Who gave the status.
    public enum System: UInt8, Sendable {
        /// `BluetoothGatt` and the stack's gatt_api.h.
        case android
        /// `CBError` of Core Bluetooth.
        case coreBluetooth
        /// A library, which has only words.
        case unknown
        /// Bluedroid in a microcontroller: the numbers of Android's stack.
        case bluedroid
        /// The host of NimBLE: `BLE_HS_E…`.
        case nimble
        /// `bt_security_err` of Zephyr.
        case zephyr
        /// Words of BlueZ and of libraries, numbered here.
        case words

        /// The name in documents.
        public var name: String {
            switch self {
            case .android: "Android"
            case .coreBluetooth: "Core Bluetooth"
            case .unknown: "unknown"
            case .bluedroid: "Bluedroid"
            case .nimble: "NimBLE"
            case .zephyr: "Zephyr"
            case .words: "words"
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
        /// Whether cause and advice are those of a failed attempt to connect.
        var isOfConnecting = false
    }

    /// The peer decided on the end.
    public static let peripheralDisconnected = ApplicationStatus(.coreBluetooth, 7)

    /// The peer was not heard for the supervision timeout.
    public static let connectionTimeout = ApplicationStatus(.coreBluetooth, 6)

    /// The phone closed the connection, and the app had not asked for it.
    public static let terminatedByPhone = ApplicationStatus(.android, 0x16)

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
        case .bluedroid: Self.bluedroid.first { $0.code == code } ?? ofPairing
        case .nimble: Self.nimble.first { $0.code == code }
        case .zephyr: Self.zephyr.first { $0.code == code }
        case .words: Self.ofLibraries.first { $0.code == code }
        case .unknown: nil
        }
    }

    /// `GATT_ERROR`; nil for a number without a name.
    public var name: String? { row?.name }

    /// `status 133 of Android (GATT_ERROR)`
    public var words: String {
        let name = row.map { " (\($0.name))" } ?? ""
        return switch system {
        case .android, .bluedroid, .nimble: "status \(code) of \(system.name)\(name)"
        case .coreBluetooth: "error \(code) of Core Bluetooth\(name)"
        case .zephyr: "security error \(code) of Zephyr\(name)"
        case .words: row?.name ?? "an unknown error"
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

    /// The usual cause and advice where a request failed, on a connection that lives.
    package var causeOnRequest: String? { row?.isOfConnecting == true ? nil : cause }
    package var adviceOnRequest: String { row?.isOfConnecting == true ? Self.record : advice }

    private static let noAnswer: String =
        "Check that the device advertises; close the BluetoothGatt, wait a second and connect again; then remove the "
        + "bond. The HCI log has the code of the packet."
    private static let retry: String =
        "Close the BluetoothGatt, wait a second and connect again; if it stays, record the HCI log."
    private static let record: String = "Record the HCI log: it has the code of the packet."
    private static let order: String = "Start the next operation after the callback of the one before."

    /// gatt_api.h of Android's stack and the constants of `BluetoothGatt`.
    private static let android = [
        Row(
            code: 0x01, name: "GATT_CONN_L2C_FAILURE", cause: "The stack could not open its channel to the device.",
            advice: retry, isOfConnecting: true),
        Row(
            code: 0x16, name: "GATT_CONN_TERMINATE_LOCAL_HOST",
            cause:
                "The log does not show why. A bond that the device has deleted does this: the phone cannot encrypt the link "
                + "then.",
            advice: "Forget the device in the phone's Bluetooth settings and pair again; the HCI log has what failed.",
            isOfConnecting: true),
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
            advice: noAnswer, isOfConnecting: true),
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

    private static let bonds: String = "Delete the bond on both devices and pair again."

    /// Those of gatt_api.h that Bluedroid has in a microcontroller, too.
    private static let bluedroid = [
        Row(
            code: 0x01, name: "GATT_CONN_L2C_FAILURE", cause: "The stack could not open its channel to the device.",
            advice: record),
        Row(code: 0x81, name: "GATT_INTERNAL_ERROR", cause: "The stack failed.", advice: record),
        Row(code: 0x84, name: "GATT_BUSY", cause: "Another operation was not finished.", advice: order),
        Row(
            code: 0x85, name: "GATT_ERROR",
            cause: "The stack gives no reason. After an attempt to connect, the device mostly did not answer.",
            advice: "Check that the device advertises, is in range and is not connected to another host."),
        Row(code: 0x87, name: "GATT_ILLEGAL_PARAMETER", cause: "The stack refused a parameter.", advice: record),
        Row(
            code: 0x89, name: "GATT_AUTH_FAIL", cause: "Pairing or encryption failed, or one side lost the bond.",
            advice: bonds),
        Row(
            code: 0x8F, name: "GATT_CONGESTED", cause: "The program writes faster than the link sends.",
            advice: "Wait for the event of each write before the next one."),
        Row(
            code: 0x100, name: "GATT_CONN_CANCEL", cause: "The program or the stack cancelled the attempt to connect.",
            advice:
                "Check that the device advertises and is in range; the stack cancels an attempt after its time limit."),
    ]

    /// esp_gap_ble_api.h: from ESP_AUTH_SMP_PASSKEY_FAIL on, the reasons of Pairing Failed.
    private var ofPairing: Row? {
        guard Self.pairing ~= code else { return nil }
        let reason = SMPReason(rawValue: UInt8(code - Self.pairing.lowerBound + 1))
        return Row(
            code: code, name: reason.name,
            cause: "Pairing failed with the reason \(reason.name); the log does not show which side gave it.",
            advice: Self.bonds)
    }
    private static let pairing: ClosedRange<UInt16> = 78...91

    private static let notListed: String =
        "The library has no such attribute of the device: the app did not discover the services on this connection, or the device does not have it."
    private static let discover: String = "Discover the services on each connection before the first request."

    /// ble_hs.h.
    private static let nimble = [
        Row(code: 2, name: "BLE_HS_EALREADY", cause: "The operation was in progress already.", advice: record),
        Row(code: 3, name: "BLE_HS_EINVAL", cause: "The host refused a parameter.", advice: record),
        Row(
            code: 6, name: "BLE_HS_ENOMEM", cause: "The host had no memory left.",
            advice: "Raise the number of its buffers."),
        Row(code: 7, name: "BLE_HS_ENOTCONN", cause: "There was no connection any more.", advice: record),
        Row(code: 12, name: "BLE_HS_EBADDATA", cause: "The peer sent a PDU that makes no sense.", advice: record),
        Row(code: 13, name: "BLE_HS_ETIMEOUT", cause: "The peer did not answer in time.", advice: record),
        Row(code: 14, name: "BLE_HS_EDONE", cause: "The procedure was complete.", advice: record),
        Row(code: 15, name: "BLE_HS_EBUSY", cause: "Another procedure was in progress.", advice: order),
    ]

    /// bluetooth/conn.h.
    private static let zephyr = [
        Row(code: 1, name: "authentication failure", cause: "Pairing or encryption failed.", advice: bonds),
        Row(
            code: 2, name: "PIN or key missing", cause: "The peer does not have the key of the bond.", advice: bonds),
        Row(
            code: 3, name: "OOB not available", cause: "Pairing needs out-of-band data that one side does not have.",
            advice: "Provide the data, or pair without it."),
        Row(
            code: 4, name: "authentication requirements",
            cause: "The pairing or the key does not reach the required security level.",
            advice: "Delete the bond on both devices, and compare the required level with the abilities of both."),
        Row(
            code: 5, name: "pairing not supported", cause: "One side does not support pairing.",
            advice: "Enable pairing on both devices."),
        Row(
            code: 6, name: "pairing not allowed", cause: "One side does not allow pairing now.",
            advice: "Allow pairing on both devices."),
        Row(code: 7, name: "invalid parameters", cause: "A parameter of pairing was invalid.", advice: record),
        Row(code: 8, name: "key rejected", cause: "One side rejected a key.", advice: bonds),
        Row(code: 9, name: "unspecified", cause: "Zephyr gives no reason.", advice: record),
    ]

    /// Statuses in words, by their names.
    package static var inWords: [(words: String, code: UInt16)] { ofLibraries.map { ($0.name, $0.code) } }

    private static let reach = "Check that the device advertises, is in range and is not connected to another host."

    /// Words of BlueZ and of libraries, numbered here.
    private static let ofLibraries = [
        Row(
            code: 1, name: "timed out", cause: "The device did not answer within the time of the library.",
            advice: reach, isOfConnecting: true),
        Row(
            code: 2, name: "no connection slot",
            cause: "All adapters and proxies have as many connections as they can hold.",
            advice: "Close other connections, or add an adapter or a proxy."),
        Row(
            code: 3, name: "device not found", cause: "The adapter does not know the device any more.", advice: reach,
            isOfConnecting: true),
        Row(
            code: 4, name: "le-connection-abort-by-local",
            cause:
                "The link ended before it could be used: the device was hardly heard, the adapter was scanning or had other traffic, "
                + "or the attempt was cancelled.",
            advice: "Stop scanning, move the two together and try again; btmon has the reason of the controller."),
        Row(code: 5, name: "le-connection-abort-by-remote", cause: "The device ended the attempt.", advice: record),
        Row(code: 6, name: "le-connection-canceled", cause: "The attempt was cancelled.", advice: record),
        Row(
            code: 7, name: "org.bluez.Error.InProgress", cause: "Another operation was in progress.", advice: order),
        Row(
            code: 8, name: "org.bluez.Error.AuthenticationFailed", cause: "Pairing failed, or one side lost the bond.",
            advice: bonds),
        Row(code: 9, name: "org.bluez.Error.AuthenticationCanceled", cause: "Pairing was cancelled.", advice: record),
        Row(code: 10, name: "org.bluez.Error.AuthenticationRejected", cause: "Pairing was rejected.", advice: record),
        Row(
            code: 11, name: "org.bluez.Error.AuthenticationTimeout", cause: "Pairing was not finished in time.",
            advice: record),
        Row(
            code: 12, name: "org.bluez.Error.ConnectionAttemptFailed", cause: "The connection was not made.",
            advice: reach, isOfConnecting: true),
        Row(code: 13, name: "org.bluez.Error.NotReady", cause: "The adapter is switched off.", advice: "Switch it on."),
        Row(
            code: 14, name: "org.bluez.Error.NotConnected", cause: "There was no connection.", advice: "Connect first."),
        Row(code: 15, name: "org.bluez.Error.Failed", cause: "BlueZ gives no reason.", advice: record),
        Row(
            code: 16, name: "GATT operation failed for unknown reason", cause: "The browser gives no reason.",
            advice: record),
        Row(code: 17, name: "GATT server is disconnected", cause: "There was no connection.", advice: "Connect first."),
        Row(
            code: 18, name: "not connected", cause: "There was no connection any more.",
            advice: "Connect again before the operation."),
        Row(code: 19, name: "le-connection-unknown", cause: "BlueZ gives no reason.", advice: record),
        Row(
            code: 20, name: "no Write Without Response property",
            cause: "The characteristic does not have this property, and Core Bluetooth sent nothing.",
            advice: "Write with response, or add the property in the device."),
        Row(code: 21, name: "service not found", cause: notListed, advice: discover),
        Row(
            code: 22, name: "GATT operation already in progress", cause: "Another operation was not finished.",
            advice: order),
        Row(
            code: 23, name: "GATT operation not permitted", cause: "The device or the browser refused it.",
            advice: record),
        Row(
            code: 24, name: "characteristic not found", cause: notListed, advice: discover),
        Row(
            code: 25, name: "Connection refused (111)",
            cause: "The kernel refused the connection: mostly the controller rejected it.", advice: record),
        Row(
            code: 26, name: "Transport endpoint is not connected (107)", cause: "The connection was not established.",
            advice: reach, isOfConnecting: true),
        Row(
            code: 27, name: "Software caused connection abort (103)", cause: "This host ended the attempt.",
            advice: record
        ),
        Row(
            code: 28, name: "Connection timed out (110)", cause: "The device did not answer in time.", advice: reach,
            isOfConnecting: true),
        Row(
            code: 29, name: "Device or resource busy (16)",
            cause: "The device is connected already, or another attempt is in progress.",
            advice: "Disconnect the device first."),
        Row(
            code: 30, name: "Host is down (112)", cause: "The device did not answer.", advice: reach,
            isOfConnecting: true),
        Row(
            code: 31, name: "Function not implemented (38)",
            cause: "The kernel has no other error for the controller's status.", advice: record),
        Row(
            code: 32, name: "Connection reset by peer (104)", cause: "The device ended the connection.", advice: record),
        Row(code: 33, name: "GATT Error Unknown", cause: "The browser gives no reason.", advice: record),
        Row(
            code: 34, name: "GATT Error: Not supported", cause: "The browser or the device does not support it.",
            advice: record),
        Row(
            code: 35, name: "Connection attempt failed", cause: "The browser gives no reason.", advice: reach,
            isOfConnecting: true),
        Row(
            code: 36, name: "Connection failed for unknown reason", cause: "The browser gives no reason.",
            advice: reach, isOfConnecting: true),
        Row(
            code: 37, name: "Bluetooth Device is no longer in range", cause: "The browser does not find the device.",
            advice: reach, isOfConnecting: true),
        // Those of btd_error_le_conn_from_errno in src/error.c of BlueZ 5.86.
        Row(
            code: 38, name: "le-connection-timeout", cause: "The device did not answer in time.", advice: reach,
            isOfConnecting: true),
        Row(code: 39, name: "le-connection-refused", cause: "The device refused the connection.", advice: record),
        Row(
            code: 40, name: "le-connection-busy", cause: "Another attempt to connect was not finished.",
            advice: "Wait until the attempt before has ended."),
        Row(
            code: 41, name: "le-connection-concurrent-connection-limit",
            cause: "The controller has as many connections as it can hold.", advice: "Close other connections first."),
        Row(
            code: 42, name: "le-connection-link-layer-protocol-error",
            cause: "The two controllers did not agree on a procedure of the link layer.", advice: record),
        Row(
            code: 43, name: "le-connection-adapter-not-powered", cause: "The adapter is switched off.",
            advice: "Switch it on."),
        Row(
            code: 44, name: "le-connection-already-connected", cause: "There was a connection or an attempt already.",
            advice: "Use that connection, or disconnect first."),
        // Zephyr's errno: what bt_le_adv_start() returns.
        Row(code: 44, name: "err -5", cause: "The controller refused it.", advice: record),
        Row(
            code: 45, name: "err -11",
            cause: "The stack is not ready: bt_enable() has not ended, or there is no identity.",
            advice: "Begin after the callback of bt_enable()."),
        Row(
            code: 46, name: "err -12",
            cause:
                "No connection object or memory is free: that of a connection that has just ended is free after its disconnected callback.",
            advice: "Zephyr: begin in the recycled callback, or raise CONFIG_BT_MAX_CONN."),
        Row(
            code: 47, name: "err -22", cause: "A parameter is not valid.",
            advice: "Compare the parameters and the length of the data with what the set allows."),
        Row(code: 48, name: "err -120", cause: "It is on already.", advice: "Nothing, or stop it first."),
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
}

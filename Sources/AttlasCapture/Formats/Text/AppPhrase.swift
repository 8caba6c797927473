import AttlasWire

/// A program that writes such lines, and the words that it begins one with. A new one is a row.
struct AppPhrase: Sendable {
    let text: StaticString
    let program: Program
    let step: @Sendable (borrowing Bytes) -> AppStep?

    enum Program: String, Sendable {
        case nordic = "nRF Connect"
        case android = "Android"
        case flutter = "flutter_blue_plus"
        case blePlx = "react-native-ble-plx"
        case reactNative = "React Native"
        case rxAndroidBle = "RxAndroidBle"
        case rxBluetoothKit = "RxBluetoothKit"
        case bleak = "bleak"
        case bluetoothctl = "bluetoothctl"
        case coreBluetooth = "Core Bluetooth"
    }

    private init(_ program: Program, _ text: StaticString, _ step: @escaping @Sendable (borrowing Bytes) -> AppStep?) {
        (self.program, self.text, self.step) = (program, text, step)
    }

    private static func operation(_ program: Program, _ text: StaticString, _ operation: AppOperation) -> AppPhrase {
        AppPhrase(program, text) { rest in
            guard let (attribute, end) = rest.attribute else { return nil }
            let value = rest.dropFirst(end).value
            let isCommand = operation == .write && rest.mentions("COMMAND", or: "NO_RESPONSE", "withoutResponse")
            return .operation(isCommand ? .writeCommand : operation, attribute, value)
        }
    }

    /// By the first letter of their text, which begins a word.
    static let all: [[AppPhrase]] = (0...255).map { first in rows.filter { Int($0.text.octets[0]) == first } }

    private static let rows: [AppPhrase] = [
        operation(.nordic, "Notification received from ", .notification),
        operation(.nordic, "Indication received from ", .indication),
        operation(.nordic, "Read Response received from ", .readDone),
        operation(.nordic, "Data written to ", .writeDone),
        operation(.nordic, "gatt.readCharacteristic(", .read),
        operation(.nordic, "gatt.writeCharacteristic(", .write),
        operation(.nordic, "gatt.readDescriptor(", .read).ofDescriptor,
        operation(.nordic, "gatt.writeDescriptor(", .write).ofDescriptor,
        operation(.nordic, "Writing request to characteristic ", .writeRequestNext),
        operation(.nordic, "Writing command to characteristic ", .writeCommandNext),
        AppPhrase(.nordic, "Writing characteristic ") { rest in
            guard let (attribute, _) = rest.attribute, rest.offset(of: "(WRITE ") != nil else { return nil }
            let isCommand = rest.offset(of: "(WRITE COMMAND)") != nil
            return .operation(isCommand ? .writeCommandNext : .writeRequestNext, attribute, value: nil)
        },
        AppPhrase(.nordic, "Enabling notifications for ") { $0.attribute.map { .configuring($0.attribute) } },
        AppPhrase(.nordic, "gatt.setCharacteristicNotification(") { $0.attribute.map { .configuring($0.attribute) } },
        AppPhrase(.nordic, "nRF Connect, ") { $0.date(at: 0).map { .date($0) } },
        AppPhrase(.nordic, "Connecting to ") { $0.peer.map { _ in .connecting } },
        AppPhrase(.nordic, "Connected to ") { $0.peer.map { _ in .connected } },
        AppPhrase(.nordic, "Connection state changed with status: ") { rest in
            guard let status = rest.number(at: 0, radix: 10) else { return nil }
            if rest.offset(of: "DISCONNECTED") != nil { return .disconnected(AppStatus(code: status)) }
            return rest.offset(of: "CONNECTED") != nil && status == 0 ? .connected : nil
        },
        // Before the errors of nRF Connect, which begin with the same word.
        AppPhrase(.coreBluetooth, "Error Domain=CBErrorDomain Code=") { rest in
            rest.number(at: 0, radix: 10).map { .disconnected(AppStatus(code: $0, .coreBluetooth)) }
        },
        AppPhrase(.coreBluetooth, "Error Domain=CBATTErrorDomain Code=") { rest in
            rest.number(at: 0, radix: 10).flatMap { error($0) }
        },
        AppPhrase(.nordic, "Error ") { rest in
            rest.offset(of: "(0x").flatMap { rest.number(at: $0 + 3, radix: 16) }.flatMap { error($0) }
        },
        AppPhrase(.nordic, "Services discovered") { rest in rest.isEmpty ? .listing : nil },
        AppPhrase(.nordic, "gatt.requestMtu(") { $0.short(at: 0).map { .requestMTU($0) } },
        AppPhrase(.nordic, "MTU changed to: ") { $0.short(at: 0).map { .mtu($0) } },
        AppPhrase(.nordic, "Connection parameters updated (interval: ") { rest in
            guard let point = rest.offset(of: "."), let interval = rest.number(at: 0, radix: 10),
                let latency = rest.number(after: "latency: "), let timeout = rest.number(after: "timeout: ")
            else { return nil }
            let tenths = interval * 10_000 + Int(rest.fraction(at: point).value / 100_000)
            return parameters(tenths / 12_500, latency, timeout / 10)
        },
        // Nordic's library for Kotlin.
        AppPhrase(.nordic, "On connection state changed: STATE_") { $0.kotlinState },
        AppPhrase(.nordic, "Requesting new mtu - start, mtu: ") { $0.short(at: 0).map { .requestMTU($0) } },
        AppPhrase(.nordic, "On gatt event: MtuChanged(mtu=") { $0.short(at: 0).map { .mtu($0) } },
        operation(.nordic, "Write to characteristic - start, uuid: ", .write),
        operation(.nordic, "Read from characteristic - start, uuid: ", .read),
        AppPhrase(.nordic, "Value written: ") { $0.kotlinResult(.writeDone, before: " to ") },
        AppPhrase(.nordic, "Value read: ") { $0.kotlinResult(.readDone, before: " from ") },
        AppPhrase(.nordic, "Write to characteristic - error, uuid: ") { $0.kotlinError },
        AppPhrase(.nordic, "Read from characteristic - error, uuid: ") { $0.kotlinError },
        AppPhrase(.nordic, "Notifications enabled: ") { rest in
            rest.attribute.map { .subscription($0.attribute, isOn: true) }
        },
        AppPhrase(.nordic, "Notifications disabled: ") { rest in
            rest.attribute.map { .subscription($0.attribute, isOn: false) }
        },
        AppPhrase(.nordic, "On gatt event: CharacteristicChanged(characteristic={uuid: ") { rest in
            guard let (attribute, _) = rest.attribute, let place = rest.offset(of: "}, value=") else { return nil }
            return .operation(.notification, attribute, rest.dropFirst(place).value)
        },
        AppPhrase(.android, "onConnectionUpdated() - ") { rest in
            guard let interval = rest.number(after: "interval="), let latency = rest.number(after: "latency="),
                let timeout = rest.number(after: "timeout="), rest.number(after: "status=") == 0
            else { return nil }
            return parameters(interval, latency, timeout)
        },
        AppPhrase(.android, "configureMTU() - ") { rest in
            rest.offset(of: "mtu: ").flatMap { rest.short(at: $0 + 5) }.map { .requestMTU($0) }
        },
        AppPhrase(.android, "onConfigureMTU() - ") { rest in
            rest.offset(of: "mtu=").flatMap { rest.short(at: $0 + 4) }.map { .mtu($0) }
        },
        AppPhrase(.android, "connect() - device: ") { $0.peer.map { _ in .connecting } },
        AppPhrase(.android, "onClientConnectionState() - ") { rest in
            guard let status = rest.number(after: "status="), rest.namedPeer != nil else { return nil }
            return .changed(AppStatus(code: status))
        },
        AppPhrase(.android, "setCharacteristicNotification() - uuid: ") {
            $0.attribute.map { .configuring($0.attribute) }
        },
        AppPhrase(.flutter, "<connect> args: {") { $0.namedPeer.map { _ in .connecting } },
        AppPhrase(.flutter, "<writeCharacteristic> args: {") { $0.flutter(.write) },
        AppPhrase(.flutter, "<readCharacteristic> args: {") { $0.flutter(.read) },
        AppPhrase(.flutter, "<setNotifyValue> args: {") { rest in
            rest.flutterAttribute.map { .subscription($0, isOn: rest.offset(of: "enable: false") == nil) }
        },
        AppPhrase(.flutter, "OnCharacteristicWritten ]] result: {") { $0.flutter(.writeDone) },
        AppPhrase(.flutter, "OnCharacteristicReceived ]] result: {") { $0.flutter(.received) },
        AppPhrase(.flutter, "OnMtuChanged ]] result: {") { rest in
            rest.offset(of: "mtu: ").flatMap { rest.short(at: $0 + 5) }.map { .mtu($0) }
        },
        AppPhrase(.flutter, "OnConnectionStateChanged ]] result: {") { rest in
            guard let state = rest.number(after: "connection_state: ") else { return nil }
            return state == 1
                ? .connected
                : .disconnected(AppStatus(code: rest.number(after: "disconnect_reason_code: ") ?? 0))
        },
        operation(.blePlx, "Read from Characteristic(uuid: ", .readDone),
        operation(.blePlx, "Write to Characteristic(uuid: ", .writeDone),
        operation(.blePlx, "Notification from Characteristic(uuid: ", .notification),
        operation(.blePlx, "Read from Descriptor(uuid: ", .readDone).ofDescriptor,
        operation(.blePlx, "Write to Descriptor(uuid: ", .writeDone).ofDescriptor,
        AppPhrase(.reactNative, "{\"") { $0.loggedCharacteristic },
        AppPhrase(.rxAndroidBle, "ConnectOperation{MAC='") { $0.peer.map { _ in .connecting } },
        AppPhrase(.rxAndroidBle, "CharacteristicReadOperation{") { $0.rxAndroidBle(.read) },
        AppPhrase(.rxAndroidBle, "CharacteristicWriteOperation{") { $0.rxAndroidBle(.write) },
        AppPhrase(.rxAndroidBle, "DescriptorWriteOperation{") { $0.rxAndroidBle(.write) }.ofDescriptor,
        AppPhrase(.rxAndroidBle, "MAC='") { $0.rxAndroidBleCallback },
        AppPhrase(.rxBluetoothKit, "Peripheral(uuid: ") { $0.rxBluetoothKitCall },
        AppPhrase(.rxBluetoothKit, "didDisconnect(from: Peripheral(uuid: ") { $0.rxBluetoothKitEnd },
        operation(.bleak, "Write Characteristic ", .writeDone),
        operation(.bleak, "Read Characteristic ", .readDone),
        AppPhrase(.bleak, "Connecting to device @ ") { $0.peer.map { _ in .connecting } },
        AppPhrase(.bleak, "org.freedesktop.DBus.Properties.PropertiesChanged (/") { $0.changedProperties },
        // bleak until 2021.
        AppPhrase(.bleak, "DBUS: path: /") { $0.changedProperties },
        AppPhrase(.bleak, "org.freedesktop.DBus.ObjectManager.InterfacesAdded (/)") { rest in
            guard let interface = rest.offset(of: "'org.bluez.GattCharacteristic1'"),
                let path = rest.prefix(interface).characteristicPath
            else { return nil }
            let properties = rest.dropFirst(interface)
            guard let place = properties.offset(of: "'UUID': <"),
                let name = properties.dropFirst(place).offset(of: "'s', "),
                let uuid = properties.dropFirst(place + name + 5).uuid
            else { return nil }
            return .named(path: path, uuid: uuid.octets)
        },
        AppPhrase(.bluetoothctl, "Attribute /org/bluez/") { rest in
            guard let path = rest.characteristicPath else { return nil }
            if rest.offset(of: " Notifying: ") != nil {
                return .subscription(.path(path), isOn: rest.offset(of: "yes") != nil)
            }
            return rest.offset(of: " Value:") != nil ? .octets(.path(path)) : nil
        },
        AppPhrase(.bluetoothctl, "Attempting to read /org/bluez/") { rest in
            rest.characteristicPath.map { .operation(.read, .path($0), value: nil) }
        },
        AppPhrase(.coreBluetooth, "peripheral.writeValue(0x") { rest in
            guard let place = rest.offset(of: ", for: "), let uuid = rest.dropFirst(place + 7).uuid else { return nil }
            let operation: AppOperation = rest.offset(of: "withoutResponse") == nil ? .write : .writeCommand
            return .operation(
                operation, .characteristic(uuid.octets), AppValue(rest.prefix(place).hexadecimal(from: 0)))
        },
        AppPhrase(.coreBluetooth, "peripheral.readValue(for: ") { rest in
            rest.uuid.map { .operation(.read, .characteristic($0.octets), value: nil) }
        },
        AppPhrase(.coreBluetooth, "peripheral.setNotifyValue(") { rest in
            guard let place = rest.offset(of: ", for: "), let uuid = rest.dropFirst(place + 7).uuid else { return nil }
            return .subscription(.characteristic(uuid.octets), isOn: rest.starts(with: "true"))
        },
        operation(.coreBluetooth, "Updated Value of Characteristic ", .received),
        // Nordic's DFU library for iOS.
        AppPhrase(.coreBluetooth, "Disconnected by the remote device") { _ in
            .disconnected(AppStatus(code: Int(ApplicationStatus.peripheralDisconnected.code), .coreBluetooth))
        },
    ]

    private var ofDescriptor: AppPhrase {
        let step = step
        return AppPhrase(program, text) { rest in
            let step = step(rest)
            guard case .operation(let operation, .characteristic(let uuid), let value) = step else { return step }
            return .operation(operation, .descriptor(uuid), value: value)
        }
    }

    static func error(_ code: Int) -> AppStep? { code == 0 ? nil : .error(AppStatus(code: code)) }

    private static func parameters(_ interval: Int, _ latency: Int, _ timeout: Int) -> AppStep? {
        guard 1...0xFFFF ~= interval, latency <= 0xFFFF, timeout <= 0xFFFF else { return nil }
        return .parameters(interval: UInt16(interval), latency: UInt16(latency), timeout: UInt16(timeout))
    }
}

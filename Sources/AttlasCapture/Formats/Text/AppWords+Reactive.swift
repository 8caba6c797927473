import AttlasWire

/// The logs of react-native-ble-plx, and of RxAndroidBle and RxBluetoothKit, which it uses.
extension Bytes {
    /// "…characteristic=[uuid='00002a39-…', hexValue=[16, 4B]]}".
    func rxAndroidBle(_ operation: AppOperation) -> AppStep? {
        guard let place = offset(of: "[uuid='"), let uuid = dropFirst(place + 7).uuid else { return nil }
        return .operation(operation, .characteristic(uuid.octets), rxAndroidBleValue)
    }

    private var rxAndroidBleValue: AppValue {
        guard let start = offset(of: "hexValue=[") else { return .none }
        let list = dropFirst(start + 10)
        guard let end = list.offset(of: "]") else { return .unreadable }
        // "[...]" has nothing to read.
        return list.starts(with: "...")
            ? .none : AppValue(CopiedValue.octets(String(decoding: list.prefix(end).copy(), as: UTF8.self)))
    }

    /// "F2:11:22:33:44:55'  onCharacteristicRead(), status=0, value=[uuid='00002a39-…', hexValue=[16]]".
    var rxAndroidBleCallback: AppStep? {
        let status = number(after: "status=") ?? 0
        if offset(of: " onConnectionStateChange()") != nil {
            // A hidden address could be that of another connected device.
            guard let state = number(after: "value="), peer != nil else { return nil }
            return state == 2 && status == 0 ? .connected : state == 0 ? .disconnected(AppStatus(code: status)) : nil
        }
        for (name, operation) in Self.rxAndroidBleCallbacks where offset(of: name) != nil {
            return status == 0 ? rxAndroidBle(operation) : AppPhrase.error(status)
        }
        guard offset(of: " onDescriptorWrite()") != nil else { return nil }
        guard status == 0 else { return AppPhrase.error(status) }
        return offset(of: "[uuid='").flatMap { dropFirst($0 + 7).uuid }.map {
            .operation(.writeDone, .descriptor($0.octets), value: nil)
        }
    }

    private static let rxAndroidBleCallbacks: [(StaticString, AppOperation)] = [
        (" onCharacteristicChanged()", .notification), (" onCharacteristicRead()", .readDone),
        (" onCharacteristicWrite()", .writeDone),
    ]

    /// What `console.log` prints of a characteristic, after `{"`: `deviceID": "…", …, "uuid": "…", "value": "Fks="}`.
    var loggedCharacteristic: AppStep? {
        guard offset(of: "isNotifiable\":") != nil, offset(of: "serviceUUID\":") != nil,
            let place = start(of: "uuid\":", or: "\"uuid\":"), let uuid = dropFirst(place).uuid
        else { return nil }
        let value = start(of: "value\":", or: "\"value\":").map { start -> AppValue in
            let text = dropFirst(start)
            let base64 = text.offset(of: "\"").map { String(decoding: text.prefix($0).copy(), as: UTF8.self) }
            return AppValue(base64.flatMap { CopiedValue.octets("base64:" + $0) })
        }
        return .operation(.received, .characteristic(uuid.octets), value ?? .none)
    }

    /// Where the text of a member of an object begins, which may be its first one.
    private func start(of first: StaticString, or other: StaticString) -> Int? {
        let end =
            starts(with: first)
            ? first.utf8CodeUnitCount : offset(of: other).map { $0 + other.utf8CodeUnitCount }
        guard let end, case let start = endOfBlanks(from: end), contains("\"", at: start) else { return nil }
        return start + 1
    }

    /// "…) writeValue( data: 0102, for: Characteristic(uuid: FFF2, id: 1), type: withResponse)". The lines of a call are one.
    var rxBluetoothKitCall: AppStep? {
        for (name, last, operation) in Self.rxBluetoothKitCalls {
            guard let place = offset(of: name) else { continue }
            let call = dropFirst(place + name.utf8CodeUnitCount)
            guard let end = call.offset(of: last) else { return .unfinished }
            if let error = call.number(after: "CBATTErrorDomain Code=") { return AppPhrase.error(error) }
            guard let start = call.offset(of: "(uuid: "), case let name = call.dropFirst(start + 7),
                let nameEnd = name.offset(of: ",")
            else { return nil }
            // It has names such as "Battery Level", too.
            let attribute =
                name.uuid.map { AppAttribute.characteristic($0.octets) } ?? .name(name.prefix(min(nameEnd, 64)).copy())
            guard let operation else {
                return .subscription(attribute, isOn: call.offset(of: "isNotifying: true") != nil)
            }
            let isCommand = call.dropFirst(end).offset(of: "withoutResponse") != nil
            // With the end of a write comes the value that was read last.
            let value = operation == .writeDone ? .none : call.rxBluetoothKitValue
            return .operation(isCommand ? .writeCommand : operation, attribute, value)
        }
        return nil
    }

    /// A call, its last argument, and what it is; nil: the end of a configuration.
    private static let rxBluetoothKitCalls: [(StaticString, StaticString, AppOperation?)] = [
        (" writeValue(", " type: ", .write), (" readValue(", " for: Characteristic(", .read),
        (" didUpdateValueFor(for:Characteristic", " error: ", .received),
        (" didWriteValueFor(for:Characteristic", " error: ", .writeDone),
        (" didUpdateNotificationStateFor(", " error: ", nil),
    ]

    private var rxBluetoothKitValue: AppValue {
        if starts(with: " data: ") { return AppValue(hexadecimal(from: 7)) }
        return offset(of: "value: Optional(\"").map { AppValue(hexadecimal(from: $0 + 17)) } ?? .none
    }

    /// "…, name: …), error: Optional(Error Domain=CBErrorDomain Code=6 "…"))".
    var rxBluetoothKitEnd: AppStep? {
        guard let place = offset(of: " error: "), case let error = dropFirst(place + 8) else { return .unfinished }
        if error.starts(with: "nil") { return .disconnected(AppStatus(code: 0)) }
        let code = error.number(after: "CBErrorDomain Code=")
        return .disconnected(code.map { AppStatus(code: $0, .coreBluetooth) } ?? AppStatus(code: 0, .unknown))
    }
}

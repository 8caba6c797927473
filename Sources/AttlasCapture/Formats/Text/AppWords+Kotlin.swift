import AttlasWire

/// The log of Nordic's library for Kotlin, which nRF Toolbox uses.
extension Bytes {
    /// "CONNECTED, status: SUCCESS", "DISCONNECTED, status: TERMINATE_PEER_USER".
    var kotlinState: AppStep? {
        guard let place = offset(of: ", status: "), case let status = dropFirst(place + 10) else { return nil }
        if starts(with: "CONNECTED") { return status.starts(with: "SUCCESS") ? .connected : nil }
        guard starts(with: "DISCONNECTED") else { return nil }
        return .disconnected(
            status.code(in: Self.kotlinReasons).map { AppStatus(code: $0) } ?? AppStatus(code: 0, .unknown))
    }

    /// "(0x) 01:02 to 6e400002-…". Descriptors are left out: "Notifications enabled" has the one of a subscription.
    func kotlinResult(_ operation: AppOperation, before word: StaticString) -> AppStep? {
        guard let place = offset(of: word), let uuid = dropFirst(place + word.utf8CodeUnitCount).uuid,
            uuid.octets.last != 0x29 || uuid.octets.count != 2
        else { return nil }
        return .operation(operation, .characteristic(uuid.octets), prefix(place).value)
    }

    /// "6e400002-…, result: GATT_WRITE_NOT_PERMITTED".
    var kotlinError: AppStep? {
        guard let place = offset(of: ", result: ") else { return nil }
        return AppPhrase.error(dropFirst(place + 10).code(in: Self.kotlinErrors) ?? 0x101)
    }

    private func code(in names: [(StaticString, Int)]) -> Int? {
        for (name, code) in names where starts(with: name) { return code }
        return nil
    }

    private static let kotlinReasons: [(StaticString, Int)] = [
        ("SUCCESS", 0), ("LINK_LOSS", 0x08), ("TERMINATE_PEER_USER", 0x13), ("TERMINATE_LOCAL_HOST", 0x16),
    ]

    /// Of BluetoothGatt; others are GATT_FAILURE.
    private static let kotlinErrors: [(StaticString, Int)] = [
        ("GATT_READ_NOT_PERMITTED", 0x02), ("GATT_WRITE_NOT_PERMITTED", 0x03),
        ("GATT_INSUFFICIENT_AUTHENTICATION", 0x05), ("GATT_REQUEST_NOT_SUPPORTED", 0x06), ("GATT_INVALID_OFFSET", 0x07),
        ("GATT_INSUFFICIENT_AUTHORIZATION", 0x08), ("GATT_INVALID_ATTRIBUTE_LENGTH", 0x0D),
        ("GATT_INSUFFICIENT_ENCRYPTION", 0x0F), ("GATT_ERROR", 0x85),
    ]
}

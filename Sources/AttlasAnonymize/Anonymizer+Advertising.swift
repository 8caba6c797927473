import AttlasWire

/// What devices advertise.
extension Anonymizer {
    /// Which octets of a structure stay.
    private enum Part {
        case keep
        case all(Treatment)
        /// One after the other.
        case addresses(isRandom: Bool?)
        /// After a UUID of this number of octets, or a company identifier.
        case after(Int)
    }

    /// AD structures in `scratch`.
    mutating func anonymizeAdvertisingData(_ range: Range<Int>, frame: Int) {
        var start = range.lowerBound
        while start + 1 < range.upperBound, scratch[start] > 0 {
            let end = min(start + 1 + Int(scratch[start]), range.upperBound)
            let type = ADType(rawValue: scratch[start + 1])
            anonymize(type, start + 2..<end, frame: frame)
            start = end
        }
        // Padding is 0.
        zero(start..<range.upperBound, frame: frame, isListed: true)
    }

    private mutating func anonymize(_ type: ADType, _ data: Range<Int>, frame: Int) {
        switch Self.part(type) {
        case .keep: break
        case .all(let treatment): apply(Edit(range: data, treatment: treatment), frame: frame)
        case .addresses(let isRandom):
            for start in stride(from: data.lowerBound, through: data.upperBound - 6, by: 6) {
                apply(Edit(range: start..<start + 6, treatment: .address(isRandom: isRandom)), frame: frame)
            }
        case .after(let length):
            let end = min(data.lowerBound + length, data.upperBound)
            if choice.keepsValues || type.serviceDataUUIDLength != nil && isKept(data.lowerBound..<end) { return }
            zero(end..<data.upperBound, frame: frame, isListed: false)
        }
    }

    /// Whether these octets are the UUID of data that stays.
    private func isKept(_ range: Range<Int>) -> Bool {
        guard let uuid = BluetoothUUID(Bytes(scratch.span).slice(range)) else { return false }
        return choice.keptTypes.contains(uuid)
    }

    private static func part(_ type: ADType) -> Part {
        switch type.rawValue {
        // Names, and a URI.
        case 0x08, 0x09, 0x30, 0x24: .all(.text)
        // Targets, and LE Bluetooth Device Address, whose kind is in the octet after it.
        case 0x17: .addresses(isRandom: false)
        case 0x18: .addresses(isRandom: true)
        case 0x1B: .addresses(isRandom: nil)
        // Hashes, randomizers, the TK or the device's ID, confirm and random values, the Broadcast_Code, a resolvable set identifier.
        case 0x0E, 0x0F, 0x10, 0x1D, 0x1E, 0x22, 0x23, 0x2D, 0x2E: .all(.octets)
        case 0x16: .after(2)
        case 0x20: .after(4)
        case 0x21: .after(16)
        case 0xFF: .after(2)
        // Flags, lists of UUIDs, powers, classes, intervals, roles, features, maps.
        case 0x01...0x07, 0x0A, 0x0D, 0x11, 0x12, 0x14, 0x15, 0x19, 0x1A, 0x1C, 0x1F, 0x25, 0x27, 0x28, 0x2C, 0x2F,
            0x32:
            .keep
        // The first octet of a mesh beacon is its type.
        case 0x2B: .after(1)
        default: .all(.unknown)
        }
    }
}

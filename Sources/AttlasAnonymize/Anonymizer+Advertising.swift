import AttlasDissection
import AttlasWire

/// Advertising data.
extension Anonymizer {
    /// Which octets of a structure stay.
    private enum Part {
        /// Up to this number of octets.
        case keep(Int)
        case all(Treatment)
        /// One after the other.
        case addresses(isRandom: Bool?)
        /// After a UUID of this number of octets, or a company identifier.
        case after(Int)
    }

    /// AD structures in `scratch`.
    mutating func anonymizeAdvertisingData(_ range: Range<Int>, mayBeCut: Bool, frame: Int) {
        // Anything else is not known to begin with a structure.
        guard isWellFormed(range, mayBeCut) else { return zero(range, frame: frame, isListed: true) }
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

    /// Whether structures fill the octets, up to zeros.
    private func isWellFormed(_ range: Range<Int>, _ mayBeCut: Bool) -> Bool {
        var start = range.lowerBound
        while start < range.upperBound, scratch[start] > 0 { start += 1 + Int(scratch[start]) }
        if start >= range.upperBound { return mayBeCut || start == range.upperBound }
        return scratch[start..<range.upperBound].allSatisfy { $0 == 0 }
    }

    private mutating func anonymize(_ type: ADType, _ data: Range<Int>, frame: Int) {
        switch Self.part(type) {
        case .keep(let length):
            zero(min(data.lowerBound + length, data.upperBound)..<data.upperBound, frame: frame, isListed: true)
        case .all(let treatment): apply(Edit(range: data, treatment: treatment), frame: frame)
        case .addresses(let isRandom):
            var start = data.lowerBound
            while start + 6 <= data.upperBound {
                apply(Edit(range: start..<start + 6, treatment: .address(isRandom: isRandom)), frame: frame)
                start += 6
            }
            // The kind of the address.
            if type == .leBluetoothDeviceAddress, start < data.upperBound { start += 1 }
            zero(start..<data.upperBound, frame: frame, isListed: true)
        case .after(let length):
            let end = min(data.lowerBound + length, data.upperBound)
            if type.serviceDataUUIDLength != nil, isKept(data.lowerBound..<end) { return }
            if type == .serviceData16, data.count >= 2, anonymizeServiceData(data, frame: frame) { return }
            zero(end..<data.upperBound, frame: frame, isListed: false)
        }
    }

    /// Service data of the Bluetooth SIG, such as the announcement of a broadcast: numbers stay.
    ///
    /// - Returns: false if it is of another service, or has no definition.
    private mutating func anonymizeServiceData(_ data: Range<Int>, frame: Int) -> Bool {
        let service = Bytes(scratch.span).uint16(at: data.lowerBound)
        guard BluetoothUUID.services.contains(service),
            let dissector = library.dissector(for: .serviceData(BluetoothUUID(service))),
            dissector.sensitivity == nil
        else { return false }
        let start = data.lowerBound + 2
        var dissection = Dissection()
        dissector.dissect(
            Bytes(scratch.span).slice(start..<data.upperBound), operation: .notify, into: &dissection)
        for edit in Self.edits(of: dissection, dissector, .numbers).edits {
            let range = start + edit.range.lowerBound..<start + edit.range.upperBound
            apply(Edit(range: range.clamped(to: data), treatment: edit.treatment), frame: frame)
        }
        return true
    }

    /// Whether these octets are the UUID of data that stays.
    private func isKept(_ range: Range<Int>) -> Bool {
        guard let uuid = BluetoothUUID(Bytes(scratch.span).slice(range)) else { return false }
        return choice.keptTypes.contains(uuid)
    }

    private static func part(_ type: ADType) -> Part {
        switch type {
        // Names, and a URI.
        case .shortenedLocalName, .completeLocalName, .broadcastName, .uri: .all(.text)
        // Targets, and LE Bluetooth Device Address, whose kind is in the octet after it.
        case .publicTargetAddress: .addresses(isRandom: false)
        case .randomTargetAddress: .addresses(isRandom: true)
        case .leBluetoothDeviceAddress: .addresses(isRandom: nil)
        // Hashes, randomizers, the TK or the device's ID, confirm and random values, the Broadcast_Code, a resolvable set identifier.
        case .simplePairingHash192, .simplePairingRandomizer192, .deviceID, .simplePairingHash256,
            .simplePairingRandomizer256, .leSecureConnectionsConfirmationValue, .leSecureConnectionsRandomValue,
            .broadcastCode, .resolvableSetIdentifier:
            .all(.octets)
        case .serviceData16: .after(2)
        case .serviceData32: .after(4)
        case .serviceData128: .after(16)
        case .manufacturerSpecificData: .after(2)
        // Lists of UUIDs.
        case _ where type.serviceUUIDLength != nil: .keep(.max >> 1)
        // Flags, powers, classes, intervals, roles, features, maps. Core Specification Supplement, Part A.
        case .flags, .txPowerLevel, .securityManagerOutOfBandFlags, .leRole: .keep(1)
        case .appearance, .advertisingInterval: .keep(2)
        case .classOfDevice, .advertisingIntervalLong: .keep(3)
        case .peripheralConnectionIntervalRange: .keep(4)
        case .leSupportedFeatures: .keep(8)
        case .channelMapUpdateIndication: .keep(7)
        case .periodicAdvertisingResponseTiming: .keep(10)
        case .bigInfo: .keep(33)
        // A position.
        case .indoorPositioning: .all(.zero)
        // The first octet of a mesh beacon is its type.
        case .meshBeacon: .after(1)
        default: .all(.unknown)
        }
    }
}

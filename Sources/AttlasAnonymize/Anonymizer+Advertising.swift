import AttlasDissection
import AttlasWire

/// What devices advertise.
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
            if type.rawValue == 0x1B, start < data.upperBound { start += 1 }
            zero(start..<data.upperBound, frame: frame, isListed: true)
        case .after(let length):
            let end = min(data.lowerBound + length, data.upperBound)
            if type.serviceDataUUIDLength != nil, isKept(data.lowerBound..<end) { return }
            if type.rawValue == 0x16, data.count >= 2, anonymizeServiceData(data, frame: frame) { return }
            zero(end..<data.upperBound, frame: frame, isListed: false)
        }
    }

    /// Service data of the Bluetooth SIG, such as the announcement of a broadcast: numbers stay.
    ///
    /// - Returns: false if it is of another service, or has no definition.
    private mutating func anonymizeServiceData(_ data: Range<Int>, frame: Int) -> Bool {
        let service = Bytes(scratch.span).uint16(at: data.lowerBound)
        guard 0x1800..<0x1900 ~= service, let dissector = library.dissector(for: .serviceData(BluetoothUUID(service))),
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
        // Lists of UUIDs.
        case 0x02...0x07, 0x14, 0x15, 0x1F: .keep(.max >> 1)
        // Flags, powers, classes, intervals, roles, features, maps. Core Specification Supplement, Part A.
        case 0x01, 0x0A, 0x11, 0x1C: .keep(1)
        case 0x19, 0x1A: .keep(2)
        case 0x0D, 0x2F: .keep(3)
        case 0x12: .keep(4)
        case 0x27: .keep(8)
        case 0x28: .keep(7)
        case 0x32: .keep(10)
        case 0x2C: .keep(33)
        // A position.
        case 0x25: .all(.zero)
        // The first octet of a mesh beacon is its type.
        case 0x2B: .after(1)
        default: .all(.unknown)
        }
    }
}

import AttlasWire

/// Commands of L2CAP.
extension Anonymizer {
    /// Signals whose layout is known stay. Core Specification, Vol 3, Part A, 4.
    mutating func editSignals() {
        var edits: [Edit] = []
        var end = 0
        var signals = L2CAPSignals(Bytes(scratch.span))
        while let signal = try? signals.next() {
            let start = end + L2CAPSignal.headerLength
            end = start + signal.data.count
            edits.append(Edit(range: min(start + Self.keptOctets(of: signal.code), end)..<end, treatment: .unknown))
        }
        self.edits = edits + Self.all(of: scratch.count, from: end, .unknown)
    }

    private static func keptOctets(of code: L2CAPSignalCode) -> Int {
        switch code.rawValue {
        // Connection, configuration, disconnection, information.
        case 0x01, 0x03, 0x0D, 0x0F, 0x11: 10
        case 0x02, 0x0C, 0x0E, 0x10: 8
        case 0x04, 0x05: 64
        case 0x06, 0x07, 0x0A: 4
        case 0x0B: 12
        // Parameters of a connection, and credits.
        case 0x12: 8
        case 0x13: 2
        case 0x14, 0x15: 10
        case 0x16: 4
        case 0x17, 0x18: 18
        case 0x19: 14
        case 0x1A: 2
        // An echo, and others.
        default: 0
        }
    }
}

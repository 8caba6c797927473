extension TextBuffer {
    /// LE 1M, LE 2M, LE Coded. Core Specification, Vol 4, Part E, 7.7.65.12.
    mutating func append(phy: UInt8?) {
        switch phy {
        case 1: append("LE 1M")
        case 2: append("LE 2M")
        case 3: append("LE Coded")
        default: append("unknown")
        }
    }

    /// `-71 … -64 dBm`
    mutating func append(rssi: ClosedRange<Int8>) {
        append(rssi.count > 1 ? "\(rssi.lowerBound) … \(rssi.upperBound) dBm" : "\(rssi.lowerBound) dBm")
    }
}

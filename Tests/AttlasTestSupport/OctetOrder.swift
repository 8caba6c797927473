/// In which order a format lays out the octets of its numbers.
public enum OctetOrder: Sendable {
    case little, big

    public func octets(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
        self == .big ? AttlasTestSupport.big(value, count) : AttlasTestSupport.little(value, count)
    }
}

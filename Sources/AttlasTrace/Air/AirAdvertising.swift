import AttlasWire

/// Advertisements that come in several packets: what belongs together has the same AdvDataInfo. Core Specification, Vol 6,
/// Part B, 4.4.2.
struct AirAdvertising: Sendable {
    static let limit = 256

    struct Chain: Sendable {
        var address: BluetoothAddress?
        var isConnectable = false
        var isScanResponse = false
        /// AdvData so far; empty before the first part.
        var data: [UInt8] = []
        var frames: [Int] = []
        /// Whether an AuxPtr said that there is more.
        var isOpen = false
    }

    private var chains: [UInt16: Chain] = [:]

    subscript(_ adi: UInt16) -> Chain? {
        get { chains[adi] }
        set {
            if newValue != nil, chains[adi] == nil, chains.count >= Self.limit {
                chains.removeAll(keepingCapacity: true)
            }
            chains[adi] = newValue
        }
    }
}

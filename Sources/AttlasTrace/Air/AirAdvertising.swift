import AttlasWire

/// Advertisements in several packets, which share an AdvDataInfo. Core Specification, Vol 6, Part B, 4.4.2.
struct AirAdvertising: Sendable {
    static let limit = 256

    struct Chain: Sendable {
        var address: BluetoothAddress?
        var isConnectable = false
        /// AdvData so far; empty before the first part.
        var data: [UInt8] = []
        var frames: [Int] = []
        /// Whether an AuxPtr announced more.
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

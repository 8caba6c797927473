import AttlasTrace
import AttlasWire

/// Settings at a connection's end; nil if unknown.
package struct LinkSettings: Sendable {
    package private(set) var parameters: Connection.Parameters?
    /// MTU of the fixed channel.
    package private(set) var mtu: Int?
    package private(set) var transmitPHY: UInt8?
    package private(set) var receivePHY: UInt8?
    package private(set) var maxTxOctets: Int?
    package private(set) var maxRxOctets: Int?

    init() {}

    init(_ connection: borrowing Connection) {
        parameters = connection.parameters
        if connection.bearer.isMTUKnown { mtu = connection.bearer.mtu }
        guard connection.transport == .lowEnergy else { return }
        transmitPHY = connection.phy(.tx)
        receivePHY = connection.phy(.rx)
        maxTxOctets = connection.maxOctets(.tx)
        maxRxOctets = connection.maxOctets(.rx)
    }
}

/// A connection begins with 27 octets; for one that began before the capture the number is unknown.
extension Connection {
    func maxOctets(_ direction: Direction) -> Int? {
        dataLength.map { Int(direction == .tx ? $0.maxTxOctets : $0.maxRxOctets) }
            ?? (isCentral != nil ? DataLength.least : nil)
    }

    /// The number of octets that the longest time allows on the PHY in force.
    func effectiveOctets(_ direction: Direction) -> Int? {
        guard let dataLength, let phy = phy(direction) else { return maxOctets(direction) }
        return dataLength.effectiveOctets(direction, phy: phy)
    }
}

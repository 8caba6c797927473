import AttlasWire

/// A change of a connection that the central announces, and the connection event from which it holds. Core Specification, Vol 6,
/// Part B, 5.1.1, 5.1.2 and 5.1.10.
public struct LinkUpdate: Sendable, Equatable {
    /// The new parameters.
    public enum Change: Sendable, Equatable {
        case parameters(Connection.Parameters)
        case channelMap(ChannelMap)
        /// Numbers of the PHYs, to the peripheral and from it; nil stays as it is.
        case phy(transmit: UInt8?, receive: UInt8?)
    }

    /// The new parameters.
    public let change: Change
    /// The number of the connection event, counted from 0 at the first one, modulo 65 536.
    public let instant: UInt16
}

/// The announced changes of one link: at most one of each kind, a later one in place of the one before.
struct AirUpdates: Sendable {
    private var parameters: LinkUpdate?
    private var channelMap: LinkUpdate?
    private var phy: LinkUpdate?
    private(set) var isEmpty = true

    mutating func note(_ update: LinkUpdate) {
        switch update.change {
        case .parameters: parameters = update
        case .channelMap: channelMap = update
        case .phy: phy = update
        }
        isEmpty = false
    }

    /// Takes out one whose instant has come.
    ///
    /// - Parameter event: The number of the connection event that began. nil if it is unknown: then it may have come.
    mutating func takeReached(at event: UInt16?) -> LinkUpdate? {
        func isReached(_ update: LinkUpdate?) -> Bool {
            guard let update, let event else { return update != nil }
            return Int16(bitPattern: event &- update.instant) >= 0
        }
        defer { isEmpty = parameters == nil && channelMap == nil && phy == nil }
        if isReached(parameters) { return Self.take(&parameters) }
        if isReached(channelMap) { return Self.take(&channelMap) }
        if isReached(phy) { return Self.take(&phy) }
        return nil
    }

    /// Takes out any of them.
    mutating func takeAny() -> LinkUpdate? { takeReached(at: nil) }

    private static func take(_ update: inout LinkUpdate?) -> LinkUpdate? {
        defer { update = nil }
        return update
    }
}

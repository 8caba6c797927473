import AttlasCapture
import AttlasWire

/// Which sides of its ATT conversations a log holds.
struct RecordedSides {
    /// A client sends one request at a time: this number without any PDU of the server shows that its PDUs were left out.
    private static let enough = 8

    /// PDUs that need one of the other side: requests, responses, indications and confirmations.
    private var sentExchanges = 0
    private var receivedExchanges = 0
    private var hasSent = false
    private var hasReceived = false
    /// Whether an app's lines are all that is known of them.
    var areOfApp = false

    @inline(__always)
    mutating func note(_ kind: ATTOpcode.Definition.Kind?, _ side: Direction) {
        let isExchange: Bool
        switch kind {
        case .request, .response, .indication, .confirmation: isExchange = true
        case .command, .notification, nil: isExchange = false
        }
        switch side {
        case .tx:
            hasSent = true
            if isExchange { sentExchanges &+= 1 }
        case .rx:
            hasReceived = true
            if isExchange { receivedExchanges &+= 1 }
        case .unknown: break
        }
    }

    var only: Direction? {
        if !hasReceived, sentExchanges >= Self.enough { return .tx }
        if !hasSent, receivedExchanges >= Self.enough { return .rx }
        return nil
    }
}

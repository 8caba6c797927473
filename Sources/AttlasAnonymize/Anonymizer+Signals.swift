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
        switch code {
        case .commandReject, .connectionResponse, .createChannelResponse, .moveChannelResponse,
            .moveChannelConfirmationResponse:
            10
        case .connectionRequest, .createChannelRequest, .moveChannelRequest, .moveChannelConfirmationRequest: 8
        case .configurationRequest, .configurationResponse: 64
        case .disconnectionRequest, .disconnectionResponse, .informationRequest: 4
        case .informationResponse: 12
        case .connectionParameterUpdateRequest: 8
        case .connectionParameterUpdateResponse: 2
        case .leCreditBasedConnectionRequest, .leCreditBasedConnectionResponse: 10
        case .flowControlCreditIndication: 4
        case .creditBasedConnectionRequest, .creditBasedConnectionResponse: 18
        case .creditBasedReconfigureRequest: 14
        case .creditBasedReconfigureResponse: 2
        // An echo, and others.
        default: 0
        }
    }
}

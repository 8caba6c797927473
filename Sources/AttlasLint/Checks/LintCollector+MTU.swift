import AttlasIncidents
import AttlasTrace
import AttlasWire

/// The exchange of the MTU, and its limits. Core Specification, Vol 3, Part F, 3.4.2.
extension LintCollector {
    mutating func checkMTU(
        _ operation: borrowing ATTOperation, _ length: Int, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard operation.bearer == .unenhanced, watches[slot].isMTUKnown else { return }
        let mtu = trace.connections[slot].bearers[0].mtu
        guard length > mtu else { return }
        let isExchanged = watches[slot].bearers.contains { $0.peer.mtuRequest ?? $0.local.mtuRequest != nil }
        report(
            .pduAboveMTU, of: operation, event, in: trace,
            "\(operation.opcode.name) of \(length) octets; the MTU in force is \(mtu)"
                + (isExchanged ? "." : ", because no exchange took place."))
    }

    /// Whether the log would show that the connection ended, and another one got its handle.
    func isOneConnection(_ slot: Int, _ server: ServerSide) -> Bool {
        met.contains(.linkEvents) && !watches[slot][server].hasLost
    }

    mutating func check(
        mtu: UInt16, _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard operation.bearer == .unenhanced else { return }
        if mtu < 23 { report(.mtuTooSmall, of: operation, event, in: trace, "An MTU of \(mtu) was offered.") }
        if event.direction != .unknown { note(mtu: mtu, operation, slot, event, in: trace) }
    }

    /// A value that is sent while the sender's own Exchange MTU Request, to the other server, waits.
    mutating func checkMTUExchange(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let open = trace.connections[slot].waitingRequest(of: event.direction, on: operation.bearer),
            open.opcode == .exchangeMTURequest
        else { return }
        report(
            .sentDuringMTUExchange, of: operation, event, related: [open.frame], in: trace,
            "\(operation.opcode.name) before the Exchange MTU Request of frame \(open.frame) was answered.")
    }

    /// Notes a device's MTU as client and as server.
    private mutating func note(
        mtu: UInt16, _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        let offer = MTUOffer(mtu: mtu, isOfClient: operation.opcode.definition?.kind == .request, frame: event.frame)
        let known = event.direction == .tx ? watches[slot].localOffer : watches[slot].peerOffer
        if let known, known.mtu != mtu, known.isOfClient != offer.isOfClient,
            isOneConnection(slot, operation.server)
        {
            report(
                .mtuAsymmetric, of: operation, event, related: [known.frame], in: trace,
                "\(mtu) is offered here, \(known.mtu) was offered in frame \(known.frame).")
        }
        if event.direction == .tx {
            watches[slot].localOffer = offer
        } else {
            watches[slot].peerOffer = offer
        }
    }
}

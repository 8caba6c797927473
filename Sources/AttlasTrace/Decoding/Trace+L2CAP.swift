import AttlasWire

/// Whole L2CAP frames, by channel. Core Specification, Vol 3, Part A, 2.1.
extension Trace {
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    mutating func decode<Sink: EventSink & ~Copyable>(
        _ frame: L2CAPFrame, _ slot: Int, frames: [Int], _ context: PDUContext, into sink: inout Sink
    ) {
        if sink.wantsPackets { emit(context, slot, frames: frames, .l2cap(frame), into: &sink) }
        guard Sink.depth != .frames else { return }
        let payload = frame.payload
        let missing = frame.pduLength - payload.count
        switch (frame.channel, connections[slot].transport) {
        case (.attribute, .lowEnergy):
            if missing == 0, decodeFrequentFrame(payload, slot, frames: frames, context, into: &sink) { return }
            decodeATT(payload, missing: missing, slot, frames: frames, context, into: &sink)
        case (.lowEnergySignaling, .lowEnergy), (.signaling, .classic):
            decodeSignals(payload, missing: missing, slot, frames: frames, context, into: &sink)
        case (.securityManager, .lowEnergy), (.securityManagerBREDR, .classic):
            do throws(WireError) {
                let pdu = try SMPPDU(frame.payload)
                emit(context, slot, frames: frames, .smp(pdu), into: &sink)
                learnIdentity(pdu, slot, context, into: &sink)
                if connections[slot].isHeard { followPairing(pdu, slot, context) }
            } catch {
                emitFault(context, slot, frames: frames, error, missing: missing, into: &sink)
            }
        default: decodeChannel(frame, slot, frames: frames, context, into: &sink)
        }
    }

    private mutating func decodeSignals<Sink: EventSink & ~Copyable>(
        _ payload: Bytes, missing: Int, _ slot: Int, frames: [Int], _ context: PDUContext, into sink: inout Sink
    ) {
        var signals = L2CAPSignals(payload)
        do throws(WireError) {
            while let signal = try signals.next() {
                emit(context, slot, frames: frames, .signal(signal), into: &sink)
                guard signal.missing == 0 else {
                    throw WireError(
                        .l2cap, "signalling command incomplete", need: signal.length,
                        have: signal.data.count, limit: .l2capLength)
                }
                do throws(WireError) {
                    let parameters = try L2CAPSignalParameters(signal)
                    follow(parameters, signal.identifier, slot, context)
                    followUpdate(parameters, signal.identifier, slot, context, into: &sink)
                } catch {
                    // The command's own length is at fault, and the next one begins after it.
                    emitFault(context, slot, frames: frames, error, missing: 0, into: &sink)
                }
            }
        } catch {
            emitFault(context, slot, frames: frames, error, missing: missing, into: &sink)
        }
    }
}

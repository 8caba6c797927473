import AttlasWire

/// Connection-oriented channels: how they are opened, and the SDUs they carry. Core Specification, Vol 3, Part A, 4 and 10.
extension Trace {
    /// The MTU of a BR/EDR channel that was not configured. Vol 3, Part A, 5.1.
    private static let defaultClassicMTU = 672

    // MARK: Signalling

    mutating func follow(_ parameters: L2CAPSignalParameters, _ identifier: UInt8, _ slot: Int, _ context: PDUContext) {
        let side = context.side
        func note(_ kind: ChannelTable.Request.Kind, _ channels: [L2CAPChannel]) {
            connections[slot].channels.note(
                ChannelTable.Request(identifier: identifier, side: side, kind: kind, channels: channels))
        }
        switch parameters {
        case .connectionRequest(let pdu):
            note(.open(.basic, psm: pdu.psm, .init(mtu: Self.defaultClassicMTU), credits: 0), [pdu.sourceCID])
        case .connectionResponse(let pdu):
            let request = connections[slot].channels.request(
                identifier, answeredBy: side, isFinal: !pdu.isPending)
            guard pdu.result == 0, let request else { return }
            open(request, [pdu.destinationCID], .init(mtu: Self.defaultClassicMTU), credits: 0, slot)
        case .leCreditBasedConnectionRequest(let pdu):
            note(
                .open(
                    .creditBased, psm: pdu.spsm, .init(mtu: Int(pdu.mtu), mps: Int(pdu.mps)),
                    credits: Int(pdu.initialCredits)),
                [pdu.sourceCID])
        case .leCreditBasedConnectionResponse(let pdu):
            guard let request = connections[slot].channels.request(identifier, answeredBy: side),
                pdu.result.rawValue == 0
            else { return }
            open(
                request, [pdu.destinationCID], .init(mtu: Int(pdu.mtu), mps: Int(pdu.mps)),
                credits: Int(pdu.initialCredits),
                slot)
        case .creditBasedConnectionRequest(let pdu):
            note(
                .open(
                    .creditBased, psm: pdu.spsm, .init(mtu: Int(pdu.mtu), mps: Int(pdu.mps)),
                    credits: Int(pdu.initialCredits)),
                pdu.sourceCIDs.all)
        case .creditBasedConnectionResponse(let pdu):
            guard let request = connections[slot].channels.request(identifier, answeredBy: side) else { return }
            open(
                request, pdu.destinationCIDs.all, .init(mtu: Int(pdu.mtu), mps: Int(pdu.mps)),
                credits: Int(pdu.initialCredits), slot)
        case .flowControlCredit(let pdu):
            // Names the end of the side that sends it, which takes more frames now.
            guard let index = connections[slot].channels.index(of: pdu.cid, sentBy: side.opposite) else { return }
            connections[slot].channels.add(
                Int(pdu.credits), index, for: side.opposite, isValid: identifier != 0, at: context.moment)
        case .creditBasedReconfigureRequest(let pdu):
            note(.reconfigure(.init(mtu: Int(pdu.mtu), mps: Int(pdu.mps))), pdu.destinationCIDs.all)
        case .creditBasedReconfigureResponse(let pdu):
            guard let request = connections[slot].channels.request(identifier, answeredBy: side),
                pdu.result == 0, case .reconfigure(let limits) = request.kind
            else { return }
            // The channels are named by the ends of the side that asked.
            for channel in request.channels { set(limits, of: channel, at: request.side, slot) }
        case .configurationRequest(let pdu):
            var options = pdu.options
            while let value = options.next() {
                // The MTU that the sender takes, for the channel named by the other end.
                guard options.isMTU, value.count >= 2,
                    let index = connections[slot].channels.index(of: pdu.destinationCID, sentBy: side)
                else { continue }
                let own = connections[slot].channels.channels[index][towards: side.opposite].channel
                set(.init(mtu: Int(value.uint16(at: 0))), of: own, at: side, slot)
            }
        case .disconnectionResponse(let pdu):
            close(pdu.destinationCID, at: side, slot)
        default: break
        }
    }

    /// Opens a channel for each pair of ends; an end of 0x0000 was refused.
    private mutating func open(
        _ request: ChannelTable.Request, _ answered: [L2CAPChannel], _ limits: ChannelTable.Limits, credits: Int,
        _ slot: Int
    ) {
        guard case .open(let mode, let psm, let requested, let requestedCredits) = request.kind else { return }
        for (asked, answer) in zip(request.channels, answered) where answer.rawValue != 0 {
            let asker = Channel.End(
                channel: asked, mtu: requested.mtu, mps: requested.mps, credits: CreditCount(requestedCredits))
            let answerer = Channel.End(channel: answer, mtu: limits.mtu, mps: limits.mps, credits: CreditCount(credits))
            let isHost = request.side == .tx
            var channel = Channel(
                mode: mode, psm: psm, isAskedByHost: isHost, local: isHost ? asker : answerer,
                remote: isHost ? answerer : asker)
            close(channel.local.channel, at: .tx, slot)
            close(channel.remote.channel, at: .rx, slot)
            guard connections[slot].channels.channels.count < ChannelTable.limit, channelCount < self.limits.channels
            else {
                return reachedLimits.note(.channels)
            }
            channelCount -= connections[slot].channelCount
            channel.bearer = bearer(of: channel, slot)
            connections[slot].channels.channels.append(channel)
            channelCount += connections[slot].channelCount
        }
    }

    /// A bearer for a channel that carries ATT; nil for another. Bearers of closed channels are used again.
    private mutating func bearer(of channel: Channel, _ slot: Int) -> Int? {
        let kind: Bearer.Kind
        switch (channel.mode, channel.psm) {
        case (.creditBased, ProtocolMultiplexer.eatt): kind = .enhanced(channel.local.channel)
        case (.basic, ProtocolMultiplexer.att): kind = .classic
        default: return nil
        }
        var bearer = Bearer(kind)
        bearer.isMTUKnown = true
        if !connections[slot].isWhole { bearer.excuseWhatPrecedes() }
        let inUse = Set(connections[slot].channels.channels.compactMap(\.bearer))
        let free = connections[slot].bearers.indices.dropFirst().first { !inUse.contains($0) }
        let index = free ?? connections[slot].bearers.count
        if free == nil {
            connections[slot].bearers.append(bearer)
        } else {
            connections[slot].bearers[index] = bearer
        }
        setMTU(min(channel.local.mtu, channel.remote.mtu), index, slot)
        return index
    }

    /// Sets the limits at the end of `side`.
    private mutating func set(_ limits: ChannelTable.Limits, of end: L2CAPChannel, at side: Direction, _ slot: Int) {
        guard let index = connections[slot].channels.index(of: end, sentBy: side.opposite) else { return }
        connections[slot].channels.channels[index][towards: side.opposite].mtu = limits.mtu
        connections[slot].channels.channels[index][towards: side.opposite].mps = limits.mps
        let channel = connections[slot].channels.channels[index]
        if let bearer = channel.bearer {
            setMTU(min(channel.local.mtu, channel.remote.mtu), bearer, slot)
        }
    }

    /// Closes the channel that has this end on `side`.
    private mutating func close(_ end: L2CAPChannel, at side: Direction, _ slot: Int) {
        guard let index = connections[slot].channels.index(of: end, sentBy: side.opposite) else { return }
        channelCount -= connections[slot].channelCount
        connections[slot].channels.channels.remove(at: index)
        channelCount += connections[slot].channelCount
    }

    // MARK: Data

    /// Whether it carries the media of a stream, whose signalling has the channel that was opened first. AVDTP, 5.4.
    public func isMedia(_ sdu: ChannelSDU, ofConnection slot: Int) -> Bool {
        guard sdu.psm == ProtocolMultiplexer.avdtp, sdu.credits == nil else { return false }
        return connections[slot].channels.channels.first { $0.psm == sdu.psm }?.local.channel != sdu.localChannel
    }

    /// Whether the frame is of a dynamic channel that carries attributes.
    public func isBearer(_ frame: L2CAPFrame, ofConnection slot: Int?, _ side: Direction) -> Bool {
        guard let slot, let index = connections[slot].channels.index(of: frame.channel, sentBy: side) else {
            return false
        }
        return Self.isAttributePSM(connections[slot].channels.channels[index].psm)
    }

    fileprivate static func isAttributePSM(_ psm: UInt16) -> Bool {
        psm == ProtocolMultiplexer.att || psm == ProtocolMultiplexer.eatt
    }

    /// A frame of a dynamic channel. One whose opening was not captured stays a frame.
    mutating func decodeChannel<Sink: EventSink & ~Copyable>(
        _ frame: L2CAPFrame, _ slot: Int, frames: [Int], _ context: PDUContext, into sink: inout Sink
    ) {
        guard let index = connections[slot].channels.index(of: frame.channel, sentBy: context.side) else { return }
        let side = context.side
        let payload = frame.payload
        guard connections[slot].channels.channels[index].mode == .creditBased else {
            let sdu = sdu(payload, missing: frame.missing, index, slot, side)
            return deliver(sdu, index, slot, frames: frames, context, into: &sink)
        }
        var context = context
        connections[slot].channels.takeCredit(index, sentBy: side, at: context.moment)

        if !connections[slot].channels.channels[index][towards: side].sdu.isActive {
            guard payload.count >= 2 else {
                let error = WireError(
                    .l2cap, "SDU length incomplete", need: 2, have: payload.count, limit: .l2capLength)
                return emitUnreadable(context, slot, frames: frames, error, missing: frame.missing, into: &sink)
            }
            let length = Int(payload.uint16(at: 0))
            let part = payload.dropFirst(2)
            if part.count + frame.missing >= length {
                reportExcess(part.count + frame.missing, length, slot, frames, context, into: &sink)
                let missing = max(0, length - part.count)
                let sdu = sdu(
                    part.prefix(length), longestFrame: payload.count + frame.missing,
                    excess: part.count + frame.missing - length, missing: missing, index, slot, side)
                context.l2capHeaders = L2CAPFrame.headerLength + 2
                return deliver(sdu, index, slot, frames: frames, context, into: &sink)
            }
            let isKept = connections[slot].channels.hasRoom(for: length)
            if !isKept {
                let error = WireError(
                    .l2cap, "limit of unfinished SDUs reached: this one is left out", need: length,
                    have: ChannelTable.octetLimit, limit: .sduLength)
                emitUnreadable(context, slot, frames: frames, error, missing: 0, into: &sink)
            }
            connections[slot].channels.channels[index][towards: side].sdu.begin(length: length, isKept: isKept)
            connections[slot].channels.channels[index][towards: side].sdu.add(
                part, header: 2, missing: frame.missing, frames: frames, frame: context.frame)
            hold(part.count + max(1, frames.count) * Self.frameNumberSize, context, into: &sink)
            return
        }

        connections[slot].channels.channels[index][towards: side].sdu.add(
            payload, missing: frame.missing, frames: frames, frame: context.frame)
        // The SDU is taken out while it is decoded, because decoding changes the connection it lies in.
        var sdu = ServiceDataUnit()
        swap(&sdu, &connections[slot].channels.channels[index][towards: side].sdu)
        let length = sdu.length
        let isComplete = sdu.received >= length
        if isComplete && sdu.isKept {
            reportExcess(sdu.received, length, slot, sdu.frames, context, into: &sink)
            let bytes = Bytes(sdu.buffer.span).prefix(length)
            context.l2capHeaders = L2CAPFrame.headerLength * sdu.frameCount + 2
            let whole = self.sdu(
                bytes, longestFrame: sdu.longestFrame, excess: sdu.received - length, missing: length - bytes.count,
                index,
                slot, side)
            deliver(whole, index, slot, frames: sdu.frames, context, into: &sink)
        }
        if isComplete { sdu.end() }
        swap(&sdu, &connections[slot].channels.channels[index][towards: side].sdu)
        if !isComplete {
            hold(payload.count + max(1, frames.count) * Self.frameNumberSize, context, into: &sink)
        }
    }

    private func reportExcess<Sink: EventSink & ~Copyable>(
        _ have: Int, _ length: Int, _ slot: Int, _ frames: [Int], _ context: PDUContext, into sink: inout Sink
    ) {
        guard have > length else { return }
        let error = WireError(.l2cap, "octets after the end of the SDU", need: length, have: have, limit: .sduLength)
        emitFault(context, slot, frames: frames, error, missing: 0, into: &sink)
    }

    /// The report of an SDU of the channel with this index.
    @_lifetime(copy bytes)
    private func sdu(
        _ bytes: Bytes, longestFrame: Int = 0, excess: Int = 0, missing: Int, _ index: Int, _ slot: Int,
        _ side: Direction
    ) -> ChannelSDU {
        let isCreditBased = connections[slot].channels.channels[index].mode == .creditBased
        return ChannelSDU(
            psm: connections[slot].channels.channels[index].psm,
            isAskedByHost: connections[slot].channels.channels[index].isAskedByHost,
            localChannel: connections[slot].channels.channels[index].local.channel,
            remoteChannel: connections[slot].channels.channels[index].remote.channel,
            credits: isCreditBased ? connections[slot].channels.channels[index][towards: side].credits.left : nil,
            mtu: connections[slot].channels.channels[index][towards: side].mtu,
            mps: connections[slot].channels.channels[index][towards: side].mps, longestFrame: longestFrame,
            excess: excess,
            missing: missing, bytes: bytes)
    }

    private mutating func deliver<Sink: EventSink & ~Copyable>(
        _ sdu: ChannelSDU, _ index: Int, _ slot: Int, frames: [Int], _ context: PDUContext, into sink: inout Sink
    ) {
        emit(context, slot, frames: frames, .sdu(sdu), into: &sink)
        guard let bearer = connections[slot].channels.channels[index].bearer else { return }
        var context = context
        context.bearer = bearer
        decodeATT(sdu.bytes, missing: sdu.missing, slot, frames: frames, context, into: &sink)
    }
}

extension ChannelSDU {
    /// Its octets are an ATT PDU.
    public var carriesAttributes: Bool { Trace.isAttributePSM(psm) }
}

extension L2CAPChannelList {
    fileprivate var all: [L2CAPChannel] { (0..<count).map { self[$0] } }
}

import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasWire

/// How well the link is used.
extension LintCollector {
    private static let bulkPDUs = 100
    private static let latePDUs = 20
    private static let bulkWrites = 50
    private static let settling: Int64 = 30_000_000_000

    mutating func check(
        _ sdu: borrowing ChannelSDU, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard sdu.credits != nil else { return }
        met.insert(.channels)
        // Octets after its end are a fault, which is reported as such.
        guard let breach = sdu.breach else { return }
        if case .excess = breach { return }
        report(
            .longSDU, Moment(event), place(slot, event.direction, in: trace),
            "\(event.direction == .tx ? "Sent" : "Received"): \(breach.words), on the channel of PSM 0x\(hexadecimal(sdu.psm))."
        )
    }

    mutating func checkTransfer(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let mtu = trace.connections[slot].bearers[0].mtu
        guard operation.bearer == .unenhanced, watches[slot].isMTUKnown, event.direction != .unknown else {
            return
        }
        let server = operation.server
        let length = operation.pdu.bytes.count
        let isValueSent =
            switch operation.pdu {
            case .writeRequest, .writeCommand, .prepareWriteRequest, .readBlobResponse, .handleValueNotification,
                .handleValueIndication:
                true
            default: false
            }
        if isValueSent { watches[slot].valueOctets += length }
        if isValueSent, length == 23, mtu == 23 {
            if event.direction == .tx {
                watches[slot][server].smallestPDUs.sent += 1
            } else {
                watches[slot][server].smallestPDUs.received += 1
            }
        }
        // With the L2CAP header, and nothing longer agreed on so far.
        let longest = trace.connections[slot].dataLength
        // On the air it is seen how many packets a PDU took.
        if isValueSent, length + 4 > 27, !trace.connections[slot].isHeard || event.frames.count > 1 {
            if event.direction == .tx, longest?.maxTxOctets ?? 27 <= 27 {
                watches[slot][server].splitPDUs.sent += 1
            } else if event.direction == .rx, longest?.maxRxOctets ?? 27 <= 27 {
                watches[slot][server].splitPDUs.received += 1
            }
        }
        if case .handleValueNotification = operation.pdu { noteStream(slot, server, event, in: trace) }
        if case .writeRequest = operation.pdu { noteRun(operation, isFull: length == mtu, slot, event, in: trace) }
        notePreferred(operation, slot, event, in: trace)
    }

    private static let bulkOctets = 100_000
    private static let streamLength = 200
    /// LE 2M PHY in the features. Vol 6, Part B, 4.6.
    static let doubleRate: UInt64 = 1 << 8

    /// Notifications of a peripheral that come faster than it may be silent.
    private mutating func noteStream(
        _ slot: Int, _ server: ServerSide, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let parameters = trace.connections[slot].parameters, parameters.latency > 0,
            trace.connections[slot].isCentral == (server == .peer)
        else { return }
        let silence = Int64(parameters.effectiveIntervalMicroseconds) * 1_000
        guard let stream = watches[slot].stream, event.time.nanoseconds(since: stream.last) < silence else {
            watches[slot].stream = (1, event.frame, event.time)
            return
        }
        watches[slot].stream = (stream.count + 1, stream.frame, event.time)
        guard stream.count + 1 == Self.streamLength else { return }
        report(
            .latencyInStream, Moment(event), related: [stream.frame], place(slot, event.direction, in: trace),
            "\(Self.streamLength) notifications since frame \(stream.frame), each within "
                + "\(seconds(silence)); \(WantedParameters(parameters).words).")
    }

    /// Notes the features of both controllers.
    mutating func noteFeatures(_ features: UInt64, isOfPeer: Bool, _ slot: Int) {
        if isOfPeer { watches[slot].peerFeatures = features } else { watches[slot].ownFeatures = features }
        if watches[slot].peerFeatures != nil, watches[slot].ownFeatures != nil { met.insert(.features) }
    }

    private mutating func checkPHY(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        let octets = watches[slot].valueOctets
        guard octets >= Self.bulkOctets, watches[slot].isComplete,
            let features = watches[slot].peerFeatures, let own = watches[slot].ownFeatures,
            features & own & Self.doubleRate != 0, trace.connections[slot].transmitPHY ?? 1 == 1,
            trace.connections[slot].receivePHY ?? 1 == 1
        else { return }
        report(
            .slowPHY, moment, place(slot, in: trace),
            "\(octets) octets of PDUs with values, all on LE 1M.")
    }

    /// One connection by itself: packets of others in flight are not counted.
    private mutating func checkBuffers(_ slot: Int, _ time: Timestamp, in trace: borrowing Trace) {
        let connection = trace.connections[slot]
        guard watches[slot].isComplete, connection.buffers.completed > 0,
            let count = trace.controller(ofConnection: slot).buffers(for: connection.transport)
        else { return }
        met.insert(.buffers)
        // The log may lack reports of completed packets.
        guard connection.buffers.mostInFlight > count, connection.buffers.inFlight <= count else { return }
        report(
            .buffersExceeded, Moment(frame: connection.buffers.fullestFrame, time: time), place(slot, .tx, in: trace),
            "\(connection.buffers.mostInFlight) packets were in flight, and the controller holds \(count).")
    }

    private mutating func noteRun(
        _ operation: borrowing ATTOperation, isFull: Bool, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard isFull, let handle = operation.handle,
            operation.attribute?.declaredProperties?.contains(.writeWithoutResponse) == true
        else {
            watches[slot][operation.server].run = nil
            return
        }
        var run = watches[slot][operation.server].run ?? (handle, 0, event.frame)
        if run.handle != handle { run = (handle, 0, event.frame) }
        run.count += 1
        watches[slot][operation.server].run = run
        guard run.count == Self.bulkWrites else { return }
        report(
            .writeRequestsInBulk, Moment(event), related: [run.frame], place(of: operation, slot, event, in: trace),
            "\(run.count) Write Requests in a row since frame \(run.frame), each filled to the MTU.")
    }

    /// Peripheral Preferred Connection Parameters, as the peripheral's server gives them.
    private mutating func notePreferred(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let isCentral = trace.connections[slot].isCentral, isCentral == (operation.server == .peer) else {
            return
        }
        switch operation.pdu {
        case .readResponse:
            guard let type = operation.attribute?.type, trace.uuids[type] == .peripheralPreferredConnectionParameters,
                let value = operation.profileValue(in: trace)
            else { return }
            notePreferred(value, operation.server, slot, event)
        case .readByTypeResponse(let pdu):
            guard let type = operation.request?.attributeType,
                trace.uuids[type] == .peripheralPreferredConnectionParameters, pdu.list.count > 0
            else { return }
            notePreferred(pdu.value(0), operation.server, slot, event)
        default: break
        }
    }

    private mutating func notePreferred(
        _ value: Bytes, _ server: ServerSide, _ slot: Int, _ event: borrowing Event
    ) {
        guard value.count == 8 else { return }
        let (low, high) = (value.uint16(at: 0), value.uint16(at: 2))
        // The largest number stands for no specific minimum or maximum.
        guard low == .max || high == .max || low <= high else { return }
        met.insert(.preferred)
        watches[slot][server].preferred = (
            (low == .max ? 0 : low)...high, event.frame, event.time
        )
    }

    mutating func check(
        _ signal: L2CAPSignal, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        met.insert(.signals)
        if signal.identifier == 0 {
            report(
                .zeroIdentifier, Moment(event), place(slot, event.direction, in: trace),
                "\(signal.name) with the identifier 0x00.")
        }
        guard let parameters = try? L2CAPSignalParameters(signal) else { return }
        switch parameters {
        case .connectionParameterUpdateRequest(let request):
            check(request, slot, event, in: trace)
        case .connectionParameterUpdateResponse(let response):
            met.insert(.requests)
            guard response.result == 1 else { return }
            report(
                .parametersRefused, Moment(event), place(slot, event.direction, in: trace),
                "Connection Parameter Update Response: rejected.")
        default: break
        }
    }

    /// The MTU was exchanged.
    mutating func checkLateMTU(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard watches[slot].isComplete else { return }
        for server in ServerSide.allCases {
            let counts = watches[slot][server].smallestPDUs
            let count = counts.sent + counts.received
            guard count >= Self.latePDUs else { continue }
            report(
                .lateMTU, Moment(event), place(slot, server: server, in: trace),
                "\(count) PDUs were filled to the MTU of 23 octets before this exchange.")
        }
    }

    /// With the parameters in force at the end: while they change, they need not fit.
    private mutating func checkDataTime(_ slot: Int, in trace: borrowing Trace) {
        guard watches[slot].isComplete, let changed = watches[slot].dataLengthChanged,
            let length = trace.connections[slot].dataLength
        else {
            return
        }
        for direction in [Direction.tx, .rx] {
            guard let phy = trace.connections[slot].phy(direction) else { continue }
            met.insert(.dataLengths)
            let isSent = direction == .tx
            let octets = Int(isSent ? length.maxTxOctets : length.maxRxOctets)
            let effective = length.effectiveOctets(direction, phy: phy)
            guard effective < octets else { continue }
            report(
                .shortDataTime, changed, place(slot, direction, in: trace), field: isSent ? 0 : 1,
                "\(isSent ? "Sent" : "Received") packets have up to \(octets) octets and \(isSent ? length.maxTxTime : length.maxRxTime) µs: "
                    + "LE \(phy)M has time for \(effective) octets.")
        }
    }

    mutating func closeTransfers(_ slot: Int, _ moment: Moment, in trace: borrowing Trace) {
        checkPHY(slot, moment, in: trace)
        checkBuffers(slot, moment.time, in: trace)
        checkDataTime(slot, in: trace)
        for server in ServerSide.allCases {
            let counts = watches[slot][server].smallestPDUs
            for (count, direction) in [(counts.sent, Direction.tx), (counts.received, .rx)]
            where count >= Self.bulkPDUs {
                report(
                    .smallMTU, moment, place(slot, direction, server: server, in: trace),
                    "\(count) PDUs were filled to the MTU of 23 octets.")
            }
            let split = watches[slot][server].splitPDUs
            for (count, direction) in [(split.sent, Direction.tx), (split.received, .rx)]
            where count >= Self.bulkPDUs
                && (trace.connections[slot].isHeard
                    || watches[slot].isComplete && reportsDataLength.contains(trace.connections[slot].controller))
            {
                report(
                    .noDataLengthExtension, moment, place(slot, direction, server: server, in: trace),
                    "\(count) PDUs were sent in packets of 27 octets.")
            }
            guard let preferred = watches[slot][server].preferred,
                let interval = trace.connections[slot].parameters?.interval,
                !preferred.interval.contains(interval),
                moment.time.nanoseconds(since: preferred.time) >= Self.settling
            else { continue }
            let (low, high) = (preferred.interval.lowerBound, preferred.interval.upperBound)
            report(
                .preferredParameters, moment, related: [preferred.frame], place(slot, server: server, in: trace),
                "The interval is \(milliseconds(interval)); the preferred range is \(milliseconds(low)) to "
                    + "\(high == .max ? "any" : milliseconds(high)).")
        }
    }
}

import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Transactions of one side over one bearer, none of which overlap.
struct TransactionLane {
    let bearer: Bearer.Kind
    /// Direction of the requests.
    let side: Direction
    let track: UInt64
    /// When the last slice ended.
    var end: UInt64 = 0
}

/// The text of a request or an indication that waits, for the slice that ends with its answer.
struct AskedText {
    let frame: Int
    let content: TextBuffer
}

/// Where values with numbers come from.
struct CounterPlace: Hashable {
    let server: ServerSide
    let handle: AttributeHandle
}

/// The numbers of one field.
struct ValueCounter {
    let name: String
    let unit: String?
    let track: UInt64
}

extension TrackWriter {
    /// Limits for one attribute, and for a capture; the numbers of further fields have no track.
    private static let (counterLimit, allCounterLimit) = (16, 16_384)
    /// Limit for one side over one bearer: more overlap only when a clock went back.
    private static let laneLimit = 8
    /// Limit for a connection. Beyond it, bearers share lanes.
    private static let allLaneLimit = 256
    /// Limit for a connection. Beyond it, slices have no request.
    private static let askedLimit = 256

    mutating func write(
        _ operation: ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let content = text.content(of: operation, event, in: trace)
        switch operation.opcode.definition?.kind {
        case .request, .indication: wait(operation, content, slot, event, in: trace)
        case .response, .confirmation: writeTransaction(operation, content, slot, event, in: trace)
        case .notification, .command, nil: writeStream(operation, content, slot, event, in: trace)
        }
        writeCounters(slot, event, in: trace)
    }

    /// A value joined from several PDUs, at the last of them.
    mutating func write(
        _ value: AssembledValue, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        writeCounters(slot, event, in: trace)
    }

    // MARK: Transactions

    private mutating func wait(
        _ operation: ATTOperation, _ content: borrowing TextBuffer, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard content.count > 0, let count = links[slot]?.asked.count, count < Self.askedLimit else { return }
        links[slot]?.asked.append(AskedText(frame: event.frame, content: copy content))
    }

    private mutating func takeAsked(_ slot: Int, _ frame: Int) -> TextBuffer? {
        guard let place = links[slot]?.asked.firstIndex(where: { $0.frame == frame }) else { return nil }
        return links[slot]?.asked.remove(at: place).content
    }

    private mutating func writeTransaction(
        _ operation: ATTOperation, _ content: borrowing TextBuffer, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard let request = operation.request, let roundTrip = request.roundTrip else {
            return writeStream(operation, content, slot, event, in: trace)
        }
        let side = event.direction.opposite
        let asked = takeAsked(slot, request.frame)
        transactions += 1
        let end = event.time.nanoseconds(since: .epoch)
        let times = UInt64(max(0, end.subtracting(roundTrip)))...UInt64(max(0, end))
        guard let track = lane(slot, operation.bearer, side, times) else { return }
        writeSlice(track, times) { writer in
            writer.writeName("transaction", request.opcode, operation.handle, operation.attribute, in: trace)
            writer.packets.annotate("request_frame", request.frame)
            writer.packets.annotate("frame", event.frame)
            if let asked { writer.packets.annotate("request", asked) }
            if content.count > 0 { writer.packets.annotate("response", content) }
            if case .errorResponse(let pdu) = operation.pdu {
                writer.packets.annotate(
                    "error",
                    display: writer.text.values.errorName(pdu.errorCode, operation.attribute, in: trace))
            }
        }
    }

    /// A request or an indication that ended without its answer.
    mutating func write(_ end: ExchangeEnd, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        let content = takeAsked(slot, end.asked.frame)
        let start = Self.nanoseconds(end.asked.time)
        let times = start...max(start, Self.nanoseconds(event.time))
        guard let track = lane(slot, end.bearer, end.asked.asker, times) else { return }
        let category: StaticString
        switch end.outcome {
        case .unanswered: category = "unanswered"
        case .open: category = "open"
        case .overlapped, .doubtful: category = "doubtful"
        }
        let attribute = end.asked.handle.flatMap { trace.attribute($0, server: end.server, connection: slot) }
        writeSlice(track, times) { writer in
            writer.writeName(category, end.asked.opcode, end.asked.handle, attribute, in: trace)
            writer.packets.annotate("request_frame", end.asked.frame)
            if let content { writer.packets.annotate("request", content) }
        }
    }

    mutating func writeSlice(_ track: UInt64, _ times: ClosedRange<UInt64>, _ write: (inout Self) -> Void) {
        packets.begin(.begin, track, at: times.lowerBound)
        write(&self)
        packets.end()
        packets.begin(.end, track, at: times.upperBound)
        packets.end()
    }

    /// The first lane that is free.
    private mutating func lane(
        _ slot: Int, _ bearer: Bearer.Kind, _ side: Direction, _ times: ClosedRange<UInt64>
    ) -> UInt64? {
        var (count, isFull) = (0, false)
        var free: Int?
        if let lanes = links[slot]?.lanes {
            isFull = lanes.count >= Self.allLaneLimit
            for (place, lane) in lanes.enumerated() where lane.side == side && (lane.bearer == bearer || isFull) {
                count += 1
                guard lane.end <= times.lowerBound else { continue }
                free = place
                break
            }
        }
        if let free {
            links[slot]?.lanes[free].end = times.upperBound
            return links[slot]?.lanes[free].track
        }
        guard count < Self.laneLimit, !isFull, let link = links[slot], let track = links[slot]?.child() else {
            return nil
        }
        links[slot]?.lanes.append(TransactionLane(bearer: bearer, side: side, track: track, end: times.upperBound))
        packets.describe(track, in: link.track, rank: 1) { name in
            name.append("Requests")
            name.append(side, isHeard: link.isHeard)
            switch bearer {
            case .unenhanced: break
            case .classic: name.append(", BR/EDR")
            case .enhanced(let channel):
                name.append(", EATT 0x")
                name.append(hex: channel.rawValue, digits: 4, uppercase: true)
            }
            if count > 0 { name.append(" (\(count + 1))") }
        }
        return track
    }

    /// `Read Battery Level`; for a search over handles, only its kind.
    private mutating func writeName(
        _ category: StaticString, _ opcode: ATTOpcode, _ handle: AttributeHandle?, _ attribute: AttributeInfo?,
        in trace: borrowing Trace
    ) {
        text.piece.removeAll()
        if let definition = opcode.definition {
            let isAnswer = definition.kind == .response || definition.kind == .confirmation
            text.piece.append(isAnswer ? definition.name : definition.shortName)
        } else {
            text.piece.append("PDU of opcode \(hex: opcode.rawValue, digits: 2)")
        }
        if let attribute, !opcode.takesRange {
            text.piece.append(" ")
            text.piece.append(display: name(of: attribute, in: trace))
        } else if let handle, !opcode.takesRange {
            text.piece.append(" handle \(hex: handle)")
        }
        packets.name(category, text.piece)
    }

    private mutating func name(of attribute: AttributeInfo, in trace: borrowing Trace) -> String {
        guard let characteristic = attribute.characteristic else {
            return text.values.name(attribute.type, .characteristic, in: trace)
        }
        let name = text.values.name(characteristic, .characteristic, in: trace)
        guard attribute.role == .descriptor else { return name }
        return "\(name) › \(text.values.name(attribute.type, .descriptor, in: trace))"
    }

    // MARK: PDUs without an answer

    private mutating func writeStream(
        _ operation: ATTOperation, _ content: borrowing TextBuffer, _ slot: Int, _ event: borrowing Event,
        in trace: borrowing Trace
    ) {
        guard let track = stream(slot, event.direction) else { return }
        packets.begin(.instant, track, at: Self.nanoseconds(event.time))
        writeName("value", operation.opcode, operation.handle, operation.attribute, in: trace)
        packets.annotate("frame", event.frame)
        if content.count > 0 { packets.annotate("value", content) }
        packets.end()
    }

    private mutating func stream(_ slot: Int, _ direction: Direction) -> UInt64? {
        if let known = links[slot]?.streams[direction] { return known }
        guard let link = links[slot], let track = links[slot]?.child() else { return nil }
        links[slot]?.streams[direction] = track
        packets.describe(track, in: link.track, rank: 2) { name in
            name.append("Notifications and commands")
            name.append(direction, isHeard: link.isHeard)
        }
        return track
    }

    // MARK: Numbers

    private mutating func writeCounters(_ slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let server = event.server else { return }
        event.forEachAttribute(in: trace) { value in
            if let handle = value.handle, let attribute = value.attribute {
                writeCounters(value, CounterPlace(server: server, handle: handle), attribute, slot, event, in: trace)
            }
            return true
        }
    }

    private mutating func writeCounters(
        _ value: borrowing AttributeValue, _ place: CounterPlace, _ attribute: AttributeInfo, _ slot: Int,
        _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let reading = text.values.read(value, in: trace), reading.isDissected else { return }
        let dissector = reading.dissector
        let time = Self.nanoseconds(event.time)
        for index in 0..<text.values.dissection.count {
            let field = text.values.dissection[index]
            guard field.field != DissectedField.unexplainedOctets, dissector.isMeasurement(field) else { continue }
            let definition = dissector.fields[Int(field.field)]
            guard definition.type != .secret, let number = dissector.number(of: field)?.double, number.isFinite,
                let track = counter(definition, place, attribute, slot, in: trace)
            else { continue }
            packets.count(number, track, at: time)
        }
    }

    private mutating func counter(
        _ field: FieldDescription, _ place: CounterPlace, _ attribute: AttributeInfo, _ slot: Int,
        in trace: borrowing Trace
    ) -> UInt64? {
        let known = links[slot]?.counters[place] ?? []
        // Fields of one name are alternatives, such as the same quantity in one octet or in two.
        if let counter = known.first(where: { $0.name == field.name && $0.unit == field.unit }) { return counter.track }
        guard known.count < Self.counterLimit, counters < Self.allCounterLimit, let parent = links[slot]?.track,
            let track = links[slot]?.child()
        else { return nil }
        links[slot]?.counters[place, default: []].append(
            ValueCounter(name: field.name, unit: field.unit, track: track))
        let owner = name(of: attribute, in: trace)
        packets.describe(track, in: parent, rank: 3, isCounter: true, unit: field.unit) { name in
            if owner != field.name {
                name.append(display: owner)
                name.append(": ")
            }
            name.append(display: field.name)
        }
        counters += 1
        return track
    }
}

extension TextBuffer {
    /// Who sends in this direction.
    fileprivate mutating func append(_ direction: Direction, isHeard: Bool) {
        switch direction {
        case .tx: append(isHeard ? " by the central" : " by the host")
        case .rx: append(isHeard ? " by the peripheral" : " by the peer")
        case .unknown: break
        }
    }
}

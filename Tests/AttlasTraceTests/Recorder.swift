import AttlasCapture
import AttlasWire

@testable import AttlasTrace

/// A sink that keeps each event as one line that begins with the event's kind and its frame.
struct Recorder: EventSink {
    private(set) var lines: [String] = []

    /// The lines of these kinds, or all but L2CAP frames and HCI packets.
    func lines(_ kinds: String...) -> [String] {
        lines.filter { line in
            let kind = line.prefix { $0 != " " }
            return kinds.isEmpty ? !["l2cap", "command", "event", "air"].contains(kind) : kinds.contains(String(kind))
        }
    }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        // ExchangeEndTests has these.
        switch event.detail {
        case .exchange, .updateUnanswered: return
        default: break
        }
        var parts = [kind(event), "\(event.frame)"]
        let detail = describe(event, in: trace)
        if !detail.isEmpty { parts.append(detail) }
        if !event.frames.isEmpty { parts.append("frames=\(list(event.frames))") }
        lines.append(parts.joined(separator: " "))
    }

    private func kind(_ event: borrowing Event) -> String {
        switch event.detail {
        case .loss: "loss"
        case .clockStep: "clock"
        case .fault: "fault"
        case .limit: "limit"
        case .command: "command"
        case .hciEvent: "event"
        case .data: "data"
        case .monitor: "monitor"
        case .packetLogger: "packet logger"
        case .advertising: "advertising"
        case .periodic: "periodic"
        case .stream: "stream"
        case .air: "air"
        case .missed: "missed"
        case .connection: "connection"
        case .l2cap: "l2cap"
        case .signal: "signal"
        case .sdu: "sdu"
        case .smp: "smp"
        case .att: "att"
        case .exchange: "exchange"
        case .updateUnanswered: "update"
        case .mtu: "mtu"
        case .subscription: "subscription"
        case .assembled: "assembled"
        case .importedTable: "import"
        case .identified: "identified"
        }
    }

    private func describe(_ event: borrowing Event, in trace: borrowing Trace) -> String {
        switch event.detail {
        case .loss(let count): return "\(count)"
        case .clockStep(let step): return "\(step)"
        case .fault(.wire(let error)): return describe(error)
        case .fault(.capture(let fault)): return fault.reason
        case .limit(let limit, let number): return "\(limit.rawValue) \(number)"
        case .command(let command): return word(Int(command.opcode.rawValue))
        case .hciEvent(let event): return word(Int(event.code.rawValue) << 8 | Int(event.subeventCode ?? 0))
        case .data(let data):
            return
                "type \(data.type) handle \(data.connectionHandle.map { word(Int($0)) } ?? "-") length \(data.length)"
        case .monitor(let opcode, let bytes): return "\(opcode) length \(bytes.count)"
        case .packetLogger(let type, let bytes): return "\(type.rawValue) length \(bytes.count)"
        case .advertising(let report):
            return "\(report.address.map { "\($0)" } ?? "-") \(report.data.localName?.text ?? "-")"
                + (report.isTruncated ? " truncated \(digits(report.data.bytes))" : "")
        case .periodic(let report): return describe(report)
        case .stream(let change): return describe(change, event.connection)
        case .air(let packet): return "\(arrow(event)) \(describe(packet)) \(packet.disposition.rawValue)"
        case .missed(let missed): return "\(arrow(event)) central \(missed.central) peripheral \(missed.peripheral)"
        case .connection(let change): return describe(change, event.connection, in: trace)
        case .l2cap(let frame):
            return "\(arrow(event)) channel \(word(Int(frame.channel.rawValue))) \(digits(frame.payload))"
        case .signal(let signal): return "\(arrow(event)) \(signal.name)"
        case .sdu(let sdu):
            return "\(arrow(event)) psm \(word(Int(sdu.psm))) \(word(Int(sdu.localChannel.rawValue)))"
                + " \(word(Int(sdu.remoteChannel.rawValue))) credits \(sdu.credits.map { "\($0)" } ?? "-")"
                + " \(digits(sdu.bytes))"
        case .smp(let pdu): return "\(arrow(event)) \(pdu.name)"
        case .att(let operation): return describe(operation, arrow(event), event.connection!, in: trace)
        case .updateUnanswered(let request, _): return "\(request.frame)"
        case .exchange(let end): return "\(end.asked.frame)"
        case .mtu(let exchange):
            return "client \(exchange.client) server \(exchange.server) in force \(exchange.inForce)"
        case .subscription(let subscription):
            return "\(subscription.server) \(word(Int(subscription.handle))) \(path(subscription.attribute, in: trace))"
                + " = \(subscription.configuration)"
        case .identified(let identification):
            return
                "\(identification.privateAddress.map { "\($0)" } ?? "-") is \(trace.peerAddress(identification.peer)!)"
                + (identification.peer == identification.previous ? "" : " merged")
        case .importedTable(let change, let server):
            return (server == .local ? "local " : "") + describe(change, in: trace)
        case .assembled(let assembled):
            return "\(assembled.kind.rawValue) \(assembled.outcome) \(assembled.server) \(word(Int(assembled.handle)))"
                + " \(assembled.attribute.map { path($0, in: trace) } ?? "unknown") @\(assembled.offset)"
                + " \(digits(assembled.value)) of \(list(assembled.frames))"
        }
    }

    private func describe(_ report: PeriodicReport) -> String {
        let train = report.train
        let name =
            (train.isOwn ? "own " : "")
            + "\(train.number) \(train.address.map { "\($0)" } ?? "-") sid \(train.sid.map { "\($0)" } ?? "-")"
            + " interval \(train.interval.map { "\($0)" } ?? "-")"
        switch report.content {
        case .synchronized: return name + " synchronized"
        case .data(let data, let isTruncated):
            return name + " data \(digits(data.bytes))" + (isTruncated ? " truncated" : "")
        case .group(let group):
            return name + " streams \(group.streams) sdu \(group.sduInterval) \(group.maxSDU)"
                + (group.isEncrypted ? " encrypted" : "")
        case .lost: return name + " lost"
        case .enabled(let isEnabled): return name + (isEnabled ? " enabled" : " disabled")
        }
    }

    private func describe(_ change: StreamChange, _ slot: Int?) -> String {
        let link = slot.map { "on \($0)" } ?? "on none"
        switch change {
        case .established(let stream): return "\(stream.kind) \(word(Int(stream.handle))) \(link)"
        case .failed(let kind, let status): return "\(kind) failed \(word(Int(status.rawValue))) \(link)"
        case .ended(let stream, let reason):
            return "\(word(Int(stream.handle))) ended \(reason.map { word(Int($0.rawValue)) } ?? "-")"
        }
    }

    private func describe(_ change: ConnectionChange, _ index: Int?, in trace: borrowing Trace) -> String {
        var text = ""
        if let index {
            let connection = trace.connections[index]
            let link = connection.accessAddress.map { String($0, radix: 16) } ?? word(Int(connection.handle))
            text = "\(connection.number) \(link) "
        }
        switch change {
        case .made:
            let connection = trace.connections[index!]
            let role = connection.isCentral.map { $0 ? " central" : " peripheral" } ?? ""
            text += "made \(trace.peers[connection.peer].address!) \(connection.transport.rawValue)\(role)"
            if let parameters = connection.parameters { text += " \(describe(parameters))" }
        case .presumed: text += "presumed \(trace.connections[index!].transport.rawValue)"
        case .announced(let update): text += "announced \(describe(update))"
        case .notReached(let update): text += "not reached \(describe(update))"
        case .parametersUpdated: text += "parameters \(describe(trace.connections[index!].parameters!))"
        case .phyUpdated:
            text += "PHY \(trace.connections[index!].transmitPHY!) \(trace.connections[index!].receivePHY!)"
        case .dataLengthUpdated:
            let length = trace.connections[index!].dataLength!
            text += "data length \(length.maxTxOctets) \(length.maxTxTime) \(length.maxRxOctets) \(length.maxRxTime)"
        case .encryption(let enabled, let status):
            text += "encryption \(enabled) \(status.name)"
        case .decryption(let decryption): text += "decryption \(decryption)"
        case .constantNumbers(let party, let isFirst):
            text += "constant \(party.rawValue)\(isFirst ? "" : " again")"
        case .version(let version):
            text += "version \(version.version.rawValue) \(version.companyIdentifier) \(version.subversion)"
        case .features(let features): text += "features \(String(features, radix: 16))"
        case .channelMapUpdated(let map): text += "channels \(map.count)"
        case .unheard: text += "unheard"
        case .rejected(let opcode, let error): text += "rejected \(opcode?.name ?? "-"): \(error.name)"
        case .failed(let attempt):
            text += attempt.isCancelled ? "cancelled" : "failed \(attempt.status.name)"
            if let address = attempt.address { text += " \(address)" }
            if let duration = attempt.duration { text += " after \(duration / 1000)" }
        case .ended(.disconnected(let reason, let party)): text += "ended by \(party.rawValue): \(reason.name)"
        case .ended(.controller(let cause)): text += "ended: \(cause.rawValue)"
        case .ended(.reported(let status)): text += "ended \(status.words)"
        case .ended(.superseded): text += "superseded"
        }
        return text
    }

    private func describe(_ update: LinkUpdate) -> String {
        let change =
            switch update.change {
            case .parameters(let parameters): "parameters \(describe(parameters))"
            case .channelMap(let map): "channels \(map.count)"
            case .phy(let transmit, let receive):
                "PHY \(transmit.map { "\($0)" } ?? "-") \(receive.map { "\($0)" } ?? "-")"
            }
        return "\(change) at \(update.instant)"
    }

    private func describe(_ packet: AirPacket) -> String {
        switch packet.kind {
        case .advertising(let pdu): pdu.type.name(isPrimary: nil) ?? "-"
        case .data(let pdu): "data \(pdu.llid.rawValue) \(digits(pdu.payload))"
        case .control(let pdu): pdu.opcode.name ?? "-"
        case .other(.periodicAdvertising): "periodic advertising"
        case .other(.connectedIsochronous(let stream)):
            "CIS " + (stream.map { "\($0.group).\($0.stream) of \($0.connection)" } ?? "-")
        case .other(.broadcastIsochronous(let stream)):
            "BIS " + (stream.map { "\($0.number) of train \($0.train)" } ?? "-")
        case .other(.unknown): "unknown"
        case .unreadable: "unreadable"
        }
    }

    private func describe(_ change: ImportedTableChange, in trace: borrowing Trace) -> String {
        switch change {
        case .used(let attributes, let isPresumed): return "used \(attributes)\(isPresumed ? " presumed" : "")"
        case .outdated(let imported, let seen):
            return "outdated \(String(imported, radix: 16)) \(String(seen, radix: 16))"
        case .conflict(let handle, let imported, let seen):
            return "conflict \(word(Int(handle))) \(trace.uuids[imported]) seen \(trace.uuids[seen])"
        }
    }

    private func describe(_ parameters: Connection.Parameters) -> String {
        "\(parameters.interval)/\(parameters.latency)/\(parameters.supervisionTimeout)"
    }

    private func describe(_ operation: ATTOperation, _ arrow: String, _ connection: Int, in trace: borrowing Trace)
        -> String
    {
        var text = "\(arrow) \(octet(operation.opcode.rawValue)) \(operation.server.rawValue)"
        switch operation.bearer {
        case .unenhanced: break
        case .classic: text += " bredr"
        case .enhanced(let channel): text += " eatt:\(word(Int(channel.rawValue)))"
        }
        if trace.connections[connection].number != 1 { text += " connection \(trace.connections[connection].number)" }
        if let handle = operation.handle { text += " \(word(Int(handle)))" }
        if let attribute = operation.attribute {
            text += " \(path(attribute, in: trace)) \(attribute.knownFrom.rawValue)"
        }
        if let request = operation.request {
            text += " answers \(request.frame) after \(request.roundTrip.map { "\($0 / 1000)" } ?? "-")"
        }
        if operation.mayContinue { text += " more?" }
        if let fault = operation.fault { text += " ! \(describe(fault))" }
        return text
    }

    /// Service, characteristic and, if it is not the value, what else the attribute is.
    private func path(_ attribute: AttributeInfo, in trace: borrowing Trace) -> String {
        var parts: [UUIDIndex] = []
        if let service = attribute.service { parts.append(service) }
        if let characteristic = attribute.characteristic { parts.append(characteristic) }
        if attribute.role != .value { parts.append(attribute.type) }
        return parts.map { trace.uuids[$0].description }.joined(separator: "/")
    }

    private func describe(_ error: WireError) -> String {
        "\(error.layer.rawValue): \(error.reason), need \(error.need) have \(error.have) by \(error.limit.rawValue)"
    }

    private func arrow(_ event: borrowing Event) -> String {
        switch event.direction {
        case .tx: "tx"
        case .rx: "rx"
        case .unknown: "??"
        }
    }

    private func list(_ frames: Span<Int>) -> String {
        frames.indices.map { String(frames[$0]) }.joined(separator: ",")
    }
    private func digits(_ bytes: Bytes) -> String { bytes.copy().map(octet).joined() }
}

func octet(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true) }
func word(_ value: Int) -> String { octet(UInt8(value >> 8 & 0xFF)) + octet(UInt8(value & 0xFF)) }

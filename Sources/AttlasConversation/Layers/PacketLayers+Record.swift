import AttlasCapture
import AttlasDissection
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// A record, kept to be looked into when its event comes.
package struct KeptRecord {
    let frame: Int
    let time: Timestamp
    let direction: Direction
    let controller: UInt16
    let content: Record.Content
    let octets: [UInt8]
    let missing: Int

    package init(_ record: borrowing Record) {
        frame = record.frame
        time = record.time
        direction = record.direction
        controller = record.controller
        content = record.content
        octets = record.bytes.copy()
        missing = record.missing
    }
}

extension PacketLayers {
    /// The layers of a record, and of the event's data about it.
    package init(
        _ record: KeptRecord, _ event: borrowing Event, _ values: inout ValueInterpreter, in trace: borrowing Trace
    ) {
        self.init(record: record.octets)
        isWithheld = values.withholds(Bytes(record.octets.span), record.content, of: event, in: trace)
        addRecord(record, event)
        let octets = Bytes(record.octets.span)
        switch record.content {
        case .packet(.acl): addACL(octets, event, &values, in: trace)
        case .packet(.command):
            guard let command = try? HCICommand(octets) else { break }
            let parameters = HCIParameters(command, values.library)
            add(0, "HCI Command", 0..<octets.count) { $0.append(display: parameters.name ?? "Unknown") }
            add(1, "Opcode", 0..<2) { $0.append(code: command.opcode.rawValue, digits: 4) }
            add(1, "Parameter Total Length", 2..<3) { $0.append(decimal: command.parameterTotalLength) }
            add(parameters, base: HCICommand.headerLength)
        case .packet(.event):
            guard let hciEvent = try? HCIEvent(octets) else { break }
            let parameters = HCIParameters(hciEvent, values.library)
            add(0, "HCI Event", 0..<octets.count) { $0.append(display: parameters.name ?? "Unknown") }
            add(1, "Event Code", 0..<1) { $0.append(code: UInt16(octets[0]), digits: 2) }
            add(1, "Parameter Total Length", 1..<2) { $0.append(decimal: Int(octets[1])) }
            if let subevent = hciEvent.subeventCode {
                add(1, "Subevent Code", 2..<3) { $0.append(code: UInt16(subevent), digits: 2) }
            }
            add(parameters, base: 2)
        case .air(let radio): addAir(octets, radio, event, &values, in: trace)
        case .monitor(let opcode):
            let parameters = HCIParameters(monitorOpcode: opcode, octets, values.library)
            add(0, "Linux Monitor", 0..<octets.count) { $0.append(display: parameters.name ?? "Unknown") }
            add(parameters, base: 0)
        case .packet, .packetLogger, .unknownPacket, .broken: add(0, "Octets", 0..<octets.count)
        }
    }

    private mutating func addRecord(_ record: KeptRecord, _ event: borrowing Event) {
        add(0, "Record") {
            $0.append("frame ")
            $0.append(decimal: record.frame)
        }
        add(1, "Time") { $0.append(utc: record.time, separator: UInt8(ascii: " "), suffix: " UTC") }
        add(1, "Direction") {
            switch record.direction {
            case .tx: $0.append("sent")
            case .rx: $0.append("received")
            case .unknown: $0.append("not recorded")
            }
        }
        add(1, "Controller") { $0.append(decimal: record.controller) }
        add(1, "Length", 0..<record.octets.count) {
            $0.append(decimal: record.octets.count + record.missing)
            if record.missing > 0 {
                $0.append(" octets, of which the capture has ")
                $0.append(decimal: record.octets.count)
            } else {
                $0.append(" octets")
            }
        }
        if case .air(let radio) = record.content { addRadio(radio) }
        if isWithheld { add(1, "Octets") { $0.append(string: Self.withheldReason) } }
        if event.frames.count > 1 {
            add(1, "Assembled from") {
                $0.append("frames")
                for index in event.frames.indices {
                    $0.append(index == 0 ? " " : ", ")
                    $0.append(decimal: event.frames[index])
                }
            }
        }
        guard case .att(let operation) = event.detail, let request = operation.request else { return }
        add(1, "Answers") {
            $0.append("frame ")
            $0.append(decimal: request.frame)
            guard let roundTrip = request.roundTrip else { return }
            $0.append(" after ")
            $0.append(duration: roundTrip)
        }
    }

    mutating func add(
        _ parameters: borrowing HCIParameters, base: Int, depth: Int = 1, named name: StaticString = "Parameters"
    ) {
        guard parameters.hasLayout else {
            if parameters.octets.count > 0 { add(depth, "\(name)", base..<base + parameters.octets.count) }
            return
        }
        parameters.read { dissection, dissector, octets in
            add(dissection, of: dissector, octets, depth: depth, base: base, in: .record)
        }
    }

    // MARK: Data

    private mutating func addACL(
        _ octets: Bytes, _ event: borrowing Event, _ values: inout ValueInterpreter, in trace: borrowing Trace
    ) {
        guard let packet = try? ACLPacket(octets) else { return add(0, "HCI ACL Data", 0..<octets.count) }
        let data = ACLPacket.headerLength..<ACLPacket.headerLength + packet.data.count
        add(0, "HCI ACL Data", 0..<data.upperBound)
        add(1, "Connection Handle", 0..<2) { $0.append(code: packet.connectionHandle, digits: 3) }
        add(1, "Packet Boundary Flag", 1..<2) {
            switch packet.boundary {
            case .firstNonFlushable: $0.append("first, not flushable (0)")
            case .continuing: $0.append("continuing (1)")
            case .firstFlushable: $0.append("first, flushable (2)")
            case .complete: $0.append("complete PDU (3)")
            }
        }
        add(1, "Broadcast Flag", 1..<2) { $0.append(decimal: Int(packet.broadcastFlag)) }
        add(1, "Data Total Length", 2..<4) { $0.append(decimal: packet.dataTotalLength) }
        addL2CAP(octets, data, isStart: packet.boundary != .continuing, event, &values, in: trace)
    }

    mutating func addL2CAP(
        _ octets: Bytes, _ place: Range<Int>, isStart: Bool, _ event: borrowing Event,
        _ values: inout ValueInterpreter, in trace: borrowing Trace
    ) {
        if isStart, let frame = try? L2CAPFrame(octets.slice(place)) {
            add(0, "L2CAP", place)
            add(1, "PDU Length", place.lowerBound..<place.lowerBound + 2) { $0.append(decimal: frame.pduLength) }
            add(1, "Channel ID", place.lowerBound + 2..<place.lowerBound + 4) {
                $0.append(code: frame.channel.rawValue, digits: 4)
            }
        } else {
            add(0, "L2CAP fragment", place)
        }
        guard !addPDU(of: event, octets, place, &values, in: trace) else { return }
        // The remaining events about PDUs report the MTU that came into force.
        guard isStart, let frame = try? L2CAPFrame(octets.slice(place)) else { return }
        let base = place.lowerBound + L2CAPFrame.headerLength
        guard frame.channel == .attribute, frame.missing == 0 else {
            return add(1, "Payload", base..<base + frame.payload.count)
        }
        add(att: frame.payload, event, base: base, in: .record, &values, in: trace)
    }

    /// - Parameter place: of the frame in which the PDU ends; empty if its octets are not those of the record.
    /// - Returns: whether the event is about a PDU.
    @discardableResult
    mutating func addPDU(
        of event: borrowing Event, _ octets: Bytes, _ place: Range<Int>, _ values: inout ValueInterpreter,
        in trace: borrowing Trace
    ) -> Bool {
        switch event.detail {
        case .att(let operation):
            let (base, source) = self.place(of: operation.pdu.bytes, octets, place)
            add(att: operation.pdu.bytes, event, base: base, in: source, &values, in: trace)
        case .smp(let pdu):
            let (base, source) = self.place(of: pdu.bytes, octets, place)
            add(pdu, base, source)
        case .signal(let signal):
            let (base, source) = self.place(of: signal.bytes, octets, place)
            add(signal, base, source, values.library)
        default: return false
        }
        return true
    }

    /// Where a PDU is: at the end of the record if it is whole; otherwise its octets are kept.
    private mutating func place(of pdu: Bytes, _ octets: Bytes, _ place: Range<Int>) -> (Int, Source) {
        // The header of L2CAP, and the length of an SDU.
        for header in [4, 6] {
            let start = place.lowerBound + header
            guard start + pdu.count <= place.upperBound, octets.slice(start..<start + pdu.count).copy() == pdu.copy()
            else { continue }
            return (start, .record)
        }
        add(.pdu, pdu.copy())
        return (0, .pdu)
    }

    private mutating func add(_ pdu: SMPPDU, _ base: Int, _ source: Source) {
        let octets = pdu.bytes
        add(0, "Security Manager Protocol", base..<base + octets.count, in: source) { $0.append(string: pdu.name) }
        add(1, "Code", base..<base + 1, in: source) { $0.append(code: UInt16(octets[0]), digits: 2) }
        // In the order of the fields.
        let places: [Range<Int>]
        switch pdu {
        case .pairingRequest, .pairingResponse: places = [1..<2, 3..<4, 2..<3, 4..<5, 5..<6, 6..<7]
        case .identityAddressInformation: places = [2..<8, 1..<2]
        default: places = [1..<2]
        }
        if case .centralIdentification = pdu, octets.count >= 11 {
            add(1, "EDIV", base + 1..<base + 3, in: source) { $0.append(code: octets.uint16(at: 1), digits: 4) }
            add(1, "Rand", base + 3..<base + 11, in: source) { $0.append(octets: octets.slice(3..<11), limit: 8) }
            return
        }
        let fields = pdu.fields
        for (field, place) in zip(fields, places) {
            add(1, field.name.spaced, place.shifted(by: base), in: source) { $0.append(valueOf: field) }
        }
        if fields.isEmpty, octets.count > 1 {
            let isWithheld = isWithheld
            add(1, "Data", base + 1..<base + octets.count, in: source) {
                if isWithheld { $0.append("withheld") } else { $0.append(octets: octets.dropFirst(1), limit: 20) }
            }
        }
    }
}

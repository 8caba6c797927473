import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The packets between host and controller, which `--hci` adds.
extension ConversationText {
    mutating func writeHCI(_ event: borrowing Event, in trace: borrowing Trace) {
        // Shown by the advertisements in it.
        if case .hciEvent(let hci) = event.detail, hci.holdsAdvertising { return }
        if case .l2cap(let frame) = event.detail, frame.channel.isFixed { return }
        begin(event, in: trace)
        line.advance(to: event.connection == nil ? Column.peer : columns.method)
        piece.removeAll()
        append(event, in: trace)
        line.put(piece, .faint)
        line.endLine()
        writeHex(of: event, in: trace)
    }

    private mutating func append(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .command(let command):
            let parameters = HCIParameters(command, values.library)
            piece.append("HCI command ")
            piece.append(display: parameters.name ?? "Unknown", code: command.opcode.rawValue, digits: 4)
            piece.append(parameters, values)
        case .hciEvent(let event):
            let parameters = HCIParameters(event, values.library)
            piece.append("HCI event ")
            piece.append(display: parameters.name ?? event.unknownName)
            piece.append(parameters, values)
        case .data(let packet):
            piece.append(packetType: packet.type)
            if let handle = packet.connectionHandle {
                piece.append(" · handle 0x")
                piece.append(hex: handle, digits: 4, uppercase: true)
            }
            piece.append(" · ")
            piece.append(decimal: packet.length)
            piece.append(" octets")
        case .monitor(let opcode, let bytes):
            let parameters = HCIParameters(monitorOpcode: opcode, bytes, values.library)
            piece.append("monitor ")
            piece.append(display: parameters.name ?? "opcode \(opcode)")
            piece.append(parameters, values)
        case .packetLogger(let type, let bytes):
            piece.append("PacketLogger ")
            if let name = type.name { piece.append(name) } else { piece.append(hex: type.rawValue, digits: 2) }
            piece.append(" · ")
            if type.isText {
                piece.append(display: bytes)
            } else {
                piece.append(decimal: bytes.count)
                piece.append(" octets")
            }
        case .advertising(let report): append(report)
        case .periodic(let report): append(report)
        case .l2cap(let frame):
            piece.append("L2CAP · channel 0x")
            piece.append(hex: frame.channel.rawValue, digits: 4, uppercase: true)
            piece.append(" · ")
            piece.append(decimal: frame.pduLength)
            piece.append(" octets")
        case .sdu(let sdu):
            piece.append("SDU · PSM 0x")
            piece.append(hex: sdu.psm, digits: 4, uppercase: true)
            let isMedia = event.connection.map { trace.isMedia(sdu, ofConnection: $0) } ?? false
            let header = HCIParameters(sdu, isMedia: isMedia, values.library)
            if let name = header.name {
                piece.append(" ")
                piece.append(display: name)
            }
            piece.append(" · channel 0x")
            piece.append(hex: sdu.localChannel.rawValue, digits: 4, uppercase: true)
            piece.append(" · ")
            piece.append(decimal: sdu.bytes.count)
            piece.append(" octets")
            if let credits = sdu.credits {
                piece.append(" · ")
                piece.append(decimal: credits)
                piece.append(credits == 1 ? " credit left" : " credits left")
            }
            if header.hasLayout { piece.append(header, values) }
        default: break
        }
    }

    private mutating func append(_ report: AdvertisingReport) {
        if let pdu = report.pdu, let radio = report.radio {
            piece.append(string: radio.name(of: pdu))
        } else {
            piece.append(
                report.isInquiryResponse ? "inquiry response" : report.isScanResponse ? "scan response" : "advertising")
        }
        if let channel = report.radio?.channel {
            piece.append(" · channel ")
            piece.append(decimal: channel)
        }
        if let address = report.address {
            piece.append(" · ")
            piece.append(address)
            piece.append(" ")
            piece.append(string: address.kind.rawValue)
        }
        if let identity = report.identity {
            piece.append(" of ")
            piece.append(identity)
        }
        if let rssi = report.rssi {
            piece.append(" · ")
            piece.append(decimal: rssi)
            piece.append(" dBm")
        }
        if report.data.bytes.isEmpty { return }
        piece.append(" · ")
        piece.append(AdvertisedData(report.data, isTruncated: report.isTruncated), values)
        if report.isTruncated { piece.append(" · truncated") }
    }

    private mutating func append(_ report: PeriodicReport) {
        guard let data = report.airData else { return }
        piece.append("periodic advertising")
        if let address = report.train.address { piece.append(" · \(address) \(own: address.kind.rawValue)") }
        if let sid = report.train.sid { piece.append(" · SID \(sid)") }
        if let rssi = report.rssi { piece.append(" · \(rssi) dBm") }
        piece.append(" · ")
        piece.append(AdvertisedData(data), values)
    }
}

extension PeriodicReport {
    /// The joined data of AUX_SYNC_IND and its chain. In a log of HCI, the event shows it.
    var airData: AdvertisingData? {
        @_lifetime(copy self) get {
            guard radio != nil, case .data(let data, _) = content, !data.bytes.isEmpty else { return nil }
            return data
        }
    }
}

extension TextBuffer {
    mutating func append(packetType type: UInt8) {
        switch HCIPacketType(rawValue: type) {
        case .acl: append("ACL data on a handle that never connected")
        case .synchronous: append("synchronous data")
        case .isochronous: append("isochronous data")
        default:
            append("packet of type 0x")
            append(hex: type, digits: 2, uppercase: true)
        }
    }
}

extension HCIEvent {
    /// Without a definition.
    var unknownName: String { subeventCode == nil ? "Unknown Event" : "Unknown LE Event" }

    /// The event is a list of advertising reports, each of which has its own line: none is a part after which more is to come.
    var holdsAdvertising: Bool {
        guard code == .leMeta else { return false }
        if leSubevent == .advertisingReport { return true }
        guard leSubevent == .extendedAdvertisingReport,
            let event = try? LEExtendedAdvertisingReportEvent(parameters)
        else { return false }
        var reports = event.reports
        while let report = reports.next() { if report.isIncomplete { return false } }
        return true
    }
}

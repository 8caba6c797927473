import AttlasCapture
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The additions for captures from the air.
extension ConversationText {
    /// With `--hci`: a packet from the air.
    mutating func write(_ packet: AirPacket, _ event: borrowing Event, in trace: borrowing Trace) {
        guard options.showsHCI, !packet.holdsAdvertisement else { return }
        begin(event, in: trace)
        line.advance(to: event.connection == nil ? Column.peer : columns.method)
        piece.removeAll()
        piece.append(string: packet.name)
        switch packet.disposition {
        case .taken: break
        case let disposition:
            piece.append(" · ")
            piece.append(string: disposition.rawValue)
        }
        let fields = packet.fields
        if case .control(.other(let opcode, let data)) = packet.kind {
            piece.append(HCIParameters(linkLayerControl: opcode, data, values.library), values)
        } else if !fields.isEmpty {
            piece.append(" · ")
            piece.append(fields)
        } else if case .data(let pdu) = packet.kind, !pdu.isEmpty {
            piece.append(" · ")
            piece.append(decimal: pdu.length)
            piece.append(" octets")
        }
        if let channel = packet.radio.channel {
            piece.append(" · channel ")
            piece.append(decimal: channel)
        }
        if let rssi = packet.radio.rssi {
            piece.append(" · ")
            piece.append(decimal: rssi)
            piece.append(" dBm")
        }
        if event.connection == nil, case .other = packet.kind {
            piece.append(" · Access Address ")
            piece.append(string: accessAddressText(packet.accessAddress))
        }
        line.put(piece, packet.disposition == .badCRC ? .bad : .faint)
        line.endLine()
        writeHex(of: event, in: trace)
    }

    mutating func write(_ missed: MissedPackets, _ event: borrowing Event, in trace: borrowing Trace) {
        begin(event, in: trace, arrow: "✗", .bad)
        line.advance(to: columns.method)
        piece.removeAll()
        piece.append("missed before this one, at least: ")
        if missed.central > 0 {
            piece.append(decimal: missed.central)
            piece.append(missed.central == 1 ? " packet of the central" : " packets of the central")
        }
        if missed.peripheral > 0 {
            if missed.central > 0 { piece.append(", ") }
            piece.append(decimal: missed.peripheral)
            piece.append(missed.peripheral == 1 ? " packet of the peripheral" : " packets of the peripheral")
        }
        line.put(piece, .faint)
        line.endLine()
    }

    /// Who is connected: on the air both are seen, and neither is this host.
    mutating func appendCentral(of connection: Connection) {
        guard let accessAddress = connection.accessAddress else { return }
        if let central = connection.central {
            piece.append(" by ")
            piece.append(central)
            piece.append(" ")
            piece.append(string: central.kind.rawValue)
        }
        piece.append(" · Access Address ")
        piece.append(string: accessAddressText(accessAddress))
    }

    mutating func append(_ version: ControllerVersion, _ direction: Direction) {
        piece.append(direction.party)
        piece.append(" has Bluetooth ")
        if let name = version.version.name {
            piece.append(string: name)
        } else {
            piece.append("version ")
            piece.append(decimal: version.version.rawValue)
        }
        piece.append(" · company 0x")
        piece.append(hex: version.companyIdentifier, digits: 4, uppercase: true)
        piece.append(" · subversion ")
        piece.append(decimal: version.subversion)
    }

    mutating func append(features: UInt64, _ direction: Direction) {
        piece.append(direction.party)
        piece.append(" supports ")
        let names = LinkLayerFeature.names(features)
        piece.append(string: names.isEmpty ? "no feature" : names.joined(separator: ", "))
    }

    /// Appends an update that the central announces for a later event.
    mutating func append(_ update: LinkUpdate, _ state: StaticString) {
        switch update.change {
        case .parameters(let parameters):
            piece.append("parameters ")
            piece.append(state)
            append(parameters)
        case .channelMap(let map):
            piece.append("channel map ")
            piece.append(state)
            piece.append(" · ")
            append(map)
        case .phy(let transmit, let receive):
            piece.append("PHY ")
            piece.append(state)
            if let transmit {
                piece.append(" · to the peripheral ")
                piece.append(phy: transmit)
            }
            if let receive {
                piece.append(" · from it ")
                piece.append(phy: receive)
            }
        }
    }

    mutating func append(_ map: ChannelMap) {
        piece.append(decimal: map.count)
        piece.append(map.count == 1 ? " channel: " : " channels: ")
        piece.append(string: map.text)
    }

    mutating func append(rejected opcode: LLControlOpcode?, _ error: HCIErrorCode, _ direction: Direction) {
        piece.append(direction.party)
        piece.append(" refuses ")
        if let opcode {
            piece.append(string: opcode.name ?? "procedure \(opcode.rawValue)")
        } else {
            piece.append("a procedure")
        }
        piece.append(": ")
        piece.append(error)
    }
}

extension Direction {
    /// Who sent something on the air.
    fileprivate var party: StaticString {
        switch self {
        case .tx: "the central"
        case .rx: "the peripheral"
        case .unknown: "one side"
        }
    }
}

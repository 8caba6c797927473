import AttlasDissection
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Places of the parameters of ATT PDUs. Core Specification, Vol 3, Part F, 3.4.
extension PacketLayers {
    private enum Kind {
        case handle, number, opcode, error, uuid, octets
        /// The value of an attribute, which a definition may read.
        case value
    }

    private typealias Parameter = (name: String, length: Int?, kind: Kind)

    private struct Layout {
        var parameters: [Parameter] = []
        /// Parameters that repeat to the end.
        var items: [Parameter] = []
        /// Octets that the last parameter leaves over.
        var trailer: Parameter?
    }

    private static func layout(_ pdu: Bytes) -> Layout {
        let handle: Parameter = ("Attribute Handle", 2, .handle)
        let range: [Parameter] = [("Starting Handle", 2, .handle), ("Ending Handle", 2, .handle)]
        let value: Parameter = ("Attribute Value", nil, .value)
        let second = pdu.count > 1 ? Int(pdu[1]) : 0
        switch ATTOpcode(rawValue: pdu[0]) {
        case .errorResponse:
            return Layout(parameters: [
                ("Request Opcode In Error", 1, .opcode), ("Attribute Handle In Error", 2, .handle),
                ("Error Code", 1, .error),
            ])
        case .exchangeMTURequest: return Layout(parameters: [("Client Rx MTU", 2, .number)])
        case .exchangeMTUResponse: return Layout(parameters: [("Server Rx MTU", 2, .number)])
        case .findInformationRequest: return Layout(parameters: range)
        case .findInformationResponse:
            return Layout(
                parameters: [("Format", 1, .number)],
                items: [("Handle", 2, .handle), ("UUID", second == 2 ? 16 : 2, .uuid)])
        case .findByTypeValueRequest: return Layout(parameters: range + [("Attribute Type", 2, .uuid), value])
        case .findByTypeValueResponse:
            return Layout(items: [("Found Attribute Handle", 2, .handle), ("Group End Handle", 2, .handle)])
        case .readByTypeRequest: return Layout(parameters: range + [("Attribute Type", nil, .uuid)])
        case .readByTypeResponse:
            return Layout(
                parameters: [("Length", 1, .number)], items: [handle, ("Attribute Value", max(0, second - 2), .value)])
        case .readRequest: return Layout(parameters: [handle])
        case .readResponse: return Layout(parameters: [value])
        case .readBlobRequest: return Layout(parameters: [handle, ("Value Offset", 2, .number)])
        case .readBlobResponse: return Layout(parameters: [("Part Attribute Value", nil, .value)])
        case .readMultipleRequest, .readMultipleVariableRequest: return Layout(items: [handle])
        case .readMultipleResponse: return Layout(parameters: [("Set Of Values", nil, .octets)])
        case .readByGroupTypeRequest: return Layout(parameters: range + [("Attribute Group Type", nil, .uuid)])
        case .readByGroupTypeResponse:
            return Layout(
                parameters: [("Length", 1, .number)],
                items: [handle, ("End Group Handle", 2, .handle), ("Attribute Value", max(0, second - 4), .value)])
        case .writeRequest, .writeCommand, .handleValueNotification, .handleValueIndication:
            return Layout(parameters: [handle, value])
        case .signedWriteCommand:
            return Layout(parameters: [handle, value], trailer: ("Authentication Signature", 12, .octets))
        case .prepareWriteRequest, .prepareWriteResponse:
            return Layout(parameters: [handle, ("Value Offset", 2, .number), ("Part Attribute Value", nil, .value)])
        case .executeWriteRequest: return Layout(parameters: [("Flags", 1, .number)])
        case .readMultipleVariableResponse: return Layout(items: [("Value Length", 2, .number), value])
        case .multipleHandleValueNotification: return Layout(items: [handle, ("Value Length", 2, .number), value])
        default: return Layout()
        }
    }

    /// Adds the layer, and the values that definitions read in it.
    package mutating func add(
        att pdu: Bytes, _ event: borrowing Event, base: Int, in source: Source, _ values: inout ValueInterpreter,
        in trace: borrowing Trace
    ) {
        guard !pdu.isEmpty else { return }
        let name: StaticString = ATTOpcode(rawValue: pdu[0]).definition?.name ?? "Unknown"
        add(0, "Attribute Protocol", base..<base + pdu.count, in: source) { $0.append(name) }
        add(1, "Opcode", base..<base + 1, in: source) {
            $0.append(name)
            $0.append(" (0x")
            $0.append(hex: UInt16(pdu[0]), digits: 2, uppercase: true)
            $0.append(")")
        }
        add(2, "Authentication Signature Flag", base..<base + 1, in: source) { $0.append(decimal: Int(pdu[0] >> 7)) }
        add(2, "Command Flag", base..<base + 1, in: source) { $0.append(decimal: Int(pdu[0] >> 6 & 1)) }
        add(2, "Method", base..<base + 1, in: source) {
            $0.append(code: UInt16(pdu[0] & 0x3F), digits: 2)
        }
        var readings = Readings(base: base, source: source, event, &values, in: trace)
        let layout = Self.layout(pdu)
        var place = 1
        let end = pdu.count - (layout.trailer?.length ?? 0)
        for parameter in layout.parameters where place < end {
            place = add(parameter, 1, place..<end, of: pdu, &readings, &values)
        }
        while place < end, !layout.items.isEmpty {
            let start = place
            let item = fields.count
            add(1, "Item", base + start..<base + end, in: source)
            var length: Int?
            for parameter in layout.items where place < end || parameter.length == nil {
                var parameter = parameter
                if parameter.length == nil { parameter.length = length }
                let former = place
                place = add(parameter, 2, place..<end, of: pdu, &readings, &values)
                if parameter.name == "Value Length", former + 2 <= end { length = Int(pdu.uint16(at: former)) }
            }
            fields[item].range = base + start..<base + place
            if place <= start { break }
        }
        if let trailer = layout.trailer, end >= place {
            _ = add(trailer, 1, end..<pdu.count, of: pdu, &readings, &values)
        }
        guard case .att(let operation) = event.detail else { return }
        if let attribute = operation.attribute, let handle = operation.handle {
            add(1, "Attribute") {
                $0.append(code: handle, digits: 4)
                $0.append(" ")
                if let service = attribute.service {
                    $0.append(display: values.name(service, .service, in: trace))
                    $0.append(" › ")
                }
                $0.append(display: values.name(attribute.type, .characteristic, in: trace))
            }
        }
    }

    /// The values that definitions read in the event, in their order.
    private struct Readings {
        let base: Int
        let source: Source
        /// The type of the declarations that the values are.
        private(set) var declaration: BluetoothUUID?
        private var readings: [KeptValue?] = []
        private var next = 0

        init(
            base: Int, source: Source, _ event: borrowing Event, _ values: inout ValueInterpreter,
            in trace: borrowing Trace
        ) {
            self.base = base
            self.source = source
            if case .att(let operation) = event.detail, let type = operation.request?.attributeType,
                [BluetoothUUID.include, .characteristic].contains(trace.uuids[type])
            {
                declaration = trace.uuids[type]
            }
            event.forEachAttribute(in: trace) { value in
                guard let reading = values.read(value, in: trace), reading.isDissected else {
                    readings.append(nil)
                    return true
                }
                readings.append(KeptValue(reading, values.dissection))
                return true
            }
        }

        mutating func take() -> KeptValue? {
            defer { next += 1 }
            return next < readings.count ? readings[next] : nil
        }
    }

    /// - Parameter room: begins with the parameter.
    /// - Returns: the place after it.
    private mutating func add(
        _ parameter: Parameter, _ depth: Int, _ room: Range<Int>, of pdu: Bytes, _ readings: inout Readings,
        _ values: inout ValueInterpreter
    ) -> Int {
        let place = room.lowerBound
        let stop = min(room.upperBound, place + (parameter.length ?? room.count))
        let octets = pdu.slice(place..<stop)
        let range = readings.base + place..<readings.base + stop
        let source = readings.source
        let isWithheld = isWithheld
        add(depth, parameter.name, range, in: source, style: .plain) { text in
            switch parameter.kind {
            case .handle where octets.count == 2:
                text.append(code: octets.uint16(at: 0), digits: 4)
            case .number where octets.count == 2: text.append(decimal: Int(octets.uint16(at: 0)))
            case .number where octets.count == 1: text.append(decimal: Int(octets[0]))
            case .opcode where octets.count == 1:
                text.append(ATTOpcode(rawValue: octets[0]).definition?.name ?? "Unknown")
            case .error where octets.count == 1:
                text.append(display: ATTErrorCode(rawValue: octets[0]).name, code: UInt16(octets[0]), digits: 2)
            case .uuid:
                guard let uuid = BluetoothUUID(octets) else { return text.append(octets: octets, limit: 16) }
                text.append(uuid)
                if let name = values.library.attributeName(of: uuid) ?? values.library.serviceName(of: uuid) {
                    text.append(" ")
                    text.append(display: name)
                } else if let assignee = values.library.assignee(of: uuid) {
                    text.append(" assigned to ")
                    text.append(display: assignee)
                }
            default:
                if isWithheld { text.append("withheld") } else { text.append(octets: octets, limit: 20) }
            }
        }
        guard parameter.kind == .value else { return stop }
        if let declaration = readings.declaration {
            add(declaration, octets, depth + 1, base: range.lowerBound, source)
        } else if let reading = readings.take() {
            add(reading, depth + 1, base: range.lowerBound, source)
        }
        return stop
    }

    /// The value of an Include or a Characteristic Declaration. Vol 3, Part G, 3.2 and 3.3.1.
    private mutating func add(_ declaration: BluetoothUUID, _ octets: Bytes, _ depth: Int, base: Int, _ source: Source)
    {
        let isInclude = declaration == .include
        guard isInclude ? IncludeDeclaration(octets) != nil : octets.count >= 3 else { return }
        func handle(_ text: inout TextBuffer, _ offset: Int) {
            text.append(code: octets.uint16(at: offset), digits: 4)
        }
        if isInclude {
            add(depth, "Included Service Handle", base..<base + 2, in: source) { handle(&$0, 0) }
            add(depth, "End Group Handle", base + 2..<base + 4, in: source) { handle(&$0, 2) }
        } else {
            let properties = CharacteristicProperties(rawValue: octets[0])
            add(depth, "Properties", base..<base + 1, in: source) {
                $0.append(code: octets[0], digits: 2)
            }
            for (property, name) in CharacteristicProperties.names {
                add(depth + 1, "\(name)", base..<base + 1, in: source) {
                    $0.append(properties.contains(property) ? "set" : "–")
                }
            }
            add(depth, "Value Handle", base + 1..<base + 3, in: source) { handle(&$0, 1) }
        }
        let start = isInclude ? 4 : 3
        guard let uuid = BluetoothUUID(octets.dropFirst(start)) else { return }
        add(depth, "UUID", base + start..<base + octets.count, in: source) { $0.append(uuid) }
    }

    private mutating func add(_ value: KeptValue, _ depth: Int, base: Int, _ source: Source) {
        guard let (dissector, dissection) = value.fields else { return }
        let octets = value.octets
        guard value.isMessage else {
            return add(dissection, of: dissector, octets, depth: depth, base: base, in: source)
        }
        add(.message, octets.bytes?.copy() ?? [])
        add(depth, "Message", 0..<octets.count, in: .message) {
            $0.append(decimal: octets.count)
            $0.append(" octets, joined or decrypted")
        }
        add(dissection, of: dissector, octets, depth: depth + 1, base: 0, in: .message)
    }
}

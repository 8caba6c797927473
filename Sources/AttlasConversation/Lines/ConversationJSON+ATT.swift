import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

extension ConversationJSON {
    mutating func write(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        writeMethod(operation)
        if let handle = operation.handle { write(handle, operation.attribute, in: trace) }
        if let request = operation.request {
            json.member("request_frame", request.frame)
            json.member("rtt_us", microsecondsOf: request.roundTrip)
        }
        writeContent(operation, event, in: trace)
        // The only `fault` of the line: a PDU with a fault has either no value that is read, or a truncated one, whose end is not a fault;
        // and the items of a list are separate objects.
        if let fault = operation.fault { json.write(fault) }
    }

    private mutating func writeMethod(_ operation: ATTOperation) {
        let subject = MethodTextKey(bearer: operation.bearer, opcode: operation.opcode, server: operation.server)
        // There is always a member before, here and below.
        if methods.append(subject, to: &json.text) != nil { return }
        let start = json.text.count
        write(operation.bearer)
        json.member("opcode", code: operation.opcode.rawValue, digits: 2)
        json.member("method", literal: operation.opcode.definition?.name ?? "Unknown")
        json.member("server", operation.server.rawValue)
        methods.keep(json.text.bytes[start...], of: subject)
    }

    private mutating func write(_ bearer: Bearer.Kind) {
        json.key("bearer")
        switch bearer {
        case .unenhanced: json.literal("att")
        case .classic: json.literal("bredr")
        case .enhanced(let channel):
            json.value { text in
                text.append("\"eatt:0x")
                text.append(hex: channel.rawValue, digits: 4)
                text.append("\"")
            }
        }
    }

    private mutating func write(_ handle: AttributeHandle, _ attribute: AttributeInfo?, in trace: borrowing Trace) {
        guard let attribute else { return json.member("handle", handle) }
        let subject = AttributeTextKey(handle: handle, attribute: attribute)
        if attributes.append(subject, to: &json.text) != nil { return }
        let start = json.text.count
        json.member("handle", handle)
        write(attribute, in: trace)
        attributes.keep(json.text.bytes[start...], of: subject)
    }

    /// Writes the attribute at a handle: service, characteristic, descriptor, and how it is known.
    mutating func write(_ attribute: AttributeInfo, in trace: borrowing Trace) {
        if let service = attribute.service { write("service", service, .service, in: trace) }
        if let characteristic = attribute.characteristic {
            write("characteristic", characteristic, .characteristic, in: trace)
        }
        if attribute.role != .value { write("descriptor", attribute.type, .descriptor, in: trace) }
        json.member("known_from", attribute.knownFrom.rawValue)
        json.member("reason", attribute.inference?.rawValue)
    }

    private mutating func write(_ key: StaticString, _ index: UUIDIndex, _ kind: NameKind, in trace: borrowing Trace) {
        json.write(key, trace.uuids[index], name: values.knownName(index, kind, in: trace))
    }

    /// Writes the octets and their meaning.
    private mutating func write(_ value: borrowing AttributeValue, in trace: borrowing Trace) {
        if let reading = values.read(value, in: trace) {
            json.write(reading.value)
            json.write(value.ending)
            json.write(reading, values.dissection)
        } else {
            guard let octets = values.octets(of: value, in: trace) else { return }
            json.write(octets)
            json.write(value.ending)
        }
    }

    private mutating func writeOctets(of event: borrowing Event, in trace: borrowing Trace) {
        guard let octets = values.octets(of: event, in: trace) else { return }
        json.write(octets)
    }

    mutating func write(_ assembled: AssembledValue, _ event: borrowing Event, in trace: borrowing Trace) {
        json.member("kind", assembled.kind.rawValue)
        json.member("outcome", assembled.outcome.rawValue)
        write(frames: assembled.frames)
        json.member("server", assembled.server.rawValue)
        json.member("handle", assembled.handle)
        if let attribute = assembled.attribute { write(attribute, in: trace) }
        if assembled.offset > 0 { json.member("offset", assembled.offset) }
        event.forEachAttribute(in: trace) { value in
            write(value, in: trace)
            return true
        }
    }

    mutating func write(_ subscription: Subscription, in trace: borrowing Trace) {
        json.member("server", subscription.server.rawValue)
        json.member("handle", subscription.handle)
        write(subscription.attribute, in: trace)
        json.write(configuration: subscription.configuration)
    }

    // MARK: PDUs

    private mutating func writeContent(
        _ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        switch operation.pdu {
        case .errorResponse(let pdu):
            json.member("request_opcode", code: pdu.requestOpcodeInError.rawValue, digits: 2)
            if let status = operation.reported { return json.write(status) }
            let name = values.errorName(pdu.errorCode, operation.attribute, in: trace)
            json.member("error", code: pdu.errorCode.rawValue, digits: 2, name: name)
        case .exchangeMTURequest(let pdu): json.member("client_rx_mtu", pdu.clientRxMTU)
        case .exchangeMTUResponse(let pdu): json.member("server_rx_mtu", pdu.serverRxMTU)
        case .findInformationRequest(let pdu): write(range: pdu.startingHandle, pdu.endingHandle, type: nil)
        case .findByTypeValueRequest(let pdu):
            write(range: pdu.startingHandle, pdu.endingHandle, type: pdu.attributeType)
            writeOctets(of: event, in: trace)
        case .readByTypeRequest(let pdu): write(range: pdu.startingHandle, pdu.endingHandle, type: pdu.attributeType)
        case .readByGroupTypeRequest(let pdu):
            write(range: pdu.startingHandle, pdu.endingHandle, type: pdu.attributeGroupType)
        case .readBlobRequest(let pdu): json.member("offset", pdu.valueOffset)
        case .readBlobResponse, .readMultipleResponse: writeOctets(of: event, in: trace)
        case .prepareWriteRequest(let pdu):
            json.member("offset", pdu.valueOffset)
            writeOctets(of: event, in: trace)
        case .prepareWriteResponse(let pdu):
            json.member("offset", pdu.valueOffset)
            writeOctets(of: event, in: trace)
        case .executeWriteRequest(let pdu):
            json.member("flags", code: pdu.flags, digits: 2)
        case .signedWriteCommand(let pdu):
            // It is at the end.
            if operation.fault == nil { json.member("sign_counter", pdu.signCounter) }
            writeValue(event, in: trace)
        case .unknown(let bytes): json.member("value", hex: bytes)
        case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readByGroupTypeResponse,
            .readMultipleRequest, .readMultipleVariableRequest, .readMultipleVariableResponse,
            .multipleHandleValueNotification:
            json.key("items")
            json.beginArray()
            writeItems(operation, event, in: trace)
            json.endArray()
        case .readResponse, .writeRequest, .writeCommand, .handleValueNotification, .handleValueIndication:
            writeValue(event, in: trace)
        case .readRequest, .writeResponse, .executeWriteResponse, .handleValueConfirmation: break
        }
    }

    private mutating func writeValue(_ event: borrowing Event, in trace: borrowing Trace) {
        event.forEachAttribute(in: trace) { value in
            write(value, in: trace)
            return true
        }
    }

    private mutating func write(range first: AttributeHandle, _ last: AttributeHandle, type: BluetoothUUID?) {
        json.member("starting_handle", first)
        json.member("ending_handle", last)
        json.member("uuid", type)
    }

    private mutating func writeItems(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        let type = operation.request?.attributeType.map { trace.uuids[$0] }
        event.forEachAttribute(in: trace) { value in
            json.beginObject()
            json.member("handle", value.handle)
            switch operation.pdu {
            case .findInformationResponse(let pdu):
                json.member("uuid", pdu.uuid(value.index))
            case .findByTypeValueResponse(let pdu): json.member("end_handle", pdu.groupEndHandle(value.index))
            case .readByGroupTypeResponse(let pdu):
                json.member("end_handle", pdu.endGroupHandle(value.index))
                write(uuidOrValue: pdu.value(value.index))
            case .readByTypeResponse(let pdu): write(pdu, value, type: type, in: trace)
            default:
                if let attribute = value.attribute { write(attribute, in: trace) }
                write(value, in: trace)
            }
            json.endObject()
            return true
        }
    }

    /// A declaration taken apart, or a value.
    private mutating func write(
        _ pdu: ReadByTypeResponse, _ value: borrowing AttributeValue, type: BluetoothUUID?, in trace: borrowing Trace
    ) {
        switch GATTDeclaration(pdu.value(value.index), type: type) {
        case .characteristic(let declaration):
            json.write(declaration.properties)
            json.member("value_handle", declaration.valueHandle)
            write(uuidOrValue: declaration.uuidBytes)
        case .include(let declaration):
            json.member("included_handle", declaration.includedHandle)
            json.member("included_end_handle", declaration.endGroupHandle)
            if !declaration.uuidBytes.isEmpty { write(uuidOrValue: declaration.uuidBytes) }
        case nil:
            json.member("uuid", value.type.map { trace.uuids[$0] })
            write(value, in: trace)
        }
    }

    private mutating func write(uuidOrValue bytes: Bytes) {
        if let uuid = BluetoothUUID(bytes) {
            json.member("uuid", uuid)
        } else {
            json.member("value", hex: bytes)
        }
    }
}

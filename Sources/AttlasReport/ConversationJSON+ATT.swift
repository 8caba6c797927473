import AttlasDissection
import AttlasTrace
import AttlasWire

extension ConversationJSON {
    mutating func write(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        writeMethod(operation)
        if let handle = operation.handle { write(handle, operation.attribute, in: trace) }
        if let request = operation.request {
            write("request_frame", request.frame)
            if let roundTrip = request.roundTrip {
                json.key("rtt_us")
                json.value { $0.append(microsecondsOf: roundTrip) }
            }
        }
        writeContent(operation, event, in: trace)
        // A fault of the value was written with its fields.
        if let fault = operation.fault, fault.limit == .capturedLength || !values.hasFault { write(fault) }
    }

    private mutating func writeMethod(_ operation: ATTOperation) {
        let subject = MethodSubject(bearer: operation.bearer, opcode: operation.opcode, server: operation.server)
        // There is always a member before, here and below.
        if methods.append(subject, to: &json.text) { return }
        let start = json.text.count
        write(operation.bearer)
        json.key("opcode")
        json.code(operation.opcode.rawValue, digits: 2)
        json.key("method")
        json.literal(operation.opcode.definition?.name ?? "Unknown")
        json.key("server")
        json.string(operation.server.rawValue)
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
        guard let attribute else { return write("handle", handle) }
        let subject = AttributeSubject(handle: handle, attribute: attribute)
        if attributes.append(subject, to: &json.text) { return }
        let start = json.text.count
        write("handle", handle)
        write(attribute, in: trace)
        attributes.keep(json.text.bytes[start...], of: subject)
    }

    /// What a handle is: service, characteristic, descriptor, and how that is known.
    mutating func write(_ attribute: AttributeInfo, in trace: borrowing Trace) {
        if let service = attribute.service { write("service", service, .service, in: trace) }
        if let characteristic = attribute.characteristic {
            write("characteristic", characteristic, .characteristic, in: trace)
        }
        if attribute.role != .value { write("descriptor", attribute.type, .descriptor, in: trace) }
        json.key("known_from")
        json.string(attribute.knownFrom.rawValue)
        if let inference = attribute.inference {
            json.key("reason")
            json.string(inference.rawValue)
        }
    }

    private mutating func write(_ key: StaticString, _ index: UUIDIndex, _ kind: NameKind, in trace: borrowing Trace) {
        json.key(key)
        json.beginObject()
        json.key("uuid")
        json.uuid(trace.uuids[index])
        if let name = values.knownName(index, kind, in: trace) {
            json.key("name")
            json.string(name)
        }
        json.endObject()
    }

    mutating func write(
        value: Bytes, _ attribute: AttributeInfo?, _ access: AttributeAccess, isPartial: Bool = false,
        in trace: borrowing Trace
    ) {
        json.key("value")
        json.hex(value)
        guard let attribute else { return }
        values.write(value, attribute, access, isPartial: isPartial, in: trace, to: &json)
    }

    mutating func write(_ assembled: AssembledValue, in trace: borrowing Trace) {
        json.key("kind")
        json.string(assembled.kind.rawValue)
        json.key("outcome")
        json.string(assembled.outcome.rawValue)
        write(frames: assembled.frames)
        json.key("server")
        json.string(assembled.server.rawValue)
        write("handle", assembled.handle)
        if let attribute = assembled.attribute { write(attribute, in: trace) }
        if assembled.offset > 0 { write("offset", assembled.offset) }
        let access: AttributeAccess = assembled.kind == .longRead ? .read : .write
        // A stretch from the middle of an attribute cannot be dissected as the whole.
        let attribute = assembled.offset == 0 ? assembled.attribute : nil
        write(value: assembled.value, attribute, access, in: trace)
    }

    mutating func write(_ subscription: Subscription, in trace: borrowing Trace) {
        json.key("server")
        json.string(subscription.server.rawValue)
        write("handle", subscription.handle)
        write(subscription.attribute, in: trace)
        json.key("notifications")
        json.boolean(subscription.configuration & 0x0001 != 0)
        json.key("indications")
        json.boolean(subscription.configuration & 0x0002 != 0)
    }

    // MARK: PDUs

    private mutating func writeContent(
        _ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        values.clear()
        switch operation.pdu {
        case .errorResponse(let pdu):
            json.key("request_opcode")
            json.code(pdu.requestOpcodeInError.rawValue, digits: 2)
            let name = values.errorName(pdu.errorCode, operation.attribute, in: trace)
            write("error", code: pdu.errorCode.rawValue, digits: 2, name: name)
        case .exchangeMTURequest(let pdu): write("client_rx_mtu", pdu.clientRxMTU)
        case .exchangeMTUResponse(let pdu): write("server_rx_mtu", pdu.serverRxMTU)
        case .findInformationRequest(let pdu): write(range: pdu.startingHandle, pdu.endingHandle, type: nil)
        case .findByTypeValueRequest(let pdu):
            write(range: pdu.startingHandle, pdu.endingHandle, type: pdu.attributeType)
            json.key("value")
            json.hex(pdu.attributeValue)
        case .readByTypeRequest(let pdu): write(range: pdu.startingHandle, pdu.endingHandle, type: pdu.attributeType)
        case .readByGroupTypeRequest(let pdu):
            write(range: pdu.startingHandle, pdu.endingHandle, type: pdu.attributeGroupType)
        case .readBlobRequest(let pdu): write("offset", pdu.valueOffset)
        case .readBlobResponse(let pdu): write("value", hex: pdu.partAttributeValue)
        case .readMultipleResponse(let pdu): write("value", hex: pdu.setOfValues)
        case .prepareWriteRequest(let pdu):
            write("offset", pdu.valueOffset)
            write("value", hex: pdu.partAttributeValue)
        case .prepareWriteResponse(let pdu):
            write("offset", pdu.valueOffset)
            write("value", hex: pdu.partAttributeValue)
        case .executeWriteRequest(let pdu):
            json.key("flags")
            json.code(pdu.flags, digits: 2)
        case .signedWriteCommand(let pdu):
            write("sign_counter", pdu.signCounter)
            write(value: pdu.attributeValue, operation.attribute, .write, in: trace)
        case .unknown(let bytes): write("value", hex: bytes)
        case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readByGroupTypeResponse,
            .readMultipleRequest, .readMultipleVariableRequest, .readMultipleVariableResponse,
            .multipleHandleValueNotification:
            json.key("items")
            json.beginArray()
            writeItems(operation, event, in: trace)
            json.endArray()
        default:
            guard let value = operation.pdu.attributeValue else { return }
            write(
                value: value, operation.attribute, AttributeAccess(operation.opcode),
                isPartial: operation.mayContinue || operation.fault?.limit == .capturedLength, in: trace)
        }
    }

    private mutating func write(range first: AttributeHandle, _ last: AttributeHandle, type: BluetoothUUID?) {
        write("starting_handle", first)
        write("ending_handle", last)
        if let type {
            json.key("uuid")
            json.uuid(type)
        }
    }

    private mutating func write(_ key: StaticString, hex bytes: borrowing Bytes) {
        json.key(key)
        json.hex(bytes)
    }

    private mutating func writeItems(_ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace) {
        switch operation.pdu {
        case .findInformationResponse(let pdu):
            for index in 0..<pdu.list.count {
                beginItem(pdu.handle(index))
                json.key("uuid")
                json.uuid(pdu.uuid(index))
                json.endObject()
            }
        case .findByTypeValueResponse(let pdu):
            for index in 0..<pdu.list.count {
                beginItem(pdu.foundHandle(index), endHandle: pdu.groupEndHandle(index))
                json.endObject()
            }
        case .readByGroupTypeResponse(let pdu):
            for index in 0..<pdu.list.count {
                beginItem(pdu.handle(index), endHandle: pdu.endGroupHandle(index))
                write(uuidOrValue: pdu.value(index))
                json.endObject()
            }
        case .readByTypeResponse(let pdu):
            for index in 0..<pdu.list.count {
                beginItem(pdu.handle(index))
                write(pdu.value(index), of: operation.request?.attributeType, in: trace)
                json.endObject()
            }
        case .readMultipleRequest(let pdu):
            for index in 0..<pdu.list.count { writeItem(pdu.handle(index), operation, event, in: trace) }
        case .readMultipleVariableRequest(let pdu):
            for index in 0..<pdu.list.count { writeItem(pdu.handle(index), operation, event, in: trace) }
        case .readMultipleVariableResponse(let pdu):
            var tuples = pdu.tuples
            var index = 0
            while let value = tuples.next() {
                if index < operation.multipleHandles.count {
                    let handle = operation.multipleHandles[index]
                    beginItem(handle)
                    let attribute = attribute(handle, operation, event, in: trace)
                    if let attribute { write(attribute, in: trace) }
                    write(value: value, attribute, .read, isPartial: tuples.missing > 0, in: trace)
                } else {
                    json.beginObject()
                    write("value", hex: value)
                }
                json.endObject()
                index += 1
            }
        case .multipleHandleValueNotification(let pdu):
            var tuples = pdu.tuples
            while let value = tuples.next() {
                beginItem(tuples.handle)
                let attribute = attribute(tuples.handle, operation, event, in: trace)
                if let attribute { write(attribute, in: trace) }
                write(value: value, attribute, .notify, in: trace)
                json.endObject()
            }
        default: break
        }
    }

    private mutating func beginItem(_ handle: AttributeHandle, endHandle: AttributeHandle? = nil) {
        json.beginObject()
        write("handle", handle)
        if let endHandle { write("end_handle", endHandle) }
    }

    private mutating func writeItem(
        _ handle: AttributeHandle, _ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        beginItem(handle)
        if let attribute = attribute(handle, operation, event, in: trace) { write(attribute, in: trace) }
        json.endObject()
    }

    private func attribute(
        _ handle: AttributeHandle, _ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) -> AttributeInfo? {
        guard let connection = event.connection else { return nil }
        return trace.attribute(handle, server: operation.server, connection: connection)
    }

    private mutating func write(uuidOrValue bytes: Bytes) {
        if let uuid = BluetoothUUID(bytes) {
            json.key("uuid")
            json.uuid(uuid)
        } else {
            write("value", hex: bytes)
        }
    }

    /// An item of a Read By Type Response: a declaration taken apart, or a value.
    private mutating func write(_ value: Bytes, of type: UUIDIndex?, in trace: borrowing Trace) {
        guard let type else { return write("value", hex: value) }
        switch trace.uuids[type].uint16 {
        case 0x2803 where value.count > 3:
            write(CharacteristicProperties(rawValue: value[0]))
            write("value_handle", value.uint16(at: 1))
            write(uuidOrValue: value.dropFirst(3))
        case 0x2802 where value.count >= 4:
            write("included_handle", value.uint16(at: 0))
            write("included_end_handle", value.uint16(at: 2))
            if value.count > 4 { write(uuidOrValue: value.dropFirst(4)) }
        default:
            json.key("uuid")
            json.uuid(trace.uuids[type])
            write("value", hex: value)
            values.write(value, type, .read, isPartial: false, in: trace, to: &json)
        }
    }

    mutating func write(_ properties: CharacteristicProperties) {
        json.key("properties")
        json.beginArray()
        for (property, name) in CharacteristicProperties.names where properties.contains(property) {
            json.literal(name)
        }
        json.endArray()
    }
}

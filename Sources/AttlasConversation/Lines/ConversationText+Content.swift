import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// The contents of each ATT PDU, after its name and its attribute.
extension ConversationText {
    mutating func appendContent(
        _ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        switch operation.pdu {
        case .errorResponse(let pdu):
            piece.append("✗ ")
            if let status = operation.reported {
                piece.append(string: status.words)
            } else {
                let name = values.errorName(pdu.errorCode, operation.attribute, in: trace)
                piece.append(display: name, code: pdu.errorCode.rawValue, digits: 2)
            }
            piece.append(" to ")
            piece.append(pdu.requestOpcodeInError.shortName)
        case .exchangeMTURequest(let pdu): piece.append(decimal: pdu.clientRxMTU)
        case .exchangeMTUResponse(let pdu): piece.append(decimal: pdu.serverRxMTU)
        case .findInformationRequest(let pdu): piece.append(pdu.startingHandle, pdu.endingHandle)
        case .findByTypeValueRequest(let pdu):
            piece.append(pdu.startingHandle, pdu.endingHandle)
            piece.append(" ")
            piece.append(display: values.name(pdu.attributeType, .descriptor))
            piece.append(" = ")
            guard let octets = values.octets(of: event, in: trace) else { return }
            if let bytes = octets.bytes, let uuid = BluetoothUUID(bytes) {
                piece.append(display: values.name(uuid, .service))
            } else {
                piece.append(octets, limit: 32)
            }
        case .readByTypeRequest(let pdu):
            piece.append(pdu.startingHandle, pdu.endingHandle)
            piece.append(" ")
            piece.append(display: values.name(pdu.attributeType, .descriptor))
        case .readByGroupTypeRequest(let pdu):
            piece.append(pdu.startingHandle, pdu.endingHandle)
            piece.append(" ")
            piece.append(display: values.name(pdu.attributeGroupType, .descriptor))
        case .findInformationResponse(let pdu):
            for index in 0..<pdu.list.count {
                appendItem(index, pdu.handle(index))
                piece.append(display: values.name(pdu.uuid(index), .descriptor))
            }
        case .findByTypeValueResponse(let pdu):
            for index in 0..<pdu.list.count {
                if index > 0 { piece.append(", ") }
                piece.append(pdu.foundHandle(index), pdu.groupEndHandle(index))
            }
        case .readByTypeResponse(let pdu): appendContent(pdu, operation, event, in: trace)
        case .readByGroupTypeResponse(let pdu):
            for index in 0..<pdu.list.count {
                if index > 0 { piece.append(", ") }
                piece.append(pdu.handle(index), pdu.endGroupHandle(index))
                piece.append(" ")
                append(uuid: pdu.value(index), .service)
            }
        case .readBlobRequest(let pdu):
            piece.append("from ")
            piece.append(decimal: pdu.valueOffset)
        case .readBlobResponse, .readMultipleResponse: appendOctets(of: event, in: trace)
        case .readMultipleRequest, .readMultipleVariableRequest, .readMultipleVariableResponse,
            .multipleHandleValueNotification:
            event.forEachAttribute(in: trace) { value in
                if value.index > 0 { piece.append(", ") }
                if let handle = value.handle {
                    append(handle, value.attribute, in: trace)
                    if value.count != nil { piece.append(": ") }
                }
                append(value, in: trace)
                return true
            }
        case .prepareWriteRequest(let pdu):
            appendPart(at: pdu.valueOffset, of: event, in: trace)
        case .prepareWriteResponse(let pdu):
            appendPart(at: pdu.valueOffset, of: event, in: trace)
        case .executeWriteRequest(let pdu):
            switch pdu.flags {
            case 0: piece.append("cancel all prepared writes")
            case 1: piece.append("write all prepared values")
            default:
                piece.append("flags 0x")
                piece.append(hex: pdu.flags, digits: 2)
            }
        case .unknown(let bytes): piece.append(octets: bytes, limit: 32)
        case .readResponse, .writeRequest, .writeCommand, .signedWriteCommand, .handleValueNotification,
            .handleValueIndication:
            event.forEachAttribute(in: trace) { value in
                append(value, in: trace)
                return true
            }
        case .readRequest, .writeResponse, .executeWriteResponse, .handleValueConfirmation: break
        }
    }

    /// Declarations taken apart, or values.
    private mutating func appendContent(
        _ pdu: ReadByTypeResponse, _ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let type = operation.request?.attributeType.map { trace.uuids[$0] }
        event.forEachAttribute(in: trace) { value in
            appendItem(value.index, pdu.handle(value.index))
            switch GATTDeclaration(pdu.value(value.index), type: type) {
            case .characteristic(let declaration): append(uuid: declaration.uuidBytes, .characteristic)
            case .include(let declaration):
                piece.append(declaration.includedHandle, declaration.endGroupHandle)
                piece.append(" ")
                if !declaration.uuidBytes.isEmpty { append(uuid: declaration.uuidBytes, .service) }
            case nil: append(value, in: trace)
            }
            return true
        }
    }

    private mutating func appendItem(_ index: Int, _ handle: AttributeHandle) {
        if index > 0 { piece.append(", ") }
        piece.append(code: handle, digits: 4)
        piece.append(" ")
    }

    private mutating func appendPart(at offset: Int, of event: borrowing Event, in trace: borrowing Trace) {
        guard let part = values.octets(of: event, in: trace) else { return }
        piece.append(decimal: part.count)
        piece.append(part.count == 1 ? " octet from " : " octets from ")
        piece.append(decimal: offset)
        piece.append(": ")
        piece.append(part, limit: 16)
    }

    /// A value, or values, that no definition reads.
    private mutating func appendOctets(of event: borrowing Event, in trace: borrowing Trace) {
        guard let octets = values.octets(of: event, in: trace) else { return }
        piece.append(octets, limit: 32)
    }

    private mutating func append(uuid bytes: Bytes, _ kind: NameKind) {
        if let uuid = BluetoothUUID(bytes) {
            piece.append(display: values.name(uuid, kind))
        } else {
            piece.append(octets: bytes, limit: 32)
        }
    }
}

@testable import AttlasWire

extension Exercise {
    mutating func att(_ bytes: Bytes) {
        guard let pdu = try? ATTPDU(bytes) else { return }
        switch pdu {
        case .errorResponse(let view): use(view)
        case .exchangeMTURequest(let view): use(view.clientRxMTU)
        case .exchangeMTUResponse(let view): use(view.serverRxMTU)
        case .findInformationRequest(let view): use(view)
        case .findInformationResponse(let view): use(view)
        case .findByTypeValueRequest(let view): use(view)
        case .findByTypeValueResponse(let view): use(view)
        case .readByTypeRequest(let view): use(view)
        case .readByTypeResponse(let view): use(view)
        case .readRequest(let view): use(view.attributeHandle)
        case .readResponse(let view): use(view.attributeValue)
        case .readBlobRequest(let view): use(view)
        case .readBlobResponse(let view): use(view.partAttributeValue)
        case .readMultipleRequest(let view): use(view)
        case .readMultipleResponse(let view): use(view.setOfValues)
        case .readByGroupTypeRequest(let view): use(view)
        case .readByGroupTypeResponse(let view): use(view)
        case .writeRequest(let view): use(view)
        case .writeResponse(let view): use(view.bytes)
        case .writeCommand(let view): use(view)
        case .signedWriteCommand(let view): use(view)
        case .prepareWriteRequest(let view): use(view)
        case .prepareWriteResponse(let view): use(view)
        case .executeWriteRequest(let view): use(view.flags)
        case .executeWriteResponse(let view): use(view.bytes)
        case .handleValueNotification(let view): use(view)
        case .handleValueIndication(let view): use(view)
        case .handleValueConfirmation(let view): use(view.bytes)
        case .readMultipleVariableRequest(let view): use(view)
        case .readMultipleVariableResponse(let view): use(view)
        case .multipleHandleValueNotification(let view): use(view)
        case .unknown(let bytes): use(bytes)
        }
    }

    /// Every view over the same octets, whatever their opcode.
    mutating func everyATTView(_ bytes: Bytes) {
        if let view = try? ErrorResponse(bytes) { use(view) }
        if let view = try? ExchangeMTURequest(bytes) { use(view.clientRxMTU) }
        if let view = try? ExchangeMTUResponse(bytes) { use(view.serverRxMTU) }
        if let view = try? FindInformationRequest(bytes) { use(view) }
        if let view = try? FindInformationResponse(bytes) { use(view) }
        if let view = try? FindByTypeValueRequest(bytes) { use(view) }
        if let view = try? FindByTypeValueResponse(bytes) { use(view) }
        if let view = try? ReadByTypeRequest(bytes) { use(view) }
        if let view = try? ReadByTypeResponse(bytes) { use(view) }
        if let view = try? ReadRequest(bytes) { use(view.attributeHandle) }
        if let view = try? ReadResponse(bytes) { use(view.attributeValue) }
        if let view = try? ReadBlobRequest(bytes) { use(view) }
        if let view = try? ReadBlobResponse(bytes) { use(view.partAttributeValue) }
        if let view = try? ReadMultipleRequest(bytes) { use(view) }
        if let view = try? ReadMultipleResponse(bytes) { use(view.setOfValues) }
        if let view = try? ReadByGroupTypeRequest(bytes) { use(view) }
        if let view = try? ReadByGroupTypeResponse(bytes) { use(view) }
        if let view = try? WriteRequest(bytes) { use(view) }
        if let view = try? WriteCommand(bytes) { use(view) }
        if let view = try? SignedWriteCommand(bytes) { use(view) }
        if let view = try? PrepareWriteRequest(bytes) { use(view) }
        if let view = try? PrepareWriteResponse(bytes) { use(view) }
        if let view = try? ExecuteWriteRequest(bytes) { use(view.flags) }
        if let view = try? HandleValueNotification(bytes) { use(view) }
        if let view = try? HandleValueIndication(bytes) { use(view) }
        if let view = try? ReadMultipleVariableRequest(bytes) { use(view) }
        if let view = try? ReadMultipleVariableResponse(bytes) { use(view) }
        if let view = try? MultipleHandleValueNotification(bytes) { use(view) }
    }

    private mutating func use(_ view: ErrorResponse) {
        use(view.requestOpcodeInError)
        use(view.requestOpcodeInError.definition?.name.description)
        use(view.attributeHandleInError)
        use(view.errorCode.name)
    }

    private mutating func use(_ view: FindInformationRequest) {
        use(view.startingHandle)
        use(view.endingHandle)
    }

    private mutating func use(_ view: FindInformationResponse) {
        use(view.format)
        for index in 0..<view.list.count {
            use(view.handle(index))
            use(view.uuid(index))
        }
        use(view.list.remainder)
    }

    private mutating func use(_ view: FindByTypeValueRequest) {
        use(view.startingHandle)
        use(view.endingHandle)
        use(view.attributeType)
        use(view.attributeValue)
    }

    private mutating func use(_ view: FindByTypeValueResponse) {
        for index in 0..<view.list.count {
            use(view.foundHandle(index))
            use(view.groupEndHandle(index))
        }
        use(view.list.remainder)
    }

    private mutating func use(_ view: ReadByTypeRequest) {
        use(view.startingHandle)
        use(view.endingHandle)
        use(view.attributeType)
    }

    private mutating func use(_ view: ReadByTypeResponse) {
        for index in 0..<view.list.count {
            use(view.handle(index))
            use(view.value(index))
        }
        use(view.list.remainder)
    }

    private mutating func use(_ view: ReadBlobRequest) {
        use(view.attributeHandle)
        use(view.valueOffset)
    }

    private mutating func use(_ view: ReadMultipleRequest) {
        for index in 0..<view.list.count { use(view.handle(index)) }
        use(view.list.remainder)
    }

    private mutating func use(_ view: ReadByGroupTypeRequest) {
        use(view.startingHandle)
        use(view.endingHandle)
        use(view.attributeGroupType)
    }

    private mutating func use(_ view: ReadByGroupTypeResponse) {
        for index in 0..<view.list.count {
            use(view.handle(index))
            use(view.endGroupHandle(index))
            use(view.value(index))
        }
        use(view.list.remainder)
    }

    private mutating func use(_ view: WriteRequest) {
        use(view.attributeHandle)
        use(view.attributeValue)
    }

    private mutating func use(_ view: WriteCommand) {
        use(view.attributeHandle)
        use(view.attributeValue)
    }

    private mutating func use(_ view: SignedWriteCommand) {
        use(view.attributeHandle)
        use(view.attributeValue)
        use(view.signCounter)
        use(view.messageAuthenticationCode)
    }

    private mutating func use(_ view: PrepareWriteRequest) {
        use(view.attributeHandle)
        use(view.valueOffset)
        use(view.partAttributeValue)
    }

    private mutating func use(_ view: PrepareWriteResponse) {
        use(view.attributeHandle)
        use(view.valueOffset)
        use(view.partAttributeValue)
    }

    private mutating func use(_ view: HandleValueNotification) {
        use(view.attributeHandle)
        use(view.attributeValue)
    }

    private mutating func use(_ view: HandleValueIndication) {
        use(view.attributeHandle)
        use(view.attributeValue)
    }

    private mutating func use(_ view: ReadMultipleVariableRequest) {
        for index in 0..<view.list.count { use(view.handle(index)) }
        use(view.list.remainder)
    }

    private mutating func use(_ view: ReadMultipleVariableResponse) {
        var tuples = view.tuples
        var rounds = 0
        while let value = tuples.next() {
            use(value)
            use(tuples.missing)
            count(&rounds, within: view.bytes.count)
        }
        use(tuples.remainder)
    }

    private mutating func use(_ view: MultipleHandleValueNotification) {
        var tuples = view.tuples
        var rounds = 0
        while let value = tuples.next() {
            use(tuples.handle)
            use(value)
            use(tuples.missing)
            count(&rounds, within: view.bytes.count)
        }
        use(tuples.remainder)
    }
}

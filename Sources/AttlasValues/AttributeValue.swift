import AttlasDissection
import AttlasTrace
import AttlasWire

/// One attribute of an event, with its value in the event.
///
/// `Event.forEachAttribute` is the only place that knows where the PDUs keep their attributes.
public struct AttributeValue: ~Escapable, Copyable {
    /// The index among the event's attributes, from 0.
    public let index: Int
    /// Attribute handle; nil if the PDU does not name it.
    public let handle: AttributeHandle?
    /// The known data about the handle.
    public let attribute: AttributeInfo?
    /// The target of a search, or an item of its response.
    public let listing: AttributeListing?
    /// The definition that reads the value.
    public let type: UUIDIndex?
    let octets: Bytes?
    /// Operation that carries the value.
    public let access: AttributeAccess
    /// Whether the value is that of the whole attribute, from its first octet, so that a definition can read it.
    public let isWhole: Bool
    /// Whether the value has more octets than the event.
    public let ending: Ending

    /// How the octets of a value end.
    public enum Ending: Sendable {
        case whole
        /// They fill the PDU: the attribute may have more.
        case mayContinue
        /// The capture cut them.
        case cut
    }

    /// The value's end is not a fault.
    public var isPartial: Bool { ending != .whole }

    /// nil if the event carries no value of the attribute. `ValueInterpreter.octets` gives the octets.
    public var count: Int? {
        guard let octets else { return nil }
        return octets.count
    }

    /// Copies the octets, for use after the event.
    public func store(in stored: inout StoredOctets) { stored.replace(with: octets) }

    @inline(__always)
    @_lifetime(copy octets)
    init(
        index: Int = 0, handle: AttributeHandle?, attribute: AttributeInfo?, listing: AttributeListing? = nil,
        type: UUIDIndex? = nil, value octets: Bytes?, access: AttributeAccess = .read, isWhole: Bool = false,
        ending: Ending = .whole
    ) {
        self.index = index
        self.handle = handle
        self.attribute = attribute
        self.listing = listing
        self.type = type ?? attribute?.type
        self.octets = octets
        self.access = access
        self.isWhole = isWhole
        self.ending = ending
    }
}

extension Event {
    /// Calls `body` with each attribute of the event, in order, as long as it returns true.
    public func forEachAttribute(in trace: borrowing Trace, _ body: (borrowing AttributeValue) -> Bool) {
        switch detail {
        case .att(let operation): operation.forEachAttribute(connection, in: trace, body)
        case .assembled(let assembled):
            _ = body(
                AttributeValue(
                    handle: assembled.handle, attribute: assembled.attribute, value: assembled.value,
                    access: assembled.kind == .longRead ? .read : .write, isWhole: assembled.offset == 0))
        case .subscription(let subscription):
            _ = body(AttributeValue(handle: subscription.handle, attribute: subscription.attribute, value: nil))
        default: return
        }
    }

    /// The owner of the event's attributes; nil if it has none.
    public var server: ServerSide? {
        switch detail {
        case .att(let operation): operation.server
        case .assembled(let assembled): assembled.server
        case .subscription(let subscription): subscription.server
        default: nil
        }
    }
}

extension ATTOperation {
    /// Whether one of its attributes may be known and have a whole value. Where that cannot be, nothing reads it, and a walk over
    /// its attributes is saved.
    public var mayHaveReadableValue: Bool {
        @inline(__always) get {
            switch pdu {
            case .readResponse, .writeRequest, .writeCommand, .signedWriteCommand, .handleValueNotification,
                .handleValueIndication:
                attribute != nil
            case .readByTypeResponse, .readMultipleVariableResponse, .multipleHandleValueNotification: true
            default: false
            }
        }
    }

    /// Whether it has the values of several attributes, each with its length: tables and statistics count each of them.
    public var hasSeveralValues: Bool {
        @inline(__always) get {
            switch pdu {
            case .readMultipleVariableResponse, .multipleHandleValueNotification: true
            default: false
            }
        }
    }

    fileprivate func forEachAttribute(
        _ connection: Int?, in trace: borrowing Trace, _ body: (borrowing AttributeValue) -> Bool
    ) {
        switch pdu {
        case .handleValueNotification(let pdu): _ = body(whole(pdu.attributeValue, .notify))
        case .handleValueIndication(let pdu): _ = body(whole(pdu.attributeValue, .indicate))
        case .readResponse(let pdu): _ = body(whole(pdu.attributeValue, .read))
        case .writeRequest(let pdu): _ = body(whole(pdu.attributeValue, .write))
        case .writeCommand(let pdu): _ = body(whole(pdu.attributeValue, .write))
        case .signedWriteCommand(let pdu): _ = body(whole(pdu.attributeValue, .write))
        case .readMultipleRequest, .readMultipleVariableRequest, .readMultipleResponse, .readMultipleVariableResponse,
            .multipleHandleValueNotification, .readByGroupTypeResponse, .findByTypeValueResponse, .readByTypeResponse,
            .findInformationResponse:
            forEachOfSeveral(connection, in: trace, body)
        default:
            // The end of a search has no attribute: the handle is where the search began.
            if endsDiscovery { return }
            _ = body(
                AttributeValue(
                    handle: handle, attribute: attribute, listing: pdu.sought, value: pdu.value,
                    access: AttributeAccess(opcode)))
        }
    }

    /// The value, if the PDU carries exactly one and carries it whole.
    @inline(__always)
    @_lifetime(copy value)
    private func whole(_ value: Bytes, _ access: AttributeAccess) -> AttributeValue {
        AttributeValue(
            handle: handle, attribute: attribute, value: value, access: access, isWhole: true,
            ending: ending)
    }

    /// How its value ends.
    public var ending: AttributeValue.Ending {
        if mayContinue { return .mayContinue }
        return fault?.limit == .capturedLength ? .cut : .whole
    }

    private func forEachOfSeveral(
        _ connection: Int?, in trace: borrowing Trace, _ body: (borrowing AttributeValue) -> Bool
    ) {
        let access: AttributeAccess = if case .multipleHandleValueNotification = pdu { .notify } else { .read }
        func goesOn(
            _ index: Int, _ handle: AttributeHandle?, _ value: Bytes? = nil, ending: AttributeValue.Ending = .whole,
            listing: AttributeListing? = nil, type: UUIDIndex? = nil
        ) -> Bool {
            var attribute: AttributeInfo?
            if listing == nil, let handle, let connection {
                attribute = trace.attribute(handle, server: server, connection: connection)
            }
            // A declaration of 128 bits fills the smallest PDU, and there is no more of it.
            let ending = attribute?.role == .declaration ? .whole : ending
            return body(
                AttributeValue(
                    index: index, handle: handle, attribute: attribute, listing: listing, type: type, value: value,
                    access: access, isWhole: value != nil, ending: ending))
        }
        func endingOfList(_ missing: Int) -> AttributeValue.Ending {
            guard missing > 0 else { return .whole }
            return fault?.limit == .capturedLength ? .cut : .mayContinue
        }
        switch pdu {
        case .readMultipleRequest(let pdu):
            for index in 0..<pdu.list.count where !goesOn(index, pdu.handle(index)) { return }
        case .readMultipleVariableRequest(let pdu):
            for index in 0..<pdu.list.count where !goesOn(index, pdu.handle(index)) { return }
        case .readMultipleResponse(let pdu):
            // The PDU does not contain the limits between the values.
            for index in multipleHandles.indices where !goesOn(index, multipleHandles[index]) { return }
            _ = body(
                AttributeValue(index: multipleHandles.count, handle: nil, attribute: nil, value: pdu.setOfValues))
        case .readMultipleVariableResponse(let pdu):
            var tuples = pdu.tuples
            var index = 0
            while let value = tuples.next() {
                let handle = index < multipleHandles.count ? multipleHandles[index] : nil
                // A value that does not fit ends with the PDU. Vol 3, Part F, 3.4.4.12.
                guard goesOn(index, handle, value, ending: endingOfList(tuples.missing)) else { return }
                index += 1
            }
        case .multipleHandleValueNotification(let pdu):
            var tuples = pdu.tuples
            var index = 0
            while let value = tuples.next() {
                let ending: AttributeValue.Ending =
                    tuples.missing > 0 && fault?.limit == .capturedLength ? .cut : .whole
                guard goesOn(index, tuples.handle, value, ending: ending) else { return }
                index += 1
            }
        case .readByGroupTypeResponse(let pdu):
            for index in 0..<pdu.list.count {
                let listing = BluetoothUUID(pdu.value(index)).map { AttributeListing.service($0) }
                guard goesOn(index, pdu.handle(index), listing: listing) else { return }
            }
        case .findByTypeValueResponse(let pdu):
            let service = request?.soughtService.map { AttributeListing.service(trace.uuids[$0]) }
            let listing = service ?? request?.attributeType.map { AttributeListing(type: trace.uuids[$0]) }
            for index in 0..<pdu.list.count where !goesOn(index, pdu.foundHandle(index), listing: listing) { return }
        case .readByTypeResponse(let pdu):
            let type = request?.attributeType
            let uuid = type.map { trace.uuids[$0] }
            for index in 0..<pdu.list.count {
                let value = pdu.value(index)
                switch GATTDeclaration(value, type: uuid) {
                case .characteristic(let declaration):
                    let listing = declaration.uuid.map { AttributeListing.characteristic($0) }
                    guard goesOn(index, pdu.handle(index), listing: listing) else { return }
                case .include(let declaration):
                    let listing = declaration.uuid.map { AttributeListing.service($0) }
                    guard goesOn(index, pdu.handle(index), listing: listing) else { return }
                case nil:
                    // An answer that is not an include: it may answer another request, whose packets are missing.
                    let isAnother = uuid == .include
                    let listing = isAnother ? nil : uuid.map { AttributeListing(type: $0) }
                    let type = isAnother ? nil : type
                    guard goesOn(index, pdu.handle(index), value, ending: ending, listing: listing, type: type) else {
                        return
                    }
                }
            }
        case .findInformationResponse(let pdu):
            for index in 0..<pdu.list.count {
                let listing = AttributeListing(type: pdu.uuid(index))
                guard goesOn(index, pdu.handle(index), listing: listing) else { return }
            }
        default: return
        }
    }
}

extension AttributeAccess {
    /// The operation of a PDU that carries a whole value.
    public init(_ opcode: ATTOpcode) {
        // Nearly all values need no jump over all opcodes.
        switch opcode {
        case .handleValueNotification: self = .notify
        case .readResponse: self = .read
        case .writeRequest, .writeCommand: self = .write
        default: self.init(kindOf: opcode)
        }
    }

    @inline(never)
    private init(kindOf opcode: ATTOpcode) {
        switch opcode.definition?.kind {
        case .notification: self = .notify
        case .indication: self = .indicate
        case .response: self = .read
        default: self = .write
        }
    }
}

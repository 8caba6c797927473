import AttlasDissection
import AttlasTrace
import AttlasWire

/// One attribute that an event is about, with the value that the event gives it.
struct Subject: ~Escapable, Copyable {
    /// Which of the event's attributes, counted from 0.
    let index: Int
    let handle: AttributeHandle?
    let attribute: AttributeInfo?
    /// What a search asks for, or what the answer lists; the trace takes it into its tables behind the event.
    let listing: Listing?
    /// By which definition the value is read.
    let type: UUIDIndex?
    let value: Bytes?
    let access: AttributeAccess
    /// The value is that of the whole attribute, from its first octet, so that a definition can read it.
    let isDissectable: Bool
    /// More of the value may follow, or the capture cut it: where it ends is no fault.
    let isPartial: Bool

    @_lifetime(copy value)
    init(
        index: Int = 0, handle: AttributeHandle?, attribute: AttributeInfo?, listing: Listing? = nil,
        type: UUIDIndex? = nil, value: Bytes?, access: AttributeAccess = .read, isDissectable: Bool = false,
        isPartial: Bool = false
    ) {
        self.index = index
        self.handle = handle
        self.attribute = attribute
        self.listing = listing
        self.type = type ?? attribute?.type
        self.value = value
        self.access = access
        self.isDissectable = isDissectable
        self.isPartial = isPartial
    }
}

extension Event {
    /// Tests the attributes that the event is about, one after the other: true when the test is true of one, false when it
    /// is false of one and true of none, nil when it is neither of all, or when the event is about no attribute.
    func anySubject(in trace: borrowing Trace, _ test: (borrowing Subject) -> Bool?) -> Bool? {
        switch detail {
        case .att(let operation): return operation.anySubject(connection, in: trace, test)
        case .assembled(let assembled):
            return test(
                Subject(
                    handle: assembled.handle, attribute: assembled.attribute, value: assembled.value,
                    access: assembled.kind == .longRead ? .read : .write, isDissectable: assembled.offset == 0))
        case .subscription(let subscription):
            return test(Subject(handle: subscription.handle, attribute: subscription.attribute, value: nil))
        default: return nil
        }
    }
}

extension ATTOperation {
    fileprivate func anySubject(
        _ connection: Int?, in trace: borrowing Trace, _ test: (borrowing Subject) -> Bool?
    ) -> Bool? {
        // Several attributes, one after the other, until the test is true of one.
        var result: Bool?
        func isTrue(
            _ index: Int, _ handle: AttributeHandle?, _ value: Bytes? = nil, _ access: AttributeAccess = .read,
            isPartial: Bool = false, listing: Listing? = nil, type: UUIDIndex? = nil
        ) -> Bool {
            var attribute: AttributeInfo?
            if listing == nil, let handle, let connection {
                attribute = trace.attribute(handle, server: server, connection: connection)
            }
            let subject = Subject(
                index: index, handle: handle, attribute: attribute, listing: listing, type: type, value: value,
                access: access, isDissectable: value != nil, isPartial: isPartial)
            guard let truth = test(subject) else { return false }
            result = truth
            return truth
        }
        switch pdu {
        case .readMultipleRequest(let pdu):
            for index in 0..<pdu.list.count where isTrue(index, pdu.handle(index)) { return true }
        case .readMultipleVariableRequest(let pdu):
            for index in 0..<pdu.list.count where isTrue(index, pdu.handle(index)) { return true }
        case .readMultipleResponse(let pdu):
            // Where one value ends and the next begins is not said.
            for (index, handle) in multipleHandles.enumerated() where isTrue(index, handle) { return true }
            if isTrue(multipleHandles.count, nil, pdu.setOfValues) { return true }
        case .readMultipleVariableResponse(let pdu):
            var tuples = pdu.tuples
            var index = 0
            while let value = tuples.next() {
                let handle = index < multipleHandles.count ? multipleHandles[index] : nil
                if isTrue(index, handle, value, isPartial: tuples.missing > 0) { return true }
                index += 1
            }
        case .multipleHandleValueNotification(let pdu):
            var tuples = pdu.tuples
            var index = 0
            while let value = tuples.next() {
                if isTrue(index, tuples.handle, value, .notify) { return true }
                index += 1
            }
        case .readByGroupTypeResponse(let pdu):
            for index in 0..<pdu.list.count {
                let listing = BluetoothUUID(pdu.value(index)).map { Listing.service($0) }
                if isTrue(index, pdu.handle(index), listing: listing) { return true }
            }
        case .findByTypeValueResponse(let pdu):
            let service = request?.soughtService.map { Listing.service(trace.uuids[$0]) }
            let listing = service ?? request?.attributeType.map { Listing(type: trace.uuids[$0]) }
            for index in 0..<pdu.list.count where isTrue(index, pdu.foundHandle(index), listing: listing) {
                return true
            }
        case .readByTypeResponse(let pdu):
            let type = request?.attributeType
            let short = type.flatMap { trace.uuids[$0].uint16 }
            for index in 0..<pdu.list.count {
                let value = pdu.value(index)
                switch short {
                case 0x2803 where value.count > 3:
                    let listing = BluetoothUUID(value.dropFirst(3)).map { Listing.characteristic($0) }
                    if isTrue(index, pdu.handle(index), listing: listing) { return true }
                case 0x2802 where value.count >= 4:
                    let listing = BluetoothUUID(value.dropFirst(4)).map { Listing.service($0) }
                    if isTrue(index, pdu.handle(index), listing: listing) { return true }
                default:
                    let listing = type.map { Listing(type: trace.uuids[$0]) }
                    if isTrue(index, pdu.handle(index), value, listing: listing, type: type) { return true }
                }
            }
        case .findInformationResponse(let pdu):
            for index in 0..<pdu.list.count
            where isTrue(index, pdu.handle(index), listing: Listing(type: pdu.uuid(index))) { return true }
        default:
            // A search that ends is about no attribute: the handle is where it began.
            if endsDiscovery { return nil }
            return test(
                Subject(
                    handle: handle, attribute: attribute, listing: pdu.sought, value: pdu.value,
                    access: AttributeAccess(opcode), isDissectable: pdu.attributeValue != nil,
                    isPartial: mayContinue || fault?.limit == .capturedLength))
        }
        return result
    }
}

/// An attribute by what a discovery PDU says of it.
enum Listing {
    case service(BluetoothUUID)
    case characteristic(BluetoothUUID)
    /// A descriptor or a declaration.
    case descriptor(BluetoothUUID)

    /// An attribute of this type.
    init(type: BluetoothUUID) {
        // Declarations and descriptors. Assigned Numbers, 3.6 and 3.7.
        self = 0x2800...0x29FF ~= type.uint16 ?? 0 ? .descriptor(type) : .characteristic(type)
    }

    /// The UUID, when the property asks for it.
    func uuid(_ property: FilterProperty) -> BluetoothUUID? {
        switch (self, property) {
        case (.service(let uuid), .service), (.service(let uuid), .uuid): uuid
        case (.characteristic(let uuid), .characteristic), (.characteristic(let uuid), .uuid): uuid
        case (.descriptor(let uuid), .descriptor), (.descriptor(let uuid), .uuid): uuid
        default: nil
        }
    }
}

extension ATTPDU {
    /// What a search is for.
    fileprivate var sought: Listing? {
        switch self {
        case .readByTypeRequest(let pdu): return Listing(type: pdu.attributeType)
        case .readByGroupTypeRequest(let pdu): return Listing(type: pdu.attributeGroupType)
        case .findByTypeValueRequest(let pdu):
            guard pdu.attributeType.uint16 == 0x2800, let uuid = BluetoothUUID(pdu.attributeValue) else {
                return Listing(type: pdu.attributeType)
            }
            return .service(uuid)
        default: return nil
        }
    }

    /// The value, or the part or the row of values, that the PDU carries as octets: what NDJSON calls `value`.
    var value: Bytes? {
        @_lifetime(copy self) get {
            switch self {
            case .findByTypeValueRequest(let pdu): pdu.attributeValue
            case .readBlobResponse(let pdu): pdu.partAttributeValue
            case .readMultipleResponse(let pdu): pdu.setOfValues
            case .prepareWriteRequest(let pdu): pdu.partAttributeValue
            case .prepareWriteResponse(let pdu): pdu.partAttributeValue
            case .unknown(let bytes): bytes
            default: attributeValue
            }
        }
    }
}

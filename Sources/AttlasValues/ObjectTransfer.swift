import AttlasDissection
import AttlasTrace
import AttlasWire

/// A transfer of an object's octets over the Object Transfer Channel: the request to the Object Action Control Point, and the data since.
/// Object Transfer Service, 3.
public struct ObjectTransfer: Sendable {
    /// The object as the values of its characteristics have it; nil for values that are not in the capture.
    public struct Object: Sendable, Equatable {
        /// 0 is the Directory Listing Object.
        public internal(set) var id: UInt64?
        /// Object Name.
        public internal(set) var name: String?
        /// Object Type.
        public internal(set) var type: BluetoothUUID?
        /// Current Size in octets (Object Size).
        public internal(set) var currentSize: UInt32?
        /// Allocated Size in octets (Object Size).
        public internal(set) var allocatedSize: UInt32?
    }

    /// Direction: read from the server, or written to it.
    public enum Operation: String, Sendable {
        case read, write
    }

    /// Direction: read from the server, or written to it.
    public let operation: Operation
    /// Whose object it is.
    public let server: ServerSide
    /// As it was known at the request.
    public let object: Object
    /// Where in the object it begins.
    public let offset: UInt32
    /// Octets requested.
    public let length: UInt32
    /// Frame of the control point's write.
    public let requestFrame: Int
    /// Octets of the SDU that came last.
    public private(set) var part = 0
    /// Octets of all SDUs.
    public private(set) var transferred = 0
    /// The octets from `offset` on, without gaps: fewer than `transferred` when the capture cut an SDU, or when there are too many to keep.
    private(set) var octets: [UInt8] = []
    /// The capture lacks octets.
    public private(set) var isCut = false

    /// Octets that are kept of one.
    static let octetLimit = 65_536

    init(
        _ operation: Operation, _ server: ServerSide, _ object: Object, offset: UInt32, length: UInt32,
        requestFrame: Int
    ) {
        self.operation = operation
        self.server = server
        self.object = object
        self.offset = offset
        self.length = length
        self.requestFrame = requestFrame
    }

    /// Whether the requested length was reached.
    public var isComplete: Bool { transferred >= Int(length) }
    /// Octets beyond the request.
    public var excess: Int { max(0, transferred - Int(length)) }
    /// The requested data, if all of it was captured; otherwise its beginning.
    public var requestedOctets: ArraySlice<UInt8> { octets.prefix(Int(length)) }

    /// `requestedOctets` as text, with ends of lines; nil if they are empty, or not all of them are text in UTF-8.
    public var text: String? {
        guard !requestedOctets.isEmpty, let text = String(validating: requestedOctets, as: UTF8.self) else {
            return nil
        }
        let isText = text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\r" || scalar == "\t"
                || scalar.properties.generalCategory != .control && scalar.properties.generalCategory != .unassigned
        }
        return isText ? text : nil
    }

    mutating func add(_ sdu: borrowing ChannelSDU) {
        part = sdu.bytes.count + sdu.missing
        transferred += part
        guard !isCut, octets.count + part == transferred else { return }
        sdu.bytes.prefix(Self.octetLimit - octets.count).append(to: &octets)
        isCut = sdu.missing > 0
    }
}

/// The objects that servers have selected, and their transfers.
struct ObjectTransfers {
    /// Servers; when there are more, all are forgotten.
    private static let limit = 512
    /// Transfers with octets; when there are more, all are forgotten.
    private static let transferLimit = 64
    /// SPSM of the Object Transfer Channel. Assigned Numbers, 2.5.

    /// A server at one end of a connection.
    struct Server: Hashable {
        let connection: Int
        let side: ServerSide
    }

    /// One of its services: each has a separate object.
    struct Place: Hashable {
        let server: Server
        let service: AttributeHandle?
    }

    private struct Selected {
        var object = ObjectTransfer.Object()
        /// The requests that wait for their responses, but for transfers.
        var action: [UInt8] = []
        var listing: [UInt8] = []
    }

    private var selected: [Place: Selected] = [:]
    private var transfers: [Server: ObjectTransfer] = [:]
    /// The server of the SDU that is being received.
    private var current: Server?

    /// Whether there was no request for any object.
    var isEmpty: Bool { selected.isEmpty }

    /// That of the SDU that is being received.
    var transfer: ObjectTransfer? { current.flatMap { transfers[$0] } }

    /// Whether values of the type show the selected object, or changes of it.
    static func concern(_ uuid: BluetoothUUID) -> Bool {
        switch uuid {
        case .objectName, .objectType, .objectSize, .objectID, .objectActionControlPoint, .objectListControlPoint: true
        default: false
        }
    }

    // MARK: Values

    mutating func follow(_ value: Bytes, type: BluetoothUUID, _ access: AttributeAccess, at place: Place, frame: Int) {
        if selected[place] == nil, selected.count >= Self.limit { selected.removeAll() }
        var known = selected[place] ?? Selected()
        switch (type, access) {
        case (.objectName, .read), (.objectName, .write):
            known.object.name = String(decoding: value.copy(), as: UTF8.self)
        case (.objectType, .read): known.object.type = BluetoothUUID(value)
        case (.objectSize, .read) where value.count >= 8:
            known.object.currentSize = value.uint32(at: 0)
            known.object.allocatedSize = value.uint32(at: 4)
        case (.objectID, .read) where value.count >= 6: known.object.id = value.uint48(at: 0)
        case (.objectActionControlPoint, .write) where !value.isEmpty:
            act(value, known.object, place.server, frame, &known.action)
        case (.objectActionControlPoint, .indicate) where value.count >= 3 && value[0] == Action.response:
            answer(value, &known, place.server)
        case (.objectListControlPoint, .write): known.listing = value.copy()
        case (.objectListControlPoint, .indicate) where value.count >= 3 && value[0] == ListAction.response:
            select(value, &known)
        default: break
        }
        selected[place] = known
    }

    /// A request of the Object Action Control Point.
    private mutating func act(
        _ value: Bytes, _ object: ObjectTransfer.Object, _ server: Server, _ frame: Int, _ action: inout [UInt8]
    ) {
        action = []
        switch (value[0], value.count) {
        case (Action.read, 9...), (Action.write, 9...):
            if transfers[server] == nil, transfers.count >= Self.transferLimit { transfers.removeAll() }
            transfers[server] = ObjectTransfer(
                value[0] == Action.read ? .read : .write, server.side, object, offset: value.uint32(at: 1),
                length: value.uint32(at: 5), requestFrame: frame)
        default: action = value.copy()
        }
    }

    /// Its response: 0x60, the Op Code of the request, the Result Code.
    private mutating func answer(_ value: Bytes, _ known: inout Selected, _ server: Server) {
        let isSuccess = value[2] == Action.success
        switch value[1] {
        case Action.read, Action.write: if !isSuccess { transfers[server] = nil }
        // With Size and Type: the new object is the selected one.
        case Action.create where isSuccess:
            known.object = Self.created(by: Bytes(known.action.span))
        case Action.delete where isSuccess: known.object = ObjectTransfer.Object()
        case Action.abort where isSuccess: transfers[server] = nil
        default: break
        }
        known.action = []
    }

    private static func created(by request: Bytes) -> ObjectTransfer.Object {
        var object = ObjectTransfer.Object()
        if request.count > 5, request[0] == Action.create {
            object.allocatedSize = request.uint32(at: 1)
            object.type = BluetoothUUID(request.dropFirst(5))
        }
        return object
    }

    /// A response of the Object List Control Point: 0x70, the Op Code of the request, the Result Code. First, Last, Previous, Next and
    /// Go To select another object.
    private func select(_ value: Bytes, _ known: inout Selected) {
        let listing = known.listing
        known.listing = []
        guard ListAction.first...ListAction.goTo ~= value[1], value[2] == Action.success else { return }
        known.object = ObjectTransfer.Object()
        let request = Bytes(listing.span)
        if value[1] == ListAction.goTo, request.count >= 7, request[0] == ListAction.goTo {
            known.object.id = request.uint48(at: 1)
        }
    }

    /// The server refused a write.
    mutating func refuse(type: BluetoothUUID, at place: Place) {
        switch type {
        case .objectName: selected[place]?.object.name = nil
        case .objectActionControlPoint:
            selected[place]?.action = []
            if transfers[place.server]?.transferred == 0 { transfers[place.server] = nil }
        case .objectListControlPoint: selected[place]?.listing = []
        default: break
        }
    }

    mutating func forget(connection: Int) {
        selected = selected.filter { $0.key.server.connection != connection }
        for side in ServerSide.allCases { transfers[Server(connection: connection, side: side)] = nil }
    }

    // MARK: The channel

    static func carries(_ sdu: borrowing ChannelSDU) -> Bool {
        sdu.psm == ProtocolMultiplexer.objectTransfer && sdu.credits != nil
    }

    /// Reads come from the server, writes go to it.
    mutating func follow(_ sdu: borrowing ChannelSDU, _ direction: Direction, connection: Int) {
        guard Self.carries(sdu) else { return }
        current = nil
        guard direction != .unknown else { return }
        let sender = Server(connection: connection, side: direction == .rx ? .peer : .local)
        let receiver = Server(connection: connection, side: direction == .rx ? .local : .peer)
        let read = transfers[sender].flatMap { $0.operation == .read ? $0 : nil }
        let write = transfers[receiver].flatMap { $0.operation == .write ? $0 : nil }
        switch (read, write) {
        case (let read?, let write?):
            // Both sides have a server: the one with an incomplete transfer, or, of two, the one with the last request.
            let isRead =
                read.isComplete != write.isComplete ? write.isComplete : read.requestFrame > write.requestFrame
            current = isRead ? sender : receiver
        case (.some, nil): current = sender
        case (nil, .some): current = receiver
        case (nil, nil): return
        }
        if let current { transfers[current]?.add(sdu) }
    }
}

/// Op Codes of the Object Action Control Point, and the result of success. Object Transfer Service 1.0, 3.3.2.
private enum Action {
    static let create: UInt8 = 0x01
    static let delete: UInt8 = 0x02
    static let read: UInt8 = 0x05
    static let write: UInt8 = 0x06
    static let abort: UInt8 = 0x07
    static let response: UInt8 = 0x60
    static let success: UInt8 = 0x01
}

/// Op Codes of the Object List Control Point. Object Transfer Service 1.0, 3.3.3.
private enum ListAction {
    static let first: UInt8 = 0x01
    static let goTo: UInt8 = 0x05
    static let response: UInt8 = 0x70
}

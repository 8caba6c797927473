import AttlasWire

/// The parameters of a link.
struct AppParameters: Equatable {
    /// Units of 1.25 ms.
    let interval: UInt16
    /// Connection events.
    let latency: UInt16
    /// Units of 10 ms.
    let timeout: UInt16
}

/// The meaning of a line in an app's log.
enum AppStep: Equatable {
    /// The device of the log.
    case heading
    case connecting
    case connected(AppParameters?)
    /// The app uses a connection that it has.
    case used
    /// The app ends the connection.
    case disconnecting
    /// This host advertises: a later connection is the peer's.
    case advertising
    /// It could not begin to.
    case advertisingFailed(AppStatus)
    /// The device of the `connected` line above.
    case peer
    /// The peer's identity address. Vol 3, Part H, 3.6.5.
    case identity(AppPeer)
    /// Also the end of an attempt to connect.
    case disconnected(AppStatus)
    /// The end of a connection that existed, for a reason that the log does not have.
    case lost
    /// The end of a connection if there is one, else its beginning; of one client of the stack, if it names it.
    case changed(AppStatus, client: Int?)
    /// The end of an attempt to connect.
    case attemptFailed(AppStatus)
    /// The result of encryption or pairing.
    case encryption(AppStatus)
    /// The request that waits failed, or one of which the log has only the opcode, or nothing.
    case error(AppStatus, request: UInt8?)
    /// The request that waits failed. Without one, the failure is not of ATT.
    case requestFailed(AppStatus)
    /// Days since 1970-01-01, for the times that follow. The device is named in the next line.
    case date(Int64)
    /// A list of services follows.
    case listing
    case operation(AppOperation, AppAttribute, value: [UInt8]?)
    /// The end of a request, of which the log does not have the value.
    case completed(AppAttribute, request: UInt8)
    /// An operation whose value is not octets.
    case unreadable
    /// The characteristic whose configuration is written next.
    case configuring(AppAttribute)
    /// A write of a configuration by this host, or by the peer. Vol 3, Part G, 3.3.3.3.
    case subscription(AppAttribute, value: UInt8, by: Direction)
    /// A line without meaning.
    case nothing
    /// The value of the write in the next line.
    case valueNext(AppValue)
    /// A PDU of the Attribute Protocol, or some fields of it.
    case pdu(AttributePDU)
    /// A request for an attribute, of which the log has only the error.
    case refused(AppAttribute, request: UInt8, AppStatus)
    /// A discovered attribute, with its handles.
    case service(start: UInt16, end: UInt16, uuid: [UInt8])
    case declaration(handle: UInt16, properties: UInt8, value: UInt16, uuid: [UInt8])
    case described(handle: UInt16, uuid: [UInt8])
    /// The data of advertising, and dBm.
    case advertised([UInt8], rssi: Int)
    /// The UUID of the object at a path of D-Bus.
    case named(path: UInt16, uuid: [UInt8])
    case requestMTU(UInt16)
    case mtu(UInt16)
    case parameters(AppParameters)
    case updateFailed(AppStatus)
    /// Lines of octets follow.
    case octets(AppAttribute)
    /// The next lines belong to it.
    case unfinished(from: Int)

    static func operation(_ operation: AppOperation, _ attribute: AppAttribute, _ value: AppValue) -> AppStep {
        switch value {
        case .none: .operation(operation, attribute, value: nil)
        case .octets(let octets): .operation(operation, attribute, value: octets)
        case .unreadable: .unreadable
        }
    }

    /// Whether this line shows that the text is a log, if there is no better one in the text or after a line about an attempt to connect.
    var isFailure: Bool {
        switch self {
        case .error, .requestFailed, .completed, .advertisingFailed: true
        case .encryption(let status): !status.isSuccess
        default: failure != nil
        }
    }

    /// Whether this line shows that the text is a log, if there is no better one in the text.
    ///
    /// - Parameter isAlone: Whether it has no time and no device, and no other line of a log precedes it.
    func isOfSetup(isAlone: Bool) -> Bool {
        switch self {
        case .described: true
        // Questions mention it, too.
        case .mtu: !isAlone
        default: false
        }
    }

    /// Whether it is the same as one before, with the reason or the value.
    func completes(_ other: AppStep) -> Bool {
        switch (other, self) {
        case (.disconnected, .disconnected(let status)), (.disconnected, .changed(let status, _)):
            !status.isWithoutReason
        case (.completed(let attribute, _), .operation(_, let other, let value)): other == attribute && value != nil
        case (.pdu(let part), .pdu(let pdu)):
            pdu.direction == part.direction && pdu.octets.starts(with: part.octets)
        case (.mtu(let first), .mtu(let second)): first == second
        default: false
        }
    }

    /// The status of an end that is not the app's own.
    var failure: AppStatus? {
        switch self {
        case .lost: .withoutReason
        case .disconnected(let status), .changed(let status, _), .attemptFailed(let status):
            status.isSuccess ? nil : status
        default: nil
        }
    }

    /// Whether it shows that an attempt to connect failed.
    var isOfAttempt: Bool {
        switch self {
        case .attemptFailed: true
        case .disconnected(let status): status.isOfAttempt
        default: false
        }
    }

    /// Whether it is the beginning of a connection.
    var isBeginning: Bool {
        switch self {
        case .connected: true
        case .changed(let status, _): status.isSuccess
        default: false
        }
    }

    var isOfConnection: Bool {
        switch self {
        case .connecting, .connected, .disconnected, .lost, .changed, .attemptFailed: true
        default: false
        }
    }

    /// Whether this line alone shows that the text is a log of an app.
    var isCertain: Bool {
        switch self {
        case .operation(_, _, let value): value != nil
        case .disconnected(let status), .error(let status, _): status.system == .coreBluetooth
        case .connected(let parameters): parameters != nil
        case .subscription(let attribute, _, _): attribute != .last
        case .octets, .unreadable, .parameters, .pdu, .refused, .service, .declaration, .advertised: true
        default: false
        }
    }
}

/// With the names that readers have for them.
enum AppOperation: String {
    case read, write
    /// The end of either, in a log with both ends; in others it is all that there is.
    case readDone = "read-done"
    case writeDone = "write-done"
    case writeCommand = "write-command"
    case notification, indication
    /// A value that was read, or else notified.
    case received
    /// The same, of which the log has the octets twice if it was read: the value is one half of them.
    case receivedTwice
    /// A write that is known when its value is.
    case writeRequestNext = "write-request-next"
    case writeCommandNext = "write-command-next"
}

/// The value of an operation, as the line gives it.
enum AppValue: Equatable, Sendable {
    case none
    case octets([UInt8])
    case unreadable

    init(_ octets: [UInt8]?) { self = octets.map { .octets($0) } ?? .unreadable }
}

/// The address of a device, as an integer.
struct AppPeer: Hashable, Sendable {
    /// Bits that the log hides are zeros.
    let address: UInt64
    /// Ones in place of these.
    var hidden: UInt64 = 0
    /// Whether it is a random address, if the log shows it.
    var isRandom: Bool?

    /// Its type in HCI.
    var type: UInt8 { isRandom ?? isLikelyRandom ? 1 : 0 }
    /// Whether its first two bits are those of a static or a resolvable private address (Vol 6, Part B, 1.3.2). A public address may begin like
    /// the latter, but its bits for local and group addresses are 0 (IEEE 802).
    private var isLikelyRandom: Bool { address >> 46 == 3 || address >> 46 == 1 && address >> 40 & 3 != 0 }
    var isHidden: Bool { hidden != 0 }

    func random(_ isRandom: Bool?) -> Self { AppPeer(address: address, hidden: hidden, isRandom: isRandom) }

    /// Whether it may be the same address: no bit that both show is different.
    func isLike(_ other: Self) -> Bool { (address ^ other.address) & ~(hidden | other.hidden) == 0 }

    static func == (left: Self, right: Self) -> Bool { left.address == right.address && left.hidden == right.hidden }
    func hash(into hasher: inout Hasher) { hasher.combine(address) }
}

enum AppAttribute: Hashable, Sendable {
    /// UUID of a characteristic: 2 or 16 octets, little-endian.
    case characteristic([UInt8])
    /// A characteristic whose UUID the log does not have.
    case name([UInt8])
    /// A descriptor of a characteristic: of the one that was used last, if the line does not name it.
    case descriptor([UInt8], of: [UInt8]?)
    /// The number of a characteristic's declaration in a path of D-Bus, and its UUID if the line has it. Its value has the next handle.
    case path(UInt16, uuid: [UInt8]?)
    /// The handle in the log.
    case handle(UInt16)
    /// The characteristic that was used last.
    case last
}

/// A PDU of which a log has some fields.
struct AttributePDU: Equatable, Sendable {
    let direction: Direction
    var octets: [UInt8]
    /// Octets that the log does not have.
    var missing: Int
    /// Octets of the packet on its medium.
    let frame: Int?
    /// Whether the log does not have the request of an error.
    let lacksRequest: Bool
}

/// A line of the list of services: "Generic Access (0x1800)", "- Device Name [N R] (0x2A00)", "   Client Characteristic Configuration (0x2902)".
enum AppListing {
    case service([UInt8])
    case characteristic([UInt8], properties: UInt8)
    case descriptor([UInt8])

    init?(_ line: borrowing Bytes) {
        var end = line.count
        while end > 0, line[end - 1] == 0x20 { end -= 1 }
        guard end > 0, line[end - 1] == UInt8(ascii: ")"),
            let uuid = line.prefix(end).lastUUID.flatMap({ BluetoothUUID(Bytes($0.span)) })?.shortest
        else { return nil }
        let start = line.endOfBlanks(from: 0)
        if line.contains("- ", at: start) || line.contains("\u{2022} ", at: start) {
            guard let open = line.offset(of: "["), let close = line.offset(of: "]"), open < close else { return nil }
            var properties: UInt8 = 0
            let words = line.slice(open + 1..<close)
            var index = 0
            while index < words.count {
                let wordEnd = words.endOfWord(from: index)
                let word = words.slice(index..<wordEnd)
                // Vol 3, Part G, 3.3.1.1.
                for (name, bit) in Self.properties where word.count == name.utf8CodeUnitCount && word.starts(with: name)
                {
                    properties |= bit
                }
                index = words.endOfBlanks(from: wordEnd)
            }
            self = .characteristic(uuid, properties: properties)
        } else if uuid.count == 2, uuid[1] == 0x29 {
            self = .descriptor(uuid)
        } else {
            self = .service(uuid)
        }
    }

    private static let properties: [(StaticString, UInt8)] = [
        ("B", 0x01), ("R", 0x02), ("WNR", 0x04), ("W", 0x08), ("N", 0x10), ("I", 0x20), ("SW", 0x40),
    ]
}

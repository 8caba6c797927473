import AttlasWire

/// A dialect of logs that is described, not programmed: its lines and their meanings.
///
/// Documentation/readers.md has the format of the files. Those of attlas are in Sources/AttlasCapture/Readers.
package struct LogReader: Sendable {
    /// As results name it.
    package let name: String
    package let about: String
    /// Readers whose logs have the same values: where they were used, this one is not.
    let unless: [String]
    /// Statuses that the log has as words.
    let words: [Word]
    let times: Times
    /// Whether a connection may be the peer's: its lines do not show it.
    let isRoleUnknown: Bool
    let lines: [LogLine]
    /// Texts, and the packets that they give.
    package let examples: [Example]

    /// Times before the text of a line that not every log has.
    enum Times: String, CaseIterable, Sendable {
        /// Only those of every log.
        case clock
        /// Since the start of the log, in a column: "7696  86.003418".
        case seconds
        /// Since the start of the device, at the beginning of the line: "305859 [I]".
        case milliseconds
        /// The same, "(23688)" in milliseconds, or "[  940.548222]" in seconds.
        case uptime
    }

    struct Word: Sendable {
        let text: [UInt8]
        let code: Int
    }

    package struct Example: Sendable {
        package let text: String
        /// ATT PDUs after `>` (sent) and `<` (received), other packets after `!`, `?` for a record that cannot be read.
        package let gives: [String]
        let line: Int
    }
}

/// A line of a dialect.
final class LogLine: Sendable {
    let template: LogTemplate
    /// Searched in the rest of the line; all of `with` must be found.
    let with: [LogTemplate]
    let maybe: [LogTemplate]
    /// A text that the rest of the line must have, or must not.
    let has: [UInt8]?
    let lacks: [UInt8]?
    /// The end of a call that takes several lines.
    let until: [UInt8]?
    let meaning: Meaning
    /// The system that defines its status codes.
    let system: ApplicationStatus.System
    /// Whether it begins a block of lines, which ends where the next begins.
    let isBlock: Bool
    /// Whether packets in the same text have more than this line.
    let isWeak: Bool
    /// Whether the next line may be the same with a reason or a value.
    let isEarly: Bool
    let constants: LogFields

    init(
        template: LogTemplate, with: [LogTemplate], maybe: [LogTemplate], has: [UInt8]?, lacks: [UInt8]?,
        until: [UInt8]?, meaning: Meaning, system: ApplicationStatus.System, isBlock: Bool, isWeak: Bool,
        isEarly: Bool, constants: LogFields
    ) {
        (self.template, self.with, self.maybe) = (template, with, maybe)
        (self.has, self.lacks, self.until) = (has, lacks, until)
        (self.meaning, self.system, self.constants) = (meaning, system, constants)
        (self.isBlock, self.isWeak, self.isEarly) = (isBlock, isWeak, isEarly)
    }

    enum Meaning: String, CaseIterable {
        case heading, connecting, connected, used, disconnecting, disconnected, lost, changed, failed, date, services
        case configuring, subscribed, unsubscribed, named, mtu, parameters, read, write, notification, indication,
            received, pdu, advertised
        case service, characteristic, attribute, nothing, advertising, peer, identity, encryption
        case pairingFailed = "pairing-failed"
        case advertisingFailed = "advertising-failed"
        case subscribedToIndications = "subscribed-indications"
        case attemptFailed = "attempt-failed"
        case requestFailed = "request-failed"
        case valueNext = "value-next"
        case mtuRequest = "mtu-request"
        case octets = "octets-follow"
        case readDone = "read-done"
        case writeDone = "write-done"
        case writeCommand = "write-command"
        case writeRequestNext = "write-request-next"
        case writeCommandNext = "write-command-next"

        var operation: AppOperation? { AppOperation(rawValue: rawValue) }
    }
}

/// The fields of a line.
struct LogFields: Sendable {
    var attribute: AppAttribute?
    var path: UInt16?
    var uuid: [UInt8]?
    var peer: AppPeer?
    var identity: AppPeer?
    var isRandom: Bool?
    var value = AppValue.none
    var status: Int?
    var mtu: Int?
    var interval: Int?
    var latency: Int?
    /// The app's number of the client of the stack.
    var client: Int?
    var timeout: Int?
    var opcode: Int?
    var handle: Int?
    var end: Int?
    /// Octets of the PDU, and of the packet on its medium.
    var length: Int?
    var frame: Int?
    var request: Int?
    var error: Int?
    var days: Int64?
    var rssi: Int?
    var direction = Direction.unknown
    var advertisement: [UInt8] = []
    var time: Timestamp?
    var isDescriptor = false
    /// The characteristic that a descriptor belongs to.
    var owner: [UInt8]?
}

extension LogLine {
    /// The meaning of the line; nil if a required field is missing.
    func step(_ fields: LogFields) -> AppStep? {
        func status() -> AppStatus { fields.status.map { AppStatus(code: $0, system) } ?? .withoutReason }
        if let operation = meaning.operation {
            // The end of an operation may not name it again.
            let isEnd = operation == .readDone || operation == .writeDone
            // A value of a characteristic that the log does not name. Those that are written and that are notified differ.
            let isUnnamed = operation == .notification || operation == .writeCommand
            let target = fields.target ?? (isEnd ? .last : isUnnamed ? .name(Array(meaning.rawValue.utf8)) : nil)
            let request = isEnd || operation == .notification ? fields.opcode.flatMap { UInt8(exactly: $0) } : nil
            if fields.value == .none, let target, let request { return .completed(target, request: request) }
            return target.map { .operation(operation, $0, fields.value) }
        }
        switch meaning {
        case .heading: return fields.peer.map { _ in .heading }
        case .connecting: return .connecting
        case .connected: return .connected(fields.parameters)
        case .used: return .used
        case .disconnecting: return .disconnecting
        case .advertising: return .advertising
        case .advertisingFailed: return .advertisingFailed(status())
        case .peer: return .peer
        case .identity:
            return fields.identity.map { .identity($0.random(fields.isRandom)) }
        case .encryption: return .encryption(status())
        // As NimBLE numbers them.
        case .pairingFailed:
            let reason = (fields.direction == .tx ? 0x400 : 0x500) | (fields.status ?? 0) & 0xFF
            return .encryption(AppStatus(code: reason, .nimble))
        case .lost: return .lost
        case .attemptFailed: return .attemptFailed(status())
        case .requestFailed: return fields.status == 0 ? nil : .requestFailed(status())
        // A success that the log has does not say who ended it.
        case .disconnected:
            return .disconnected(fields.status == 0 && constants.status == nil ? .withoutReason : status())
        case .changed: return .changed(status(), client: fields.client)
        case .failed:
            // Error 0 of Core Bluetooth is unknown.
            guard fields.status != 0 || system == .coreBluetooth else { return nil }
            let opcode = fields.opcode.flatMap { UInt8(exactly: $0) }
            guard let attribute = fields.target, let request = opcode else { return .error(status(), request: opcode) }
            return .refused(attribute, request: request, status())
        case .date: return fields.days.map { .date($0) }
        case .services: return .listing
        case .configuring: return fields.target.map { .configuring($0) }
        case .subscribed, .subscribedToIndications, .unsubscribed:
            let value: UInt8 = meaning == .subscribed ? 1 : meaning == .unsubscribed ? 0 : 2
            return .subscription(fields.target ?? .last, value: value, by: fields.direction == .rx ? .rx : .tx)
        case .named:
            guard let path = fields.path, let uuid = fields.uuid else { return nil }
            return .named(path: path, uuid: uuid)
        case .mtuRequest: return fields.mtu.flatMap { UInt16(exactly: $0) }.map { .requestMTU($0) }
        case .mtu: return fields.mtu.flatMap { UInt16(exactly: $0) }.map { .mtu($0) }
        case .parameters:
            guard fields.status ?? 0 == 0 else { return .updateFailed(status()) }
            return fields.parameters.map { .parameters($0) }
        case .octets: return fields.target.map { .octets($0) }
        case .pdu: return AttributePDU(fields).map { .pdu($0) }
        case .advertised:
            var data = fields.advertisement
            // Service data alone. Supplement to the Core Specification, Part A, 1.11.
            if let uuid = fields.uuid, case .octets(let value) = fields.value, uuid.count + value.count < 255 {
                data = [UInt8(1 + uuid.count + value.count), uuid.count == 2 ? 0x16 : 0x21] + uuid + value
            }
            return .advertised(data, rssi: fields.rssi ?? 127)
        case .valueNext: return .valueNext(fields.value)
        case .service:
            guard let start = fields.handle.flatMap({ UInt16(exactly: $0) }), let uuid = fields.uuid,
                let end = fields.end.flatMap({ UInt16(exactly: $0) })
            else { return nil }
            return .service(start: start, end: end, uuid: uuid)
        case .characteristic:
            // The declaration is right before the value (Vol 3, Part G, 3.3).
            guard let uuid = fields.uuid, let value = fields.end.flatMap({ UInt16(exactly: $0) }),
                let handle = fields.handle.map({ UInt16(exactly: $0) }) ?? value &- 1,
                let properties = fields.request.flatMap({ UInt8(exactly: $0) })
            else { return nil }
            return .declaration(handle: handle, properties: properties, value: value, uuid: uuid)
        case .attribute:
            guard let handle = fields.handle.flatMap({ UInt16(exactly: $0) }), let uuid = fields.uuid else {
                return nil
            }
            return .described(handle: handle, uuid: uuid)
        case .nothing: return .nothing
        default: return nil
        }
    }
}

extension LogFields {
    /// The parameters of a link; nil if the line does not have them.
    fileprivate var parameters: AppParameters? {
        guard let interval = interval.flatMap({ UInt16(exactly: $0) }), interval > 0,
            let latency = UInt16(exactly: latency ?? 0), let timeout = timeout.flatMap({ UInt16(exactly: $0) })
        else { return nil }
        return AppParameters(interval: interval, latency: latency, timeout: timeout)
    }

    /// The attribute of an operation: that of a path, of a handle, or of a UUID.
    var target: AppAttribute? {
        if let handle = handle.flatMap({ UInt16(exactly: $0) }), handle > 0 { return .handle(handle) }
        if let path { return .path(path, uuid: uuid) }
        return attribute ?? uuid.map { isDescriptor ? .descriptor($0, of: owner) : .characteristic($0) }
    }
}

extension AttributePDU {
    /// Vol 3, Part F, 3.4.
    init?(_ fields: LogFields) {
        frame = fields.frame
        guard let opcode = fields.opcode.flatMap({ UInt8(exactly: $0) }) else {
            // All of it in hexadecimal digits.
            guard case .octets(let octets) = fields.value, !octets.isEmpty else { return nil }
            (self.octets, missing, direction, lacksRequest) = (octets, 0, fields.direction, false)
            return
        }
        var octets = [opcode]
        direction = fields.direction == .unknown ? TextKind.direction(ofPDU: octets) : fields.direction
        var lacksRequest = false
        var isWhole = false
        func append(_ value: Int?) -> Bool {
            guard let value, let word = UInt16(exactly: value) else { return false }
            octets += word.littleEndianOctets
            return true
        }
        let kind = ATTOpcode(rawValue: opcode)
        switch kind {
        case .errorResponse:
            if let error = (fields.error ?? fields.status).flatMap({ UInt8(exactly: $0) }), let handle = fields.handle {
                lacksRequest = fields.request == nil
                octets.append(UInt8(truncatingIfNeeded: fields.request ?? 0))
                isWhole = append(handle)
                octets.append(error)
            }
        case .exchangeMTURequest, .exchangeMTUResponse: isWhole = append(fields.mtu)
        case .readRequest: isWhole = append(fields.handle)
        case .writeResponse, .handleValueConfirmation: isWhole = true
        case .readResponse, .readBlobResponse:
            if case .octets(let value) = fields.value {
                octets += value
                isWhole = true
            }
        case .writeRequest, .writeCommand, .handleValueNotification, .handleValueIndication:
            if append(fields.handle), case .octets(let value) = fields.value {
                octets += value
                isWhole = true
            }
        case .findInformationRequest: isWhole = append(fields.handle) && append(fields.end)
        case .readByTypeRequest, .readByGroupTypeRequest:
            if append(fields.handle), append(fields.end), let uuid = fields.uuid {
                octets += uuid
                isWhole = true
            }
        default: break
        }
        self.lacksRequest = lacksRequest
        self.octets = octets
        if let length = fields.length, length <= 0xFFFF - 4 {
            missing = max(0, length - octets.count)
        } else {
            missing = isWhole ? 0 : max(1, (kind.definition?.length.least ?? 1) - octets.count)
        }
    }
}

extension ATTOpcode.Definition.Length {
    /// Octets that a PDU has at least.
    var least: Int {
        switch self {
        case .exactly(let length), .atLeast(let length): length
        }
    }

    var exact: Int? { if case .exactly(let length) = self { length } else { nil } }
}

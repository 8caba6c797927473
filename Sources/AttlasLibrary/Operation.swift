import AttlasCapture
import AttlasDissection
import AttlasFilter
import AttlasTrace
import AttlasValues
import AttlasWire

extension Capture {
    /// The kind of an operation: an ATT PDU, or a value that took several of them.
    public struct Method: Hashable, Sendable, CustomStringConvertible {
        /// Attribute Opcode. Core Specification, Vol 3, Part F, 3.4.8.
        public let opcode: UInt8
        private let kind: AssembledValue.Kind?

        init(_ opcode: UInt8, _ kind: AssembledValue.Kind? = nil) {
            self.opcode = opcode
            self.kind = kind
        }

        /// Error Response.
        public static let error = Method(0x01)
        /// Exchange MTU Request.
        public static let exchangeMTU = Method(0x02)
        /// Find Information Request.
        public static let findInformation = Method(0x04)
        /// Find By Type Value Request.
        public static let findByTypeValue = Method(0x06)
        /// Read By Type Request.
        public static let readByType = Method(0x08)
        /// Read Request.
        public static let read = Method(0x0A)
        /// Read Response.
        public static let readResponse = Method(0x0B)
        /// Read Blob Request.
        public static let readBlob = Method(0x0C)
        /// Read By Group Type Request.
        public static let readByGroupType = Method(0x10)
        /// Write Request.
        public static let write = Method(0x12)
        /// Write Response.
        public static let writeResponse = Method(0x13)
        /// Prepare Write Request.
        public static let prepareWrite = Method(0x16)
        /// Execute Write Request.
        public static let executeWrite = Method(0x18)
        /// Handle Value Notification.
        public static let notification = Method(0x1B)
        /// Handle Value Indication.
        public static let indication = Method(0x1D)
        /// Handle Value Confirmation.
        public static let confirmation = Method(0x1E)
        /// Write Command.
        public static let writeCommand = Method(0x52)
        /// A value that was read in several parts.
        public static let longRead = Method(0x0D, .longRead)
        /// A value that was written in several parts.
        public static let preparedWrite = Method(0x19, .preparedWrite)

        /// The specification's name: "Read Request", "long read".
        public var description: String {
            kind?.rawValue ?? ATTOpcode(rawValue: opcode).definition.map { "\($0.name)" } ?? "Unknown"
        }
    }

    /// An attribute of a server.
    public struct Attribute: Sendable, CustomStringConvertible {
        private let facts: Facts

        final class Facts: Sendable {
            let handle: UInt16
            let isPeers: Bool
            let uuid: BluetoothUUID?
            let name: String
            let service: BluetoothUUID?
            let characteristic: BluetoothUUID?

            init(
                _ handle: AttributeHandle, _ info: AttributeInfo?, isPeers: Bool, _ values: inout ValueInterpreter,
                in trace: borrowing Trace
            ) {
                self.handle = handle
                self.isPeers = isPeers
                uuid = info.map { trace.uuids[$0.type] }
                name = info.map { values.name($0.type, .characteristic, in: trace) } ?? "handle \(handle)"
                if let index = info?.service { service = trace.uuids[index] } else { service = nil }
                if let index = info?.characteristic {
                    characteristic = trace.uuids[index]
                } else {
                    characteristic = nil
                }
            }
        }

        init(_ facts: Facts) { self.facts = facts }

        /// Attribute handle.
        public var handle: UInt16 { facts.handle }
        /// Whether it is in the peer's table, and not in that of the recorded host.
        public var isPeers: Bool { facts.isPeers }
        /// Its type: of a characteristic's value, that of the characteristic. nil if the capture does not show it.
        public var uuid: BluetoothUUID? { facts.uuid }
        /// The service that it belongs to.
        public var service: BluetoothUUID? { facts.service }
        /// The characteristic that it belongs to.
        public var characteristic: BluetoothUUID? { facts.characteristic }
        /// Its name, or its UUID or handle.
        public var description: String { facts.name }
    }

    /// The device that a connection is with: from the air, the peripheral.
    public struct Device: Sendable, Hashable, CustomStringConvertible {
        /// The identity address, if it is known; nil if the connection setup was not captured.
        public let address: BluetoothAddress?
        /// The name that was known then.
        public let name: String?

        /// `HRM-7 F2:F2:F2:F2:F2:F2`
        public var description: String {
            let parts = [name, address?.description].compactMap(\.self)
            return parts.isEmpty ? "unknown device" : parts.joined(separator: " ")
        }
    }

    /// One ATT PDU, or a value that took several of them to move.
    public struct Operation: Sendable, CustomStringConvertible {
        let facts: Facts

        /// An object, so that a copy counts one reference.
        final class Facts: Sendable {
            let frame: Int
            let time: Timestamp
            let connection: Int?
            let device: Device?
            let direction: Direction
            let method: Method
            let attribute: Attribute?
            let first: Carried?
            let others: [Carried]
            let error: Refusal?
            let request: Request?

            init(
                _ event: borrowing Event, _ method: Method, _ attribute: Attribute?, _ first: Carried?,
                _ others: [Carried], _ error: Refusal? = nil, _ request: Request? = nil, in trace: borrowing Trace
            ) {
                (frame, time, direction) = (event.frame, event.time, event.direction)
                if let index = event.connection {
                    connection = trace.connections[index].number
                    let peer = trace.connections[index].peer
                    device = Device(address: trace.peerAddress(peer), name: trace.peerName(peer))
                } else {
                    (connection, device) = (nil, nil)
                }
                (self.method, self.attribute, self.first, self.others) = (method, attribute, first, others)
                (self.error, self.request) = (error, request)
            }
        }

        /// A value with its attribute.
        struct Carried: Sendable {
            let attribute: Attribute?
            let value: UnreadValue
        }

        /// The record that completed it, counted from 1, as in Wireshark.
        public var frame: Int { facts.frame }
        /// Time of that record.
        public var time: Timestamp { facts.time }
        /// The connection, counted from 1 over the capture.
        public var connection: Int? { facts.connection }
        /// The other side of the connection.
        public var device: Device? { facts.device }
        /// `tx`: sent by the recorded host. From the air: by the central.
        public var direction: Direction { facts.direction }
        /// What was done.
        public var method: Method { facts.method }
        /// The attribute that it is about; nil if it is about none, or about several.
        public var attribute: Attribute? { facts.attribute }
        /// The reason why a request was refused: of an Error Response. The one that ends a discovery (Attribute Not Found) is not an error.
        public var error: Refusal? { facts.error }
        /// The request that it answers; nil if it was not captured.
        public var request: Request? { facts.request }
        /// The first value that it carries.
        public var value: Value? { facts.first.map { Value(facts, $0) } }
        /// The values that it carries: most operations carry one or none.
        public var values: [Value] { (value.map { [$0] } ?? []) + facts.others.map { Value(facts, $0) } }

        /// `Handle Value Notification Heart Rate Measurement: 72 bpm`
        public var description: String {
            let subject = "\(method)\(attribute.map { " \($0)" } ?? "")"
            let content = error.map { ["\($0)"] } ?? values.map(\.description)
            return content.isEmpty ? subject : "\(subject): \(content.joined(separator: ", "))"
        }
    }

    /// A value of an attribute.
    public struct Value: Sendable, CustomStringConvertible {
        private let facts: Operation.Facts
        private let carried: Operation.Carried

        init(_ facts: Operation.Facts, _ carried: Operation.Carried) {
            self.facts = facts
            self.carried = carried
        }

        /// The record that completed it, counted from 1.
        public var frame: Int { facts.frame }
        /// Time of that record.
        public var time: Timestamp { facts.time }
        /// The connection, counted from 1 over the capture.
        public var connection: Int? { facts.connection }
        /// The other side of the connection.
        public var device: Device? { facts.device }
        /// What moved it.
        public var method: Method { facts.method }
        /// Whose value it is.
        public var attribute: Attribute? { carried.attribute }

        /// Its octets, or of a message in parts, with the last part, those of the whole message; nil if they may hold a key.
        public var octets: [UInt8]? { carried.value.octets.bytes?.copy() }

        /// Its fields. They are read each time.
        public var fields: Fields {
            let value = carried.value
            guard let (dissector, dissection) = value.read() else { return Fields(octets: value.octets) }
            return Fields(dissection, of: dissector, value.octets, isPartial: value.isPartial)
        }

        /// As `Fields`.
        public subscript(name: String) -> Field? {
            get throws(UnknownName) { try fields[name] }
        }

        /// The value as `attlas show` prints it.
        public var description: String { fields.description }
    }

    /// Why a request was refused.
    public struct Refusal: Sendable, Hashable, CustomStringConvertible {
        /// ATT error code.
        public let code: UInt8
        /// Its name in the attribute's service.
        public let description: String
    }

    /// The request that an operation answers.
    public struct Request: Sendable, Hashable {
        /// Its record.
        public let frame: Int
        /// From its record to that of the answer; nil if the capture has no times for them.
        public let roundTrip: Duration?
    }
}

/// Makes operations of events.
package struct OperationCollector: DocumentCollector {
    private var operations: [Capture.Operation] = []
    private var interpreter: ValueInterpreter
    private var selector: EventSelector
    /// By their handles: of those with the same low octet, the last.
    private var attributes = [Known?](repeating: nil, count: 256)

    private struct Known {
        let connection: Int
        let info: AttributeInfo?
        let facts: Capture.Attribute.Facts
    }

    /// What is missing from the capture.
    package struct End: CaptureDocument {
        package let integrity: CaptureIntegrity
    }

    package init(_ selection: Selection = Selection(), values: ValueInterpreter) {
        interpreter = values
        selector = EventSelector(selection, values: values)
    }

    package var wantsPackets: Bool { false }
    package var wantsControl: Bool { selector.wantsControl }

    /// Takes the operations of the last records, and gives room for those of the next.
    package mutating func exchange(_ others: inout [Capture.Operation]) { swap(&operations, &others) }

    package mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> End {
        End(integrity: integrity)
    }

    package mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard selector.isSelected(event, in: trace) else { return }
        switch event.detail {
        case .att(let operation):
            var error: Capture.Refusal?
            if case .errorResponse(let pdu) = operation.pdu, !operation.endsDiscovery {
                error = Capture.Refusal(
                    code: pdu.errorCode.rawValue,
                    description: operation.reported?.words
                        ?? interpreter.errorName(pdu.errorCode, operation.attribute, in: trace))
            }
            let attribute =
                operation.hasSeveralValues || operation.endsDiscovery
                ? nil : attribute(operation.handle, operation.attribute, operation.server, event, in: trace)
            let method = Capture.Method(operation.opcode.rawValue)
            var (first, others) = values(of: event, attribute, operation.server, in: trace)
            // A part of a value, or values without the limits between them.
            if first == nil, let octets = interpreter.octets(of: event, in: trace) {
                first = .init(attribute: attribute, value: UnreadValue(octets, isPartial: true))
            }
            let request = operation.request.map {
                Capture.Request(frame: $0.frame, roundTrip: $0.roundTrip.map { .nanoseconds($0) })
            }
            operations.append(
                Capture.Operation(facts: .init(event, method, attribute, first, others, error, request, in: trace)))
        case .assembled(let assembled):
            // One that was given up is in its PDUs.
            guard assembled.outcome == .complete else { return }
            let method: Capture.Method = assembled.kind == .longRead ? .longRead : .preparedWrite
            let attribute = attribute(assembled.handle, assembled.attribute, assembled.server, event, in: trace)
            let (first, others) = values(of: event, attribute, assembled.server, in: trace)
            operations.append(Capture.Operation(facts: .init(event, method, attribute, first, others, in: trace)))
        default: break
        }
    }

    /// - Parameter attribute: of the only value.
    private mutating func values(
        of event: borrowing Event, _ attribute: Capture.Attribute?, _ server: ServerSide, in trace: borrowing Trace
    ) -> (first: Capture.Operation.Carried?, others: [Capture.Operation.Carried]) {
        var first: Capture.Operation.Carried?
        var others: [Capture.Operation.Carried] = []
        event.forEachAttribute(in: trace) { item in
            guard let value = interpreter.unread(item, in: trace) else { return true }
            let owner = attribute ?? self.attribute(item.handle, item.attribute, server, event, in: trace)
            if first == nil {
                first = .init(attribute: owner, value: value)
            } else {
                others.append(.init(attribute: owner, value: value))
            }
            return true
        }
        return (first, others)
    }

    private mutating func attribute(
        _ handle: AttributeHandle?, _ info: AttributeInfo?, _ server: ServerSide, _ event: borrowing Event,
        in trace: borrowing Trace
    ) -> Capture.Attribute? {
        guard let handle, let connection = event.connection else { return nil }
        let place = Int(handle & 0xFF)
        if let known = attributes[place], known.facts.handle == handle, known.connection == connection,
            known.facts.isPeers == (server == .peer), known.info == info
        {
            return Capture.Attribute(known.facts)
        }
        let facts = Capture.Attribute.Facts(handle, info, isPeers: server == .peer, &interpreter, in: trace)
        attributes[place] = Known(connection: connection, info: info, facts: facts)
        return Capture.Attribute(facts)
    }
}

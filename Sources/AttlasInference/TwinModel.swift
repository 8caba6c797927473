import AttlasTrace
import AttlasValues
import AttlasWire

/// The devices of a capture, with the behaviour that a twin of each repeats.
public struct TwinModel: CaptureDocument {
    public let integrity: CaptureIntegrity
    /// Those with a table, with operations, or with connectable advertising.
    package let devices: [TwinDevice]
    package let names: UUIDNames
    /// Operations over `TwinCollector.limit`.
    package let leftOut: Int

    /// The devices whose name or address contains the text, in any letter case; `local` is the recorded host. Without a text: the peers that
    /// answered, or else the host, or else who advertised.
    package func devices(named text: String?) -> [TwinDevice] {
        guard let text else {
            let used = devices.filter(\.hasServer)
            let peers = used.filter { !$0.isLocal }
            return !peers.isEmpty ? peers : !used.isEmpty ? used : devices
        }
        let wanted = FoldedText(text)
        guard !text.isEmpty else { return [] }
        return devices.filter { device in
            [device.label, device.address?.description].compactMap(\.self)
                .contains { FoldedText($0).contains(wanted) }
        }
    }
}

/// One device as the capture shows it.
package struct TwinDevice: Sendable {
    /// The recorded host.
    package let isLocal: Bool
    package let address: BluetoothAddress?
    package internal(set) var name: String?
    package internal(set) var advertising: [Advertisement] = []
    /// In the order in which they were valid.
    package internal(set) var tables: [Table] = []
    package internal(set) var connections: [Connection] = []
    package internal(set) var answers: [Answer] = []
    package internal(set) var readbacks: [Readback] = []
    package internal(set) var refusals: [Refusal] = []
    package internal(set) var deviations: [Note] = []
    /// What the capture cannot say.
    package internal(set) var unknown: [Note] = []

    /// Whether what the capture has of a handle is about the attribute that the last version of the table has there.
    ///
    /// - Parameter frame: nil of what is about the whole capture.
    package func isOfLastTable(_ handle: AttributeHandle, frame: Int?) -> Bool {
        let former = tables.dropLast()
        if let frame, former.allSatisfy({ frame > $0.until ?? 0 }) { return true }
        func type(_ table: Table?) -> BluetoothUUID? { table?.attributes.first { $0.handle == handle }?.type }
        return former.allSatisfy { type($0) == nil || type($0) == type(tables.last) }
    }

    /// Its name, or what else tells it from others.
    package var label: String {
        name ?? address?.description ?? (isLocal ? "local" : "a device without an address")
    }

    package var hasServer: Bool { !connections.isEmpty || tables.contains { !$0.attributes.isEmpty } }

    /// Advertising or scan response data.
    package struct Advertisement: Sendable {
        package let isScanResponse: Bool
        package let isConnectable: Bool
        package let data: [UInt8]
        package internal(set) var count = 0
        /// Nanoseconds between two of them.
        var gaps: [Int64] = []
        var last: Int64?

        /// The median in nanoseconds; nil if it was not heard twice.
        package var interval: Int64? { gaps.isEmpty ? nil : gaps.sorted()[gaps.count / 2] }
    }

    /// A version of the attribute table.
    package struct Table: Sendable {
        /// The frame up to which it was valid; nil of the last version.
        package let until: Int?
        package let reason: AttributeTable.Former.Reason?
        package let attributes: [Attribute]
    }

    /// An attribute of a table.
    package struct Attribute: Sendable {
        package let handle: AttributeHandle
        /// nil if nothing but its handle is known.
        package let type: BluetoothUUID?
        /// Of the service or the characteristic that it declares.
        package var uuid: BluetoothUUID?
        /// The last handle of the service that it declares or includes.
        package var end: AttributeHandle?
        /// The value of the characteristic that it declares, or the service that it includes.
        package var target: AttributeHandle?
        package var properties: CharacteristicProperties?
    }

    /// A connection, with the operations on the device's attributes in their order.
    package struct Connection: Sendable {
        package let number: Int
        package let frame: Int
        /// Whether its setup was captured.
        package let isWhole: Bool
        package internal(set) var mtu: Int?
        package internal(set) var clientMTU: Int?
        package internal(set) var parameters: AttlasTrace.Connection.Parameters?
        /// Connection parameters that the device asked for.
        package internal(set) var asked: [Ask] = []
        package internal(set) var pairing: Pairing?
        /// Nanoseconds from the beginning to the device's first Security Request.
        package internal(set) var securityRequest: Int64?
        package internal(set) var encrypted: Int64?
        var hasEnhancedBearers = false
        package internal(set) var operations: [Operation] = []
    }

    /// A Connection Parameter Update Request, in the units of the PDU.
    package struct Ask: Sendable {
        package let at: Int64
        package let intervalMin: UInt16
        package let intervalMax: UInt16
        package let latency: UInt16
        package let timeout: UInt16
    }

    /// The device's features in pairing.
    package struct Pairing: Sendable {
        package let ioCapability: SMPIOCapability
        package let authReq: SMPAuthReq
    }

    /// An operation on an attribute of the device.
    package struct Operation: Sendable {
        package enum Kind: String, Sendable {
            case read, write, command, notify, indicate

            package var isSent: Bool { self == .notify || self == .indicate }
        }

        package let frame: Int
        package let kind: Kind
        package let handle: AttributeHandle
        /// The type, service and characteristic, as far as they were known.
        package let attribute: AttributeUUIDs?
        package let isEncrypted: Bool
        /// Nanoseconds from the beginning of the connection.
        package let at: Int64
        /// What was written, read or sent, for its fields: of the last part of a message, the message.
        package internal(set) var value: UnreadValue?
        /// nil of what was not answered, or has no octets that may be shown.
        package internal(set) var octets: [UInt8]?
        package internal(set) var error: ATTErrorCode?
        /// Nanoseconds to the answer; of a sent value, from what it follows.
        package internal(set) var after: Int64?
        package internal(set) var isAnswered = false
        /// Of a sent value, the frame of the subscription or the request that it follows; nil: the connection itself.
        package internal(set) var since: Int?

        /// It turns notifications or indications of this value on or off.
        var configured: AttributeHandle? {
            guard kind == .write || kind == .command, error == nil,
                attribute?.descriptor == .clientCharacteristicConfiguration
            else { return nil }
            return attribute?.valueHandle
        }
        var isRequestOfApp: Bool { (kind == .write || kind == .command) && attribute?.descriptor == nil }
    }

    /// A characteristic that answers what is written to another one, or to itself.
    package struct Answer: Sendable {
        package let written: AttributeHandle
        package let sent: AttributeHandle
        /// The writes that were answered.
        package let support: Int
        package let count: Int
        /// The median in nanoseconds.
        package let after: Int64
        /// Octets of the answer that repeat octets of the request, exclusive or `inverted`.
        package let echoes: [(place: Int, request: Int, inverted: UInt8)]
    }

    /// A characteristic that gave the value that was written to it.
    package struct Readback: Sendable {
        package let handle: AttributeHandle
        package let support: Int
    }

    /// An operation that the device refuses.
    package struct Refusal: Sendable {
        /// When it refuses. `length` and `value` are those that were written.
        package enum Condition: Sendable, Equatable {
            case always, unencrypted
            case length(Int)
            case value([UInt8])
        }

        package let handle: AttributeHandle
        package let kind: Operation.Kind
        package let error: ATTErrorCode
        package let when: Condition
        package internal(set) var count = 1
        package let frame: Int
    }

    /// Something about some attributes.
    package struct Note: Sendable {
        package let text: StaticString
        package internal(set) var handles: [AttributeHandle] = []
        package internal(set) var count = 0
    }
}

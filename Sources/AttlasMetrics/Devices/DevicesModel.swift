import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// The devices of one capture.
public struct DevicesModel: CaptureDocument {
    public let integrity: CaptureIntegrity
    /// In the order in which they were first seen.
    public let devices: [DeviceCollector.Device]
    /// Periodic advertising, in the order in which it was first seen.
    public let broadcasts: [Broadcast]
    /// The same of the recorded host.
    public let ownBroadcasts: [Broadcast]
    /// Devices whose address is not in the capture, a connection each.
    public let devicesWithoutAddress: [Stranger]
    /// The number of older devices that are no longer listed.
    public let forgotten: Int
    /// The time of the first record.
    public var start: Timestamp? { integrity.start }

    /// The periodic advertising of a device; of nil that of senders whose address is not in the capture.
    public func broadcasts(of address: BluetoothAddress?) -> [Broadcast] { broadcasts.filter { $0.address == address } }

    /// The peer of a connection that was made before the capture began.
    public struct Stranger: Sendable {
        public internal(set) var name: String?
        public let transport: Connection.Transport
        public let handle: ConnectionHandle
        /// Of a connection captured from the air.
        public let accessAddress: UInt32?
        public internal(set) var isConnected = true
        public let firstSeen: Timestamp
        public let firstFrame: Int
        /// The end of the connection, if it was captured.
        public private(set) var lastSeen: Timestamp

        init(_ connection: Connection, _ event: borrowing Event) {
            transport = connection.transport
            handle = connection.handle
            accessAddress = connection.accessAddress
            firstSeen = event.time
            lastSeen = event.time
            firstFrame = event.frame
        }

        mutating func end(_ name: String?, _ event: borrowing Event) {
            self.name = name
            isConnected = false
            lastSeen = event.time
        }
    }
}

import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// The devices of one capture.
public struct DevicesModel: CaptureDocument {
    public let integrity: CaptureIntegrity
    /// In the order in which they were first seen.
    package let devices: [DeviceCollector.Device]
    /// Periodic advertising, in the order in which it was first seen.
    package let broadcasts: [Broadcast]
    /// The same for the recorded host.
    package let ownBroadcasts: [Broadcast]
    /// Devices whose address is not in the capture, a connection each.
    package let devicesWithoutAddress: [Stranger]
    /// The number of older devices that are no longer listed.
    package let forgotten: Int
    /// The time of the first record.
    package var start: Timestamp? { integrity.start }

    /// The periodic advertising of a device; of nil that of senders whose address is not in the capture.
    package func broadcasts(of address: BluetoothAddress?) -> [Broadcast] {
        broadcasts.filter { $0.address == address }
    }

    /// … of those that are not among the devices.
    package var broadcastsOfOthers: [Broadcast] {
        broadcasts.filter { broadcast in !devices.contains { $0.address == broadcast.address } }
    }

    /// The peer of a connection that was made before the capture began.
    package struct Stranger: Sendable {
        package internal(set) var name: String?
        package let transport: Connection.Transport
        package let handle: ConnectionHandle
        /// Access Address of a connection captured from the air.
        package let accessAddress: UInt32?
        package internal(set) var isConnected = true
        package let firstSeen: Timestamp
        let firstFrame: Int
        /// The end of the connection, if it was captured.
        package private(set) var lastSeen: Timestamp

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

import AttlasCapture
import AttlasTrace
import AttlasWire

/// Who was seen: every address that advertised or connected, with what it said of itself.
public struct DeviceCollector: EventSink {
    struct Device {
        let address: BluetoothAddress
        /// What it used on the air instead.
        var privateAddresses: [BluetoothAddress] = []
        var data = AdvertisedData()
        var rssi: ClosedRange<Int8>?
        var advertisements = 0
        var connections = 0
        var isConnectable = false
        var isConnected = false
        /// From the device itself, over a connection.
        var connectedName: String?
        var firstSeen: Timestamp
        var lastSeen: Timestamp
        var firstFrame: Int
        var lastFrame: Int

        /// A device with a new address in every packet would fill the memory.
        private static let addressLimit = 32

        mutating func note(private address: BluetoothAddress) {
            guard privateAddresses.count < Self.addressLimit, !privateAddresses.contains(address) else { return }
            privateAddresses.append(address)
        }

        /// Takes over what was seen of the same device under another address.
        mutating func merge(_ other: Device) {
            note(private: other.address)
            for address in other.privateAddresses { note(private: address) }
            data.fill(from: other.data)
            if let rssi = other.rssi {
                let known = self.rssi ?? rssi
                self.rssi = min(known.lowerBound, rssi.lowerBound)...max(known.upperBound, rssi.upperBound)
            }
            advertisements += other.advertisements
            connections += other.connections
            isConnectable = isConnectable || other.isConnectable
            isConnected = isConnected || other.isConnected
            connectedName = connectedName ?? other.connectedName
            if other.firstFrame < firstFrame { (firstSeen, firstFrame) = (other.firstSeen, other.firstFrame) }
            if other.lastFrame > lastFrame { (lastSeen, lastFrame) = (other.lastSeen, other.lastFrame) }
        }
    }

    /// Private addresses change every few minutes: an endless log sees any number of them. The oldest half goes.
    private static let limit = 16_384

    private(set) var devices: [BluetoothAddress: Device] = [:]
    /// Devices that are not listed any more.
    private(set) var forgotten = 0
    private(set) var lastTime: Timestamp?

    public init() {}

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        lastTime = event.time
        switch event.detail {
        case .advertising(let report):
            guard let address = report.address else { return }
            note(report.identity ?? address, event) { device in
                if report.identity != nil { device.note(private: address) }
                device.advertisements += 1
                device.data.add(report.data)
                if report.isConnectable { device.isConnectable = true }
                if let rssi = report.rssi {
                    let known = device.rssi ?? rssi...rssi
                    device.rssi = min(known.lowerBound, rssi)...max(known.upperBound, rssi)
                }
            }
        case .connection(.made):
            guard let connection = event.connection,
                let address = trace.peerAddress(trace.connections[connection].peer)
            else { return }
            let privateAddress = trace.connections[connection].privateAddress
            note(address, event) { device in
                if let privateAddress { device.note(private: privateAddress) }
                device.connections += 1
                device.isConnected = true
            }
        case .connection(.ended), .connection(.superseded):
            guard let connection = event.connection else { return }
            let peer = trace.connections[connection].peer
            guard let address = trace.peerAddress(peer) else { return }
            let name = trace.peerName(peer)
            note(address, event) { device in
                device.isConnected = false
                if let name { device.connectedName = name }
            }
        case .identified(let identification):
            guard let identity = trace.peerAddress(identification.peer), let address = identification.privateAddress
            else { return }
            merge(address, into: identity)
        default: return
        }
    }

    /// Brings together what was seen before the key was known that tells that it was one device. To be called at the end.
    public mutating func finish(in trace: borrowing Trace) {
        for address in sorted.map(\.address) where address.kind == .resolvable {
            if let identity = trace.identity(of: address) { merge(address, into: identity) }
        }
    }

    private mutating func merge(_ address: BluetoothAddress, into identity: BluetoothAddress) {
        guard address != identity, let other = devices.removeValue(forKey: address) else { return }
        let new = Device(
            address: identity, firstSeen: other.firstSeen, lastSeen: other.lastSeen, firstFrame: other.firstFrame,
            lastFrame: other.lastFrame)
        devices[identity, default: new].merge(other)
    }

    private mutating func note(
        _ address: BluetoothAddress, _ event: borrowing Event, _ change: (inout Device) -> Void
    ) {
        if devices[address] == nil, devices.count >= Self.limit { forgetOldest() }
        let new = Device(
            address: address, firstSeen: event.time, lastSeen: event.time, firstFrame: event.frame,
            lastFrame: event.frame)
        var device = devices.removeValue(forKey: address) ?? new
        change(&device)
        device.lastSeen = event.time
        device.lastFrame = event.frame
        devices[address] = device
    }

    private mutating func forgetOldest() {
        let frames = devices.values.map(\.lastFrame).sorted()
        let median = frames[frames.count / 2]
        devices = devices.filter { $0.value.lastFrame >= median }
        forgotten += frames.count - devices.count
    }

    /// In the order in which they were first seen.
    var sorted: [Device] {
        devices.values.sorted { ($0.firstFrame, $0.address.value) < ($1.firstFrame, $1.address.value) }
    }

    /// Ten seconds without a sign, where the capture went on: most devices advertise every second or so.
    func isGone(_ device: Device) -> Bool {
        guard let lastTime, !device.isConnected else { return false }
        return lastTime.nanoseconds(since: device.lastSeen) > 10_000_000_000
    }
}

import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// Collects the devices: every address that advertised, answered an inquiry or connected, with its advertised data.
public struct DeviceCollector: DocumentCollector {
    package struct Device: Sendable {
        package let address: BluetoothAddress
        /// The address that it used on the air.
        package internal(set) var privateAddresses: [BluetoothAddress] = []
        package internal(set) var data = AdvertisedData()
        /// Range of RSSI values, in its advertisements and on its connections.
        package internal(set) var rssi: ClosedRange<Int8>?
        package internal(set) var advertisements = 0
        package internal(set) var inquiryResponses = 0
        package internal(set) var connections = 0
        package internal(set) var isConnectable = false
        package internal(set) var isConnected = false
        /// It gave no sign for a while, where others were heard to advertise.
        package internal(set) var isGone = false
        /// From the device itself, over a connection.
        package internal(set) var connectedName: String?
        package internal(set) var firstSeen: Timestamp
        package internal(set) var lastSeen: Timestamp
        var firstFrame: Int
        var lastFrame: Int

        /// A device with a new address in every packet would fill the memory.
        private static let addressLimit = 32

        mutating func note(private address: BluetoothAddress) {
            guard privateAddresses.count < Self.addressLimit, !privateAddresses.contains(address) else { return }
            privateAddresses.append(address)
        }

        mutating func note(rssi readings: ClosedRange<Int8>?) {
            if let readings { rssi = readings.joined(rssi) }
        }

        /// Adds the data of the same device under another address.
        mutating func merge(_ other: Device) {
            note(private: other.address)
            for address in other.privateAddresses { note(private: address) }
            data.fill(from: other.data)
            note(rssi: other.rssi)
            advertisements += other.advertisements
            inquiryResponses += other.inquiryResponses
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

    private var devices: [BluetoothAddress: Device] = [:]
    /// Devices that are not listed any more.
    private var forgotten = 0
    /// The last time that anything was heard to advertise, by a controller that reports every advertisement.
    private var lastHeard: Timestamp?
    private var broadcasts = BroadcastTable()
    /// By the numbers of their connections.
    private var devicesWithoutAddress: [Int: DevicesModel.Stranger] = [:]

    package init() {}

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .advertising(let report):
            let isInquiry = report.isInquiryResponse
            if !isInquiry, !trace.filtersDuplicates(event.controller) { lastHeard = event.time }
            guard let address = report.address else { return }
            if report.periodicInterval != nil { broadcasts.note(report, event) }
            note(report.identity ?? address, event) { device in
                if report.identity != nil { device.note(private: address) }
                if isInquiry { device.inquiryResponses += 1 } else { device.advertisements += 1 }
                device.data.add(report.data, isTruncated: report.isTruncated)
                if report.isConnectable { device.isConnectable = true }
                device.note(rssi: report.rssi.map { $0...$0 })
            }
        case .periodic(let report): broadcasts.note(report, event)
        case .connection(.made), .connection(.presumed): begin(event, in: trace)
        case .connection(.ended): end(event, in: trace)
        case .identified(let identification):
            guard let identity = trace.peerAddress(identification.peer) else { return }
            if let address = identification.privateAddress { merge(address, into: identity) }
            // A link without a recorded beginning has an address from now on.
            guard let connection = event.connection,
                let stranger = devicesWithoutAddress.removeValue(forKey: trace.connections[connection].number)
            else { return }
            note(identity, event) { device in
                device.connections += 1
                device.isConnected = true
                (device.firstSeen, device.firstFrame) = (stranger.firstSeen, stranger.firstFrame)
            }
        default: return
        }
    }

    private mutating func begin(_ event: borrowing Event, in trace: borrowing Trace) {
        guard let slot = event.connection else { return }
        let connection = trace.connections[slot]
        func connect(_ device: inout Device) {
            device.connections += 1
            device.isConnected = true
        }
        // Heard on the air: the central is a device as the peripheral is.
        if let central = connection.central { note(trace.identity(of: central) ?? central, event, connect) }
        guard let address = trace.peerAddress(connection.peer) else {
            guard devicesWithoutAddress.count < Self.limit else { return }
            devicesWithoutAddress[connection.number] = DevicesModel.Stranger(connection, event)
            return
        }
        note(address, event) { device in
            if let privateAddress = connection.privateAddress { device.note(private: privateAddress) }
            connect(&device)
        }
    }

    private mutating func end(_ event: borrowing Event, in trace: borrowing Trace) {
        guard let slot = event.connection else { return }
        let connection = trace.connections[slot]
        if let central = connection.central {
            note(trace.identity(of: central) ?? central, event) { $0.isConnected = false }
        }
        let name = trace.peerName(connection.peer)
        guard let address = trace.peerAddress(connection.peer) else {
            devicesWithoutAddress[connection.number]?.end(name, event)
            return
        }
        note(address, event) { device in
            device.isConnected = false
            device.note(rssi: connection.signal?.range)
            if let name { device.connectedName = name }
        }
    }

    /// Merges the data from before the key was known that identifies the addresses as one device.
    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> DevicesModel {
        for address in sorted.map(\.address) where address.kind == .resolvable {
            if let identity = trace.identity(of: address) { merge(address, into: identity) }
        }
        // Facts known by the end of the capture, also about connections that outlive it.
        for peer in trace.peers {
            if let address = peer.address, let name = peer.name { devices[address]?.connectedName = name }
        }
        for connection in trace.connections {
            guard let address = trace.peerAddress(connection.peer) else { continue }
            devices[address]?.note(rssi: connection.signal?.range)
        }
        for slot in trace.connections.indices
        where devicesWithoutAddress[trace.connections[slot].number]?.isConnected == true {
            devicesWithoutAddress[trace.connections[slot].number]?.name = trace.peerName(trace.connections[slot].peer)
        }
        let devices = sorted.map { device in
            var device = device
            device.isGone = isGone(device)
            return device
        }
        let periodic = broadcasts.all(in: trace)
        return DevicesModel(
            integrity: integrity, devices: devices, broadcasts: periodic.filter { !$0.isOwn },
            ownBroadcasts: periodic.filter(\.isOwn),
            devicesWithoutAddress: devicesWithoutAddress.sorted { $0.key < $1.key }.map(\.value),
            forgotten: forgotten)
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
        if let known = devices.index(forKey: address) {
            change(&devices.values[known])
            devices.values[known].lastSeen = event.time
            devices.values[known].lastFrame = event.frame
            return
        }
        if devices.count >= Self.limit { forgetOldest() }
        var device = Device(
            address: address, firstSeen: event.time, lastSeen: event.time, firstFrame: event.frame,
            lastFrame: event.frame)
        change(&device)
        devices[address] = device
    }

    private mutating func forgetOldest() {
        let frames = devices.values.map(\.lastFrame).sorted()
        let median = frames[frames.count / 2]
        devices = devices.filter { $0.value.lastFrame >= median }
        forgotten += frames.count - devices.count
    }

    /// In the order in which they were first seen.
    private var sorted: [Device] {
        devices.values.sorted { ($0.firstFrame, $0.address.value) < ($1.firstFrame, $1.address.value) }
    }

    /// Ten seconds without a sign, while scanning continued: most devices advertise every second or so.
    private func isGone(_ device: Device) -> Bool {
        guard let lastHeard, !device.isConnected, device.inquiryResponses == 0 else { return false }
        return lastHeard.nanoseconds(since: device.lastSeen) > 10_000_000_000
    }
}

import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// Periodic advertising, as of a broadcaster of audio: its data, and its group of isochronous streams. The recorded host may be the
/// broadcaster.
package struct Broadcast: Sendable {
    /// nil when the synchronization was not captured.
    package internal(set) var address: BluetoothAddress?
    package let sid: UInt8?
    /// Units of 1.25 ms.
    package internal(set) var interval: UInt16?
    package internal(set) var phy: LEPHY?
    /// The last data received; nil if there was none.
    package internal(set) var data: AdvertisedData?
    package internal(set) var group: BIGInfo?
    package internal(set) var reports = 0
    package internal(set) var rssi: ClosedRange<Int8>?
    /// Whether the host, or the sniffer, followed it.
    package internal(set) var isSynchronized = false
    /// Whether it was no longer heard.
    package internal(set) var isLost = false
    /// Whether the controller could not receive the end of `data`.
    package internal(set) var isTruncated = false
    /// Whether the recorded host sends it. Then nothing is received of it.
    package internal(set) var isOwn = false
    /// Whether the host began, and did not end, to send it; nil if it did neither.
    package internal(set) var isEnabled: Bool?
    var lastFrame: Int
    let firstFrame: Int
}

/// The trains of a capture.
struct BroadcastTable: Sendable {
    /// A device with a new address in every packet would fill the memory. The oldest half goes.
    private static let limit = 1_024

    private enum Key: Hashable {
        case sender(BluetoothAddress, UInt8?)
        /// A train whose sender is not known, by its number.
        case number(Int)
    }

    private var broadcasts: [Key: Broadcast] = [:]

    /// An advertisement that announces periodic advertising.
    mutating func note(_ report: AdvertisingReport, _ event: borrowing Event) {
        guard let address = report.identity ?? report.address else { return }
        change(.sender(address, report.sid), address, report.sid, event.frame) { broadcast in
            broadcast.interval = report.periodicInterval
        }
    }

    mutating func note(_ report: PeriodicReport, _ event: borrowing Event) {
        let train = report.train
        let sender = train.isOwn ? nil : train.address
        let key = sender.map { Key.sender($0, train.sid) } ?? .number(train.number)
        change(key, train.address, train.sid, event.frame) { broadcast in
            broadcast.interval = train.interval ?? broadcast.interval
            broadcast.phy = train.phy ?? broadcast.phy
            broadcast.isOwn = train.isOwn
            broadcast.isSynchronized = !train.isOwn
            if let rssi = report.rssi { broadcast.rssi = (rssi...rssi).joined(broadcast.rssi) }
            broadcast.isLost = false
            switch report.content {
            case .synchronized: break
            case .data(let data, let isTruncated):
                if !train.isOwn { broadcast.reports += 1 }
                broadcast.isTruncated = isTruncated
                broadcast.data = AdvertisedData(data, isTruncated: isTruncated)
            case .group(let group): broadcast.group = group
            case .lost: broadcast.isLost = true
            case .enabled(let isEnabled): broadcast.isEnabled = isEnabled
            }
        }
    }

    private mutating func change(
        _ key: Key, _ address: BluetoothAddress?, _ sid: UInt8?, _ frame: Int, _ body: (inout Broadcast) -> Void
    ) {
        if broadcasts[key] == nil, broadcasts.count >= Self.limit {
            let median = broadcasts.values.map(\.lastFrame).sorted()[broadcasts.count / 2]
            broadcasts = broadcasts.filter { $0.value.lastFrame >= median }
        }
        var broadcast = broadcasts[key] ?? Broadcast(address: address, sid: sid, lastFrame: frame, firstFrame: frame)
        broadcast.lastFrame = frame
        body(&broadcast)
        broadcasts[key] = broadcast
    }

    /// In the order in which they were first seen, under the addresses of the devices as they are known by now.
    func all(in trace: borrowing Trace) -> [Broadcast] {
        var all = broadcasts.values.sorted { ($0.firstFrame, $0.sid ?? 0xFF) < ($1.firstFrame, $1.sid ?? 0xFF) }
        for index in all.indices {
            guard let address = all[index].address, let identity = trace.identity(of: address) else { continue }
            all[index].address = identity
        }
        return all
    }
}

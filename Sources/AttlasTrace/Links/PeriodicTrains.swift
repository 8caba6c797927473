import AttlasCapture
import AttlasWire

/// A periodic advertising train: its sender and its interval.
public struct PeriodicTrain: Sendable, Equatable {
    /// Counted from 1 in the order in which the trace met them.
    public let number: Int
    /// nil when the synchronization was not captured, and of an own train whose address the capture does not have.
    public internal(set) var address: BluetoothAddress?
    /// Advertising SID, 0x00 to 0x0F; nil if unknown.
    public internal(set) var sid: UInt8?
    /// Units of 1.25 ms.
    public internal(set) var interval: UInt16?
    /// nil if unknown.
    public internal(set) var phy: LEPHY?
    /// Whether the recorded host sends it.
    public internal(set) var isOwn = false
}

/// Data received from a train, or sent by the host with its own.
public struct PeriodicReport: ~Escapable, Copyable {
    /// Train that the report belongs to.
    public let train: PeriodicTrain
    /// Received signal strength in dBm; nil if unknown.
    public let rssi: Int8?
    /// The sniffer's data about the last packet; nil for reports from HCI.
    public let radio: RadioInfo?
    /// Data, or a change of the synchronization.
    public let content: Content

    /// Data, or a change of the synchronization.
    public enum Content: ~Escapable, Copyable {
        /// The controller has found the train.
        case synchronized
        /// Truncated: the controller could not receive its end. Core Specification, Vol 4, Part E, 7.7.65.15.
        case data(AdvertisingData, isTruncated: Bool)
        /// Its broadcast group of isochronous streams.
        case group(BIGInfo)
        /// The controller does not hear it any more.
        case lost
        /// The host began, or ended, to send its own.
        case enabled(Bool)
    }

    @_lifetime(copy content)
    init(_ train: PeriodicTrain, rssi: Int8? = nil, radio: RadioInfo? = nil, _ content: Content) {
        self.train = train
        self.rssi = rssi
        self.radio = radio
        self.content = content
    }
}

/// The trains that a controller is synchronized with, and those that were heard on the air. Core Specification, Vol 6, Part B, 4.4.2.12.
struct PeriodicTrains: Sendable {
    /// More than any controller follows: at this many all are forgotten.
    private static let limit = 256

    enum Key: Hashable {
        case handle(controller: UInt16, UInt16)
        case air(UInt32)
        /// By Advertising_Handle.
        case own(controller: UInt16, UInt8)

        fileprivate var controller: UInt16? {
            switch self {
            case .handle(let controller, _), .own(let controller, _): controller
            case .air: nil
            }
        }
    }

    struct State: Sendable {
        var train: PeriodicTrain
        /// CRC initial value of a train on the air.
        var crcInit: UInt32?
        var data: [UInt8] = []
        /// The frames that have its parts, from the air.
        var frames: [Int] = []
        /// Whether there is more to come.
        var isOpen = false
        /// When its last part came.
        var time: Timestamp?

        mutating func add(_ part: borrowing Bytes, frame: Int? = nil) {
            if !isOpen {
                data.removeAll(keepingCapacity: true)
                frames.removeAll(keepingCapacity: true)
            }
            guard data.count + part.count <= AdvertisingData.lengthLimit else { return }
            part.append(to: &data)
            if let frame, !part.isEmpty { frames.append(frame) }
        }
    }

    private var states: [Key: State] = [:]
    private var count = 0

    subscript(_ key: Key) -> State? {
        get { states[key] }
        set {
            if newValue != nil, states[key] == nil, states.count >= Self.limit { states.removeAll() }
            states[key] = newValue
        }
    }

    /// A train with the next number.
    mutating func begin(
        _ key: Key, _ address: BluetoothAddress?, _ sid: UInt8?, _ interval: UInt16?, _ phy: LEPHY?
    ) -> State {
        count += 1
        let state = State(
            train: PeriodicTrain(number: count, address: address, sid: sid, interval: interval, phy: phy))
        self[key] = state
        return state
    }

    mutating func forgetOwn(_ controller: UInt16) {
        states = states.filter { key, _ in
            if case .own(controller, _) = key { return false }
            return true
        }
    }

    mutating func forget(_ controller: UInt16) {
        states = states.filter { $0.key.controller != controller }
    }
}

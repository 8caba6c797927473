import AttlasTrace
import AttlasWire

/// State of a controller.
struct ControllerState {
    let number: UInt16
    /// Commands that wait for Command Status or Command Complete: at most `limit`.
    var commands: [(opcode: HCIOpcode, moment: Moment)] = []
    /// Whether any command was answered: a log may have no such events.
    var hasAnswers = false
    /// The last command of extended advertising, scanning or connecting since HCI_Reset.
    var extended: Int?
    /// The last command that switches scanning or advertising, and whether it switches on.
    var switched: (opcode: HCIOpcode, isOn: Bool, frame: Int)?
    /// Where legacy and extended scanning was switched on; nil while it is off. The same of legacy advertising.
    var scanning: Int?
    var advertising: Int?
    /// Advertising that led to a connection: where it was made, and its end by the peer or a loss. nil when it is switched on again.
    private(set) var used: (made: Int, ended: Moment?)?
    private var hasAdvertised = false
    /// Advertising sets that were switched: of several, one may continue.
    private var sets: Set<UInt8> = []
    /// The last Scan_Interval and Scan_Window, in units of 0.625 ms.
    private var scan: (interval: UInt16, window: UInt16)?
    private var wantedScan: (interval: UInt16, window: UInt16)?
    /// The last scan was to end after a Duration.
    private var scanEnds = false
    /// The last command to connect to a device of LE; and the one that was accepted, until it leads to a connection or fails.
    var asked: Int?
    var connecting: Int?
    /// LE Create CIS that was accepted, until the events of its streams came; and their number.
    var creating: (frame: Int, left: Int)?
    private var wantedStreams: (frame: Int, left: Int)?
    /// Advertising sets with legacy PDUs, and where they got their parameters.
    private var legacySets: [UInt8: Int] = [:]
    private var wantedSet: (handle: UInt8, isLegacy: Bool, frame: Int)?
    /// Since HCI_Reset, if that is in the log: whether the host set a random address, and where legacy advertising was to have it.
    private var hasRandomAddress = true
    private var wantedRandom: Int?
    /// Where advertising was to have a random address that the host has not set.
    var lacksAddress: Int? { hasRandomAddress ? nil : wantedRandom }
    /// The last command whose parameters the specification excludes, and why.
    var mistake: (opcode: HCIOpcode, frame: Int, words: String)?
    /// Identities in the resolving list, and where each was added: at most `limit`. The last one that was to be added.
    var resolving: [BluetoothAddress: Int] = [:]
    var added: BluetoothAddress?
    /// The Filter Accept List, and where each device was added: at most `limit`.
    private(set) var accepted: [(address: BluetoothAddress, frame: Int)] = []
    /// Where LE Add Device To Resolving List failed, until it succeeds.
    var unresolved: Int?
    var broadcasts = BroadcastStates()
    /// Advertising sets that are on, and where they were switched on; and the set of the last command.
    private(set) var enabledSets: [UInt8: Int] = [:]
    private(set) var commandedSet: UInt8?
    private var wantedSets: [UInt8]?
    /// Set Event Mask without Number Of Completed Packets.
    private(set) var masksCompleted: Int?
    /// The room that the host has for packets, and where it said so; and where it limited the controller to it.
    private var hostBuffers: (count: Int, frame: Int)?
    private var limited: Int?
    private var givesBuffersBack = false
    /// The last Data Buffer Overflow, and the last Hardware Error.
    var overflow: Moment?
    var hardwareError: Moment?
    /// Where directed advertising with a high duty cycle was switched on, until it ends or the host switches advertising.
    private(set) var directed: Moment?
    private var wantsDirected = false

    /// The last packet that could not be read.
    private(set) var unreadable = 0

    init(number: UInt16) { self.number = number }

    /// A packet could not be read: it may have been any event.
    mutating func lose(_ frame: Int) {
        (commands, directed, used, unreadable) = ([], nil, nil, frame)
    }

    static let limit = 32
    /// Octets. Core Specification, Vol 6, Part B, 2.3.1.
    private static let legacyData: UInt8 = 31

    /// A command, and the facts of it that matter to later ones.
    mutating func follow(_ command: HCICommand, _ frame: Int) {
        let opcode = command.opcode
        if opcode.isExtended { extended = frame }
        if let enable = LEEnableCommand(command) {
            switched = (opcode, enable.isEnabled, frame)
            wantedSets = opcode == .leSetExtendedAdvertisingEnable ? enable.advertisingHandles : nil
        }
        if let mask = SetEventMaskCommand(command) { masksCompleted = mask.hasCompletedPackets ? nil : frame }
        switch HostFlowControlCommand(command) {
        case .enable(let isOn): limited = isOn ? frame : nil
        case .size(let count): hostBuffers = (count, frame)
        case nil: break
        }
        if opcode.setsParameters {
            let range =
                LECreateConnectionCommand(command)?.connectionParameters ?? LinkCommand(command)?.connectionParameters
            mistake = range.flatMap { WantedParameters($0).mistake }.map { (opcode, frame, $0) }
        }
        if let parameters = LESetScanParametersCommand(command) {
            wantedScan = (parameters.scanInterval, parameters.scanWindow)
        }
        // Enable, Filter_Duplicates, Duration. Vol 4, Part E, 7.8.65.
        if opcode == .leSetExtendedScanEnable {
            scanEnds = command.parameters.count >= 4 && command.parameters.uint16(at: 2) > 0
        }
        if let set = LEAdvertisingSetCommand(command) {
            if sets.count < 2 { sets.insert(set.advertisingHandle) }
            commandedSet = set.advertisingHandle
            follow(set, opcode, frame)
        }
        if let list = LEFilterAcceptListCommand(command), let address = list.address {
            accepted.removeAll { $0.address == address }
            if list.isAdded, accepted.count < Self.limit { accepted.append((address, frame)) }
        }
        if let group = LESetCIGParametersCommand(command) {
            let silent = (0..<group.count).first { group.phys($0).map { $0 == 0 || $1 == 0 } ?? false }
            mistake = silent.map {
                (opcode, frame, "CIS \(group.cisID($0)) has no PHY for one direction, which it needs without data, too")
            }
        }
        if let streams = LECreateCISCommand(command) { wantedStreams = (frame, streams.count) }
        if let group = LEBIGCreateSyncCommand(command) { broadcasts.want(group, frame) }
        switch opcode {
        case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2: asked = frame
        // An attempt over BR/EDR is another.
        case .createConnection: (asked, mistake) = (nil, nil)
        case .reset:
            (extended, scanning, advertising, connecting, creating) = (nil, nil, nil, nil, nil)
            (resolving, legacySets, broadcasts, accepted) = ([:], [:], BroadcastStates(), [])
            (used, hasAdvertised, sets) = (nil, false, [])
            (hasRandomAddress, wantedRandom) = (false, nil)
            (enabledSets, masksCompleted, hostBuffers, limited, givesBuffersBack) = ([:], nil, nil, nil, false)
        case .hostNumberOfCompletedPackets: givesBuffersBack = true
        case .leSetRandomAddress: hasRandomAddress = true
        case .leSetAdvertisingParameters:
            let parameters = LESetAdvertisingParametersCommand(command)
            wantedRandom = parameters?.isOwnAddressRandom == true ? frame : nil
            wantsDirected = parameters?.isHighDutyDirected == true
        case .leAddDeviceToResolvingList:
            added = (try? LEAddDeviceToResolvingListCommand(command.parameters))?.peerIdentityAddress
        case .leClearFilterAcceptList: accepted = []
        case .leRemoveDeviceFromResolvingList, .leClearResolvingList: resolving = [:]
        default: break
        }
    }

    private mutating func follow(_ set: borrowing LEAdvertisingSetCommand, _ opcode: HCIOpcode, _ frame: Int) {
        switch set.parameters {
        case .advertising(let parameters): wantedSet = (set.advertisingHandle, parameters.hasLegacyPDUs, frame)
        case .remove: legacySets[set.advertisingHandle] = nil
        case .data(let length):
            mistake = legacySets[set.advertisingHandle].flatMap { place in
                length <= Self.legacyData
                    ? nil
                    : (
                        opcode, frame,
                        "\(length) octets of data for a set with legacy PDUs (frame \(place)), which hold \(Self.legacyData)"
                    )
            }
        default: break
        }
    }

    /// An advertising set ended.
    mutating func endSet(_ handle: UInt8) { enabledSets[handle] = nil }

    /// All buffers that the host has are full with packets of one connection, and it gave none back: their number, and the frames that
    /// say so.
    func fullHostBuffers(received: Int) -> (count: Int, frames: [Int])? {
        guard let hostBuffers, let limited, !givesBuffersBack, hostBuffers.count > 0, received == hostBuffers.count
        else {
            return nil
        }
        return (hostBuffers.count, [hostBuffers.frame, limited])
    }

    /// A central connected.
    mutating func useAdvertising(_ frame: Int) {
        if hasAdvertised, sets.count <= 1 { used = (frame, nil) }
    }

    /// A connection ended that began in this frame.
    mutating func endUse(of begun: Int, _ moment: Moment?) {
        if let made = used?.made, made == begun { used = moment.map { (made, $0) } }
    }

    /// - Returns: where it was switched on, if it has not ended before.
    mutating func endDirected() -> Moment? {
        defer { directed = nil }
        return directed
    }

    /// Where a scan was switched on that is on and leaves no time for connections.
    var fullScan: Int? { !scanEnds && scan.map { $0.window >= $0.interval } == true ? scanning : nil }

    /// An event of a stream that LE Create CIS began.
    mutating func noteStream() {
        guard let pending = creating else { return }
        creating = pending.left > 1 ? (pending.frame, pending.left - 1) : nil
    }

    /// Its success, or its acceptance.
    mutating func complete(_ opcode: HCIOpcode, _ moment: Moment) {
        let frame = moment.frame
        switch opcode {
        case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2: connecting = asked
        case .leAddDeviceToResolvingList:
            unresolved = nil
            if let added, resolving.count < Self.limit { resolving[added] = frame }
        case .leCreateCIS: creating = wantedStreams
        case .leSetScanParameters, .leSetExtendedScanParameters: scan = wantedScan
        case .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingParametersV2:
            if let set = wantedSet { legacySets[set.handle] = set.isLegacy ? set.frame : nil }
        case _ where opcode != switched?.opcode: break
        case .leSetScanEnable, .leSetExtendedScanEnable: scanning = switched?.isOn == true ? switched?.frame : nil
        case .leSetAdvertisingEnable, .leSetExtendedAdvertisingEnable:
            // The host wants it off, or on again.
            used = nil
            hasAdvertised = switched?.isOn == true
            if opcode == .leSetAdvertisingEnable {
                advertising = hasAdvertised ? switched?.frame : nil
                directed = hasAdvertised && wantsDirected ? moment : nil
            }
            guard opcode == .leSetExtendedAdvertisingEnable else { break }
            for set in wantedSets ?? Array(enabledSets.keys) where !hasAdvertised || enabledSets.count < Self.limit {
                enabledSets[set] = hasAdvertised ? enabledSets[set] ?? switched?.frame : nil
            }
        default: break
        }
    }
}

/// Broadcasts that a controller hears. Bounded.
struct BroadcastStates {
    /// LE BIG Create Sync.
    struct Wanted {
        let group: UInt8
        let frame: Int
        let sync: UInt16
        let hasCode: Bool
    }

    struct Heard {
        let handle: UInt16
        let address: BluetoothAddress
        let moment: Moment
    }

    /// The last one of each BIG_Handle.
    private var wanted: [Wanted] = []
    /// Trains of periodic advertising, and groups of streams that are received or sent.
    var trains: [Heard] = []
    var groups: [UInt8: Moment] = [:]

    private static let limit = 32

    mutating func want(_ command: borrowing LEBIGCreateSyncCommand, _ frame: Int) {
        let group = command.bigHandle
        wanted.removeAll { $0.group == group }
        wanted = wanted.suffix(Self.limit - 1)
        wanted.append(Wanted(group: group, frame: frame, sync: command.syncHandle, hasCode: command.isEncrypted))
    }

    var lastWanted: Wanted? { wanted.last }

    func wanted(_ group: UInt8) -> Wanted? { wanted.first { $0.group == group } }

    mutating func hear(_ handle: UInt16, _ address: BluetoothAddress, _ moment: Moment) {
        trains.removeAll { $0.handle == handle }
        trains = trains.suffix(Self.limit - 1)
        trains.append(Heard(handle: handle, address: address, moment: moment))
    }

    func address(_ sync: UInt16) -> BluetoothAddress? { trains.first { $0.handle == sync }?.address }
}

extension HCIOpcode {
    /// A command of extended advertising, scanning or connecting.
    fileprivate var isExtended: Bool {
        switch self {
        case .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingParametersV2,
            .leSetExtendedAdvertisingEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            .leExtendedCreateConnection, .leExtendedCreateConnectionV2:
            true
        default: false
        }
    }

    /// A legacy command that has an extended form.
    var hasExtendedForm: Bool {
        switch self {
        case .leSetAdvertisingParameters, .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable,
            .leCreateConnection:
            true
        default: false
        }
    }

    /// A command with connection parameters.
    var setsParameters: Bool {
        switch self {
        case .leCreateConnection, .leExtendedCreateConnection, .leExtendedCreateConnectionV2, .leConnectionUpdate: true
        default: false
        }
    }
}

import AttlasWire

/// Makes packets of the steps in an app's log: the conversation that they imply, with handles numbered by attlas.
///
/// Where a log has one end of a request only, both are made, at that time.
struct AppConversation {
    struct Packet {
        var type = HCIPacketType.event
        var direction = Direction.unknown
        var octets: [UInt8] = []
        /// Octets of the PDU that the log does not have.
        var missing = 0
        /// The status of the log that has no code in the packet.
        var reported: ApplicationStatus?
        /// Why there is no packet.
        var fault: FaultReason?
        /// The time of the line before the one that completed it.
        var time: Timestamp?
    }

    /// A device and its known attributes.
    private struct Device {
        var peer: AppPeer?
        let handle: UInt16
        /// Whether a packet has its address.
        var isNamed = false
        var isConnected = false
        /// Whether an attempt to connect has no result yet.
        var isConnecting = false
        /// Whether the other side made the connection, as far as the log shows.
        var isPeripheral = false
        /// Whether the app has asked for the end.
        var isEnding = false
        /// The client of the stack that reported the connection.
        var client: Int?
        /// Whether the log has no line of the connection's beginning.
        var isImplied = false
        /// Whether it was connected before: later lines of it mean that it is connected again.
        var wasConnected = false
        /// The MTU of the request.
        var wantedMTU: UInt16?
        /// That of the last exchange.
        var mtu: UInt16?
        var isCommandNext = false
        /// Value handles.
        var values: [AppAttribute: UInt16] = [:]
        /// The handles of Client Characteristic Configurations, by the values that they are of.
        var configurations: [UInt16: UInt16] = [:]
        /// Those whose type no packet has shown.
        var undescribed: Set<UInt16> = []
        var lastHandle: UInt16 = 0
        /// The last handle before those of the list of services.
        var listStart: UInt16?
        /// Handles of the operations in progress.
        var reading: UInt16?
        var writing: UInt16?
        var commanding: UInt16?
        var lastSubscription: (handle: UInt16, value: UInt8)?
        /// Handle of the characteristic that was used last.
        var lastValue: UInt16?
        /// The handles that were described, of those in the log.
        var known: Set<UInt16> = []
        /// The opcode of the request that waits, in a log of PDUs.
        var request: UInt8?
        var parameters: AppParameters?
        /// The last failures, which other lines may repeat.
        var lastError: AppStatus?
        /// Whether the log has values of writes, of reads, and of notifications.
        var hasWritten = false
        var hasRead = false
        var hasNotified = false
        var lastEncryption: AppStatus?
    }

    private static let deviceLimit = 64
    private static let attributeLimit = 4096
    /// Vol 3, Part F, 3.2.9.
    private static let longestValue = 512

    private(set) var packets: [Packet] = []
    private var devices: [Device] = []
    private var current = 0
    /// The device that a log of one device names first.
    private var next: AppPeer?
    /// The device whose end was the last one in the log, if its line named it.
    private var lastEnded: Int?
    /// The UUIDs of characteristics, by their paths of D-Bus.
    private var names: [Path: [UInt8]] = [:]
    private struct Path: Hashable {
        let peer: AppPeer?
        let number: UInt16
    }
    private var listed: [(uuid: [UInt8], characteristics: [Listed])] = []
    private struct Listed {
        let uuid: [UInt8]
        let properties: UInt8
        var descriptors: [[UInt8]] = []
    }
    private var listedCount = 0
    /// The value of the next write.
    private var valueNext = AppValue.none
    /// The beginning of a write, of which the log has the value at the end, if nothing was sent or received since.
    private var begun: (handle: UInt16, time: Timestamp?)?
    /// Octets of a packet on its medium besides the PDU: its indicator and the headers of ACL and L2CAP.
    private var frameHead = 9
    /// Whether handles are attlas's own, and whether there are those of the log.
    private(set) var numbersHandles = false
    /// Whether the lines of the log do not show who made a connection.
    var isRoleUnknown = false
    private var isAdvertising = false
    /// Whether a connection has begun whose device a later line names.
    private var awaitsPeer = false
    /// When it began.
    private var awaitedSince: Timestamp?
    /// The time of the line; nil in a log without times.
    var time: Timestamp?

    /// The end of the log.
    mutating func end() {
        if awaitsPeer { connect(next, isInLog: true) }
    }

    private mutating func append(_ packet: consuming Packet) {
        packet.time = time
        packets.append(packet)
        begun = nil
    }

    mutating func removeAll() { packets.removeAll(keepingCapacity: true) }

    /// - Parameter peer: The device that the line names.
    mutating func take(_ step: AppStep, of peer: AppPeer?) {
        // Others of the vendor advertise, too.
        let peer = if case .advertised = step { peer } else { known(peer) }
        switch step {
        case .heading: next = peer
        case .connecting:
            (next, awaitsPeer) = (peer, false)
            if let peer { devices[index(of: peer)].isConnecting = true }
        case .connected(let parameters):
            if let peer = peer ?? next {
                connect(peer, parameters, isInLog: true)
            } else {
                (awaitsPeer, awaitedSince) = (true, time)
            }
        case .used:
            choose(peer)
            if let peer, !device.isConnecting { connect(peer) }
        case .disconnecting:
            if awaitsPeer { connect(peer ?? next, isInLog: true) }
            choose(peer)
            if let peer, !device.isConnecting, !device.wasConnected { connect(peer) }
            if isConnected { devices[current].isEnding = true }
        case .advertising: isAdvertising = true
        case .advertisingFailed(let status):
            isAdvertising = true
            // LE Set Advertising Enable, and its Command Complete. Vol 4, Part E, 7.8.9.
            append(Packet(type: .command, direction: .tx, octets: [0x0A, 0x20, 1, 1]))
            append(
                Packet(
                    type: .event, direction: .rx, octets: [0x0E, 4, 1, 0x0A, 0x20, status.reason],
                    reported: status.ownReason))
        case .peer: if awaitsPeer { next = peer }
        case .identity(let identity):
            choose(peer)
            identify(identity)
        case .disconnected(let status):
            if awaitsPeer { connect(peer ?? next, isInLog: true) }
            end(peer, status)
        case .lost:
            begin(peer)
            disconnect(.withoutReason)
            lastEnded = peer.map { _ in current }
        case .attemptFailed(let status):
            // The log has neither the beginning of the connection before the attempt, nor its end.
            if find(peer ?? next), device.isImplied { devices[current].isConnected = false }
            if find(peer ?? next), device.isConnected {
                disconnect(status)
                lastEnded = peer.map { _ in current }
            } else if let index = devices.firstIndex(where: { $0.peer == peer ?? next }) {
                failAttempt(index, status)
            } else if !status.isSuccess {
                failAttempt(of: peer ?? next, status)
            }
        case .encryption(let status):
            begin(peer)
            encrypt(status)
        case .changed(let status, let client):
            if let peer, !status.isSuccess { adopt(peer) }
            if find(peer), device.isConnected {
                // Another client of the stack shares the connection.
                if status.isSuccess, let client, let known = device.client, client != known { break }
                disconnect(status.isSuccess ? .withoutReason : status)
                lastEnded = peer.map { _ in current }
            } else if status.isSuccess || status.isWithoutReason {
                connect(peer, isInLog: true)
                devices[current].client = client
            } else if let peer, case let known = devices[index(of: peer)], known.wasConnected, !known.isConnecting {
                // The line is a repetition.
                break
            } else {
                end(peer, status)
            }
        case .error(let status, let request):
            choose(peer)
            fail(status, request, of: peer)
        case .requestFailed(let status):
            choose(peer)
            if hasRequest { fail(status, nil) }
        case .listing, .date, .nothing: break
        case .valueNext(let value): valueNext = value
        case .pdu(let pdu):
            begin(peer)
            take(pdu)
        case .refused(let attribute, let request, let status):
            begin(peer)
            guard let handle = value(of: attribute) else { return fail(status, request) }
            // A command that the stack refused was not sent. Others lack the value that was to be written.
            if device.writing != handle, device.reading != handle, request != ATTOpcode.writeCommand.rawValue {
                let octets = [request] + handle.littleEndianOctets
                att(.tx, [], octets: octets, missing: request == ATTOpcode.readRequest.rawValue ? 0 : 1)
            }
            att(.rx, [0x01, request], handle, [status.error])
            packets[packets.count - 1].reported = status.ownError
            (devices[current].writing, devices[current].reading) = (nil, nil)
            devices[current].lastError = status
        case .completed(let attribute, let request):
            begin(peer)
            guard let handle = value(of: attribute) else { return }
            finish(request, handle)
        case .service(let start, let end, let uuid):
            begin(peer)
            att(.tx, [0x10], start, [0xFF, 0xFF, 0x00, 0x28])
            att(.rx, [0x11, UInt8(4 + uuid.count)], start, end.littleEndianOctets + uuid)
        case .declaration(let handle, let properties, let value, let uuid):
            begin(peer)
            att(.tx, [0x08], handle, [0xFF, 0xFF, 0x03, 0x28])
            att(.rx, [0x09, UInt8(5 + uuid.count)], handle, [properties] + value.littleEndianOctets + uuid)
            devices[current].known.insert(value)
        case .described(let handle, let uuid):
            begin(peer)
            if device.known.count < Self.attributeLimit, devices[current].known.insert(handle).inserted {
                describe(handle, uuid)
            }
        case .advertised(let data, let rssi):
            guard let peer, !peer.isHidden, data.count <= 229 else { return }
            // Extended Advertising Report holds data of any length; the PDU type is unknown.
            let address = [peer.type] + peer.address.littleEndianOctets.prefix(6)
            let parameters: [UInt8] = [0x0D, 0x01, 0x00, 0x00] + address + [0x01, 0x00, 0xFF, 0x7F]
            let report = parameters + [UInt8(bitPattern: Int8(clamping: rssi)), 0, 0] + [UInt8](repeating: 0, count: 7)
            append(
                Packet(
                    type: .event, direction: .rx,
                    octets: [0x3E, UInt8(report.count + 1 + data.count)] + report + [UInt8(data.count)] + data))
        case .named(let path, let uuid):
            if names.count < Self.attributeLimit { names[Path(peer: peer, number: path)] = uuid }
        case .requestMTU(let mtu):
            begin(peer)
            devices[current].wantedMTU = mtu
        case .mtu(let mtu):
            begin(peer)
            // Windows reports the MTU that it has after the end. Each side asks once: Vol 3, Part F, 3.4.2.1.
            let known = device.mtu
            guard mtu >= known ?? 0 else { break }
            let wanted = device.wantedMTU ?? mtu
            (devices[current].wantedMTU, devices[current].mtu) = (nil, mtu)
            // The central asks first, nearly always.
            let asker = device.isPeripheral != (known == mtu) ? Direction.rx : .tx
            att(asker, [0x02], wanted)
            att(asker.opposite, [0x03], mtu)
        case .parameters(let parameters):
            if awaitsPeer { return connect(next, parameters, isInLog: true) }
            if devices.isEmpty, peer == nil { begin(nil) }
            choose(peer)
            if let peer, !device.wasConnected { connect(peer) }
            guard devices.indices.contains(current), devices[current].isConnected else { return }
            // NimBLE prints them with each event of the connection.
            if device.parameters == parameters { return }
            devices[current].parameters = parameters
            event(
                [0x3E, 10, 0x03, 0x00], device.handle, parameters.interval, parameters.latency, parameters.timeout)
        case .updateFailed(let status):
            // NimBLE also reports the reason of a connection's end for an update in progress.
            guard !status.isOfEnd else { break }
            begin(peer)
            event([0x3E, 10, 0x03, status.reason], device.handle, 0, 0, 0)
            packets[packets.count - 1].reported = status.ownReason
        case .configuring(let attribute):
            begin(peer)
            devices[current].lastValue = value(of: attribute)
        case .subscription(let attribute, let setting, let sender):
            choose(peer)
            // An app stops them, too, when the connection has ended. Nothing is sent.
            if setting == 0, devices.indices.contains(current), device.wasConnected, !device.isConnected { break }
            begin(peer)
            guard let value = value(of: attribute), let handle = configuration(of: value, for: sender) else { return }
            defer { devices[current].lastSubscription = (value, setting) }
            // A program may report completion after it named the attribute.
            if case .last = attribute, let last = device.lastSubscription, last == (value, setting) { return }
            att(sender, [0x12], handle, [setting, 0])
            att(sender == .tx ? .rx : .tx, [0x13])
        case .operation(let operation, let attribute, let value):
            begin(peer)
            take(operation, attribute, value)
        case .unreadable: append(Packet(fault: .valueWithoutOctets))
        case .octets, .unfinished: break
        }
    }

    private mutating func take(_ operation: AppOperation, _ attribute: AppAttribute, _ octets: [UInt8]?) {
        if let octets, octets.count > Self.longestValue {
            append(Packet(fault: .valueTooLong(UInt32(octets.count))))
            return
        }
        guard let handle = value(of: attribute, of: operation) else { return }
        devices[current].lastError = nil
        if octets != nil {
            switch operation {
            case .write, .writeDone, .writeCommand: devices[current].hasWritten = true
            case .readDone: devices[current].hasRead = true
            case .notification, .received, .receivedTwice: devices[current].hasNotified = true
            default: break
            }
        }
        var octets = octets
        if operation == .writeDone, octets == nil, device.writing == nil, case .octets(let value) = valueNext {
            (octets, valueNext) = (value, .none)
        }
        switch operation {
        case .writeRequestNext, .writeCommandNext: devices[current].isCommandNext = operation == .writeCommandNext
        case .read:
            guard device.reading != handle else { return }
            devices[current].reading = handle
            att(.tx, [0x0A], handle)
        case .receivedTwice where device.reading != handle: if let octets { att(.rx, [0x1B], handle, octets + octets) }
        case .received where device.reading != handle, .notification: if let octets { att(.rx, [0x1B], handle, octets) }
        case .received, .receivedTwice, .readDone:
            guard let octets else { return }
            if device.reading != handle { att(.tx, [0x0A], handle) }
            devices[current].reading = nil
            att(.rx, [0x0B], octets: octets)
        case .indication:
            guard let octets else { return }
            att(.rx, [0x1D], handle, octets)
            att(.tx, [0x1E])
        case .write where device.isCommandNext, .writeCommand:
            guard let octets else { return }
            (devices[current].commanding, devices[current].isCommandNext) = (handle, false)
            att(.tx, [0x52], handle, octets)
        case .write where octets == nil: begun = (handle, time)
        case .write:
            guard let octets else { return }
            devices[current].writing = handle
            att(.tx, [0x12], handle, octets)
        case .writeDone:
            if device.writing == handle {
                devices[current].writing = nil
                return att(.rx, [0x13])
            }
            // A command has no answer.
            guard device.commanding != handle, let octets else {
                devices[current].commanding = nil
                return
            }
            let begun = begun
            att(.tx, [device.isCommandNext ? 0x52 : 0x12], handle, octets)
            if let begun, begun.handle == handle, !packets.isEmpty { packets[packets.count - 1].time = begun.time }
            if !device.isCommandNext { att(.rx, [0x13]) }
            devices[current].isCommandNext = false
        }
    }

    /// The end of a request without its value. Where a log has values, it is about one that another line has.
    private mutating func finish(_ request: UInt8, _ handle: UInt16) {
        if request == ATTOpcode.handleValueNotification.rawValue {
            if !device.hasNotified { att(.rx, [], octets: [request] + handle.littleEndianOctets, missing: 1) }
            return
        }
        let isRead = request == ATTOpcode.readRequest.rawValue
        let isWaiting = (isRead ? device.reading : device.writing) == handle
        guard isWaiting || !(isRead ? device.hasRead : device.hasWritten) else { return }
        if !isWaiting { att(.tx, [], octets: [request] + handle.littleEndianOctets, missing: isRead ? 0 : 1) }
        if isRead { devices[current].reading = nil } else { devices[current].writing = nil }
        att(.rx, [], octets: [request &+ 1], missing: isRead ? 1 : 0)
    }

    private mutating func fail(_ status: AppStatus, _ request: UInt8?, of peer: AppPeer? = nil) {
        // Without a request, its handle is unknown (Vol 3, Part F, 3.4.1.1), and so is an opcode that the line does not have.
        let isKnown = status.ownError == nil || request != nil || status.system == .words || peer != nil
        // The connection of the device began before the log.
        let isFirst = devices.isEmpty || peer != nil && !device.wasConnected && !device.isConnecting
        if isFirst, isKnown { begin(peer) }
        guard devices.indices.contains(current), device.isConnected else { return }
        // A later line about this device is of its next connection.
        defer { if isFirst, peer != nil, status.isWithoutConnection { devices[current].isConnected = false } }
        if let handle = device.writing ?? device.reading {
            att(.rx, [0x01, device.writing == nil ? 0x0A : 0x12], handle, [status.error])
        } else {
            guard isKnown, device.lastError != status else { return }
            att(.rx, [0x01, request ?? 0], 0, [status.error])
        }
        packets[packets.count - 1].reported = status.ownError
        (devices[current].writing, devices[current].reading) = (nil, nil)
        devices[current].lastError = status
    }

    // MARK: Connections

    private var device: Device { devices[current] }

    /// Whether a request of the current connection waits.
    var hasRequest: Bool { isConnected && (device.writing ?? device.reading) != nil }
    var isConnected: Bool { devices.indices.contains(current) && device.isConnected }
    /// The last error of the device that was used last.
    var lastError: AppStatus? { devices.indices.contains(current) ? device.lastError : nil }

    /// The device of a line. An address with hidden octets is that of a device which has the others. One without any names none, nor do the
    /// zeros that ESPHome prints after an attempt.
    private mutating func known(_ peer: AppPeer?) -> AppPeer? {
        guard let peer, peer.address != 0 else { return nil }
        if devices.contains(where: { $0.peer == peer }) { return peer }
        let alike = devices.indices.filter { devices[$0].peer?.isLike(peer) ?? false }
        guard alike.count == 1, let known = devices[alike[0]].peer else { return peer }
        guard !peer.isHidden else { return known }
        devices[alike[0]].peer = peer
        if next == known { next = peer }
        return peer
    }

    /// Makes the device current.
    private mutating func find(_ peer: AppPeer?) -> Bool {
        guard let index = devices.firstIndex(where: { $0.peer == peer }) else { return false }
        current = index
        return true
    }

    /// Index of the device, which is added if it is new.
    private mutating func index(of peer: AppPeer?) -> Int {
        if let index = devices.firstIndex(where: { $0.peer == peer }) { return index }
        guard devices.count < Self.deviceLimit else {
            devices[0] = Device(peer: peer, handle: devices[0].handle)
            return 0
        }
        devices.append(Device(peer: peer, handle: UInt16(devices.count + 1)))
        return devices.count - 1
    }

    /// Makes the device of a line current: the one that it names, else the last one, or the only one that is connected.
    private mutating func choose(_ peer: AppPeer?) {
        if let peer {
            adopt(peer)
            current = index(of: peer)
        } else if devices.indices.contains(current), !device.isConnected {
            let connected = devices.indices.filter { devices[$0].isConnected }
            if connected.count == 1 { current = connected[0] }
        }
    }

    /// The device of the only connection, which no line before has named.
    private mutating func adopt(_ peer: AppPeer) {
        if devices.count == 1, devices[0].peer == nil, devices[0].isConnected { devices[0].peer = peer }
    }

    /// Something happened on the connection of a device. If there is none, it began before the log.
    private mutating func begin(_ peer: AppPeer?) {
        choose(peer)
        guard devices.isEmpty || !device.isConnected else { return }
        connect(peer ?? next ?? (devices.isEmpty ? nil : device.peer), isInLog: awaitsPeer)
    }

    /// - Parameter isInLog: whether the log has a line of it, and not only of what follows.
    private mutating func connect(_ peer: AppPeer?, _ parameters: AppParameters? = nil, isInLog: Bool = false) {
        let begun = awaitsPeer ? awaitedSince : time
        if awaitsPeer { (awaitsPeer, next) = (false, nil) }
        current = index(of: peer)
        let isInLog = isInLog || device.isConnecting
        let isPeripheral = isRoleUnknown && !device.isConnecting && isAdvertising
        // The values of LE Connection Complete; 0xFF is neither.
        let role: UInt8 = isPeripheral ? 0x01 : isRoleUnknown && !device.isConnecting ? 0xFF : 0x00
        devices[current].isConnecting = false
        if isInLog { devices[current].isImplied = false }
        guard !device.isConnected else { return }
        let handle = device.handle
        // The table of a known device is remembered, also by readers of the packets.
        if !device.isNamed { devices[current] = Device(peer: peer, handle: handle) }
        (devices[current].reading, devices[current].writing, devices[current].commanding) = (nil, nil, nil)
        (devices[current].isConnected, devices[current].wasConnected) = (true, true)
        (devices[current].isEnding, devices[current].client, devices[current].isImplied) = (false, nil, !isInLog)
        (devices[current].lastError, devices[current].lastEncryption, devices[current].mtu) = (nil, nil, nil)
        (devices[current].parameters, devices[current].isPeripheral) = (parameters, isPeripheral)
        let named = peer.flatMap { $0.isHidden ? nil : $0 }
        guard named != nil || isInLog else { return }
        devices[current].isNamed = named != nil
        complete(named, handle, status: 0, role: role, parameters, reported: isInLog ? nil : .notInLog)
        packets[packets.count - 1].time = begun
    }

    /// LE Connection Complete, without an address with zeros.
    private mutating func complete(
        _ peer: AppPeer?, _ handle: UInt16, status: UInt8, role: UInt8 = 0, _ parameters: AppParameters? = nil,
        reported: ApplicationStatus? = nil
    ) {
        let peer = peer ?? AppPeer(address: 0)
        var octets = [0x3E, 19, 0x01, status] + handle.littleEndianOctets + [role, peer.type]
        octets += peer.address.littleEndianOctets.prefix(6)
        // No interval: it is not known.
        let known = parameters ?? AppParameters(interval: 0, latency: 0, timeout: 0)
        octets += [known.interval, known.latency, known.timeout].flatMap(\.littleEndianOctets) + [0]
        append(Packet(type: .event, direction: .rx, octets: octets, reported: reported))
    }

    /// Encryption Change; Pairing Failed if the status is its reason.
    private mutating func encrypt(_ status: AppStatus) {
        defer { devices[current].lastEncryption = status }
        // The security error of Zephyr's application, and that of Bluedroid, is that of the PDU.
        let isKnown =
            (status.system == .zephyr || status.system == .bluedroid) && !status.isSuccess
            && device.lastEncryption?.pairingReason != nil
        guard status.isSuccess || device.lastEncryption != status && !isKnown else { return }
        if let (reason, sender) = status.pairingReason { return security(sender, [0x05, reason]) }
        append(
            Packet(
                type: .event, direction: .rx,
                octets: [0x08, 4, status.isSuccess ? 0 : status.reason] + device.handle.littleEndianOctets
                    + [status.isSuccess ? 1 : 0],
                reported: status.isSuccess ? nil : status.ownReason))
    }

    /// Identity Address Information. The device of the current connection has this address from now on.
    private mutating func identify(_ identity: AppPeer) {
        guard devices.indices.contains(current), device.isConnected, device.peer != identity, !identity.isHidden
        else { return }
        security(.rx, [0x09, identity.type] + identity.address.littleEndianOctets.prefix(6))
        if let known = devices.firstIndex(where: { $0.peer == identity }) { devices[known].peer = device.peer }
        devices[current].peer = identity
    }

    /// The end of a connection, or of an attempt to connect.
    private mutating func end(_ peer: AppPeer?, _ status: AppStatus) {
        // A line without a reason may follow the one that has it.
        if status.isWithoutReason, let peer, let known = devices.first(where: { $0.peer == peer }),
            !known.isConnected, !known.isConnecting
        {
            return
        }
        // A library and the stack below it report the same end, and only one names the device.
        let isSame = peer == nil && lastEnded == current && !devices.contains { $0.isConnecting }
        if isSame, let lastEnded, !devices[lastEnded].isConnected { return }
        choose(peer)
        defer { lastEnded = peer.map { _ in current } }
        // It began before the log.
        if devices.isEmpty, !status.isSuccess {
            if status.isOfAttempt { return failAttempt(of: next, status) }
            connect(next)
        }
        let isConnected = devices.indices.contains(current) && device.isConnected
        if !isConnected, let peer, status.isOfAttempt, !status.isSuccess {
            failAttempt(index(of: peer), status)
        } else if !isConnected || peer == nil && status.isOfAttempt, let wanted = peer ?? next,
            let index = devices.firstIndex(where: { $0.peer == wanted && $0.isConnecting })
        {
            failAttempt(index, status)
        } else {
            if let peer, !device.wasConnected { connect(peer) }
            disconnect(status)
        }
    }

    private mutating func failAttempt(_ index: Int, _ status: AppStatus) {
        devices[index].isConnecting = false
        // The app itself ended it.
        if !status.isSuccess { failAttempt(of: devices[index].peer, status) }
    }

    private mutating func failAttempt(of peer: AppPeer?, _ status: AppStatus) {
        complete(peer.flatMap { $0.isHidden ? nil : $0 }, 0, status: status.reason, reported: status.ownReason)
    }

    private mutating func disconnect(_ status: AppStatus) {
        guard devices.indices.contains(current), device.isConnected else { return }
        devices[current].isConnected = false
        let status = status.isWithoutReason && device.isEnding ? AppStatus(code: 0) : status
        append(
            Packet(
                type: .event, direction: .rx,
                octets: [0x05, 4, 0x00] + device.handle.littleEndianOctets + [status.reason],
                reported: status.ownReason(isAsked: device.isEnding)))
    }

    // MARK: Attributes

    /// The handle of a value, which is created and described when it is first used; nil if there are too many.
    private mutating func value(of attribute: AppAttribute, of operation: AppOperation? = nil) -> UInt16? {
        switch attribute {
        case .handle(let handle):
            devices[current].lastValue = handle
            return handle
        case .last:
            return operation == .readDone ? device.reading ?? device.lastValue : device.writing ?? device.lastValue
        case .path(let path, let uuid):
            let handle = path &+ 1
            devices[current].lastValue = handle
            let uuid = uuid ?? names[Path(peer: device.peer, number: path)]
            if let uuid, device.known.count < Self.attributeLimit, devices[current].known.insert(handle).inserted {
                describe(handle, uuid)
            }
            return handle
        default: break
        }
        numbersHandles = true
        if case .descriptor(let uuid, of: let owner) = attribute {
            let known = owner.map { self.value(of: .characteristic($0)) } ?? device.lastValue
            guard let known else { return nil }
            return uuid == [0x02, 0x29] ? configuration(of: known) : nil
        }
        if let handle = device.values[attribute] {
            devices[current].lastValue = handle
            return handle
        }
        guard device.values.count < Self.attributeLimit, device.lastHandle < 0xF000 else { return nil }
        // Room for its configuration.
        let handle = device.lastHandle + 2
        devices[current].lastHandle = handle + 1
        devices[current].values[attribute] = handle
        devices[current].configurations[handle] = handle + 1
        devices[current].undescribed.insert(handle + 1)
        devices[current].lastValue = handle
        if case .characteristic(let uuid) = attribute { describe(handle, uuid) }
        return handle
    }

    private mutating func configuration(of value: UInt16, for client: Direction = .tx) -> UInt16? {
        // With handles from the log, it is most often the next handle.
        if device.configurations[value] == nil, device.values.isEmpty, value < 0xFFFF,
            device.configurations.count < Self.attributeLimit
        {
            devices[current].configurations[value] = value + 1
            devices[current].undescribed.insert(value + 1)
            numbersHandles = true
        }
        guard let handle = device.configurations[value] else { return nil }
        if devices[current].undescribed.remove(handle) != nil { describe(handle, [0x02, 0x29], for: client) }
        return handle
    }

    private mutating func take(_ pdu: AttributePDU) {
        var pdu = pdu
        let definition = ATTOpcode(rawValue: pdu.octets[0]).definition
        if let frame = pdu.frame {
            // A PDU of a known length shows the length of its prefix.
            if let exact = definition?.length.exact, [8, 9, 13].contains(frame - exact) { frameHead = frame - exact }
            let length = frame - frameHead
            // A value of another length is invalid: programs print its meaning, too. A fragment is shorter than its PDU.
            let head = definition?.ownsHandle == true ? 3 : 1
            if pdu.missing == 0, definition?.length.exact == nil, length >= head, pdu.octets.count != length {
                pdu.octets.removeSubrange(min(head, pdu.octets.count)...)
                pdu.missing = 1
            }
            if pdu.missing > 0 { pdu.missing = max(pdu.missing, length - pdu.octets.count) }
        }
        if definition?.kind == .request { devices[current].request = pdu.octets[0] }
        if pdu.lacksRequest, pdu.octets.count > 1 { pdu.octets[1] = device.request ?? 0x0A }
        att(pdu.direction, [], octets: pdu.octets, missing: min(pdu.missing, 0xFFF0 - pdu.octets.count))
    }

    /// Find Information with the type of an attribute.
    private mutating func describe(_ handle: UInt16, _ uuid: [UInt8], for client: Direction = .tx) {
        att(client, [0x04], handle, handle.littleEndianOctets)
        att(client == .tx ? .rx : .tx, [0x05, uuid.count == 2 ? 1 : 2], handle, uuid)
    }

    mutating func take(_ item: AppListing) {
        guard listedCount < Self.attributeLimit else { return }
        listedCount += 1
        switch item {
        case .service(let uuid): listed.append((uuid, []))
        case .characteristic(let uuid, let properties):
            guard !listed.isEmpty else { return }
            listed[listed.count - 1].characteristics.append(Listed(uuid: uuid, properties: properties))
        case .descriptor(let uuid):
            guard let service = listed.indices.last, let last = listed[service].characteristics.indices.last else {
                return
            }
            listed[service].characteristics[last].descriptors.append(uuid)
        }
    }

    /// The list of services has ended: discovery.
    mutating func endList() {
        guard !listed.isEmpty else { return }
        begin(nil)
        // The same list once more has the same handles. Attributes used before a list have other handles now.
        devices[current].lastHandle = device.listStart ?? device.lastHandle
        devices[current].listStart = device.lastHandle
        (devices[current].values, devices[current].configurations) = ([:], [:])
        for service in listed {
            let start = device.lastHandle + 1
            var handle = start
            var found: [(UInt16, Listed)] = []
            for characteristic in service.characteristics {
                found.append((handle + 1, characteristic))
                handle += 2 + UInt16(characteristic.descriptors.count)
            }
            guard handle < 0xF000 else { break }
            devices[current].lastHandle = handle
            att(.tx, [0x10], start, [0xFF, 0xFF, 0x00, 0x28])
            att(.rx, [0x11, UInt8(4 + service.uuid.count)], start, handle.littleEndianOctets + service.uuid)
            for (declaration, characteristic) in found { declare(declaration, characteristic, to: handle) }
        }
        (listed, listedCount) = ([], 0)
    }

    private mutating func declare(_ declaration: UInt16, _ characteristic: Listed, to end: UInt16) {
        let value = declaration + 1
        att(.tx, [0x08], declaration, end.littleEndianOctets + [0x03, 0x28])
        att(
            .rx, [0x09, UInt8(5 + characteristic.uuid.count)], declaration,
            [characteristic.properties] + value.littleEndianOctets + characteristic.uuid)
        for (index, uuid) in characteristic.descriptors.enumerated() {
            let handle = value + 1 + UInt16(index)
            describe(handle, uuid)
            if uuid == [0x02, 0x29] { devices[current].configurations[value] = handle }
        }
        // A log does not distinguish characteristics of the same UUID.
        if device.values[.characteristic(characteristic.uuid)] == nil {
            devices[current].values[.characteristic(characteristic.uuid)] = value
        }
    }

    // MARK: Packets

    private mutating func att(_ direction: Direction, _ head: [UInt8], _ handle: UInt16? = nil, _ rest: [UInt8] = []) {
        var pdu = head
        if let handle { pdu += handle.littleEndianOctets }
        att(direction, pdu, octets: rest)
    }

    private mutating func att(_ direction: Direction, _ head: [UInt8], octets: [UInt8], missing: Int = 0) {
        append(
            Packet(
                type: .acl, direction: direction,
                octets: TextKind.packet(of: head + octets, direction, handle: device.handle, missing: missing),
                missing: missing))
    }

    /// A PDU of the Security Manager.
    private mutating func security(_ direction: Direction, _ pdu: [UInt8]) {
        append(
            Packet(
                type: .acl, direction: direction,
                octets: TextKind.packet(of: pdu, direction, handle: device.handle, channel: 6)))
    }

    private mutating func event(_ head: [UInt8], _ fields: UInt16...) {
        append(
            Packet(type: .event, direction: .rx, octets: head + fields.flatMap(\.littleEndianOctets)))
    }
}

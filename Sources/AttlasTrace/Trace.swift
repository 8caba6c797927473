import AttlasCapture
import AttlasWire
import Synchronization

/// Records in, events out. Every piece of state that decoding needs lives here.
///
/// Synchronous and single-threaded; several captures are decoded by several traces. Code that runs for each record is specialized for each
/// type of sink, rare code exists once for all of them (`@_semantics("optimize.sil.specialize.generic.never")`).
///
/// ```swift
/// while let record = try reader.next() { trace.decode(record, into: &sink) }
/// trace.finish(into: &sink)
/// ```
public struct Trace: ~Copyable {
    /// Memory limits, fixed for its lifetime.
    public let limits: TraceLimits
    var reachedLimits = ReachedLimits()
    /// Upper bound on the octets held for unfinished frames and values.
    var heldOctets = 0

    /// Channels of all connections, as they count against the limit.
    var channelCount = 0

    /// Slots; those of ended connections are used again.
    public internal(set) var connections: [Connection] = []
    var peerTable: PeerTable
    var imports = Imports()
    var identities = IdentityTable()
    /// Controllers, in the order of their first record.
    public internal(set) var controllers: [Controller] = []
    /// UUIDs seen so far.
    public internal(set) var uuids: UUIDTable
    let types: DeclarationTypes
    /// Entries in the tables of all controllers together.
    var localAttributeCount = 0

    var links = LinkTable()
    var air = AirLinks()
    var airKeys = AirKeys()
    /// NetKeys that were given.
    public internal(set) var meshKeys: [MeshNetworkKey] = []
    /// Packets from the air with a right CRC, and with a wrong one.
    public internal(set) var checks = (right: 0, wrong: 0)
    /// The payload that was decrypted last.
    var airScratch: [UInt8] = []
    var trains = PeriodicTrains()
    var advertisingSets = AdvertisingSets()
    var advertisingParts = AdvertisingParts()
    var streams = IsochronousStreams()
    var unannouncedHandles = UnannouncedHandles()
    var connectionCount = 0
    var sides = RecordedSides()
    var freeSlots: [Int] = []
    var slotsByAge = OldestFirst()
    var controllerIndexes: [UInt16: Int] = [:]
    private var last: PDUContext?
    /// Whether nothing is decoded as one of the frequent packets: the tests and the fuzzer compare both ways.
    package var takesGeneralWay = false
    /// Packets from the air that the sniffer missed, as far as that is known.
    public internal(set) var missedPackets = 0
    /// Records lost, by controller.
    public private(set) var losses = Losses()
    /// How often the clock went back or jumped ahead.
    public private(set) var clockSteps = 0
    /// The run of the following times. Wraps: times of two runs that are 256 jumps apart are not compared.
    var clockRun: UInt8 { UInt8(truncatingIfNeeded: clockSteps) }
    /// The time from which relative times are counted: of the first record, or of `origin`.
    public private(set) var start: Timestamp?
    /// Where times begin if that is not the first record.
    public private(set) var origin: TimeOrigin?
    private var isOriginSettled = false
    /// Whether a device has advertised.
    var hasDiscovery = false
    /// Jumps of the clock ahead after the beginning of the conversation; the first 16.
    private(set) var leaps: [ClockLeap] = []
    /// The time of the last record, when all records that were handed on together are decoded.
    public var lastTime: Timestamp? { last?.time }
    /// Never used: a type with an atomic is passed by its address. Without it the compiler copies the trace, 280 octets, for every event
    /// and several times for every ATT PDU (a twelfth of all instructions).
    private let place = Atomic<Bool>(false)

    /// A trace without records.
    public init(limits: TraceLimits = .standard) {
        self.limits = limits
        // A live connection has a peer, so that one of the others can always give way.
        peerTable = PeerTable(limit: max(limits.peers, limits.connections + 1), attributeLimit: limits.attributes)
        var uuids = UUIDTable()
        types = DeclarationTypes(in: &uuids)
        self.uuids = uuids
    }

    /// An independent copy; unchanged storage is shared.
    public func copy() -> Trace { Trace(copying: self) }

    /// Properties with default values are copied here, too: `RecordingTests` compares every line with one reading.
    private init(copying other: borrowing Trace) {
        limits = other.limits
        reachedLimits = other.reachedLimits
        heldOctets = other.heldOctets
        channelCount = other.channelCount
        connections = other.connections
        peerTable = other.peerTable
        imports = other.imports
        identities = other.identities
        controllers = other.controllers
        uuids = other.uuids
        types = other.types
        localAttributeCount = other.localAttributeCount
        links = other.links
        air = other.air
        airKeys = other.airKeys
        meshKeys = other.meshKeys
        checks = other.checks
        airScratch = other.airScratch
        trains = other.trains
        advertisingSets = other.advertisingSets
        advertisingParts = other.advertisingParts
        streams = other.streams
        unannouncedHandles = other.unannouncedHandles
        connectionCount = other.connectionCount
        sides = other.sides
        freeSlots = other.freeSlots
        slotsByAge = other.slotsByAge
        controllerIndexes = other.controllerIndexes
        last = other.last
        takesGeneralWay = other.takesGeneralWay
        missedPackets = other.missedPackets
        losses = other.losses
        clockSteps = other.clockSteps
        start = other.start
        origin = other.origin
        isOriginSettled = other.isOriginSettled
        hasDiscovery = other.hasDiscovery
        leaps = other.leaps
    }

    /// Every device that the recorded host was connected with, in the order of their first connections.
    public var peers: PagedArray<Peer> { peerTable.peers }

    /// The index of the peer that this one turned out to be.
    package func finalPeer(of index: Int) -> Int {
        var index = index
        while let next = peers[index].mergedInto { index = next }
        return index
    }

    /// The indexes that a peer had under other addresses, before it turned out to be the one at this index.
    public func formerPeers(of index: Int) -> Set<Int> {
        Set(peers.indices.filter { $0 != index && finalPeer(of: $0) == index })
    }

    /// The only side whose PDUs the log holds, though they belong to exchanges: a filter left out the other side's.
    public var onlySide: Direction? { sides.only }

    /// Whether packets of both sides would be in the log, as far as it shows: nothing follows from the absence of a packet otherwise.
    package var hasBothSides: Bool { sides.areBoth }

    /// Whether it is the log of an app, which does not have every packet.
    package var isOfApp: Bool { sides.areOfApp }
    /// Whether a packet that the log does not have was not sent.
    package var hasEveryPacket: Bool { hasBothSides && !isOfApp }

    /// The limits that were reached so far.
    public var limitsReached: [TraceLimit] { reachedLimits.all }

    /// The peer's name for itself, at this index.
    public func peerName(_ index: Int) -> String? { peerTable.peers[index].name }
    /// nil when the connection setup was not captured.
    public func peerAddress(_ index: Int) -> BluetoothAddress? { peerTable.peers[index].address }

    /// Whether the controller was asked to filter duplicate advertising reports. Vol 4, Part E, 7.8.11.
    public func filtersDuplicates(_ controller: UInt16) -> Bool {
        controllerIndexes[controller].map { controllers[$0].filtersDuplicates } ?? false
    }

    /// The index of the live connection with this handle.
    public func connection(_ handle: ConnectionHandle, of controller: UInt16) -> Int? {
        links.slot(controller, handle & 0x0FFF)
    }

    /// The controller of the connection at this index.
    public func controller(ofConnection index: Int) -> Controller { controllers[connections[index].controllerIndex] }

    /// ACL packets on handles that never connected and do not behave like a connection, by handle.
    public var unconnectedPackets: [(controller: UInt16, handle: ConnectionHandle, packets: Int)] {
        unannouncedHandles.packets
    }

    /// Decodes one record and sends its events to the sink, in the order of the layers.
    public mutating func decode<Sink: EventSink & ~Copyable>(_ record: Record, into sink: inout Sink) {
        decode(RecordRow(record), into: &sink)
    }

    /// The same for records in a row. Steps that are the same for each, or that only the last one affects, are done once.
    public mutating func decode<Sink: EventSink & ~Copyable>(_ row: RecordRow, into sink: inout Sink) {
        // Before the first record of all there is none to compare its time with.
        let begin = last == nil ? 1 : 0
        if begin == 1 { decodeGenerally(row[0], into: &sink) }
        var clock = last?.time.seconds ?? 0
        let isPlain = row.isPlain && !takesGeneralWay
        for index in begin..<row.count {
            let record = row[index]
            let seconds = record.time.seconds
            if seconds >= clock, UInt64(bitPattern: seconds &- clock) < 86_400, isPlain,
                decodeFrequent(record, into: &sink)
            {
                clock = seconds
                if reachedLimits.hasNews { tellLimits(PDUContext(record, clockRun: clockRun), into: &sink) }
                continue
            }
            if index > 0 { last = PDUContext(row[index &- 1], clockRun: clockRun) }
            decodeGenerally(record, into: &sink)
            clock = seconds
        }
        last = PDUContext(row[row.count &- 1], clockRun: clockRun)
    }

    /// Any record.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private mutating func decodeGenerally<Sink: EventSink & ~Copyable>(_ record: Record, into sink: inout Sink) {
        let context = checkedContext(record, into: &sink)
        if record.lost > 0 { lose(record.lost, context, into: &sink) }

        switch record.content {
        case .packet(.acl):
            decodeACL(record.bytes, missing: record.missing, context, into: &sink)
        case .packet(.event):
            decodeEvent(record.bytes, missing: record.missing, context, into: &sink)
        default: decodeOther(record, context, into: &sink)
        }
        if reachedLimits.hasNews { tellLimits(context, into: &sink) }
    }

    /// The same without specialized code for the type of the sink, for code where speed does not matter: 7 to 9 % more instructions.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    public mutating func decodeUnspecialized<Sink: EventSink & ~Copyable>(_ record: Record, into sink: inout Sink) {
        decode(record, into: &sink)
    }

    @inline(never)
    private mutating func lose<Sink: EventSink & ~Copyable>(
        _ records: UInt32, _ context: PDUContext, into sink: inout Sink
    ) {
        losses.areLeftOut = context.making != .captured
        emit(context, nil, .loss(records), into: &sink)
        losses.note(context.controller)
        streams.loseFlights()
    }

    /// Decodes records that are rare in a log of a host; kept apart, so that the others need fewer registers saved.
    @inline(never)
    private mutating func decodeOther<Sink: EventSink & ~Copyable>(
        _ record: Record, _ context: PDUContext, into sink: inout Sink
    ) {
        switch record.content {
        case .packet(.acl), .packet(.event): break
        case .packet(.command):
            decodeCommand(record.bytes, missing: record.missing, context, into: &sink)
        case .packet(.synchronous), .packet(.isochronous):
            emitData(record, context, into: &sink)
        case .unknownPacket:
            emitData(record, context, into: &sink)
        case .air(let radio):
            decodeAir(record.bytes, missing: record.missing, radio, context, into: &sink)
        case .monitor(let opcode):
            emit(context, nil, .monitor(opcode: opcode, record.bytes), into: &sink)
            // Delete Index and Close Index.
            if opcode == 1 { endAll(.removed, context, into: &sink) }
            if opcode == 9 { endAll(.closed, context, into: &sink) }
        case .packetLogger(let type):
            emit(context, nil, .packetLogger(type, record.bytes), into: &sink)
        case .broken(let fault):
            emit(context, nil, .fault(.capture(fault)), into: &sink)
            // It may have been a packet of any controller.
            losses.note(nil)
            streams.loseFlights()
        }
    }

    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    mutating func tellLimits<Sink: EventSink & ~Copyable>(_ context: PDUContext, into sink: inout Sink) {
        while let limit = reachedLimits.next() { emit(context, nil, .limit(limit, limits[limit]), into: &sink) }
    }

    /// Reports everything unfinished at the end of the capture. Call it once, after the last record.
    @_semantics("optimize.sil.specialize.generic.never")
    public mutating func finish<Sink: EventSink & ~Copyable>(into sink: inout Sink) {
        guard let last else { return }
        for slot in liveSlots.sorted(by: { connections[$0].number < connections[$1].number }) {
            abandonAll(slot, atEndOf: .capture, last, into: &sink)
            tellEnds(slot, isOpen: true, last, into: &sink)
        }
    }

    private mutating func emitData<Sink: EventSink & ~Copyable>(
        _ record: Record, _ context: PDUContext, into sink: inout Sink
    ) {
        let type: UInt8
        var handle: ConnectionHandle?
        var isUnknown = false
        switch record.content {
        case .packet(let known):
            type = known.rawValue
            if record.bytes.count >= 2 { handle = record.bytes.uint16(at: 0) & 0x0FFF }
        case .unknownPacket(let unknown): (type, isUnknown) = (unknown, true)
        default: return
        }
        let length = record.bytes.count + record.missing
        let packet = DataPacket(
            type: type, connectionHandle: handle, length: length, isUnknown: isUnknown, bytes: record.bytes)
        emit(context, nil, .data(packet), into: &sink)
        if type == HCIPacketType.isochronous.rawValue, record.direction == .tx, let handle {
            streams.send(context.controller, handle)
        }
    }

    /// Packets that the host gave to the controller for a stream and the controller has not completed; nil if it is not known.
    package func packetsInFlight(ofStream handle: ConnectionHandle, _ controller: UInt16) -> Int? {
        streams.packetsInFlight(controller, handle)
    }

    /// A log's clock jumps when the phone is set: backwards by a second or more, forwards by a day. Less than a second
    /// backwards is order, not clock: a kernel stamps a packet before it queues it.
    @inline(__always)
    private mutating func checkedContext<Sink: EventSink & ~Copyable>(
        _ record: Record, into sink: inout Sink
    ) -> PDUContext {
        var context = PDUContext(record, clockRun: clockRun)
        if let last {
            // For nearly all records the seconds suffice.
            let seconds = context.time.seconds &- last.time.seconds
            if seconds < 0 || seconds >= 86_400 || context.time.seconds < last.time.seconds {
                tellClock(&context, since: last.time, into: &sink)
            }
        } else if origin == nil {
            start = context.time
        }
        last = context
        return context
    }

    @inline(never)
    private mutating func tellClock<Sink: EventSink & ~Copyable>(
        _ context: inout PDUContext, since last: Timestamp, into sink: inout Sink
    ) {
        let step = context.time.microseconds(since: last)
        guard step <= -1_000_000 || step > 86_400_000_000 else { return }
        clockSteps += 1
        context.time.run = clockRun
        // Records without a time came before the first with one: that is not a step, and nothing is measured across it.
        if last.isMissing {
            if origin == nil { start = context.time }
            return
        }
        noteLeap(step, context, since: last)
        emit(context, nil, .clockStep(step), into: &sink)
    }

    /// Before the conversation a leap ahead moves the origin; in it, it is one of `leaps`.
    private mutating func noteLeap(_ step: Int64, _ context: PDUContext, since last: Timestamp) {
        guard step > 0 else { return }
        if !hasConversation {
            guard !isOriginSettled else { return }
            origin = TimeOrigin(frame: context.frame, time: context.time, age: step)
            start = context.time
        } else if leaps.count < 16 {
            leaps.append(ClockLeap(time: context.time, length: context.time.nanoseconds(since: last)))
        }
    }

    mutating func settle(_ origin: TimeOrigin?) {
        self.origin = origin
        start = origin?.time
        isOriginSettled = true
    }

    func emit<Sink: EventSink & ~Copyable>(
        _ context: PDUContext, _ connection: Int?, frames: [Int] = [], _ detail: consuming Event.Detail,
        into sink: inout Sink
    ) {
        sink.receive(Event(context, connection: connection, frames: frames.span, detail), in: self)
    }

    /// Reports a wire error, corrected for octets that the capture left out of the record.
    func emitFault<Sink: EventSink & ~Copyable>(
        _ context: PDUContext, _ connection: Int?, frames: [Int] = [], _ error: WireError, missing: Int,
        into sink: inout Sink
    ) {
        emit(context, connection, frames: frames, .fault(.wire(error.cut(by: missing))), into: &sink)
    }

    /// Octets of a connection that cannot be read: they may have been any PDU.
    mutating func emitUnreadable<Sink: EventSink & ~Copyable>(
        _ context: PDUContext, _ connection: Int, frames: [Int] = [], _ error: WireError, missing: Int,
        into sink: inout Sink
    ) {
        emitFault(context, connection, frames: frames, error, missing: missing, into: &sink)
        doubt(.unreadable, of: context.side, connection, at: context.time)
    }
}

extension WireError {
    /// The same error, attributed to the capture if the capture left out the needed octets.
    func cut(by missing: Int) -> WireError {
        guard missing > 0, have < need else { return self }
        var error = self
        error.limit = .capturedLength
        return error
    }
}

/// A controller of the recorded host, with the GATT server that the host offers through it; or a central that was heard on the
/// air.
public struct Controller: Sendable {
    /// Number of the controller, as the capture counts them.
    public let index: UInt16
    /// A central that was heard on the air; otherwise a controller of the recorded host.
    public internal(set) var isHeard = false
    /// Its public or identity address; nil if unknown.
    public internal(set) var address: BluetoothAddress?
    /// From Read Local Version Information; nil if it is not in the capture.
    public internal(set) var version: ControllerVersion?
    /// The number of ACL packets that the controller can hold for LE links; nil if it is not in the capture.
    var lowEnergyBuffers: Int?
    /// The same for BR/EDR links, and for LE links of a controller that keeps none for them.
    var classicBuffers: Int?
    /// The number of buffers that this type of link may use.
    public func buffers(for transport: Connection.Transport) -> Int? {
        transport == .lowEnergy ? lowEnergyBuffers ?? classicBuffers : classicBuffers
    }
    /// The host's own attributes, as peers discovered them.
    public internal(set) var table = AttributeTable()
    /// Filter_Duplicates of the scan that is on.
    var filtersDuplicates = false
    /// Whether an imported table was looked for.
    var isImportSettled = false
    /// The one that waits for its outcome.
    public internal(set) var attempts: [Connection.Transport: ConnectionAttempt] = [:]
}

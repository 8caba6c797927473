import AttlasCapture
import AttlasWire

/// Periodic advertising: the data of a train and the group of streams that it announces. Core Specification, Vol 6, Part B, 4.4.2.12.
extension Trace {
    mutating func synchronize<Sink: EventSink & ~Copyable>(
        _ event: LEPeriodicAdvertisingSyncEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        guard event.status == .success else { return }
        let address = identities.identity(of: event.address) ?? event.address
        let state = trains.begin(
            .handle(controller: context.controller, event.syncHandle), address, event.advertisingSID, event.interval,
            event.phy)
        emit(context, nil, .periodic(PeriodicReport(state.train, .synchronized)), into: &sink)
    }

    mutating func report<Sink: EventSink & ~Copyable>(
        _ event: LEPeriodicAdvertisingReportEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        let key = PeriodicTrains.Key.handle(controller: context.controller, event.syncHandle)
        var state = trains[key] ?? trains.begin(key, nil, nil, nil, nil)
        // Not received at all: an empty advertisement is complete.
        guard !event.isMissed else { return }
        state.add(event.data)
        state.isOpen = event.isIncomplete
        trains[key] = state
        guard !state.isOpen else { return }
        emitReport(
            state, event.rssi == 127 ? nil : event.rssi, isTruncated: event.isTruncated, context, into: &sink)
    }

    func emitReport<Sink: EventSink & ~Copyable>(
        _ state: PeriodicTrains.State, _ rssi: Int8?, radio: RadioInfo? = nil, isTruncated: Bool = false,
        _ context: PDUContext, into sink: inout Sink
    ) {
        let data = AdvertisingData(Bytes(state.data.span))
        let report = PeriodicReport(state.train, rssi: rssi, radio: radio, .data(data, isTruncated: isTruncated))
        emit(context, nil, frames: state.frames.count > 1 ? state.frames : [], .periodic(report), into: &sink)
    }

    mutating func report<Sink: EventSink & ~Copyable>(
        _ event: LEBIGInfoAdvertisingReportEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        let key = PeriodicTrains.Key.handle(controller: context.controller, event.syncHandle)
        let state = trains[key] ?? trains.begin(key, nil, nil, nil, nil)
        emit(context, nil, .periodic(PeriodicReport(state.train, .group(event.group))), into: &sink)
    }

    mutating func loseTrain<Sink: EventSink & ~Copyable>(
        _ event: LEPeriodicAdvertisingSyncLostEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        let key = PeriodicTrains.Key.handle(controller: context.controller, event.syncHandle)
        guard let state = trains[key] else { return }
        trains[key] = nil
        emit(context, nil, .periodic(PeriodicReport(state.train, .lost)), into: &sink)
    }

    // MARK: From the air

    /// An advertisement shows where its train is found.
    mutating func noteTrain<Sink: EventSink & ~Copyable>(
        _ sync: ExtendedAdvertisement.SyncInfo, _ address: BluetoothAddress?, _ adi: UInt16?, _ phy: LEPHY?,
        _ context: PDUContext, into sink: inout Sink
    ) {
        air.note(sync.accessAddress, .periodicAdvertising)
        let key = PeriodicTrains.Key.air(sync.accessAddress)
        guard trains[key] == nil else { return }
        let identity = address.flatMap { identities.identity(of: $0) } ?? address
        var state = trains.begin(key, identity, adi.map { UInt8($0 >> 12) }, sync.interval, phy)
        state.crcInit = sync.crcInit
        trains[key] = state
        emit(context, nil, .periodic(PeriodicReport(state.train, .synchronized)), into: &sink)
    }

    /// AUX_SYNC_IND and its chain. Vol 6, Part B, 2.3.1.6 and 2.3.1.7.
    mutating func followTrain<Sink: EventSink & ~Copyable>(
        _ packet: LinkLayerPacket, cut: Int, _ recorded: RadioInfo, _ context: PDUContext, into sink: inout Sink
    ) {
        let key = PeriodicTrains.Key.air(packet.accessAddress)
        let known = trains[key]
        var radio = recorded
        if radio.crc == .unchecked, let crc = packet.crc, let initial = known?.crcInit {
            radio.check(LinkLayerCRC.crc(of: packet.pdu, initial: initial), crc)
        }
        emit(packet, as: .periodicAdvertising, radio, context, into: &sink)
        guard var state = known, radio.crc != .bad else { return }
        do throws(WireError) {
            let pdu = try AdvertisingPDU(packet.pdu)
            guard pdu.type == .extended else { return }
            let part = try ExtendedAdvertisement(pdu)
            // The parts of one event come close after each other, and the next event an interval later.
            let interval = Int64(state.train.interval ?? 0) * 1_250_000
            if let last = state.time, context.time.nanoseconds(since: last) > interval / 2 { state.isOpen = false }
            state.time = context.time
            state.add(part.data, frame: context.frame)
            state.isOpen = part.auxPtr != nil
            trains[key] = state
            if !state.isOpen { emitReport(state, radio.rssi, radio: radio, context, into: &sink) }
            var structures = AdvertisingData(part.acad).structures
            while let structure = structures.next() {
                guard structure.type == .bigInfo, let group = BIGInfo(structure.data) else { continue }
                emit(
                    context, nil, .periodic(PeriodicReport(state.train, rssi: radio.rssi, .group(group))), into: &sink)
                noteStreams(of: group, state.train)
            }
        } catch {
            emitFault(context, nil, error, missing: cut, into: &sink)
        }
    }

    /// The Access Addresses of the streams of a group, unless they are known.
    private mutating func noteStreams(of group: BIGInfo, _ train: PeriodicTrain) {
        for number in 0...group.streams {
            guard let address = group.accessAddress(of: number), air.channel(address) == nil else { return }
            let stream = BroadcastStream(train: train.number, number: number, isEncrypted: group.isEncrypted)
            air.note(address, .broadcastIsochronous(stream))
        }
    }
}

import AttlasCapture
import AttlasWire

/// Periodic advertising that the recorded host sends, as a broadcaster of audio does. A command counts when the controller took it. Core
/// Specification, Vol 4, Part E, 7.8.52 to 7.8.63.
extension Trace {
    mutating func advertise<Sink: EventSink & ~Copyable>(
        _ event: CommandCompleteEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        guard let octets = advertisingSets.complete(event.commandOpcode, context.controller),
            !event.returnParameters.isEmpty, event.returnParameters[0] == 0
        else { return }
        let parameters = Bytes(octets.span)
        // LE Clear Advertising Sets.
        if event.commandOpcode.rawValue == 0x203D {
            trains.forgetOwn(context.controller)
            return advertisingSets.forget(context.controller)
        }
        // The only one that does not begin with the Advertising_Handle is LE Set Periodic Advertising Enable.
        let place = event.commandOpcode.rawValue == 0x2040 ? 1 : 0
        guard parameters.count > place else { return }
        let key = AdvertisingSets.Key(controller: context.controller, handle: parameters[place])
        switch (event.commandOpcode.rawValue, parameters.count) {
        // LE Set Advertising Set Random Address.
        case (0x2035, 7...): advertisingSets[key].randomAddress = parameters.address(at: 1, type: 1)
        // LE Set Extended Advertising Parameters [v1] and [v2].
        case (0x2036, 25...), (0x207F, 25...):
            advertisingSets[key].ownAddressType = parameters[10]
            advertisingSets[key].phy = LEPHY(rawValue: parameters[22])
            advertisingSets[key].sid = parameters[23]
        // LE Remove Advertising Set.
        case (0x203C, _):
            trains[.own(controller: key.controller, key.handle)] = nil
            advertisingSets.remove(key)
        // LE Set Periodic Advertising Parameters [v1] and [v2].
        case (0x203E, 5...), (0x2086, 5...):
            let interval = parameters.uint16(at: 1)
            advertisingSets[key].interval = interval == parameters.uint16(at: 3) ? interval : nil
        // LE Set Periodic Advertising Data.
        case (0x203F, 3...):
            let data = parameters.dropFirst(3).prefix(Int(parameters[2]))
            send(data, operation: parameters[1], key, context, into: &sink)
        case (0x2040, _):
            let report = PeriodicReport(ownTrain(key).train, .enabled(parameters[0] & 0x01 != 0))
            emit(context, nil, .periodic(report), into: &sink)
        default: break
        }
    }

    /// - Parameter operation: 0x00 intermediate, 0x01 first, 0x02 last fragment, 0x03 complete, 0x04 unchanged.
    private mutating func send<Sink: EventSink & ~Copyable>(
        _ data: Bytes, operation: UInt8, _ key: AdvertisingSets.Key, _ context: PDUContext, into sink: inout Sink
    ) {
        guard operation <= 0x03 else { return }
        var state = ownTrain(key)
        let begins = operation == 0x01 || operation == 0x03
        // Fragments whose beginning was not captured.
        guard begins || state.isOpen else { return }
        if begins { state.isOpen = false }
        state.add(data)
        state.isOpen = operation <= 0x01
        trains[.own(controller: key.controller, key.handle)] = state
        if !state.isOpen { emitReport(state, nil, context, into: &sink) }
    }

    /// The train of the set, with what is known of the set by now.
    private mutating func ownTrain(_ key: AdvertisingSets.Key) -> PeriodicTrains.State {
        let set = advertisingSets[key]
        let place = PeriodicTrains.Key.own(controller: key.controller, key.handle)
        var state = trains[place] ?? trains.begin(place, nil, nil, nil, nil)
        // Of a private address that the controller makes there is no telling.
        let address =
            switch set.ownAddressType {
            case 0x00: controllers[controllerIndex(key.controller)].address
            case 0x01: set.randomAddress
            default: nil as BluetoothAddress?
            }
        state.train.address = address
        state.train.sid = set.sid
        state.train.interval = set.interval
        state.train.phy = set.phy
        state.train.isOwn = true
        trains[place] = state
        return state
    }
}

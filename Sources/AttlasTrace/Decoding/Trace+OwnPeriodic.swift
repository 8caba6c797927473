import AttlasCapture
import AttlasWire

/// Periodic advertising that the recorded host sends, as a broadcaster of audio does. A command counts when the controller took it. Core
/// Specification, Vol 4, Part E, 7.8.52 to 7.8.63.
extension Trace {
    mutating func advertise<Sink: EventSink & ~Copyable>(
        _ event: CommandCompleteEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        guard let octets = advertisingSets.complete(event.commandOpcode, context.controller), event.status == .success,
            let command = try? HCICommand(Bytes(octets.span))
        else { return }
        if command.opcode == .leClearAdvertisingSets {
            trains.forgetOwn(context.controller)
            return advertisingSets.forget(context.controller)
        }
        guard let set = LEAdvertisingSetCommand(command) else { return }
        let key = AdvertisingSets.Key(controller: context.controller, handle: set.advertisingHandle)
        switch set.parameters {
        case .randomAddress(let address): advertisingSets[key].randomAddress = address
        case .advertising(let parameters):
            advertisingSets[key].ownAddressType = parameters.ownAddressType
            advertisingSets[key].phy = parameters.secondaryAdvertisingPHY
            advertisingSets[key].sid = parameters.advertisingSID
        case .data: break
        case .remove:
            trains[.own(controller: key.controller, key.handle)] = nil
            advertisingSets.remove(key)
        case .periodic(let least, let most): advertisingSets[key].interval = least == most ? least : nil
        case .periodicData(let operation, let data): send(data, operation, key, context, into: &sink)
        case .periodicEnable(let isEnabled):
            emit(context, nil, .periodic(PeriodicReport(ownTrain(key).train, .enabled(isEnabled))), into: &sink)
        }
    }

    private mutating func send<Sink: EventSink & ~Copyable>(
        _ data: Bytes, _ operation: LEAdvertisingSetCommand.Operation?, _ key: AdvertisingSets.Key,
        _ context: PDUContext, into sink: inout Sink
    ) {
        guard let operation, operation != .unchangedData else { return }
        var state = ownTrain(key)
        let begins = operation == .firstFragment || operation == .completeData
        // Fragments whose beginning was not captured.
        guard begins || state.isOpen else { return }
        if begins { state.isOpen = false }
        state.add(data)
        state.isOpen = operation == .firstFragment || operation == .intermediateFragment
        trains[.own(controller: key.controller, key.handle)] = state
        if !state.isOpen { emitReport(state, nil, context, into: &sink) }
    }

    /// The train of the set, with the facts about the set so far.
    private mutating func ownTrain(_ key: AdvertisingSets.Key) -> PeriodicTrains.State {
        let set = advertisingSets[key]
        let place = PeriodicTrains.Key.own(controller: key.controller, key.handle)
        var state = trains[place] ?? trains.begin(place, nil, nil, nil, nil)
        // A private address that the controller makes is unknown.
        let address =
            switch set.ownAddressType.flatMap(LEOwnAddressType.init) {
            case .publicAddress: controllers[controllerIndex(key.controller)].address
            case .randomAddress: set.randomAddress
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

import AttlasIncidents
import AttlasTrace
import AttlasValues
import AttlasWire

/// Uses of attributes that contradict their server's declarations. Core Specification, Vol 3, Part G, 3.3.
extension LintCollector {
    /// The MTU of most phones and devices that exchange one.
    private static let usualMTU = 185
    private static let mostDescriptors: AttributeHandle = 32

    mutating func checkDeclarations(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard event.direction != .unknown else { return }
        if case .multipleHandleValueNotification(let pdu) = operation.pdu {
            var tuples = pdu.tuples
            while tuples.next() != nil {
                let attribute = trace.attribute(tuples.handle, server: operation.server, connection: slot)
                checkValueSent(tuples.handle, attribute, operation, slot, event, in: trace)
            }
            return
        }
        switch operation.pdu {
        case .handleValueNotification(let pdu):
            checkValueSent(pdu.attributeHandle, operation.attribute, operation, slot, event, in: trace)
        case .handleValueIndication(let pdu):
            checkValueSent(pdu.attributeHandle, operation.attribute, operation, slot, event, in: trace)
        case .readRequest, .readBlobRequest:
            guard let properties = operation.attribute?.declaredProperties, !properties.contains(.read) else { return }
            report(
                .readNotPermitted, of: operation, event, in: trace,
                "\(operation.opcode.name); the characteristic declares \(properties.words).")
        case .writeRequest:
            checkWrite(operation, .write, .writeNeedsCommand, event, in: trace)
            guard operation.fault == nil, let value = operation.profileValue(in: trace), value.count == 2 else {
                return
            }
            checkConfiguration(
                value, operation.attribute, slot, place(of: operation, slot, event, in: trace), event, in: trace)
        case .prepareWriteRequest: checkWrite(operation, .write, .writeNeedsCommand, event, in: trace)
        case .writeCommand:
            checkWrite(operation, .writeWithoutResponse, .writeNeedsRequest, event, in: trace)
            if operation.attribute?.role == .descriptor {
                report(.descriptorByCommand, of: operation, event, in: trace, "\(operation.opcode.name).")
            }
            guard operation.fault == nil, let value = operation.profileValue(in: trace), value.count == 2 else {
                return
            }
            checkConfiguration(
                value, operation.attribute, slot, place(of: operation, slot, event, in: trace), event, in: trace)
        case .signedWriteCommand:
            checkWrite(operation, .authenticatedSignedWrites, .writeNeedsRequest, event, in: trace)
        default: break
        }
    }

    /// The tables of assigned numbers begin with the services. Below are protocols and services of BR/EDR.
    private static let firstListedUUID: UInt16 = 0x1800

    /// A UUID that several attributes have is found once. Core Specification, Vol 3, Part B, 2.5.1.
    mutating func checkUUIDs(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        switch operation.pdu {
        case .readByGroupTypeResponse, .findByTypeValueResponse, .readByTypeResponse, .findInformationResponse: break
        default: return
        }
        event.forEachAttribute(in: trace) { value in
            guard let listing = value.listing, let handle = value.handle, let number = listing.uuid.uint16,
                number >= Self.firstListedUUID, values.library.assignedNumbers.name(of: listing.uuid) == nil
            else { return true }
            // Once for the capture, whatever device and connection.
            report(
                .unassignedUUID, Moment(event), LintFinding.Place(), field: Int(number),
                "\(listing.word) \(listing.uuid) in 0x\(hexadecimal(handle)).")
            return true
        }
    }

    private mutating func checkWrite(
        _ operation: borrowing ATTOperation, _ property: CharacteristicProperties, _ otherKind: LintRule,
        _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let properties = operation.attribute?.declaredProperties, !properties.contains(property) else { return }
        let isWritable = !properties.isDisjoint(with: [.write, .writeWithoutResponse, .authenticatedSignedWrites])
        report(
            isWritable ? otherKind : .writeNotPermitted, of: operation, event, in: trace,
            "\(operation.opcode.name); the characteristic declares \(properties.words).")
    }

    /// A value that took several operations.
    mutating func check(
        _ value: borrowing AssembledValue, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        let place = place(
            slot, event.direction, server: value.server, value.handle, value.attribute, in: trace)
        check(length: value.offset + value.value.count, place, Moment(event))
        guard value.kind == .preparedWrite, value.outcome == .complete else { return }
        let (parts, mtu) = (value.frames.count - 1, trace.connections[slot].bearers[0].mtu)
        if parts > 1, value.value.count > mtu - 3, value.value.count <= parts * (mtu - 5), mtu < Self.usualMTU,
            event.direction != .unknown
        {
            report(
                .preparedLongValue, Moment(event),
                self.place(slot, server: value.server, value.handle, value.attribute, in: trace),
                "A value of \(value.value.count) octets took \(parts) Prepare Write Requests; the MTU is \(mtu).")
        }
        guard value.value.count == 2 else { return }
        checkConfiguration(value.value, value.attribute, slot, place, event, in: trace)
    }

    /// A notification or an indication.
    private mutating func checkValueSent(
        _ handle: AttributeHandle, _ attribute: AttributeInfo?, _ operation: borrowing ATTOperation, _ slot: Int,
        _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let attribute else { return }
        let server = operation.server
        let kind: CharacteristicProperties = operation.opcode == .handleValueIndication ? .indicate : .notify
        let word = kind == .notify ? "Notification" : "Indication"
        if attribute.role != .value, attribute.knownFrom != .inferred,
            attribute.knownFrom != .former, isDescriptor(handle, of: attribute, server, slot, in: trace)
        {
            let type = trace.uuids[attribute.type]
            return report(
                .sentFromNoValue, Moment(event),
                place(slot, event.direction, server: server, handle, attribute, in: trace),
                "\(word) from 0x\(hexadecimal(handle)), a descriptor of type \(type).")
        }
        guard let properties = attribute.declaredProperties else { return }
        guard properties.contains(kind) else {
            return report(
                kind == .notify ? .notifyNotPermitted : .indicateNotPermitted, Moment(event),
                place(slot, event.direction, server: server, handle, attribute, in: trace),
                "\(word); the characteristic declares \(properties.words).")
        }
        // A bonded client's configuration is older than the connection.
        guard watches[slot].isMade, !watches[slot].wasEncrypted,
            server == .peer ? !watches[slot].peerServer.wroteUnknown : !watches[slot].localServer.wroteUnknown,
            trace.connections[slot].transport == .lowEnergy
        else { return }
        // Not through the subscript, which copies the whole watch: this is called for each value.
        let written =
            server == .peer
            ? watches[slot].peerServer.subscriptions[handle] : watches[slot].localServer.subscriptions[handle]
        guard (written ?? 0) & (kind == .notify ? 1 : 2) == 0, written != nil || !watches[slot][server].hasLost else {
            return
        }
        let state =
            written.map { "the Client Characteristic Configuration is 0x\(hexadecimal($0))" }
            ?? "the Client Characteristic Configuration was not written in this connection"
        report(
            .notSubscribed, Moment(event), place(slot, event.direction, server: server, handle, attribute, in: trace),
            "\(word); \(state).")
    }

    /// Whether the handle certainly belongs to the characteristic that the trace gives it to: all handles from the value to
    /// it are known. Otherwise a declaration between the two may have escaped the capture. No characteristic has more
    /// descriptors than `mostDescriptors`.
    private func isDescriptor(
        _ handle: AttributeHandle, of attribute: AttributeInfo, _ server: ServerSide, _ slot: Int,
        in trace: borrowing Trace
    ) -> Bool {
        guard attribute.role == .descriptor, let value = attribute.valueHandle, value < handle,
            handle - value <= Self.mostDescriptors,
            trace.attribute(value, server: server, connection: slot)?.declaredProperties != nil
        else { return false }
        return (value + 1..<handle).allSatisfy {
            trace.attribute($0, server: server, connection: slot)?.role == .descriptor
        }
    }

    /// A write that may be one of a Client Characteristic Configuration.
    private mutating func checkConfiguration(
        _ value: Bytes, _ attribute: AttributeInfo?, _ slot: Int, _ place: LintFinding.Place,
        _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard let server = place.server else { return }
        guard let attribute else {
            watches[slot][server].wroteUnknown = true
            return
        }
        guard trace.uuids[attribute.type] == .clientCharacteristicConfiguration, let owner = attribute.valueHandle
        else { return }
        let configuration = value.uint16(at: 0)
        // The server may send values before it answers; the end of a subscription holds from the answer on.
        let before = watches[slot][server].subscriptions[owner] ?? 0
        watches[slot][server].subscribe(owner, before | configuration)
        guard let handle = place.handle, let properties = attribute.properties,
            isDescriptor(handle, of: attribute, server, slot, in: trace)
        else { return }
        let wanted = CharacteristicProperties(neededBy: configuration)
        guard !properties.isSuperset(of: wanted) else { return }
        report(
            .configurationNotPermitted, Moment(event), place,
            "0x\(hexadecimal(configuration)) was written; the characteristic declares \(properties.words).")
    }
}

extension AttributeInfo {
    /// The properties of a characteristic whose value this is, by its declaration; nil if that was not seen.
    var declaredProperties: CharacteristicProperties? {
        role == .value && knownFrom != .inferred && knownFrom != .former ? properties : nil
    }
}

extension AttributeListing {
    fileprivate var uuid: BluetoothUUID {
        switch self {
        case .service(let uuid), .characteristic(let uuid), .descriptor(let uuid): uuid
        }
    }

    fileprivate var word: String {
        switch self {
        case .service: "Service"
        case .characteristic: "Characteristic"
        case .descriptor: "Descriptor"
        }
    }
}

extension CharacteristicProperties {
    /// `read, notify`
    package var words: String {
        let names = Self.names.filter { contains($0.0) }.map { "\($0.1)" }
        return names.isEmpty ? "nothing" : names.joined(separator: ", ")
    }
}

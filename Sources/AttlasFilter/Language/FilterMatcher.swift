import AttlasDissection
import AttlasIncidents
import AttlasProcedures
import AttlasTrace
import AttlasValues
import AttlasWire

/// Evaluates a filter on one event after the other. The meaning of a UUID for the filter is worked out once and kept by the trace's number
/// for it, so that most events are decided without allocating.
struct FilterMatcher {
    private let expression: FilterExpression
    private let library: DissectorLibrary
    /// For each UUID test, whether a UUID meets it.
    private var matches: [[Bool?]]
    var fields: FieldFinder
    /// nil if the filter does not test incidents.
    private var incidents: IncidentCollector?
    /// The incident that the current event belongs to.
    private var incident: (kind: Incident.Kind, weight: Incident.Weight)?
    /// Text that is being compared.
    var text = FoldedText()

    init(_ filter: Filter, values: ValueInterpreter) {
        expression = filter.expression
        library = values.library
        matches = Array(repeating: [], count: filter.uuidCount)
        fields = FieldFinder(names: filter.fields, values: values)
        incidents = filter.needsIncidents ? IncidentCollector(values: values) : nil
    }

    mutating func matches(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        if let known = incidents?.found {
            incidents?.receive(event, in: trace)
            incident = incidents?.latest(after: known, in: trace)
        }
        fields.beginEvent()
        return truth(expression, event, in: trace) == true
    }

    /// The expression's truth for the event; nil for neither true nor false.
    private mutating func truth(
        _ expression: FilterExpression, _ event: borrowing Event, in trace: borrowing Trace
    ) -> Bool? {
        switch expression {
        case .test(let test): return truth(test, event, in: trace)
        case .not(let inside): return truth(inside, event, in: trace).map { !$0 }
        case .all(let terms):
            var result: Bool? = true
            for term in terms {
                let truth = truth(term, event, in: trace)
                if truth == false { return false }
                if truth == nil { result = nil }
            }
            return result
        case .any(let terms):
            var result: Bool? = false
            for term in terms {
                let truth = truth(term, event, in: trace)
                if truth == true { return true }
                if truth == nil { result = nil }
            }
            return result
        }
    }

    private mutating func truth(_ test: FilterTest, _ event: borrowing Event, in trace: borrowing Trace) -> Bool? {
        switch test {
        case .has(let property): return has(property, event, in: trace)
        case .number(.handle, let comparison, let number):
            return event.any(in: trace) { value in
                value.handle.map { comparison.holds(Int64($0), number) }
            }
        case .number(let property, let comparison, let number):
            return event.number(property, in: trace).map { comparison.holds($0, number) }
        case .direction(let direction): return event.direction == direction
        case .peer(let comparison, let wanted): return peer(of: event, comparison, wanted, in: trace)
        case .peerIsIn(let peers):
            if let connection = event.connection {
                return peers.connections.contains(trace.connections[connection].number)
            }
            let (address, alias) = Self.addresses(of: event, in: trace)
            return [address, alias].contains { $0.map(peers.addresses.contains) ?? false }
        case .method(let opcodes): return event.operation { opcodes.contains($0.opcode.rawValue) }
        case .bearer(let bearer): return event.operation { bearer.includes($0.bearer) }
        case .server(let server):
            return event.server.map { $0 == server }
        case .error(let codes, let name): return error(of: event, codes, name, in: trace)
        case .incident(let kind): return incident.map { $0.kind == kind }
        case .incidentOf(let weight): return incident.map { $0.weight >= weight }
        case .procedure(let kind): return Procedure.Kind(event, in: trace).map { $0 == kind }
        case .outcome(let word): return Procedure.Outcome(event).map { $0.word == word }
        case .reason(let codes): return event.reason.map { codes.contains($0.rawValue) }
        case .knownFrom(let source):
            return event.any(in: trace) { value in value.attribute.map { $0.knownFrom == source } }
        case .uuid(let test):
            return event.any(in: trace) { value -> Bool? in
                if let listing = value.listing {
                    return listing.uuid(test.property).map { test.isMet(by: $0, library) }
                }
                return value.attribute.flatMap { meets(test, $0, in: trace) }
            }
        case .advertised(let test): return event.advertised.flatMap { test.isMet(by: $0, library) }
        case .value(let comparison, let octets):
            if let data = event.advertised {
                let all = data.manufacturerData.map(\.data) + data.serviceData.map(\.data) + data.others.map(\.data)
                return all.isEmpty ? nil : all.contains { Bytes($0.span).meets(comparison, octets) }
            }
            // Values in a row, and the value of a search, have no attribute: a match would confirm a guessed key.
            let isWithheld = fields.withholdsOctets(of: event, in: trace)
            return event.any(in: trace) { value in
                if isWithheld, value.attribute == nil { return nil }
                guard let found = fields.octets(of: value, in: trace)?.bytes else { return nil }
                return found.meets(comparison, octets)
            }
        case .field(let test):
            if let data = event.advertised { return meets(test, data) }
            return event.any(in: trace) { value in meets(test, value, in: trace) }
        }
    }

    // MARK: Names

    /// nil when the attribute has no such UUID.
    private mutating func meets(_ test: UUIDTest, _ attribute: AttributeInfo, in trace: borrowing Trace) -> Bool? {
        guard test.property == .uuid else {
            return attribute.uuid(test.property).map { meets(test, $0, in: trace) }
        }
        if meets(test, attribute.type, in: trace) { return true }
        if let characteristic = attribute.characteristic, meets(test, characteristic, in: trace) { return true }
        return attribute.service.map { meets(test, $0, in: trace) } ?? false
    }

    private mutating func meets(_ test: UUIDTest, _ index: UUIDIndex, in trace: borrowing Trace) -> Bool {
        let place = Int(index.value)
        while matches[test.slot].count <= place { matches[test.slot].append(nil) }
        if let known = matches[test.slot][place] { return known }
        let isMet = test.isMet(by: trace.uuids[index], library)
        matches[test.slot][place] = isMet
        return isMet
    }

    private mutating func peer(
        of event: borrowing Event, _ comparison: FilterComparison, _ wanted: FoldedText, in trace: borrowing Trace
    ) -> Bool? {
        let (address, alias) = Self.addresses(of: event, in: trace)
        let name = event.connection.flatMap { trace.peerName(trace.connections[$0].peer) }
        guard address != nil || name != nil else { return nil }
        if let name {
            text.removeAll()
            text.append(name)
            if text.meets(comparison, wanted) { return true }
        }
        return [address, alias].contains { address in
            guard let address else { return false }
            text.removeAll()
            text.append(address)
            return text.meets(comparison, wanted)
        }
    }

    /// The identity address of the peer, and its address on the air.
    private static func addresses(
        of event: borrowing Event, in trace: borrowing Trace
    ) -> (BluetoothAddress?, BluetoothAddress?) {
        switch event.detail {
        case .advertising(let report): return (report.address, report.identity)
        case .connection(.failed(let attempt)): return (attempt.address, nil)
        default: break
        }
        guard let connection = event.connection else { return (nil, nil) }
        return (
            trace.peerAddress(trace.connections[connection].peer), trace.connections[connection].privateAddress
        )
    }

    /// The meaning of application codes depends on the service.
    private func error(
        of event: borrowing Event, _ codes: OctetSet, _ name: FoldedText, in trace: borrowing Trace
    ) -> Bool? {
        guard case .att(let operation) = event.detail, case .errorResponse(let pdu) = operation.pdu else { return nil }
        if codes.contains(pdu.errorCode.rawValue) { return true }
        guard let service = operation.attribute?.service else { return false }
        return library.applicationErrorName(of: pdu.errorCode.rawValue, in: trace.uuids[service])
            .map { FoldedText($0) == name } ?? false
    }

    // MARK: Having

    private mutating func has(_ property: FilterProperty, _ event: borrowing Event, in trace: borrowing Trace) -> Bool?
    {
        switch property {
        case .frame, .direction, .controller: return true
        case .connection: return event.connection != nil
        case .peer: return peer(of: event, .begins, FoldedText(), in: trace) ?? false
        case .loss:
            if case .loss = event.detail { return true }
            if case .missed = event.detail { return true }
            return false
        case .fault: return hasFault(event, in: trace)
        case .incident: return incident != nil
        case .procedure: return Procedure.Kind(event, in: trace) != nil
        case .outcome: return Procedure.Outcome(event) != nil
        case .ended:
            if case .connection(.ended) = event.detail { return true }
            return false
        case .encrypted: return event.connection.map { trace.connections[$0].isEncrypted }
        case .reason: return event.reason != nil
        case .rssi: return event.rssi != nil
        case .company: return event.advertised.map { !$0.manufacturerData.isEmpty }
        case .serviceData: return event.advertised.map { !$0.serviceData.isEmpty }
        case .error: return event.operation { $0.opcode == .errorResponse && !$0.endsDiscovery }
        case .method, .opcode, .bearer, .server: return event.operation { _ in true }
        case .rtt: return event.operation { $0.request?.roundTrip != nil }
        case .known:
            // An event is known if all its parts are.
            return event.any(in: trace) { value in
                // An answer that lists attributes makes them known.
                value.listing == nil ? value.handle.map { _ in value.attribute == nil } : nil
            }.map { !$0 }
        case .knownFrom:
            return event.any(in: trace) { value in value.listing == nil ? value.attribute != nil : nil }
        case .characteristic, .service, .descriptor, .uuid:
            return event.any(in: trace) { value in
                value.listing?.uuid(property) != nil || value.attribute?.uuid(property) != nil
            }
        case .handle: return event.any(in: trace) { value in value.handle != nil }
        case .value: return event.any(in: trace) { value in value.count != nil }
        // Has a separate test, which knows the field.
        case .field: return nil
        }
    }

    private mutating func hasFault(_ event: borrowing Event, in trace: borrowing Trace) -> Bool {
        switch event.detail {
        case .fault: return true
        case .att(let operation): if operation.fault != nil { return true }
        default: break
        }
        return event.any(in: trace) { value in fields.hasFault(value, in: trace) } ?? false
    }
}

extension Event {
    /// Tests the attributes that the event is about, one after the other: true when the test is true of one, false when it
    /// is false of one and true of none, nil when it is neither of all, or when the event is about no attribute.
    fileprivate func any(in trace: borrowing Trace, _ test: (borrowing AttributeValue) -> Bool?) -> Bool? {
        var result: Bool?
        forEachAttribute(in: trace) { value in
            guard let truth = test(value) else { return true }
            result = truth
            return !truth
        }
        return result
    }

    /// The result of `test` for an ATT operation; nil for other events.
    fileprivate func operation(_ test: (borrowing ATTOperation) -> Bool) -> Bool? {
        guard case .att(let operation) = detail else { return nil }
        return test(operation)
    }

    fileprivate func number(_ property: FilterProperty, in trace: borrowing Trace) -> Int64? {
        switch property {
        case .frame: return Int64(frame)
        case .controller: return Int64(controller)
        case .connection: return connection.map { Int64(trace.connections[$0].number) }
        case .rssi: return rssi.map(Int64.init)
        default: break
        }
        guard case .att(let operation) = detail else { return nil }
        switch property {
        case .opcode: return Int64(operation.opcode.rawValue)
        case .rtt: return operation.request?.roundTrip
        case .error:
            guard case .errorResponse(let pdu) = operation.pdu else { return nil }
            return Int64(pdu.errorCode.rawValue)
        default: return nil
        }
    }
}

extension Event {
    /// Why a connection ended, or was not made.
    fileprivate var reason: HCIErrorCode? {
        switch detail {
        case .connection(.ended(.disconnected(let reason, _))): reason
        case .connection(.failed(let attempt)): attempt.status
        default: nil
        }
    }

    /// nil for events that are not advertisements.
    fileprivate var advertised: AdvertisedData? {
        guard case .advertising(let report) = detail else { return nil }
        return AdvertisedData(report.data, isTruncated: report.isTruncated)
    }

    /// dBm of an advertisement, of a packet from the air, or of Read RSSI. Core Specification, Vol 4, Part E, 7.5.4.
    fileprivate var rssi: Int8? {
        switch detail {
        case .advertising(let report): return report.rssi
        case .air(let packet): return packet.radio.rssi
        case .hciEvent(let hci):
            guard hci.code == .commandComplete else { return nil }
            return (try? CommandCompleteEvent(hci.parameters))?.rssiReading?.dBm
        default: return nil
        }
    }
}

extension AttributeListing {
    /// The UUID that the property tests.
    fileprivate func uuid(_ property: FilterProperty) -> BluetoothUUID? {
        switch (self, property) {
        case (.service(let uuid), .service), (.service(let uuid), .uuid): uuid
        case (.characteristic(let uuid), .characteristic), (.characteristic(let uuid), .uuid): uuid
        case (.descriptor(let uuid), .descriptor), (.descriptor(let uuid), .uuid): uuid
        default: nil
        }
    }
}

extension AttributeInfo {
    fileprivate func uuid(_ property: FilterProperty) -> UUIDIndex? {
        switch property {
        case .characteristic: characteristic
        case .service: service
        case .descriptor: role == .value ? nil : type
        case .uuid: type
        default: nil
        }
    }
}

extension Bytes {
    fileprivate func meets(_ comparison: FilterComparison, _ octets: [UInt8]) -> Bool {
        guard octets.count <= count else { return false }
        switch comparison {
        case .equal: return octets.count == count && holds(octets, at: 0)
        case .begins: return holds(octets, at: 0)
        case .contains: return (0...(count - octets.count)).contains { holds(octets, at: $0) }
        default: return false
        }
    }

    private func holds(_ octets: [UInt8], at start: Int) -> Bool {
        for (offset, octet) in octets.enumerated() where self[start + offset] != octet { return false }
        return true
    }
}

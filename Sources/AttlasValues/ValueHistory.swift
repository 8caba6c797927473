import AttlasDissection
import AttlasTrace
import AttlasWire

/// The data of earlier values that later values need: the feature flags that a layout depends on, the parts of a message, the value
/// that a rate is measured from.
///
/// `Interpreted` passes it every event before the event is shown or filtered. Memory is limited to `limit` attributes; those that
/// come later have no history.
struct ValueHistory {
    private static let limit = 16_384
    /// The longest attribute. Core Specification, Vol 3, Part F, 3.2.9.
    private static let longestContext = 512
    /// Messages in parts at the same time: each may grow to `MessageAssembler.sizeLimit`.
    private static let messageLimit = 512

    private struct ContextKey: Hashable {
        let owner: TableOwner
        /// The declaration of the service, or the value of the characteristic that a descriptor belongs to.
        let parent: AttributeHandle
        let type: UUIDIndex
    }

    private struct StreamKey: Hashable {
        let connection: Int
        let server: ServerSide
        let source: Source
        let access: AttributeAccess

        enum Source: Hashable {
            case attribute(AttributeHandle)
            case channel(SerialData.Channel)
        }
    }

    /// The history that belongs to one value of the current event.
    struct Finding {
        /// `AttributeValue.index`.
        let index: Int
        var message: MessageState?
        /// The reason why the value ended an incomplete message.
        var loss: MessageAssembler.Loss?
        var rates: [DerivedRate] = []
        var mesh: MeshReading?
    }

    /// The attributes of an event, and their history.
    private struct Current {
        /// Owner of the table that the event is about; of the last one, when this event is about none.
        var owner: TableOwner?
        /// The slot of the event's connection, and whose attributes it is about.
        var link: (connection: Int, server: ServerSide)?
        var findings: [Finding] = []
    }

    /// The starting point of the next value's rate.
    private struct Sampled {
        let frame: Int
        let sample: DerivedField.Sample
        /// The counter changed with this value.
        let isStep: Bool
    }

    /// The history that a type of attribute needs.
    private struct Interest {
        let isContext: Bool
        let controlsRanging: Bool
        let concernsObjects: Bool
        let isMeshProxy: Bool
        /// Requests are the context of responses.
        let hasRequests: Bool
        /// Those that put messages together or measure rates.
        var dissectors: ServiceDissectors?
    }

    /// Most types need none.
    private enum Demand {
        case unknown, nothing
        case something(Interest)
    }

    /// Ranging data of one connection, of the server at one end of it.
    private struct RangingKey: Hashable {
        let connection: Int
        let server: ServerSide
    }

    private struct Shaped {
        let sources: ValueShape.Sources
        let dissector: Dissector?
    }

    let library: DissectorLibrary
    private var shaped: [ContextKey: Shaped] = [:]
    private var demands: [Demand] = []
    private var contexts: [ContextKey: [UInt8]] = [:]
    private var contextKeys: [TableOwner: Set<ContextKey>] = [:]
    private var assemblers: [StreamKey: MessageAssembler] = [:]
    /// For each derived field.
    private var samples: [StreamKey: [Sampled?]] = [:]
    /// The keys of messages and samples, by their connections.
    private var streams: [Int: Set<StreamKey>] = [:]
    private var rangingFilters: [RangingKey: RangingData.Filters] = [:]
    /// The last writes, by attributes whose answers depend on them.
    private var requests: [StreamKey: [UInt8]] = [:]
    private(set) var objects = ObjectTransfers()
    private(set) var serialServices = SerialServices()
    private(set) var mesh = MeshHistory()
    private var dissection = Dissection()
    private var current = Current()

    init(library: DissectorLibrary) {
        self.library = library
    }

    /// The history for other definitions: it is determined again which values they need.
    init(library: DissectorLibrary, continuing history: ValueHistory) {
        self.library = library
        contexts = history.contexts
        contextKeys = history.contextKeys
        rangingFilters = history.rangingFilters
        objects = history.objects
        serialServices = history.serialServices
        mesh = history.mesh
    }

    // MARK: Following a conversation

    mutating func follow(_ event: borrowing Event, in trace: borrowing Trace) {
        if !current.findings.isEmpty { current.findings = [] }
        current.link = nil
        if let connection = event.connection, let server = event.server {
            current.owner = TableOwner(server, connection, in: trace)
            current.link = (connection, server)
        }
        switch event.detail {
        case .att(let operation):
            guard operation.mayHaveReadableValue else {
                if !objects.isEmpty { followRefusal(operation, event, in: trace) }
                return
            }
            if let attribute = operation.attribute, hasNoInterest(attribute.type, in: trace) { return }
        case .assembled: break
        case .identified(let identification): return join(identification)
        case .advertising(let report):
            if !trace.meshKeys.isEmpty { mesh.follow(report.data, trace.meshKeys) }
            return
        case .sdu(let sdu):
            guard let connection = event.connection else { return }
            objects.follow(sdu, event.direction, connection: trace.connections[connection].number)
            serialServices.follow(sdu, event.direction, connection, in: trace)
            return follow(sdu, event, connection, in: trace)
        case .connection(.ended): return forget(event, in: trace)
        default: return
        }
        followValues(event, in: trace)
    }

    @inline(never)
    private mutating func followValues(_ event: borrowing Event, in trace: borrowing Trace) {
        guard let (connection, server) = current.link else { return }
        let moment = Moment(event)
        let number = trace.connections[connection].number
        var cut = 0
        if case .att(let operation) = event.detail, let fault = operation.fault, fault.limit == .capturedLength {
            cut = fault.need - fault.have
        }
        event.forEachAttribute(in: trace) { value in
            guard value.isWhole, let octets = value.octets, let attribute = value.attribute, let handle = value.handle,
                let interest = interest(attribute.type, in: trace)
            else { return true }
            if interest.isContext, !value.isPartial, value.access != .write { remember(octets, attribute) }
            if interest.concernsObjects, !value.isPartial {
                let server = ObjectTransfers.Server(connection: number, side: server)
                objects.follow(
                    octets, type: trace.uuids[attribute.type], value.access,
                    at: ObjectTransfers.Place(server: server, service: attribute.serviceHandle),
                    frame: moment.frame)
            }
            if interest.controlsRanging { followRanging(octets, value.access, connection: number, server) }
            let key = StreamKey(
                connection: number, server: server, source: .attribute(handle), access: value.access)
            if interest.hasRequests, value.access == .write { remember(request: octets, key) }
            guard let dissector = followed(attribute, interest, in: trace) else { return true }
            follow(octets, value.index, dissector, key, moment, cut: value.ending == .cut ? max(0, cut) : 0)
            if interest.isMeshProxy, !trace.meshKeys.isEmpty { followMesh(trace.meshKeys) }
            return true
        }
    }

    /// Follows data on a channel.
    private mutating func follow(
        _ sdu: borrowing ChannelSDU, _ event: borrowing Event, _ connection: Int, in trace: borrowing Trace
    ) {
        let access = AttributeAccess(serialDataSent: event.direction)
        guard let data = sdu.serialData, data.isWhole,
            let dissector = dissector(of: data.channel, connection, in: trace),
            dissector.hasParts(access) || !dissector.derived.isEmpty
        else { return }
        let key = StreamKey(
            connection: trace.connections[connection].number, server: .peer, source: .channel(data.channel),
            access: access)
        follow(data.octets, 0, dissector, key, Moment(event), cut: 0)
    }

    /// Dissector of the service that has the channel, else of the channel.
    func dissector(of channel: SerialData.Channel, _ connection: Int, in trace: borrowing Trace) -> Dissector? {
        for service in serialServices.service(of: channel, connection, in: trace)?.classes ?? [] {
            if let dissector = library.dissector(for: .serviceChannel(service)) { return dissector }
        }
        return library.dissector(for: channel.key)
    }

    /// Reads the message that was followed last.
    private mutating func followMesh(_ keys: [MeshNetworkKey]) {
        guard let last = current.findings.indices.last,
            case .complete(let stored, _)? = current.findings[last].message
        else { return }
        current.findings[last].mesh = mesh.read(proxy: Bytes(stored.octets.span), keys)
    }

    private mutating func followRefusal(
        _ operation: ATTOperation, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard case .errorResponse(let pdu) = operation.pdu, pdu.requestOpcodeInError == .writeRequest,
            let connection = event.connection, let attribute = operation.attribute
        else { return }
        let server = ObjectTransfers.Server(
            connection: trace.connections[connection].number, side: operation.server)
        objects.refuse(
            type: trace.uuids[attribute.type],
            at: ObjectTransfers.Place(server: server, service: attribute.serviceHandle))
    }

    /// Moves the history of a private address to the device.
    private mutating func join(_ identification: PeerIdentification) {
        for key in contextKeys.removeValue(forKey: .peer(identification.previous)) ?? [] {
            guard let value = contexts.removeValue(forKey: key) else { continue }
            let new = ContextKey(owner: .peer(identification.peer), parent: key.parent, type: key.type)
            guard contexts[new] == nil else { continue }
            contexts[new] = value
            contextKeys[new.owner, default: []].insert(new)
        }
    }

    /// Drops the incomplete messages of a connection at its end.
    private mutating func forget(_ event: borrowing Event, in trace: borrowing Trace) {
        guard let connection = event.connection.map({ trace.connections[$0].number }) else { return }
        for key in streams.removeValue(forKey: connection) ?? [] {
            assemblers[key] = nil
            samples[key] = nil
            requests[key] = nil
        }
        if !objects.isEmpty { objects.forget(connection: connection) }
        for server in [ServerSide.peer, .local] {
            rangingFilters[RangingKey(connection: connection, server: server)] = nil
        }
    }

    private mutating func followRanging(
        _ value: Bytes, _ access: AttributeAccess, connection: Int, _ server: ServerSide
    ) {
        let key = RangingKey(connection: connection, server: server)
        guard rangingFilters[key] != nil || rangingFilters.count < Self.limit else { return }
        rangingFilters[key, default: RangingData.Filters()].follow(controlPoint: value, access)
    }

    @inline(__always)
    private mutating func hasNoInterest(_ type: UUIDIndex, in trace: borrowing Trace) -> Bool {
        let place = Int(type.value)
        guard place < demands.count else { return interest(type, in: trace) == nil }
        switch demands[place] {
        case .nothing: return true
        case .something: return false
        case .unknown: return interest(type, in: trace) == nil
        }
    }

    private mutating func interest(_ type: UUIDIndex, in trace: borrowing Trace) -> Interest? {
        let place = Int(type.value)
        while demands.count <= place { demands.append(.unknown) }
        switch demands[place] {
        case .nothing: return nil
        case .something(let interest): return interest
        case .unknown: break
        }
        let interest = makeInterest(trace.uuids[type])
        demands[place] = interest.map { .something($0) } ?? .nothing
        return interest
    }

    private func makeInterest(_ uuid: BluetoothUUID) -> Interest? {
        let isContext = library.isContext(uuid) || ValueShape.sources.contains(uuid)
        let controlsRanging = ValueShape.controlsRanging(uuid)
        let isFollowed = library.dissectors(for: uuid).contains { $0.assembly != nil || !$0.derived.isEmpty }
        let hasRequests = library.dissectors(for: uuid).contains(where: \.hasRequests)
        let concernsObjects = ObjectTransfers.concern(uuid)
        // Mesh Proxy Data In and Out.
        let isMeshProxy = uuid == .meshProxyDataIn || uuid == .meshProxyDataOut
        guard isContext || controlsRanging || concernsObjects || isFollowed || hasRequests else { return nil }
        return Interest(
            isContext: isContext, controlsRanging: controlsRanging, concernsObjects: concernsObjects,
            isMeshProxy: isMeshProxy, hasRequests: hasRequests,
            dissectors: isFollowed ? ServiceDissectors(of: uuid, in: library) : nil)
    }

    /// The dissector in the attribute's service, if it puts messages together or measures rates.
    private mutating func followed(
        _ attribute: AttributeInfo, _ interest: Interest, in trace: borrowing Trace
    ) -> Dissector? {
        guard var dissectors = interest.dissectors else { return nil }
        if let chosen = dissectors.chosen(in: attribute.service) { return chosen }
        let dissector = dissectors.choose(trace.uuids[attribute.type], in: attribute.service, library, trace)
        var interest = interest
        interest.dissectors = dissectors
        demands[Int(attribute.type.value)] = .something(interest)
        return dissector
    }

    private mutating func remember(_ value: Bytes, _ attribute: AttributeInfo) {
        let parent = attribute.role == .descriptor ? attribute.valueHandle : attribute.serviceHandle
        guard let owner = current.owner, let parent else { return }
        let key = ContextKey(owner: owner, parent: parent, type: attribute.type)
        // Full or not: an old value is never taken for the new one.
        guard value.count <= Self.longestContext else {
            contexts[key] = nil
            contextKeys[owner]?.remove(key)
            if contextKeys[owner]?.isEmpty ?? false { contextKeys[owner] = nil }
            return
        }
        if contexts[key] == nil {
            guard contexts.count < Self.limit else { return }
            contextKeys[owner, default: []].insert(key)
        }
        contexts[key] = value.copy()
    }

    private mutating func remember(request value: Bytes, _ key: StreamKey) {
        guard value.count <= Self.longestContext, requests[key] != nil || requests.count < Self.limit else {
            requests[key] = nil
            return
        }
        requests[key] = value.copy()
        streams[key.connection, default: []].insert(key)
    }

    private mutating func follow(
        _ value: Bytes, _ index: Int, _ dissector: Dissector, _ key: StreamKey, _ moment: Moment, cut: Int
    ) {
        let frame = moment.frame
        let microseconds = moment.time.seconds &* 1_000_000 &+ Int64(moment.time.nanoseconds / 1_000)
        var finding = Finding(index: index)
        if let assembly = dissector.assembly, dissector.hasParts(key.access) {
            if assemblers[key] == nil {
                guard assemblers.count < Self.messageLimit else { return }
                streams[key.connection, default: []].insert(key)
            }
            let (outcome, loss) = assemblers[key, default: MessageAssembler(assembly)]
                .add(value, frame: frame, at: microseconds, cut: cut)
            finding.loss = loss
            guard let assembler = assemblers[key] else { return }
            let have = assembler.message.count - assembler.missing
            finding.message =
                switch outcome {
                case .waiting(let need): .part(number: assembler.parts.count, have: have, need: need)
                // Nothing is read of octets that are not there, and octets of a secret may be in any field if a part is missing.
                case .complete
                where assembler.missing > 0
                    || dissector.hasSecrets && !isIntact(assembler, dissector, key.access):
                    .part(number: assembler.parts.count, have: have, need: assembler.message.count)
                case .complete: .complete(octets: StoredOctets(assembler.message), frames: assembler.parts)
                case .stray: .stray
                }
        }
        if !dissector.derived.isEmpty {
            dissector.dissect(value, operation: key.access, into: &dissection)
            if samples[key] != nil || samples.count < Self.limit {
                if samples[key] == nil { streams[key.connection, default: []].insert(key) }
                var sampled = samples[key] ?? dissector.derived.map { _ in nil }
                for (index, field) in dissector.derived.enumerated() {
                    let sample = field.sample(of: dissection, at: microseconds)
                    if let rate = derive(field, sample, frame: frame, since: &sampled[index]) {
                        finding.rates.append(rate)
                    }
                }
                samples[key] = sampled
            }
        }
        if finding.message != nil || !finding.rates.isEmpty { current.findings.append(finding) }
    }

    /// Whether the message is known to have all its parts and no other octets: the parts are numbered, or a checksum matches.
    private mutating func isIntact(
        _ assembler: MessageAssembler, _ dissector: Dissector, _ access: AttributeAccess
    ) -> Bool {
        guard !assembler.hasExcess else { return false }
        guard assembler.mayLackPart else { return true }
        dissector.dissect(Bytes(assembler.message.span), operation: access, into: &dissection)
        return (0..<dissection.count).contains { index in
            let field = dissection[index]
            return field.depth == 0 && field.field != DissectedField.unexplainedOctets && !field.hasWrongCheck
                && dissector.fields[Int(field.field)].check != nil
        }
    }

    private func derive(
        _ field: DerivedField, _ sample: DerivedField.Sample, frame: Int, since sampled: inout Sampled?
    ) -> DerivedRate? {
        let earlier = sampled
        if field.isByClock {
            // A value without the counter, or with the same count, measures nothing.
            guard let count = sample.change, count != earlier?.sample.change else { return nil }
            sampled = Sampled(frame: frame, sample: sample, isStep: earlier != nil)
            guard earlier?.isStep ?? false else { return nil }
        } else {
            sampled = Sampled(frame: frame, sample: sample, isStep: true)
        }
        guard let earlier, let value = field.value(from: earlier.sample, to: sample) else { return nil }
        return DerivedRate(field: field, value: value, sinceFrame: earlier.frame)
    }

    /// - Parameter index: `AttributeValue.index`, of the event that is being received.
    @inline(__always)
    func finding(_ index: Int) -> Finding? {
        current.findings.isEmpty ? nil : current.findings.first { $0.index == index }
    }

    // MARK: Queries

    /// The last value of another attribute of the same service, or of a descriptor of the same characteristic.
    func value(of uuid: BluetoothUUID, near place: ValuePlace, in trace: borrowing Trace) -> [UInt8]? {
        guard let owner = place.owner ?? current.owner, !contexts.isEmpty, let type = trace.uuids.known(uuid) else {
            return nil
        }
        for parent in [place.characteristic, place.service] {
            guard let parent else { continue }
            if let value = contexts[ContextKey(owner: owner, parent: parent, type: type)] { return value }
        }
        return nil
    }

    /// The decoder of a value that other attributes describe.
    mutating func shapedDissector(
        _ type: UUIDIndex, _ place: ValuePlace, name: String, decoder: NamedDecoder?, in trace: borrowing Trace
    ) -> Dissector? {
        guard let owner = place.owner ?? current.owner, let characteristic = place.characteristic else { return nil }
        let uuid = trace.uuids[type]
        let ownerType = place.isValue ? nil : place.characteristicType.map { trace.uuids[$0] }
        let service = place.serviceType.map { trace.uuids[$0] }
        // Descriptors with values of a characteristic are read by its definition, if that applies in the service.
        if let ownerType, library.dissector(for: ownerType, in: service) == nil { return nil }
        let sources = ValueShape.sources(for: decoder, descriptorOf: ownerType) {
            value(of: $0, near: place, in: trace)
        } ranging: {
            rangingConditions(in: trace)
        }
        guard let sources else { return nil }
        let key = ContextKey(owner: owner, parent: characteristic, type: type)
        if let known = shaped[key], known.sources == sources { return known.dissector }
        guard shaped.count < Self.limit else { return nil }
        let dissector = library.dissector(for: uuid, name: name, decoder: decoder, sources)
        shaped[key] = Shaped(sources: sources, dissector: dissector)
        return dissector
    }

    /// nil if the configuration of channel sounding is not in the capture.
    private func rangingConditions(in trace: borrowing Trace) -> RangingData.Conditions? {
        guard let link = current.link else { return nil }
        let connection = trace.connections[link.connection]
        guard connection.channelSounding.contains(where: { $0 != nil }) else { return nil }
        let configurations = connection.channelSounding.map { configuration in
            configuration.map { configuration in
                // The peer's part is the other one.
                RangingData.Configuration(
                    isInitiator: configuration.isInitiator == (link.server == .local),
                    roundTripTime: configuration.roundTripTime)
            }
        }
        let key = RangingKey(connection: connection.number, server: link.server)
        return RangingData.Conditions(
            configurations: configurations, filters: rangingFilters[key] ?? RangingData.Filters())
    }

    /// The numbers that a definition takes from other attributes.
    mutating func context(of dissector: Dissector, _ place: ValuePlace, in trace: borrowing Trace) -> [Int64?] {
        dissector.context.map { definition -> Int64? in
            switch definition.source {
            case .service:
                return place.serviceType.flatMap { trace.uuids[$0].uint16 }.map { Int64($0) }
            case .request(let field):
                // For a kept value, the preceding write is unknown.
                guard place.owner == nil, let link = current.link, let handle = place.characteristic else { return nil }
                let number = trace.connections[link.connection].number
                let key = StreamKey(
                    connection: number, server: link.server, source: .attribute(handle), access: .write)
                guard let octets = requests[key] else { return nil }
                dissection.context = []
                dissector.dissect(Bytes(octets.span), operation: .write, into: &dissection)
                return dissection.integer(named: field, of: dissector)
            case .attribute(let uuid, let field):
                guard let octets = value(of: uuid, near: place, in: trace),
                    let source = library.dissector(for: uuid)
                else { return nil }
                source.dissect(Bytes(octets.span), operation: .read, into: &dissection)
                return dissection.integer(named: field, of: source)
            }
        }
    }
}

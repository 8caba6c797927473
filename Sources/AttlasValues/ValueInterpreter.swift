import AttlasDissection
import AttlasTrace
import AttlasWire

/// Reads the values of one conversation: by a definition, by other attributes of the device, as messages
/// in parts.
///
/// `Interpreted` makes an interpreter with a history. An interpreter without one reads each value by itself.
public struct ValueInterpreter {
    /// Definitions and names.
    public let library: DissectorLibrary
    private let shared: SharedValueHistory
    private var known: [TypeNames?] = []
    /// The value, or the message, that was read last.
    public private(set) var dissection = Dissection()

    /// An object: one of them is looked at for every value.
    private final class TypeNames {
        let serviceName: String?
        let attributeName: String?
        /// The replacement of an unknown name.
        let text: String
        let dissectors: ServiceDissectors

        init(_ uuid: BluetoothUUID, _ library: DissectorLibrary) {
            serviceName = library.serviceName(of: uuid)
            attributeName = library.attributeName(of: uuid)
            text = uuid.abbreviated
            dissectors = ServiceDissectors(of: uuid, in: library)
        }

        /// With the dissector in one more service.
        init(_ known: TypeNames, _ dissectors: ServiceDissectors) {
            serviceName = known.serviceName
            attributeName = known.attributeName
            text = known.text
            self.dissectors = dissectors
        }
    }

    /// An interpreter with a separate, empty history.
    public init(library: DissectorLibrary) {
        self.init(library: library, SharedValueHistory(ValueHistory(library: library)))
    }

    init(library: DissectorLibrary, _ history: SharedValueHistory) {
        self.library = library
        shared = history
    }

    /// Looked at and changed where it is: a copy of it costs as much as reading a value.
    private var history: ValueHistory {
        @inline(__always) _read { yield shared.history }
        @inline(__always) nonmutating _modify { yield &shared.history }
    }

    @inline(__always)
    private mutating func known(_ index: UUIDIndex, in trace: borrowing Trace) -> TypeNames {
        let place = Int(index.value)
        if place < known.count, let known = known[place] { return known }
        return learn(index, in: trace)
    }

    @inline(never)
    private mutating func learn(_ index: UUIDIndex, in trace: borrowing Trace) -> TypeNames {
        let new = TypeNames(trace.uuids[index], library)
        while known.count <= Int(index.value) { known.append(nil) }
        known[Int(index.value)] = new
        return new
    }

    // MARK: Names

    /// The name, or where there is none the UUID, of a 128-bit one the first and the last digits: vendors count in either.
    public mutating func name(_ index: UUIDIndex, _ kind: NameKind, in trace: borrowing Trace) -> String {
        knownName(index, kind, in: trace) ?? known(index, in: trace).text
    }

    /// Name as a service or as an attribute; nil if it has none.
    public mutating func knownName(_ index: UUIDIndex, _ kind: NameKind, in trace: borrowing Trace) -> String? {
        let known = known(index, in: trace)
        return kind == .service ? known.serviceName : known.attributeName
    }

    // MARK: Values

    /// Reads a value of the event that is being received; nil if no definition reads it.
    @_lifetime(copy value)
    public mutating func read(_ value: borrowing AttributeValue, in trace: borrowing Trace) -> ValueReading? {
        guard value.isWhole, let octets = value.octets, let type = value.type else { return nil }
        let attribute = value.attribute
        let service = attribute?.service
        guard let dissector = dissector(type, service, attribute.map { ValuePlace($0) }, in: trace) else { return nil }
        let finding = attribute?.role == .value ? history.finding(value.index) : nil
        // Where the layout depends on the length, a value without its end is another one: a secret may be in any field.
        if value.isPartial, dissector.hasSecrets { return nil }
        return read(
            octets, dissector, value.access, finding, isPartial: value.isPartial,
            at: attribute.map { ValuePlace($0) }, in: trace)
    }

    /// - Parameter finding: the history that belongs to the value.
    @inline(__always)
    @_lifetime(copy octets)
    mutating func read(
        _ octets: Bytes, _ dissector: Dissector, _ access: AttributeAccess, _ finding: ValueHistory.Finding?,
        isPartial: Bool, at place: @autoclosure () -> ValuePlace?, in trace: borrowing Trace
    ) -> ValueReading? {
        guard dissector.hasParts(access) else {
            guard dissect(octets, dissector, access, at: place(), in: trace) else { return nil }
            let shown = ShownOctets(octets, dissection, of: dissector)
            return ValueReading(
                dissector, value: shown, isWithheld: shown.isWithheld, isPartial: isPartial,
                rates: finding?.rates ?? [])
        }
        guard let finding, let message = finding.message else { return nil }
        var isWithheld = dissector.hasSecrets
        if case .complete(let whole, _) = message {
            guard dissect(Bytes(whole.octets.span), dissector, access, at: place(), in: trace) else { return nil }
            isWithheld = dissector.holdsKey(dissection)
        }
        // A part has no layout: any octet of it may be of a key.
        return ValueReading(
            dissector, value: ShownOctets(octets, isWithheld: dissector.hasSecrets), isWithheld: isWithheld,
            isPartial: false, message: message, loss: finding.loss, rates: finding.rates, mesh: finding.mesh)
    }

    /// For a value that is a part of a message: the state of the message. This reads nothing.
    @inline(__always)
    public func message(of value: borrowing AttributeValue) -> MessageState? { shared.message(of: value) }

    /// The same for the only value of an event, of this attribute.
    @inline(__always)
    public func message(ofValueOf attribute: AttributeInfo?) -> MessageState? {
        guard attribute?.role == .value else { return nil }
        return history.finding(0)?.message
    }

    /// The transfer of an object that the SDU is a part of, if the event that is being received is one of the Object Transfer Channel.
    public func objectTransfer(of sdu: borrowing ChannelSDU) -> ObjectTransfer? {
        ObjectTransfers.carries(sdu) ? history.objects.transfer : nil
    }

    func dissector(of channel: SerialData.Channel, _ connection: Int, in trace: borrowing Trace) -> Dissector? {
        history.dissector(of: channel, connection, in: trace)
    }

    /// The service that has the channel, if the device listed it.
    package func service(
        of channel: SerialData.Channel, _ connection: Int, in trace: borrowing Trace
    ) -> SerialServices.Service? {
        history.serialServices.service(of: channel, connection, in: trace)
    }

    /// The history of a channel in the event that is being received.
    var serialFinding: ValueHistory.Finding? { history.finding(0) }

    /// The mesh PDUs of the event that is being received, if it is an advertisement and NetKeys were given.
    public func meshReadings(of event: borrowing Event) -> [MeshReading] {
        guard case .advertising = event.detail else { return [] }
        return history.mesh.readings
    }

    /// The dissector for the value; nil if there is no definition.
    mutating func dissector(of value: borrowing AttributeValue, in trace: borrowing Trace) -> Dissector? {
        guard value.isWhole, let type = value.type else { return nil }
        let attribute = value.attribute
        return dissector(type, attribute?.service, attribute.map { ValuePlace($0) }, in: trace)
    }

    /// The dissector that `read` did not use for the value, which is in a service where the definition does not belong, and does not have
    /// its format.
    public mutating func unfitDissector(of value: borrowing AttributeValue, in trace: borrowing Trace) -> Dissector? {
        guard let service = value.attribute?.service, !value.isPartial,
            let dissector = dissector(of: value, in: trace), !dissector.hasParts(value.access),
            !dissector.belongs(in: trace.uuids[service]), !dissection.fits
        else { return nil }
        return dissector
    }

    /// The information that others would learn from values of the attribute; nil if its definition does not call it sensitive.
    public mutating func sensitivity(of attribute: AttributeInfo, in trace: borrowing Trace) -> Sensitivity? {
        meant(attribute, in: trace)?.sensitivity
    }

    /// Whether values of the attribute report the result of a procedure or announce a restart, or are segments of messages.
    public mutating func hasOutcomes(_ attribute: AttributeInfo, in trace: borrowing Trace) -> Bool {
        meant(attribute, in: trace).map { $0.hasOutcomes || $0.hasSegments } ?? false
    }

    /// The dissector of an attribute whose meaning needs no value of it: a vendor's service may use the UUID for something else.
    private mutating func meant(_ attribute: AttributeInfo, in trace: borrowing Trace) -> Dissector? {
        guard let dissector = defined(attribute.type, attribute.service, in: trace) else { return nil }
        guard let service = attribute.service.map({ trace.uuids[$0] }) else { return dissector }
        return dissector.belongs(in: service) || library.isAssigned(service) ? dissector : nil
    }

    /// The dissector by the definition that applies in the service.
    @inline(__always)
    mutating func defined(_ type: UUIDIndex, _ service: UUIDIndex?, in trace: borrowing Trace) -> Dissector? {
        let known = known(type, in: trace)
        if let chosen = known.dissectors.chosen(in: service) { return chosen }
        return choose(type, service, in: trace)
    }

    @inline(never)
    private mutating func choose(_ type: UUIDIndex, _ service: UUIDIndex?, in trace: borrowing Trace) -> Dissector? {
        let known = known(type, in: trace)
        var dissectors = known.dissectors
        let dissector = dissectors.choose(trace.uuids[type], in: service, library, trace)
        self.known[Int(type.value)] = TypeNames(known, dissectors)
        return dissector
    }

    /// The dissector of the value, by a definition or by other attributes of the device.
    mutating func dissector(
        _ type: UUIDIndex, _ service: UUIDIndex?, _ place: @autoclosure () -> ValuePlace?, in trace: borrowing Trace
    ) -> Dissector? {
        let defined = defined(type, service, in: trace)
        // A Presentation Format of the device comes before the definition of another service.
        if let defined, defined.decoder == nil, service.map({ defined.belongs(in: trace.uuids[$0]) }) ?? true {
            return defined
        }
        guard let place = place() else { return defined }
        let known = known(type, in: trace)
        return history.shapedDissector(
            type, place, name: known.attributeName ?? known.text, decoder: defined?.decoder, in: trace) ?? defined
    }

    mutating func dissect(advertised octets: Bytes, _ dissector: Dissector) {
        dissection.context = []
        dissector.dissect(octets, operation: .notify, into: &dissection)
    }

    /// - Returns: false if the octets do not have the format, and the service is one where the definition does not belong.
    mutating func dissect(
        _ octets: Bytes, _ dissector: Dissector, _ access: AttributeAccess, at place: @autoclosure () -> ValuePlace?,
        in trace: borrowing Trace
    ) -> Bool {
        if !dissector.context.isEmpty {
            dissection.context = place().map { history.context(of: dissector, $0, in: trace) } ?? []
        }
        dissector.dissect(octets, operation: access, into: &dissection)
        guard !dissection.fits, let service = place()?.serviceType else { return true }
        return dissector.belongs(in: trace.uuids[service])
    }
}

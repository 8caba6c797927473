import AttlasDissection
import AttlasTrace
import AttlasWire

/// Which table a UUID's name stands in: the same number may name a service and something else.
enum NameKind {
    case service, characteristic, descriptor
}

/// Names and dissected values for one output. What a UUID means is looked up once and kept by the trace's number for it.
public struct ValueReader {
    let library: DissectorLibrary
    private let shared: SharedValueMemory
    private var known: [Known?] = []
    /// The value that was dissected last.
    private(set) var dissection = Dissection()
    /// Whether the value read last ended within a field.
    private(set) var hasFault = false

    /// An object: one of them is looked at for every value.
    private final class Known {
        let serviceName: String?
        let attributeName: String?
        /// What stands for a name that is not known.
        let text: String
        let dissector: Dissector?

        init(_ uuid: BluetoothUUID, _ library: DissectorLibrary) {
            serviceName = library.serviceName(of: uuid)
            attributeName = library.attributeName(of: uuid)
            text = uuid.abbreviated
            dissector = library.dissector(for: uuid)
        }
    }

    public init(library: DissectorLibrary) {
        self.library = library
        shared = SharedValueMemory(ValueMemory(library: library))
    }

    /// Other definitions, for the same conversation.
    init(library: DissectorLibrary, continuing values: ValueReader) {
        self.library = library
        shared = SharedValueMemory(ValueMemory(library: library, continuing: values.memory))
    }

    var memory: ValueMemory {
        _read { yield shared.memory }
        nonmutating _modify { yield &shared.memory }
    }

    private mutating func known(_ index: UUIDIndex, in trace: borrowing Trace) -> Known {
        let place = Int(index.value)
        if place < known.count, let known = known[place] { return known }
        let new = Known(trace.uuids[index], library)
        while known.count <= place { known.append(nil) }
        known[place] = new
        return new
    }

    // MARK: Names

    /// The name, or where there is none the UUID, of a 128-bit one the first and the last digits: vendors count in either.
    mutating func name(_ index: UUIDIndex, _ kind: NameKind, in trace: borrowing Trace) -> String {
        knownName(index, kind, in: trace) ?? known(index, in: trace).text
    }

    mutating func knownName(_ index: UUIDIndex, _ kind: NameKind, in trace: borrowing Trace) -> String? {
        let known = known(index, in: trace)
        return kind == .service ? known.serviceName : known.attributeName
    }

    func name(_ uuid: BluetoothUUID, _ kind: NameKind) -> String {
        let name = kind == .service ? library.serviceName(of: uuid) : library.attributeName(of: uuid)
        return name ?? uuid.abbreviated
    }

    func knownServiceName(_ uuid: BluetoothUUID) -> String? {
        library.serviceName(of: uuid)
    }

    /// The company's name, or its identifier in hexadecimal.
    func companyName(_ identifier: UInt16) -> String {
        library.companyName(of: identifier) ?? Self.hexadecimal(identifier, "company")
    }

    /// What an error code means in the service of the attribute that it concerns.
    func errorName(_ code: ATTErrorCode, _ attribute: AttributeInfo?, in trace: borrowing Trace) -> String {
        guard let service = attribute?.service else { return code.name }
        return library.applicationErrorName(of: code.rawValue, in: trace.uuids[service]) ?? code.name
    }

    func appearanceName(_ value: UInt16) -> String {
        library.appearanceName(of: value) ?? Self.hexadecimal(value, "appearance")
    }

    private static func hexadecimal(_ value: UInt16, _ kind: StaticString) -> String {
        var text = TextBuffer()
        text.append(kind)
        text.append(" 0x")
        text.append(hex: value, digits: 4, uppercase: true)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    // MARK: Values

    func serviceDataDissector(_ service: BluetoothUUID) -> Dissector? {
        library.dissector(for: .serviceData(service))
    }

    func manufacturerDataDissector(_ company: UInt16) -> Dissector? {
        library.dissector(for: .manufacturerData(company))
    }

    mutating func clear() {
        hasFault = false
    }

    /// What reads the value: a definition, or what other attributes of the device say of it.
    mutating func dissector(
        _ type: UUIDIndex, _ place: @autoclosure () -> ValuePlace?, in trace: borrowing Trace
    ) -> Dissector? {
        let known = known(type, in: trace)
        let defined = known.dissector
        if let defined, defined.decoder == nil { return defined }
        guard let place = place() else { return defined }
        return memory.shapedDissector(
            type, place, name: known.attributeName ?? known.text, decoder: defined?.decoder, in: trace) ?? defined
    }

    /// Dissects a value, or a message, with its context.
    mutating func dissect(
        _ value: Bytes, _ dissector: Dissector, _ access: AttributeAccess,
        at place: @autoclosure () -> ValuePlace?, in trace: borrowing Trace
    ) {
        if !dissector.context.isEmpty {
            dissection.context = place().map { memory.context(of: dissector, $0, in: trace) } ?? []
        }
        dissector.dissect(value, operation: access, into: &dissection)
    }

    /// The octets that a definition of messages is of, when the value completes one.
    ///
    /// - Parameter attribute: what the handle is, when it is known by more than its type.
    func message(_ attribute: AttributeInfo?) -> [UInt8]? {
        guard let attribute, attribute.role == .value,
            case .complete(let octets, _)? = memory.finding(attribute)?.message
        else { return nil }
        return octets
    }

    /// Reads a whole value, or the message that it completes; `body` is not called when no definition reads it.
    ///
    /// - Parameter attribute: what the handle is, when it is known by more than its type.
    mutating func read(
        _ value: Bytes, _ type: UUIDIndex, _ attribute: AttributeInfo?, _ access: AttributeAccess,
        in trace: borrowing Trace, _ body: (Bytes, borrowing Dissection, Dissector) -> Void
    ) {
        guard let dissector = dissector(type, attribute.map { ValuePlace($0) }, in: trace) else { return }
        guard dissector.hasParts(access) else {
            dissect(value, dissector, access, at: attribute.map { ValuePlace($0) }, in: trace)
            return body(value, dissection, dissector)
        }
        guard let octets = message(attribute) else { return }
        let whole = Bytes(octets.span)
        dissect(whole, dissector, access, at: attribute.map { ValuePlace($0) }, in: trace)
        body(whole, dissection, dissector)
    }

    /// Appends the value in one line; false when no definition reads it. A partial value is read as far as it goes.
    mutating func append(
        _ value: Bytes, _ type: UUIDIndex, _ access: AttributeAccess, at place: ValuePlace? = nil,
        isPartial: Bool = false, in trace: borrowing Trace, to text: inout TextBuffer
    ) -> Bool {
        guard let dissector = dissector(type, place, in: trace) else { return false }
        // A part of a message is not laid out as the message is.
        if dissector.hasParts(access) { return false }
        dissect(value, dissector, access, at: place, in: trace)
        text.append(summaryOf: dissection, of: dissector, value: value, isPartial: isPartial)
        return true
    }

    /// The same with what the event adds to the value: the message that it completes, rates.
    mutating func append(
        _ value: Bytes, _ attribute: AttributeInfo, _ access: AttributeAccess, isPartial: Bool = false,
        in trace: borrowing Trace, to text: inout TextBuffer
    ) -> Bool {
        let place = ValuePlace(attribute)
        guard let finding = attribute.role == .value ? memory.finding(attribute) : nil else {
            return append(value, attribute.type, access, at: place, isPartial: isPartial, in: trace, to: &text)
        }
        if let message = finding.message {
            append(message, value, attribute, access, in: trace, to: &text)
        } else {
            guard append(value, attribute.type, access, at: place, isPartial: isPartial, in: trace, to: &text) else {
                return false
            }
        }
        for derived in finding.derived {
            text.append(" · ")
            text.append(derived)
        }
        return true
    }

    private mutating func append(
        _ message: ValueMemory.MessageState, _ value: Bytes, _ attribute: AttributeInfo, _ access: AttributeAccess,
        in trace: borrowing Trace, to text: inout TextBuffer
    ) {
        switch message {
        case .part(let number, let have, let need):
            text.append("part ")
            text.append(decimal: number)
            text.append(" · ")
            text.append(decimal: have)
            if let need {
                text.append(" of ")
                text.append(decimal: need)
            }
            text.append(" octets · ")
            text.append(octets: value, limit: 20)
        case .complete(let octets, let frames):
            guard let dissector = dissector(attribute.type, ValuePlace(attribute), in: trace) else { return }
            let whole = Bytes(octets.span)
            dissect(whole, dissector, access, at: ValuePlace(attribute), in: trace)
            text.append(summaryOf: dissection, of: dissector, value: whole)
            guard frames.count > 1 else { return }
            text.append(" (")
            text.append(decimal: frames.count)
            text.append(" parts)")
        case .stray:
            text.append("✗ continues a message whose beginning is not there · ")
            text.append(octets: value, limit: 20)
        }
        guard let loss = memory.loss else { return }
        text.append(" · ✗ the message before was not completed: ")
        text.append(string: loss.rawValue)
    }

    /// Writes the members `fields`, `unexplained` and `fault`, as far as a definition gives them.
    mutating func write(
        _ value: Bytes, _ type: UUIDIndex, _ access: AttributeAccess, at place: ValuePlace? = nil, isPartial: Bool,
        in trace: borrowing Trace, to json: inout JSONWriter
    ) {
        hasFault = false
        guard let dissector = dissector(type, place, in: trace) else { return }
        if dissector.hasParts(access) { return }
        dissect(value, dissector, access, at: place, in: trace)
        hasFault = dissection.fault != nil && !isPartial
        json.members { $0.append(jsonOf: dissection, of: dissector, value: value, isPartial: isPartial) }
    }

    /// The same with `message` and `derived`, what the event adds to the value.
    mutating func write(
        _ value: Bytes, _ attribute: AttributeInfo, _ access: AttributeAccess, isPartial: Bool,
        in trace: borrowing Trace, to json: inout JSONWriter
    ) {
        write(value, attribute.type, access, at: ValuePlace(attribute), isPartial: isPartial, in: trace, to: &json)
        guard attribute.role == .value, let finding = memory.finding(attribute) else { return }
        if let message = finding.message { write(message, attribute, access, in: trace, to: &json) }
        guard !finding.derived.isEmpty else { return }
        json.key("derived")
        json.beginArray()
        for derived in finding.derived {
            json.beginObject()
            json.key("name")
            json.string(derived.field.name)
            json.key("value")
            json.number(derived.value)
            if let unit = derived.field.unit {
                json.key("unit")
                json.string(unit)
            }
            json.key("since_frame")
            json.number(derived.sinceFrame)
            json.endObject()
        }
        json.endArray()
    }

    private mutating func write(
        _ message: ValueMemory.MessageState, _ attribute: AttributeInfo, _ access: AttributeAccess,
        in trace: borrowing Trace, to json: inout JSONWriter
    ) {
        json.key("message")
        json.beginObject()
        json.key("state")
        switch message {
        case .part(let number, let have, let need):
            json.string("part")
            json.key("part")
            json.number(number)
            json.key("octets")
            json.number(have)
            if let need {
                json.key("need")
                json.number(need)
            }
        case .complete(let octets, let frames):
            json.string("complete")
            json.key("frames")
            json.beginArray()
            for frame in frames { json.number(frame) }
            json.endArray()
            let whole = Bytes(octets.span)
            json.key("value")
            json.hex(whole)
            if let dissector = dissector(attribute.type, ValuePlace(attribute), in: trace) {
                dissect(whole, dissector, access, at: ValuePlace(attribute), in: trace)
                hasFault = dissection.fault != nil
                json.members { $0.append(jsonOf: dissection, of: dissector, value: whole) }
            }
        case .stray: json.string("stray")
        }
        if let loss = memory.loss {
            json.key("lost")
            json.string(loss.rawValue)
        }
        json.endObject()
    }
}

extension TextBuffer {
    /// `Wheel Speed ≈ 212.6 /min`
    fileprivate mutating func append(_ derived: ValueMemory.Derived) {
        append(display: derived.field.name)
        append(" ≈ ")
        append(number: .float64(derived.value))
        guard let unit = derived.field.unit else { return }
        if !unit.hasPrefix("/") { append(" ") }
        append(display: unit)
    }
}

extension AttributeAccess {
    /// What a PDU that carries a whole value does with it.
    public init(_ opcode: ATTOpcode) {
        switch opcode.definition?.kind {
        case .notification: self = .notify
        case .indication: self = .indicate
        case .response: self = .read
        default: self = .write
        }
    }
}

extension BluetoothUUID {
    /// `FFE1`, `6E400002…CA9E`.
    var abbreviated: String {
        let text = description
        return text.utf8.count > 8 ? "\(text.prefix(8))…\(text.suffix(4))" : text
    }
}

import AttlasDissection
import AttlasTrace
import AttlasWire

/// Which table a UUID's name stands in: the same number may name a service and something else.
enum NameKind {
    case service, characteristic, descriptor
}

/// Names and dissected values for one output. What a UUID means is looked up once and kept by the trace's number for it.
public struct ValueReader {
    private let library: DissectorLibrary
    private var known: [Known?] = []
    private var dissection = Dissection()
    /// Whether the value read last ended within a field.
    private(set) var hasFault = false

    private struct Known {
        let serviceName: String?
        let attributeName: String?
        /// What stands for a name that is not known.
        let text: String
        let dissector: Dissector?
    }

    public init(library: DissectorLibrary) {
        self.library = library
    }

    private mutating func known(_ index: UUIDIndex, in trace: borrowing Trace) -> Known {
        let place = Int(index.value)
        if place < known.count, let known = known[place] { return known }
        let uuid = trace.uuids[index]
        let new = Known(
            serviceName: library.serviceName(of: uuid), attributeName: library.attributeName(of: uuid),
            text: uuid.abbreviated, dissector: library.dissector(for: uuid))
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

    mutating func clear() {
        hasFault = false
    }

    /// Appends the value in one line; false when no definition reads it. A partial value is read as far as it goes.
    mutating func append(
        _ value: Bytes, _ type: UUIDIndex, _ access: AttributeAccess, isPartial: Bool = false,
        in trace: borrowing Trace, to text: inout TextBuffer
    ) -> Bool {
        guard let dissector = known(type, in: trace).dissector else { return false }
        dissector.dissect(value, operation: access, into: &dissection)
        text.append(summaryOf: dissection, of: dissector, value: value, isPartial: isPartial)
        return true
    }

    mutating func append(
        _ value: Bytes, _ attribute: AttributeInfo, _ access: AttributeAccess, isPartial: Bool = false,
        in trace: borrowing Trace, to text: inout TextBuffer
    ) -> Bool {
        append(value, attribute.type, access, isPartial: isPartial, in: trace, to: &text)
    }

    /// Writes the members `fields`, `unexplained` and `fault`, as far as a definition gives them.
    mutating func write(
        _ value: Bytes, _ type: UUIDIndex, _ access: AttributeAccess, isPartial: Bool, in trace: borrowing Trace,
        to json: inout JSONWriter
    ) {
        hasFault = false
        guard let dissector = known(type, in: trace).dissector else { return }
        dissector.dissect(value, operation: access, into: &dissection)
        hasFault = dissection.fault != nil && !isPartial
        json.members { $0.append(jsonOf: dissection, of: dissector, value: value, isPartial: isPartial) }
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

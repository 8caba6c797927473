import AttlasDissection
import AttlasFilter
import AttlasTrace
import AttlasValues
import AttlasWire

/// The values of a characteristic in one direction.
package enum ValueDirection: String, CaseIterable, Sendable {
    case written, received

    /// The operations as definitions name them.
    package var operations: [AttributeAccess] { self == .written ? [.write] : [.read, .notify, .indicate] }

    init(_ access: AttributeAccess) { self = access == .write ? .written : .received }
}

/// The values of one characteristic of a capture.
package struct CharacteristicValues: Sendable {
    package let uuid: BluetoothUUID
    package let name: String?
    package let service: BluetoothUUID?
    package let serviceName: String?
    package let handle: AttributeHandle
    package fileprivate(set) var series: [ValueDirection: ValueSeries] = [:]
    /// Operation of each value in `series`.
    package fileprivate(set) var accesses: [ValueDirection: [AttributeAccess]] = [:]
    /// Values that may hold keys.
    package fileprivate(set) var withheld = 0
    /// Values that are not whole.
    package fileprivate(set) var partial = 0

    package var count: Int { series.values.reduce(0) { $0 + $1.count } }
}

/// Collects the values of characteristics.
struct ValueGatherer {
    private struct Key: Hashable {
        let type: UUIDIndex
        let service: UUIDIndex?
        let handle: AttributeHandle
    }

    /// What is kept of a capture.
    struct Limits {
        var values = 262_144
        var octets = 16 << 20
    }

    private let limits: Limits
    /// Only characteristics that nothing names.
    private let isOfUnknown: Bool
    /// Characteristics that are examined: those with the most values.
    static let characteristicLimit = 64

    private var found: [Key: CharacteristicValues] = [:]
    private var selected: [UUIDIndex: Bool] = [:]
    private var values: ValueInterpreter
    private let selection: Selection
    /// A handle, if the characteristic is given by one.
    private let handle: AttributeHandle?
    private var count = 0
    private var octets = 0
    private(set) var leftOut = 0
    /// What is written to characteristics of a service.
    private var requests: [BluetoothUUID?: ValueSeries] = [:]
    private let keepsRequests: Bool

    /// - Parameters:
    ///   - characteristic: a handle, a UUID, its first digits, or a part of the name; nil for all.
    ///   - isOfUnknown: whether characteristics with a name are left out.
    ///   - keepsRequests: whether to keep also what is written to the other characteristics of a service.
    init(
        _ characteristic: String?, isOfUnknown: Bool = false, keepsRequests: Bool = false, limits: Limits = Limits(),
        values: ValueInterpreter
    ) {
        self.limits = limits
        self.isOfUnknown = isOfUnknown
        self.keepsRequests = keepsRequests
        self.values = values
        var selection = Selection()
        selection.characteristic = characteristic
        self.selection = selection
        handle = characteristic.flatMap { text in
            text.lowercased().hasPrefix("0x") && text.utf8.count <= 6 ? UInt16(text.dropFirst(2), radix: 16) : nil
        }
    }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        let (frame, time) = (event.frame, event.time.nanoseconds(since: .epoch))
        event.forEachAttribute(in: trace) { value in
            note(value, frame, time, in: trace)
            return true
        }
    }

    private mutating func note(
        _ value: borrowing AttributeValue, _ frame: Int, _ time: Int64, in trace: borrowing Trace
    ) {
        guard value.isWhole, let handle = value.handle, let attribute = value.attribute, attribute.role == .value
        else { return }
        let isSelected = handle == self.handle || isSelected(attribute.type, in: trace)
        let isRequest = keepsRequests && value.access == .write
        guard isSelected || isRequest, let shown = values.octets(of: value, in: trace) else { return }
        if isRequest, !value.isPartial, let bytes = shown.bytes, count < limits.values,
            octets + shown.count <= limits.octets
        {
            requests[attribute.service.map { trace.uuids[$0] }, default: ValueSeries()].append(
                bytes, time: time, frame: frame)
            if !isSelected {
                count += 1
                octets += shown.count
            }
        }
        guard isSelected else { return }
        let key = Key(type: attribute.type, service: attribute.service, handle: handle)
        guard count < limits.values, octets + shown.count <= limits.octets else {
            leftOut += 1
            return
        }
        count += 1
        octets += shown.count
        let direction = ValueDirection(value.access)
        var entry =
            found.removeValue(forKey: key)
            ?? CharacteristicValues(
                uuid: trace.uuids[key.type], name: values.knownName(key.type, .characteristic, in: trace),
                service: key.service.map { trace.uuids[$0] },
                serviceName: key.service.flatMap { values.knownName($0, .service, in: trace) }, handle: handle)
        if value.isPartial {
            entry.partial += 1
        } else if let bytes = shown.bytes {
            entry.series[direction, default: ValueSeries()].append(bytes, time: time, frame: frame)
            entry.accesses[direction, default: []].append(value.access)
        } else {
            entry.withheld += 1
        }
        found[key] = entry
    }

    private mutating func isSelected(_ type: UUIDIndex, in trace: borrowing Trace) -> Bool {
        if let known = selected[type] { return known }
        let isSelected =
            isOfUnknown
            ? values.knownName(type, .characteristic, in: trace) == nil
            : selection.holds(characteristic: trace.uuids[type], values.library)
        selected[type] = isSelected
        return isSelected
    }

    /// What was written to characteristics of a service.
    func requests(of service: BluetoothUUID?) -> ValueSeries? { requests[service] }

    /// Those that `isWanted`, in the order of their handles, and how many more there are.
    func characteristics(
        _ isWanted: (CharacteristicValues) -> Bool = { _ in true }
    ) -> (examined: [CharacteristicValues], more: Int) {
        let wanted = found.values.filter(isWanted).sorted {
            ($1.count, $0.handle, $0.uuid.description) < ($0.count, $1.handle, $1.uuid.description)
        }
        let examined = wanted.prefix(Self.characteristicLimit).sorted {
            ($0.handle, $0.uuid.description) < ($1.handle, $1.uuid.description)
        }
        return (examined, wanted.count - examined.count)
    }

    /// Why there are no values; nil if there are some.
    func whyNothing(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> String? {
        guard found.isEmpty, selection.characteristic != nil else { return nil }
        let reason = selection.whyNothing(in: trace, integrity.extent, values.library, optionPrefix: "")
        return reason.hasPrefix("nothing meets") ? "the capture has no values of that characteristic" : reason
    }
}

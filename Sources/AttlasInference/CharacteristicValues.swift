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

/// What has values: a characteristic, what devices advertise, or a separate channel.
package enum ValueSource: Hashable, Sendable {
    case characteristic(BluetoothUUID, AttributeHandle)
    /// RFCOMM, or a dynamic PSM.
    case channel(SerialData.Channel)
    /// After the identifier of the company.
    case manufacturerData(company: UInt16)
    case serviceData(BluetoothUUID)
    case adStructure(ADType)

    package enum List: CaseIterable, Sendable {
        case characteristics, advertised, channels

        package var key: StaticString {
            switch self {
            case .characteristics: "characteristics"
            case .advertised: "advertised"
            case .channels: "channels"
            }
        }
    }

    /// Where documents have it.
    package var list: List {
        switch self {
        case .characteristic: .characteristics
        case .channel: .channels
        case .manufacturerData, .serviceData, .adStructure: .advertised
        }
    }

    package var isAdvertised: Bool { list == .advertised }

    /// A UUID, or `manufacturer data of 0x0499`.
    package var description: String {
        switch self {
        case .characteristic(let uuid, _): return uuid.description
        case .channel(let channel): return channel.description
        case .manufacturerData(let company): return "manufacturer data of \(Self.hex(company))"
        case .serviceData(let uuid): return "service data of \(uuid)"
        case .adStructure(let type): return "AD structure \(type)"
        }
    }

    /// Whether it is of one kind in two captures, whose handles may differ.
    func isSame(as other: ValueSource) -> Bool {
        if case (.characteristic(let uuid, _), .characteristic(let other, _)) = (self, other) { return uuid == other }
        return self == other
    }

    /// `0x0499`
    package static func hex(_ number: UInt16) -> String {
        "0x" + InferredField.hex([UInt8(number >> 8), UInt8(number & 0xFF)]).filter { $0 != " " }
    }

    /// By handle; what is advertised comes after all characteristics.
    fileprivate var order: (Int, String) {
        if case .characteristic(_, let handle) = self { return (Int(handle), description) }
        return (.max, description)
    }
}

/// The values of one characteristic of a capture, or of what devices advertise.
package struct CharacteristicValues: Sendable {
    package let source: ValueSource
    package fileprivate(set) var name: String?
    package let service: BluetoothUUID?
    package let serviceName: String?
    /// Of advertised data, the devices.
    package fileprivate(set) var devices = 0
    package fileprivate(set) var series: [ValueDirection: ValueSeries] = [:]
    /// Operation of each value in `series`.
    package fileprivate(set) var accesses: [ValueDirection: [AttributeAccess]] = [:]
    /// Values that may hold keys.
    package fileprivate(set) var withheld = 0
    /// Values that are not whole.
    package fileprivate(set) var partial = 0

    package var count: Int { series.values.reduce(0) { $0 + $1.count } }
    package var title: String { name ?? source.description }

    fileprivate init(
        _ source: ValueSource, name: String?, service: BluetoothUUID? = nil, serviceName: String? = nil
    ) {
        self.source = source
        self.name = name
        self.service = service
        self.serviceName = serviceName
    }
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
    private let advertised: AdvertisedSelection
    /// Of each device.
    private var advertisements: [ValueSource: [BluetoothAddress?: ValueSeries]] = [:]
    private var advertisementsSelected: [ValueSource: Bool] = [:]
    private var channels: [SerialData.Channel: CharacteristicValues] = [:]
    private var channelNames: [SerialData.Channel: Set<String?>] = [:]

    /// - Parameters:
    ///   - characteristic: a handle, a UUID, its first digits, or a part of the name; `manufacturer-data:` or `service-data:` and a number, a UUID or
    ///     a part of the name; nil for all.
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
        advertised = AdvertisedSelection(characteristic, isOfUnknown: isOfUnknown)
        handle = characteristic.flatMap { text in
            text.lowercased().hasPrefix("0x") && text.utf8.count <= 6 ? UInt16(text.dropFirst(2), radix: 16) : nil
        }
    }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        let (frame, time) = (event.frame, event.time.nanoseconds(since: .epoch))
        if case .advertising(let report) = event.detail {
            if advertised != .none { note(report, frame, time, in: trace) }
            return
        }
        if case .sdu(let sdu) = event.detail, let data = sdu.serialData {
            note(data, event, time, in: trace)
            return
        }
        guard !advertised.isOnly else { return }
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
                .characteristic(trace.uuids[key.type], handle),
                name: values.knownName(key.type, .characteristic, in: trace),
                service: key.service.map { trace.uuids[$0] },
                serviceName: key.service.flatMap { values.knownName($0, .service, in: trace) })
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

    private mutating func note(
        _ data: borrowing SerialData, _ event: borrowing Event, _ time: Int64, in trace: borrowing Trace
    ) {
        guard advertised.holds(data.channel) else { return }
        guard count < limits.values, octets + data.octets.count <= limits.octets else {
            leftOut += 1
            return
        }
        count += 1
        octets += data.octets.count
        var entry =
            channels.removeValue(forKey: data.channel) ?? CharacteristicValues(.channel(data.channel), name: nil)
        if let connection = event.connection {
            // One number may be of other services of other devices.
            let name = values.name(of: data.channel, connection, in: trace)
            channelNames[data.channel, default: []].insert(name)
            entry.name = channelNames[data.channel]?.count == 1 ? name : nil
        }
        if data.isWhole {
            let access = AttributeAccess(serialDataSent: event.direction)
            entry.series[ValueDirection(access), default: ValueSeries()].append(
                data.octets, time: time, frame: event.frame)
            entry.accesses[ValueDirection(access), default: []].append(access)
        } else {
            entry.partial += 1
        }
        channels[data.channel] = entry
    }

    /// A device repeats an advertisement until what it says is another.
    private mutating func note(
        _ report: borrowing AdvertisingReport, _ frame: Int, _ time: Int64, in trace: borrowing Trace
    ) {
        let device = report.identity ?? report.address
        var structures = report.data.structures
        while let structure = structures.next() {
            if structure.missing > 0 { continue }
            if let data = structure.manufacturerData {
                note(data.data, of: .manufacturerData(company: data.companyIdentifier), device, frame, time)
            } else if let data = structure.serviceData {
                note(data.data, of: .serviceData(data.uuid), device, frame, time)
            } else if !structure.type.isBuiltIn {
                note(structure.data, of: .adStructure(structure.type), device, frame, time)
            }
        }
    }

    private mutating func note(
        _ data: Bytes, of source: ValueSource, _ device: BluetoothAddress?, _ frame: Int, _ time: Int64
    ) {
        let isSelected = advertisementsSelected[source] ?? advertised.holds(source, values)
        if advertisementsSelected.count < limits.values { advertisementsSelected[source] = isSelected }
        guard isSelected else { return }
        if let known = advertisements[source]?[device], known[known.count - 1].elementsEqual(data.copy()) { return }
        guard count < limits.values, octets + data.count <= limits.octets else {
            leftOut += 1
            return
        }
        count += 1
        octets += data.count
        advertisements[source, default: [:]][device, default: ValueSeries()].append(data, time: time, frame: frame)
    }

    /// What the devices advertise, one device after another: each counts for itself.
    private func advertisedValues() -> [CharacteristicValues] {
        advertisements.map { source, devices in
            var found: CharacteristicValues
            switch source {
            case .serviceData(let uuid):
                found = CharacteristicValues(source, name: values.library.serviceName(of: uuid))
            case .manufacturerData(let company):
                found = CharacteristicValues(source, name: values.library.companyName(of: company))
            case .characteristic, .channel, .adStructure: found = CharacteristicValues(source, name: nil)
            }
            var all = ValueSeries()
            for series in devices.values.sorted(by: { ($1.count, $0.frames[0]) < ($0.count, $1.frames[0]) }) {
                all.append(series)
            }
            found.devices = devices.count
            found.series[.received] = all
            found.accesses[.received] = Array(repeating: .notify, count: all.count)
            return found
        }
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
        var all = advertisedValues()
        all += found.values
        all += channels.values
        let wanted = all.filter(isWanted).sorted {
            $0.count == $1.count ? $0.source.order < $1.source.order : $0.count > $1.count
        }
        let examined = wanted.prefix(Self.characteristicLimit).sorted { $0.source.order < $1.source.order }
        return (examined, wanted.count - examined.count)
    }

    /// Why there are no values; nil if there are some.
    func whyNothing(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> String? {
        guard found.isEmpty, channels.isEmpty, advertisements.isEmpty, selection.characteristic != nil else {
            return nil
        }
        if let sentence = advertised.whyNothing { return sentence }
        let reason = selection.whyNothing(in: trace, integrity.extent, values.library, optionPrefix: "")
        return reason.hasPrefix("nothing meets") ? "the capture has no values of that characteristic" : reason
    }
}

/// Which advertised data and channels are looked at.
private enum AdvertisedSelection: Equatable {
    case none
    /// What no definition reads, and all channels.
    case unknown
    /// nil: no number.
    case channel(SerialData.Channel.Number?)
    /// Manufacturer data of a company, given by its number or by a part of its name; empty: of all.
    case manufacturerData(String)
    /// Service data of a service, given by its UUID or by a part of its name; empty: of all.
    case serviceData(String)
    /// The digits of another AD type; empty: of all.
    case adStructure(String)

    init(_ subject: String?, isOfUnknown: Bool) {
        guard let subject = subject?.lowercased() else {
            self = isOfUnknown ? .none : .unknown
            return
        }
        let parts = subject.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        switch parts[0] {
        case "manufacturer-data": self = .manufacturerData(parts.count > 1 ? String(parts[1]) : "")
        case "service-data": self = .serviceData(parts.count > 1 ? String(parts[1]) : "")
        case "ad-structure": self = .adStructure(parts.count > 1 ? String(parts[1]) : "")
        case "rfcomm" where parts.count > 1: self = .channel(UInt8(parts[1]).map { .rfcomm($0) })
        case "psm" where parts.count > 1:
            let digits = parts[1].hasPrefix("0x") ? parts[1].dropFirst(2) : parts[1]
            self = .channel(UInt16(digits, radix: 16).map { .psm($0) })
        default: self = .none
        }
    }

    /// Whether no characteristic is looked at.
    var isOnly: Bool { self != .none && self != .unknown }

    var whyNothing: String? {
        switch self {
        case .none, .unknown: nil
        case .channel(nil): "a channel is rfcomm: and its number, or psm: and its number in hexadecimal"
        case .channel: "the capture has no data of that channel"
        case .manufacturerData, .serviceData, .adStructure: "no device advertises that in the capture"
        }
    }

    func holds(_ channel: SerialData.Channel) -> Bool { self == .unknown || self == .channel(channel.number) }

    func holds(_ source: ValueSource, _ values: ValueInterpreter) -> Bool {
        switch (self, source) {
        case (.unknown, .manufacturerData(let company)):
            values.library.dissector(for: .manufacturerData(company)) == nil
        case (.unknown, .adStructure(let type)): type.name == nil && values.structureDissector(type) == nil
        case (.unknown, .serviceData(let uuid)): values.library.dissector(for: .serviceData(uuid)) == nil
        case (.manufacturerData(let text), .manufacturerData(let company)):
            text.isEmpty || ValueSource.hex(company).lowercased() == (text.hasPrefix("0x") ? text : "0x" + text)
                || values.library.companyName(of: company)?.lowercased().contains(text) ?? false
        case (.serviceData(let text), .serviceData(let uuid)):
            text.isEmpty || BluetoothUUID(text.uppercased()) == uuid
                || values.library.serviceName(of: uuid)?.lowercased().contains(text) ?? false
        case (.adStructure(let text), .adStructure(let type)):
            text.isEmpty || UInt8(text.hasPrefix("0x") ? text.dropFirst(2) : text[...], radix: 16) == type.rawValue
        default: false
        }
    }
}

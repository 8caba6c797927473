import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// The place of an attribute: table and handle.
package struct AttributePlace: Hashable {
    package let owner: TableOwner
    package let handle: AttributeHandle

    package init(owner: TableOwner, handle: AttributeHandle) {
        self.owner = owner
        self.handle = handle
    }
}

extension Dictionary where Key == AttributePlace {
    /// Data gathered under another address belongs to the device.
    package mutating func follow(_ identification: PeerIdentification) {
        guard identification.peer != identification.previous else { return }
        for (place, moved) in self where place.owner == .peer(identification.previous) {
            self[place] = nil
            let new = AttributePlace(owner: .peer(identification.peer), handle: place.handle)
            if self[new] == nil { self[new] = moved }
        }
    }
}

/// When the last values of an attribute came, and a number of each.
package struct ValueSeries {
    /// Values whose times are kept, and numbers.
    static let timeLimit = 16
    package static let sampleLimit = 40

    /// Nanoseconds from the first record, oldest first.
    private var times: [Int64] = []
    /// Oldest first.
    package private(set) var samples: [Double] = []
    /// The attribute's type at that time.
    private var type: UUIDIndex?
    /// Index into the dissector's fields: the one whose numbers are kept.
    private var field: UInt16?

    mutating func note(_ time: Int64, of type: UUIDIndex?) {
        // Another attribute has the handle now.
        if type != self.type { self = ValueSeries() }
        self.type = type
        // The clock was set back.
        if let last = times.last, time < last { times.removeAll(keepingCapacity: true) }
        if times.count == Self.timeLimit { times.removeFirst() }
        times.append(time)
    }

    /// The first number of the value that is one to measure, and from then on the same field.
    mutating func note(_ dissection: borrowing Dissection, _ dissector: Dissector) {
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.field != DissectedField.unexplainedOctets else { continue }
            if let field, record.field != field { continue }
            guard field != nil || dissector.isMeasurement(record) else { continue }
            guard let number = dissector.number(of: record)?.double, number.isFinite else { continue }
            field = record.field
            if samples.count == Self.sampleLimit { samples.removeFirst() }
            samples.append(number)
            return
        }
    }

    /// Other definitions count other fields.
    mutating func forgetSamples() {
        samples = []
        field = nil
    }

    /// Values in a second, of the last ones; nil if there are too few, or when they have stopped.
    package func perSecond(at now: Int64) -> Double? {
        guard times.count > 1, let first = times.first, let last = times.last else { return nil }
        // A hostile clock names any year: these numbers have no limits that it could pass.
        let (span, silence) = (Double(last) - Double(first), Double(now) - Double(last))
        guard span > 0, silence < max(3 * span / Double(times.count - 1), 2e9) else { return nil }
        return Double(times.count - 1) * 1e9 / span
    }
}

extension Dissector {
    /// Whether a field is a quantity: no flags, no enumeration, no check.
    package func isMeasurement(_ record: DissectedField) -> Bool {
        let field = fields[Int(record.field)]
        guard field.bits.isEmpty, !field.isGiven, case .none = field.labels else { return false }
        if field.unit != nil { return true }
        // Without a unit, when nothing in the definition has one.
        return !fields.contains { $0.unit != nil && $0.bits.isEmpty }
    }
}

/// The series of all attributes.
package struct SeriesTable {
    /// Attributes that are followed; those that come later have no rate and no curve.
    static let limit = 4_096

    private var series = PagedArray<ValueSeries>()
    private var indexes: [AttributePlace: Int] = [:]

    package init() {}

    package subscript(_ place: AttributePlace) -> ValueSeries? { indexes[place].map { series[$0] } }

    package mutating func note(_ place: AttributePlace, _ time: Int64, of type: UUIDIndex?) {
        if let index = indexes[place] { return series[index].note(time, of: type) }
        guard series.count < Self.limit else { return }
        indexes[place] = series.count
        series.append(ValueSeries())
        series[series.count - 1].note(time, of: type)
    }

    package mutating func note(_ place: AttributePlace, _ dissection: borrowing Dissection, _ dissector: Dissector) {
        if let index = indexes[place] { series[index].note(dissection, dissector) }
    }

    package mutating func follow(_ identification: PeerIdentification) { indexes.follow(identification) }

    package mutating func forgetSamples() {
        for index in 0..<series.count { series[index].forgetSamples() }
    }
}

/// A `DerivedDefinition` whose fields have been found.
public struct DerivedField: Sendable {
    /// Name of the quantity.
    public let name: String
    /// Unit of the quantity; nil without one.
    public let unit: String?
    /// The time is that of the capture, in seconds. A counter of full kilojoules stays the same for a while, then steps: measurements go
    /// from one step to the next.
    public let isByClock: Bool
    private let change: [Operand]
    private let per: [Operand]
    private let scale: Scale.Ratio

    /// A field of the layout; several when they exclude each other.
    private struct Operand {
        let field: UInt16
        let bits: Int
        let scale: Scale.Ratio
    }

    /// The raw numbers of one value; nil for a field that is not there.
    public struct Sample: Sendable {
        /// Raw number that changes; nil if its field is missing.
        public internal(set) var change: Int64?
        var per: Int64?
    }

    init(_ definition: DerivedDefinition, fields: [FieldDefinition]) throws(CompileMistake) {
        func operands(_ name: String) throws(CompileMistake) -> [Operand] {
            var found: [Operand] = []
            for (index, field) in fields.enumerated() where field.name == name {
                guard case .unsigned(let bits) = field.type else { continue }
                let scale = field.scale.map { Scale.Ratio(numerator: $0.numerator, denominator: $0.denominator) }
                found.append(Operand(field: UInt16(index), bits: bits, scale: scale ?? .one))
            }
            guard !found.isEmpty else {
                throw CompileMistake(
                    position: definition.position,
                    message: "no unsigned field \"\(name)\""
                        + NearestWord.suggestion(for: name, among: fields.map(\.name)))
            }
            return found
        }
        name = definition.name
        unit = definition.unit
        scale = definition.scale
        isByClock = definition.per == DerivedDefinition.clock
        change = try operands(definition.change)
        let microsecond = Scale.Ratio(numerator: 1, denominator: 1_000_000)
        per = isByClock ? [Operand(field: .max, bits: 64, scale: microsecond)] : try operands(definition.per)
    }

    /// - Parameter microseconds: when the value came.
    public func sample(of dissection: Dissection, at microseconds: Int64) -> Sample {
        var sample = Sample()
        if isByClock { sample.per = microseconds }
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.special == .none else { continue }
            if change.contains(where: { $0.field == record.field }) { sample.change = record.raw }
            if per.contains(where: { $0.field == record.field }) { sample.per = record.raw }
        }
        return sample
    }

    /// How much one changed for each unit of the other; counters restart at 0 after their highest value.
    ///
    /// nil when the second one did not change, or something is not there.
    public func value(from earlier: Sample, to later: Sample) -> Double? {
        // A clock that was set back has measured nothing.
        if isByClock, let first = earlier.per, let second = later.per, second < first { return nil }
        guard let change = Self.difference(earlier.change, later.change, self.change),
            let per = Self.difference(earlier.per, later.per, self.per), per != 0
        else { return nil }
        return (change / per * Double(scale)).rounded(toSignificantDigits: 4)
    }

    private static func difference(_ earlier: Int64?, _ later: Int64?, _ operands: [Operand]) -> Double? {
        guard let earlier, let later, let operand = operands.first else { return nil }
        let mask = UInt64.max >> UInt64(64 - operand.bits)
        return Double(UInt64(bitPattern: later &- earlier) & mask) * Double(operand.scale)
    }
}

extension Double {
    fileprivate init(_ ratio: Scale.Ratio) {
        self = Double(ratio.numerator) / Double(ratio.denominator)
    }
}

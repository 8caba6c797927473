import AttlasDissection
import AttlasText

/// A column of the wide form of a characteristic: a field of its definition, or some bits of one. It depends on no capture.
package struct WideColumn: Sendable {
    package enum Kind: String, Sendable {
        /// `unsigned`: an integer that may have all 64 bits.
        case integer, unsigned, real, boolean, text

        /// The kind that holds both.
        fileprivate func joined(with other: Kind) -> Kind {
            switch (self, other) {
            case (let same, other) where same == other: same
            case (.text, _), (_, .text): .text
            case (.real, _), (_, .real): .real
            case (.unsigned, _), (_, .unsigned): .unsigned
            default: .integer
            }
        }
    }

    /// As in the table `fields`.
    package let path: String
    package private(set) var kind: Kind
    /// A value may have the field several times.
    package private(set) var isList: Bool
    /// Some of its numbers are special values, with a name instead of a number.
    package private(set) var hasSpecials: Bool
    /// nil if definitions differ.
    package private(set) var unit: String?

    /// In the order of the definition.
    ///
    /// - Parameter dissectors: those that read the characteristic in some service; a field of several has one column.
    package static func all(of dissectors: [Dissector]) -> [WideColumn] {
        var columns: [WideColumn] = []
        var places: [String: Int] = [:]
        func add(_ column: WideColumn) {
            guard let place = places[column.path] else {
                places[column.path] = columns.count
                return columns.append(column)
            }
            columns[place].join(column)
        }
        for dissector in dissectors {
            var outer: [FieldDescription] = []
            for field in dissector.fields {
                outer.removeLast(max(0, outer.count - field.depth))
                let isList = field.isRepeated || outer.contains(where: \.isRepeated)
                func path(_ names: [String]) -> String {
                    var text = TextBuffer()
                    for (index, name) in (outer.map(\.name) + names).enumerated() {
                        if index > 0 { text.append("/") }
                        text.append(display: name)
                    }
                    return text.text
                }
                guard field.type != .structure else {
                    outer.append(field)
                    continue
                }
                add(
                    WideColumn(
                        path: path([field.name]), kind: field.wideKind, isList: isList, hasSpecials: field.hasSpecials,
                        unit: field.unit))
                for bits in field.bits {
                    add(
                        WideColumn(
                            path: path([field.name, bits.name]), kind: bits.isFlag ? .boolean : .integer,
                            isList: isList, hasSpecials: false, unit: nil))
                }
            }
        }
        return columns
    }

    private mutating func join(_ other: WideColumn) {
        kind = kind.joined(with: other.kind)
        isList = isList || other.isList
        hasSpecials = hasSpecials || other.hasSpecials
        if unit != other.unit { unit = nil }
    }
}

extension FieldDescription {
    fileprivate var wideKind: WideColumn.Kind {
        switch type {
        case .unsigned(let bits): isFraction ? .real : bits == 64 && scale == nil ? .unsigned : .integer
        case .varint: isFraction ? .real : .unsigned
        case .coded(.decimalText): .real
        case .coded(.hexadecimalText): isFraction ? .real : .unsigned
        case .signed, .coded: isFraction ? .real : .integer
        case .handle, .connectionHandle: .integer
        case .medfloat16, .medfloat32, .float32, .float64, .timeExponential8, .powerOfTwo64: .real
        case .utf8, .utf8z, .bytes, .advertisingData, .uuid, .uuid16, .address, .secret, .structure, .use: .text
        }
    }

    private var isFraction: Bool {
        guard let scale else { return false }
        return scale.denominator != 1 || scale.offset.denominator != 1
    }

    fileprivate var hasSpecials: Bool {
        switch type {
        case .medfloat16, .medfloat32, .float32, .float64, .coded: true
        default: !specials.isEmpty
        }
    }
}

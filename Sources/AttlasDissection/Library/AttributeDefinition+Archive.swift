import AttlasWire

// The order of the fields here is the format. Positions and examples are not included: only editors of a file need them.

extension AttributeDefinition {
    static let empty = AttributeDefinition(
        kind: .characteristic, uuid: BluetoothUUID(0 as UInt16), name: "", layouts: [], examples: [], position: .none)

    mutating func code(with coder: inout ArchiveCoder) {
        var kind = Int(self.kind.rawValue)
        coder.code(&kind)
        self.kind = Kind(rawValue: UInt8(kind)) ?? .characteristic
        coder.code(&uuid)
        coder.code(&name)
        coder.code(&services, empty: AttributeDefinition.empty.uuid) { $0.code(&$1) }
        coder.code(&confidence, among: Confidence.allCases)
        coder.code(&sensitivity, empty: Sensitivity(.health)) { coder, sensitivity in
            coder.code(&sensitivity.subject, among: Sensitivity.Subject.allCases)
            coder.code(&sensitivity.isEncryptionDemanded)
        }
        coder.code(&condition, empty: AdvertisedCondition()) { coder, condition in
            coder.code(&condition.company, empty: 0) { coder, company in
                var number = Int(company)
                coder.code(&number)
                company = UInt16(truncatingIfNeeded: number)
            }
            coder.code(&condition.names, empty: "") { $0.code(&$1) }
            coder.code(&condition.services, empty: AttributeDefinition.empty.uuid) { $0.code(&$1) }
            coder.code(&condition.lengths, empty: 0) { $0.code(&$1) }
        }
        coder.code(&context, empty: .empty) { $1.code(with: &$0) }
        coder.code(&assembly, empty: .empty) { $1.code(with: &$0) }
        coder.code(&decoder, empty: .hidReport) { $0.code(&$1, among: NamedDecoder.allCases) }
        coder.code(&derived, empty: .empty) { $1.code(with: &$0) }
        coder.code(&layouts, empty: Layout(operations: [], elements: [])) { $1.code(with: &$0) }
    }
}

extension Layout {
    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        coder.code(&operations)
        coder.code(elements: &elements)
        coder.code(&summary, empty: .empty) { $1.code(with: &$0) }
    }
}

extension SourceText {
    fileprivate static let empty = SourceText(text: "", position: .none)

    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        coder.code(&text)
    }
}

extension ArchiveCoder {
    fileprivate mutating func code(_ operations: inout [AttributeAccess]) {
        var set = operations.reduce(0) { $0 | 1 << Int($1.rawValue) }
        code(&set)
        operations = AttributeAccess.allCases.filter { set >> Int($0.rawValue) & 1 != 0 }
    }

    fileprivate mutating func code<Case: Equatable>(_ value: inout Case, among cases: [Case]) {
        var index = cases.firstIndex(of: value) ?? 0
        code(&index)
        value = cases[index]
    }

    fileprivate mutating func code(_ ratio: inout Scale.Ratio) {
        code(&ratio.numerator)
        code(&ratio.denominator)
    }

    fileprivate mutating func code(_ range: inout ClosedRange<Int64>) {
        var (first, last) = (range.lowerBound, range.upperBound)
        code(&first)
        code(&last)
        range = first...last
    }

    fileprivate mutating func code(octets: inout [UInt8]) {
        code(&octets, empty: 0) { coder, octet in
            var number = Int(octet)
            coder.code(&number)
            octet = UInt8(truncatingIfNeeded: number)
        }
    }

    fileprivate mutating func code(elements: inout [Element]) {
        code(&elements, empty: .choice([])) { $1.code(with: &$0) }
    }

    fileprivate mutating func code(labels: inout [LabelledRange]) {
        code(&labels, empty: LabelledRange(first: 0, last: 0, label: "")) { coder, range in
            coder.code(&range.first)
            coder.code(&range.last)
            coder.code(&range.label)
        }
    }
}

extension Element {
    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        switch self {
        case .field(var field) where !coder.isReading:
            var isField = true
            coder.code(&isField)
            field.code(with: &coder)
        case .field, .choice:
            var branches: [Branch] = []
            if case .choice(let own) = self { branches = own }
            var isField = false
            coder.code(&isField)
            if isField {
                var field = FieldDefinition.empty
                field.code(with: &coder)
                self = .field(field)
                return
            }
            coder.code(&branches, empty: Branch(condition: nil, elements: [])) { coder, branch in
                coder.code(&branch.condition, empty: .empty) { $1.code(with: &$0) }
                coder.code(elements: &branch.elements)
                coder.code(&branch.summary, empty: .empty) { $1.code(with: &$0) }
            }
            self = .choice(branches)
        }
    }
}

extension FieldDefinition {
    fileprivate static let empty = FieldDefinition(
        name: "", type: .bytes, labels: .none, bits: [], specials: [], repetition: .once, elements: [], position: .none)

    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        coder.code(&name)
        type.code(with: &coder)
        coder.code(&unit, empty: "") { $0.code(&$1) }
        coder.code(&scale, empty: Scale(.one)) { coder, scale in
            coder.code(&scale.numerator)
            coder.code(&scale.denominator)
            coder.code(&scale.offset)
        }
        labels.code(with: &coder)
        coder.code(&bits, empty: BitField(first: 0, last: 0, name: "", labels: [])) { coder, bits in
            coder.code(&bits.first)
            coder.code(&bits.last)
            coder.code(&bits.name)
            coder.code(labels: &bits.labels)
        }
        coder.code(labels: &specials)
        coder.code(&permitted, empty: 0...0) { $0.code(&$1) }
        coder.code(&epoch, empty: Epoch(days: 0)) { $0.code(&$1.days) }
        coder.code(&isBigEndian)
        coder.code(&check, empty: Checksum(.sum8)) { $1.code(with: &$0) }
        coder.code(&computed, empty: .empty) { $1.code(with: &$0) }
        coder.code(&size, empty: .empty) { $1.code(with: &$0) }
        repetition.code(with: &coder)
        coder.code(elements: &elements)
        coder.code(&summary, empty: .empty) { $1.code(with: &$0) }
        coder.code(&mayBeText)
        coder.code(&isSecret)
        coder.code(&keptName, empty: "") { $0.code(&$1) }
        // Few fields have one of these.
        var hasMore = marker != nil || constant != nil || note != nil || padding != nil || outcome != nil
        coder.code(&hasMore)
        guard hasMore else { return }
        coder.code(&marker, empty: Marker([])) { coder, marker in
            coder.code(octets: &marker.octets)
            coder.code(&marker.isOptional)
        }
        coder.code(&constant, empty: []) { $0.code(octets: &$1) }
        coder.code(&padding, empty: 0) { coder, octet in
            var number = Int(octet)
            coder.code(&number)
            octet = UInt8(truncatingIfNeeded: number)
        }
        coder.code(&note, empty: "") { $0.code(&$1) }
        coder.code(&outcome, empty: FieldOutcome()) { coder, outcome in
            coder.code(&outcome.refused, empty: 0...0) { $0.code(&$1) }
            coder.code(&outcome.harmless, empty: 0...0) { $0.code(&$1) }
            coder.code(&outcome.restarts, empty: 0...0) { $0.code(&$1) }
            coder.code(&outcome.asked, empty: "") { $0.code(&$1) }
        }
    }
}

extension FieldType {
    private static let plain: [FieldType] = [
        .medfloat16, .medfloat32, .float32, .float64, .utf8, .utf8z, .bytes, .uuid, .uuid16, .address, .handle,
        .structure, .timeExponential8, .powerOfTwo64, .connectionHandle, .advertisingData, .varint, .coded(.zigzag),
        .coded(.decimalText), .coded(.hexadecimalText),
    ]
    /// After the numbers of the others.
    private static let codes: [@Sendable (Int) -> FieldType] = [
        { .coded(.decimalDigits(bits: $0)) }, { .coded(.signMagnitude(bits: $0)) },
    ]

    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        var number = 0
        var bits = 0
        var uuid = AttributeDefinition.empty.uuid
        switch self {
        case .unsigned(let width): (number, bits) = (0, width)
        case .signed(let width): (number, bits) = (1, width)
        case .use(let used): (number, uuid) = (2, used)
        case .coded(.decimalDigits(let width)): (number, bits) = (3 + Self.plain.count, width)
        case .coded(.signMagnitude(let width)): (number, bits) = (4 + Self.plain.count, width)
        default: number = 3 + (Self.plain.firstIndex(of: self) ?? 0)
        }
        coder.code(&number)
        switch number {
        case 0:
            coder.code(&bits)
            self = .unsigned(bits: bits)
        case 1:
            coder.code(&bits)
            self = .signed(bits: bits)
        case 2:
            coder.code(&uuid)
            self = .use(uuid)
        case (3 + Self.plain.count)...:
            coder.code(&bits)
            self = Self.codes[number - 3 - Self.plain.count](bits)
        default:
            self = Self.plain[number - 3]
        }
    }
}

extension Checksum {
    /// The width of a CRC and its parameters; 0 or 1 for the others, and theirs.
    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        var numbers: [Int]
        switch algorithm {
        case .sum(let sum):
            numbers = [
                0, sum.bits, Int(sum.initial), Int(sum.modulus), sum.isNegated ? 1 : 0, Int(sum.final),
            ]
        case .xor(let initial): numbers = [1, Int(initial)]
        case .crc(let width, let polynomial, let initial, let isReflected, let final):
            numbers = [width, Int(polynomial), Int(initial), isReflected ? 1 : 0, Int(final)]
        }
        coder.code(&numbers, empty: 0) { $0.code(&$1) }
        switch numbers[0] {
        case 0:
            algorithm = .sum(
                Sum(
                    bits: numbers[1], initial: UInt16(numbers[2]), modulus: UInt32(numbers[3]),
                    isNegated: numbers[4] != 0, final: UInt16(numbers[5])))
        case 1: algorithm = .xor(initial: UInt8(numbers[1]))
        case let width:
            algorithm = .crc(
                width: width, polynomial: UInt32(numbers[1]), initial: UInt32(numbers[2]), isReflected: numbers[3] != 0,
                final: UInt32(numbers[4]))
        }
        coder.code(&start)
        coder.code(&endsBefore)
        coder.code(&fields, empty: Fields(first: "", last: "")) { coder, fields in
            coder.code(&fields.first)
            coder.code(&fields.last)
        }
    }
}

extension Repetition {
    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        var number = 0
        var count = SourceText.empty
        var marker: [UInt8] = []
        switch self {
        case .once: number = 0
        case .toEnd: number = 1
        case .count(let source): (number, count) = (2, source)
        case .toMarker(let octets): (number, marker) = (3, octets)
        }
        coder.code(&number)
        switch number {
        case 0: self = .once
        case 1: self = .toEnd
        case 3:
            coder.code(octets: &marker)
            self = .toMarker(marker)
        default:
            count.code(with: &coder)
            self = .count(count)
        }
    }
}

extension Labels {
    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        var number = 0
        var ranges: [LabelledRange] = []
        switch self {
        case .none: number = 0
        case .ranges(let own): (number, ranges) = (1, own)
        case .assigned(let table): number = 2 + (AssignedNumbers.Table.allCases.firstIndex(of: table) ?? 0)
        }
        coder.code(&number)
        switch number {
        case 0: self = .none
        case 1:
            coder.code(labels: &ranges)
            self = .ranges(ranges)
        default: self = .assigned(AssignedNumbers.Table.allCases[number - 2])
        }
    }
}

extension ContextDefinition {
    fileprivate static let empty = ContextDefinition(
        name: "", source: .service, otherwise: .empty, position: .none)

    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        coder.code(&name)
        var uuid: BluetoothUUID?
        var field: String?
        switch source {
        case .service: break
        case .attribute(let other, let name): (uuid, field) = (other, name)
        case .request(let name): field = name
        }
        coder.code(&field, empty: "") { $0.code(&$1) }
        if let field {
            coder.code(&uuid, empty: AttributeDefinition.empty.uuid) { $0.code(&$1) }
            source = uuid.map { .attribute($0, field: field) } ?? .request(field: field)
        }
        otherwise.code(with: &coder)
    }
}

extension DerivedDefinition {
    fileprivate static let empty = DerivedDefinition(name: "", change: "", per: "", scale: .one, position: .none)

    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        coder.code(&name)
        coder.code(&change)
        coder.code(&per)
        coder.code(&scale)
        coder.code(&unit, empty: "") { $0.code(&$1) }
    }
}

extension AssemblyDefinition {
    fileprivate static let empty = AssemblyDefinition(operations: [], rule: .total(0), timeoutMilliseconds: 0)

    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        coder.code(&operations)
        coder.code(&timeoutMilliseconds)
        rule.code(with: &coder)
        coder.code(octets: &start)
        var escaped = escape.map { [$0.octet, $0.mask] } ?? []
        coder.code(octets: &escaped)
        if escaped.count == 2 { escape = Escape(octet: escaped[0], mask: escaped[1]) }
        coder.code(&cipher, empty: Cipher(.exclusiveOr, key: [])) { coder, cipher in
            var kind = cipher.kind.rawValue
            coder.code(&kind)
            cipher.kind = Cipher.Kind(rawValue: kind) ?? .exclusiveOr
            coder.code(octets: &cipher.key)
            coder.code(octets: &cipher.counter)
            coder.code(&cipher.start)
        }
    }
}

extension AssemblyDefinition.Rule {
    /// The kind, then its numbers.
    fileprivate mutating func code(with coder: inout ArchiveCoder) {
        var numbers: [Int]
        switch self {
        case .length(let offset, let octets, let isBigEndian, let plus):
            numbers = [0, offset, octets, isBigEndian ? 1 : 0, plus]
        case .total(let total): numbers = [1, total]
        case .kind(let offset, let lengths, let otherwise):
            numbers = [4, offset, otherwise ?? 0]
            for length in lengths { numbers += [length.kinds.lowerBound, length.kinds.upperBound, length.octets] }
        case .terminator(let end): numbers = [2] + end.map { Int($0) }
        case .header(let header):
            let bits = [header.mask, header.complete, header.first, header.middle, header.last, header.sequence]
            numbers = [3, header.octets, header.isKept ? 1 : 0] + bits.map { Int(truncatingIfNeeded: $0) }
            for length in header.lengths {
                numbers += [
                    Int(length.mask), Int(length.value), length.octets, length.isBigEndian ? 1 : 0,
                    Int(truncatingIfNeeded: length.bits),
                ]
            }
        case .value: numbers = [5]
        case .stuffed(let stuffing): numbers = [stuffing == .slip ? 6 : 7]
        }
        coder.code(&numbers, empty: 0) { $0.code(&$1) }
        func bits(_ index: Int) -> UInt64 { UInt64(truncatingIfNeeded: numbers[index]) }
        switch numbers[0] {
        case 0:
            self = .length(offset: numbers[1], octets: numbers[2], isBigEndian: numbers[3] != 0, plus: numbers[4])
        case 1: self = .total(numbers[1])
        case 4:
            let lengths = stride(from: 3, to: numbers.count, by: 3).map { index in
                AssemblyDefinition.KindLength(
                    kinds: numbers[index]...numbers[index + 1], octets: numbers[index + 2])
            }
            self = .kind(offset: numbers[1], lengths: lengths, otherwise: numbers[2] == 0 ? nil : numbers[2])
        case 2: self = .terminator(numbers.dropFirst().map { UInt8(truncatingIfNeeded: $0) })
        case 5: self = .value
        case 6, 7: self = .stuffed(numbers[0] == 6 ? .slip : .cobs)
        default:
            var header = AssemblyDefinition.PartHeader(
                octets: numbers[1], mask: bits(3), complete: bits(4), first: bits(5), middle: bits(6),
                last: bits(7), sequence: bits(8), isKept: numbers[2] != 0)
            header.lengths = stride(from: 9, to: numbers.count, by: 5).map { index in
                .init(
                    mask: UInt8(numbers[index]), value: UInt8(numbers[index + 1]), octets: numbers[index + 2],
                    isBigEndian: numbers[index + 3] != 0, bits: bits(index + 4))
            }
            self = .header(header)
        }
    }
}

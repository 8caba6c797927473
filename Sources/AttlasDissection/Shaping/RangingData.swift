import AttlasWire

/// The steps in ranging data, whose layout follows from how channel sounding was configured and from the filters that the
/// client set. Ranging Service 1.0, 3.2.1; Core Specification 6.0, Vol 4, Part E, 7.7.65.44.
///
/// ```
/// step:   Step_Mode (1: mode in bits 0–1, bit 7 aborted), then unless it was aborted
/// mode 0: Packet_Quality (1), Packet_RSSI (1), Packet_Antenna (1), of an initiator Measured_Freq_Offset (2)
/// mode 1: Packet_Quality (1), Packet_NADM (1), Packet_RSSI (1), ToA_ToD_Initiator or ToD_ToA_Reflector (2),
///         Packet_Antenna (1), with a sounding sequence Packet_PCT1 (4), Packet_PCT2 (4)
/// mode 2: Antenna_Permutation_Index (1), for each antenna path and once more Tone_PCT (3), Tone_Quality_Indicator (1)
/// mode 3: that of mode 1, that of mode 2
/// ```
public enum RangingData {
    /// RAS Control Point, which sets the filters.
    static let controlPoint = BluetoothUUID(0x2C17 as UInt16)
    /// The field of the definition that stands for the steps as octets.
    private static let steps = "Steps"

    /// Conditions that the layout depends on, besides the octets themselves.
    public struct Conditions: Equatable, Sendable {
        /// By Configuration ID; nil if it is not in the capture.
        var configurations: [Configuration?]
        package var filters: Filters

        /// Takes the configurations by their IDs, from 0.
        public init(configurations: [Configuration?], filters: Filters) {
            self.configurations = configurations
            self.filters = filters
        }
    }

    /// A Channel Sounding configuration, as far as the layout depends on it.
    public struct Configuration: Equatable, Sendable {
        /// The device that sends the data, which measured them.
        var isInitiator: Bool
        /// Whether packets for time measurement have a sounding sequence of 32 or 96 bits.
        var hasSoundingSequence: Bool

        /// - Parameter roundTripTime: RTT_Type of LE CS Config Complete.
        public init(isInitiator: Bool, roundTripTime: UInt8) {
            self.isInitiator = isInitiator
            hasSoundingSequence = roundTripTime == 0x01 || roundTripTime == 0x02
        }
    }

    /// Which fields of a step are sent, for each mode a bit in their order. All, until the client sets others.
    public struct Filters: Equatable, Sendable {
        private(set) var byMode: [UInt16] = [0x3FFF, 0x3FFF, 0x3FFF, 0x3FFF]
        /// Set by a write that has not been answered.
        private var pending: (mode: Int, bits: UInt16)?

        /// All fields of all modes.
        public init() {}

        public static func == (first: Self, second: Self) -> Bool { first.byMode == second.byMode }

        /// Set Filter: op code 0x04, then the mode in two bits and the fields in fourteen. In force when the server answers
        /// Response Code (0x02) with Success (0x01) or Success (Persisted) (0x04).
        public mutating func follow(controlPoint value: Bytes, _ access: AttributeAccess) {
            if access == .write {
                pending = nil
                guard value.count == 3, value[0] == 0x04 else { return }
                let configuration = value.uint16(at: 1)
                pending = (Int(configuration & 3), configuration >> 2)
            } else if value.count == 2, value[0] == 0x02 {
                if let pending, value[1] == 0x01 || value[1] == 0x04 { byMode[pending.mode] = pending.bits }
                pending = nil
            }
        }

        func has(_ bit: Int, _ mode: Int) -> Bool { byMode[mode] >> UInt16(bit) & 1 != 0 }
    }

    // MARK: Layout

    /// The elements of the definition with the steps in the place of their octets.
    static func elements(
        of elements: [Element], _ conditions: Conditions, definition: (BluetoothUUID) -> AttributeDefinition?
    ) -> [Element] {
        elements.map { element in
            switch element {
            case .choice(let branches):
                return .choice(
                    branches.map { branch in
                        Branch(
                            condition: branch.condition,
                            elements: self.elements(of: branch.elements, conditions, definition: definition))
                    })
            case .field(let field) where field.name == steps && field.type == .bytes:
                return steps(instead: field, conditions)
            case .field(var field):
                var inner = field.elements
                if case .use(let uuid) = field.type, let layout = definition(uuid)?.layouts.first {
                    field.type = .structure
                    field.summary = field.summary ?? layout.summary
                    inner = layout.elements
                }
                field.elements = self.elements(of: inner, conditions, definition: definition)
                return .field(field)
            }
        }
    }

    /// The steps of each configuration that is known; octets in any other.
    private static func steps(instead field: FieldDefinition, _ conditions: Conditions) -> Element {
        var branches = conditions.configurations.enumerated().compactMap { id, configuration in
            configuration.map { configuration in
                Branch(
                    condition: expression("`Configuration ID` == \(id)"),
                    elements: [.field(step(configuration, conditions.filters))])
            }
        }
        branches.append(Branch(condition: nil, elements: [.field(field)]))
        return .choice(branches)
    }

    private static func step(_ configuration: Configuration, _ filters: Filters) -> FieldDefinition {
        var mode = FieldDefinition.named("Step Mode", .unsigned(bits: 8))
        mode.bits = [
            BitField(first: 0, last: 1, name: "Mode", labels: []),
            BitField(first: 7, last: 7, name: "Aborted", labels: []),
        ]
        let modes = [
            calibration(configuration, filters), packet(configuration, filters, mode: 1),
            tones(filters, mode: 2, from: 0),
            packet(configuration, filters, mode: 3) + tones(filters, mode: 3, from: 7),
        ]
        var branches = [Branch(condition: expression("Aborted"), elements: [])]
        for (mode, fields) in modes.enumerated() {
            branches.append(Branch(condition: expression("Mode == \(mode)"), elements: fields.map(Element.field)))
        }
        var step = FieldDefinition.named("Step", .structure)
        step.repetition = .count(expression("`Number of Steps Reported`"))
        step.elements = [.field(mode), .choice(branches)]
        return step
    }

    /// Mode 0.
    private static func calibration(_ configuration: Configuration, _ filters: Filters) -> [FieldDefinition] {
        var fields = [packetQuality, rssi, antenna]
        if configuration.isInitiator {
            var offset = FieldDefinition.named("Measured Frequency Offset", .signed(bits: 15))
            offset.scale = Scale.Ratio("0.01").map { Scale($0) }
            offset.unit = "ppm"
            offset.specials = [LabelledRange(first: -16_384, last: -16_384, label: "not available")]
            fields.append(offset)
        }
        var sent = fields.enumerated().filter { filters.has($0.offset, 0) }.map(\.element)
        // A number of 15 bits fills its octets.
        if sent.last?.type == .signed(bits: 15) { sent.append(.named("Reserved", .unsigned(bits: 1))) }
        return sent
    }

    /// Mode 1, and the first half of mode 3.
    private static func packet(
        _ configuration: Configuration, _ filters: Filters, mode: Int
    ) -> [FieldDefinition] {
        var detector = FieldDefinition.named("Packet NADM", .unsigned(bits: 8))
        detector.labels = labels([
            0: "attack extremely unlikely", 1: "attack very unlikely", 2: "attack unlikely", 3: "attack possible",
            4: "attack likely", 5: "attack very likely", 6: "attack extremely likely", 0xFF: "unknown",
        ])
        var time = FieldDefinition.named(
            configuration.isInitiator ? "ToA-ToD Initiator" : "ToD-ToA Reflector", .signed(bits: 16))
        time.scale = Scale.Ratio("0.5").map { Scale($0) }
        time.unit = "ns"
        time.specials = [LabelledRange(first: -32_768, last: -32_768, label: "not available")]
        var fields = [packetQuality, detector, rssi, time, antenna]
        if configuration.hasSoundingSequence {
            // How the four octets hold the two parts of the term is not published in a form we could check.
            for name in ["Packet PCT1", "Packet PCT2"] {
                var term = FieldDefinition.named(name, .unsigned(bits: 32))
                term.specials = [LabelledRange(first: 0xFFFF_FFFF, last: 0xFFFF_FFFF, label: "not available")]
                fields.append(term)
            }
        }
        return fields.enumerated().filter { filters.has($0.offset, mode) }.map(\.element)
    }

    /// Mode 2, and the second half of mode 3. The paths that a filter leaves out are not in the mask, either.
    private static func tones(_ filters: Filters, mode: Int, from bit: Int) -> [FieldDefinition] {
        var tone = FieldDefinition.named("Tone", .structure)
        tone.repetition = .count(
            expression((1...4).map { "`Antenna Path \($0)`" }.joined(separator: " + ") + " + 1"))
        if filters.has(bit + 1, mode) {
            for name in ["I", "Q"] { tone.elements.append(.field(.named(name, .signed(bits: 12)))) }
        }
        if filters.has(bit + 2, mode) {
            var quality = FieldDefinition.named("Tone Quality Indicator", .unsigned(bits: 8))
            quality.bits = [
                bits(0...3, "Tone Quality", ["good", "medium", "low", "unavailable"]),
                bits(4...7, "Tone Extension", ["no extension slot", "no tone expected", "tone expected"]),
            ]
            tone.elements.append(.field(quality))
        }
        var fields: [FieldDefinition] = []
        if filters.has(bit, mode) { fields.append(.named("Antenna Permutation Index", .unsigned(bits: 8))) }
        if !tone.elements.isEmpty { fields.append(tone) }
        return fields
    }

    // MARK: Fields

    private static var packetQuality: FieldDefinition {
        var field = FieldDefinition.named("Packet Quality", .unsigned(bits: 8))
        field.bits = [
            bits(0...3, "Access Address Check", ["no errors", "bit errors", "not found"]),
            BitField(first: 4, last: 7, name: "Bit Errors", labels: []),
        ]
        return field
    }

    private static var rssi: FieldDefinition {
        var field = FieldDefinition.named("Packet RSSI", .signed(bits: 8))
        field.unit = "dBm"
        field.specials = [LabelledRange(first: 0x7F, last: 0x7F, label: "not available")]
        return field
    }

    private static var antenna: FieldDefinition { .named("Packet Antenna", .unsigned(bits: 8)) }

    private static func labels(_ labels: [Int64: String]) -> Labels {
        .ranges(labels.map { LabelledRange(first: $0.key, last: $0.key, label: $0.value) })
    }

    private static func bits(_ range: ClosedRange<Int>, _ name: String, _ labels: [String]) -> BitField {
        let labels = labels.enumerated().map { number, label in
            LabelledRange(first: Int64(number), last: Int64(number), label: label)
        }
        return BitField(first: range.lowerBound, last: range.upperBound, name: name, labels: labels)
    }

    private static func expression(_ text: String) -> SourceText { SourceText(text: text, position: .none) }
}

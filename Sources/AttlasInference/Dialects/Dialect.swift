import AttlasDissection

/// A format that many devices use. The most specific come first.
package enum Dialect: String, CaseIterable, Sendable {
    case json = "JSON"
    case at = "AT commands"
    case modbus = "Modbus RTU"
    case tuyaSerial = "Tuya serial frames"
    case tuya = "Tuya Bluetooth LE"
    case smp = "Simple Management Protocol (SMP)"
    case coap = "CoAP"
    case slip = "SLIP"
    case cobs = "COBS"
    case lines = "lines of text"
    case cbor = "CBOR"
    case messagePack = "MessagePack"
    case protobuf = "Protocol Buffers"
    case typeLengthValue = "type, length, value"
    case lengthTypeValue = "length, type, value"

    /// Whether its text needs no layout.
    package var isText: Bool { [.json, .at, .lines].contains(self) }

    /// Whether octets at fixed places have separate meanings.
    package var hasFields: Bool { [.modbus, .tuyaSerial, .smp, .slip, .cobs].contains(self) }

    /// The code that its frames are decoded with.
    var stuffing: AssemblyDefinition.OctetStuffing? { self == .slip ? .slip : self == .cobs ? .cobs : nil }

    /// What a message consists of; equal for messages that support the claim only once. nil if it is none.
    func structure(of message: ArraySlice<UInt8>) -> [UInt8]? {
        switch self {
        case .json: JSONText.isDocument(message) ? Array(message) : nil
        case .at: TextMessages.isCommand(message) ? Array(message) : nil
        case .lines: TextMessages.isLines(message) ? Array(message) : nil
        case .modbus: Frames.isModbus(message) ? Array(message) : nil
        case .tuyaSerial: Frames.isTuyaSerial(message) ? Array(message) : nil
        case .tuya: Frames.isTuya(message) ? Array(message) : nil
        case .smp: Frames.isSMP(message) ? Array(message) : nil
        case .coap: Frames.coapStructure(message)
        case .slip: Frames.isSLIP(message) ? Array(message) : nil
        case .cobs: Frames.cobsStructure(message)
        case .cbor: ObjectReader.structure(message) { $0.readCBOR() }
        case .messagePack: ObjectReader.structure(message) { $0.readMessagePack() }
        case .protobuf: ObjectReader.structure(message) { $0.readProtobuf() }
        case .typeLengthValue: Frames.records(message, lengthAt: 1, plus: 2)
        case .lengthTypeValue: Frames.records(message, lengthAt: 0, plus: 1)
        }
    }
}

/// A format that the messages are in.
package struct InferredDialect: Sendable {
    package let dialect: Dialect
    package let evidence: Evidence
}

/// Tries the known formats. That messages are in one is no coincidence if they are not when their octets are in another order.
struct DialectSearch {
    private let series: ValueSeries
    private let distinct: [Int]

    private static let mostMessages = 2_048
    private static let trials = 4_096
    /// Octets of these.
    private static let trialOctets = 1 << 21

    init(_ series: ValueSeries) {
        self.series = series
        distinct = series.distinctIndexes(atMost: Self.mostMessages)
    }

    func result() -> InferredDialect? {
        guard distinct.count >= InferenceLimits.fewest, series.lengths.upperBound <= InferenceLimits.longestMessage
        else { return nil }
        for dialect in Dialect.allCases {
            if let evidence = evidence(for: dialect) { return InferredDialect(dialect: dialect, evidence: evidence) }
        }
        return nil
    }

    private func evidence(for dialect: Dialect) -> Evidence? {
        var structures: Set<[UInt8]> = []
        var hits = 0
        for (number, index) in distinct.enumerated() {
            if let structure = dialect.structure(of: series[index]) {
                hits += 1
                structures.insert(structure)
            } else if number + 1 - hits > max(1, distinct.count / 20) {
                return nil
            }
        }
        var (shuffler, shuffled, trials, octets) = (Shuffler(), 0, 0, 0)
        while trials < Self.trials, octets < Self.trialOctets {
            for index in distinct where trials < Self.trials && octets < Self.trialOctets {
                trials += 1
                octets += series.length(index) + 1
                if dialect.structure(of: shuffler.shuffled(series[index])) != nil { shuffled += 1 }
            }
        }
        let each = Chance.log2(Double(trials + 2) / Double(shuffled + 1))
        let bits =
            Double(structures.count) * each - Double(distinct.count) * Chance.entropy([hits, distinct.count - hits])
        let whole = bits - Chance.cost(of: 2 * Dialect.allCases.count)
        guard structures.count >= 4, whole >= Chance.limit else { return nil }
        return Evidence(support: hits, of: distinct.count, distinct: distinct.count, bits: whole)
    }
}

/// The octets of a message in another order, the same in each run.
private struct Shuffler: RandomNumberGenerator {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func shuffled(_ message: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        message.shuffled(using: &self)[...]
    }
}

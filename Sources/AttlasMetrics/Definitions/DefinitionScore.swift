import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// How well definitions read the values of a capture.
public struct DefinitionScore: CaptureDocument {
    public let integrity: CaptureIntegrity
    /// In the order of the files.
    package let definitions: [Definition]

    /// One definition, and the values that it read.
    package struct Definition: Sendable {
        package let uuid: BluetoothUUID
        package let name: String
        let services: [BluetoothUUID]
        /// Values and whole messages.
        package internal(set) var values = 0
        /// Values that were read to their end, without unexplained octets and without a contradiction.
        package internal(set) var whole = 0
        /// Octets of these values.
        package internal(set) var octets = 0
        /// Octets with a constant, a valid check, or a field whose name means more than their place.
        package internal(set) var explained = 0
        /// Values of which more may follow, or which the capture cut: only that is counted.
        package internal(set) var partial = 0
        /// Parts of messages.
        package internal(set) var parts = 0
        /// The most frequent first.
        package internal(set) var problems: [Problem] = []
        /// Problems over the limit of kinds.
        package internal(set) var more = 0

        package init(uuid: BluetoothUUID, name: String, services: [BluetoothUUID]) {
            self.uuid = uuid
            self.name = name
            self.services = services
        }

        /// Whether the capture has something that it reads.
        package var isUsed: Bool { values + partial + parts > 0 }
    }

    /// Something that values have in common.
    package struct Problem: Sendable {
        package enum Kind: String, Sendable {
            /// The value ends within a field, or a size cannot be computed.
            case fault
            case unexplained
            /// A checksum, a constant or a number in text or BCD.
            case check
            case outOfRange = "out_of_range"
            case undefined
            case reserved
            /// A part without its message, or a message without a part.
            case message
            /// The value's service is not in the definition's file.
            case service
        }

        package let kind: Kind
        /// `octets 4 to 6 unexplained`
        package let text: String
        /// Range of unexplained octets, from the start of the value.
        package let octets: Range<Int>?
        package fileprivate(set) var values = 0
        /// The first ones, from 1.
        package fileprivate(set) var frames: [Int] = []

        init(_ kind: Kind, _ text: String, octets: Range<Int>? = nil) {
            self.kind = kind
            self.text = text
            self.octets = octets
        }
    }

    /// Whether every value was read whole. Those in other services are not for the definitions.
    package var isWhole: Bool { definitions.allSatisfy { $0.problems.allSatisfy { $0.kind == .service } } }
    /// Whether the capture has values that they read.
    package var isUsed: Bool { definitions.contains(where: \.isUsed) }
}

extension FieldDescription {
    /// Not a structure, and not a place in the value: `Octet 3`, `Octets 4`, `Octet End 1`, `Rest`.
    fileprivate var explainsOctets: Bool {
        switch type {
        case .structure, .use: return false
        default: break
        }
        if constant != nil || check != nil { return true }
        let words = name.split(separator: " ")
        guard let first = words.first, ["Octet", "Octets", "Rest"].contains(first) else { return true }
        return !words.dropFirst().allSatisfy { $0 == "End" || Int($0) != nil }
    }
}

extension DefinitionScore.Definition {
    static let problemLimit = 64
    private static let frameLimit = 3

    mutating func note(_ dissection: Dissection, _ dissector: Dissector) {
        values += 1
        // Fields may share octets.
        var isExplained = Array(
            repeating: false, count: max(dissection.fault?.have ?? 0, dissection.unexplained.upperBound))
        for index in 0..<dissection.count {
            let record = dissection[index]
            let more = record.range.upperBound - isExplained.count
            if more > 0 { isExplained += repeatElement(false, count: more) }
            guard record.field != DissectedField.unexplainedOctets, !record.hasWrongCheck,
                dissector.fields[Int(record.field)].explainsOctets
            else { continue }
            for octet in record.range { isExplained[octet] = true }
        }
        octets += isExplained.count
        explained += isExplained.count(where: \.self)
    }

    mutating func note(_ problem: DefinitionScore.Problem, frame: Int) {
        var index = problems.firstIndex { $0.kind == problem.kind && $0.text == problem.text }
        if index == nil, problems.count < Self.problemLimit {
            index = problems.count
            problems.append(problem)
        }
        guard let index else {
            more += 1
            return
        }
        problems[index].values += 1
        if problems[index].frames.count < Self.frameLimit { problems[index].frames.append(frame) }
    }
}

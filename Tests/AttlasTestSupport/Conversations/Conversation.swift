import AttlasTesting

/// The records of `AttlasTesting.Conversation`, which describes the text, as packets.
public struct Conversation {
    public private(set) var packets: [Packet]
    /// Frames of the lines where a finding, or an incident, is expected.
    public let marked: [Int]

    public init(_ text: String) {
        let conversation: AttlasTesting.Conversation
        do {
            conversation = try AttlasTesting.Conversation(text)
        } catch {
            preconditionFailure("\(error)")
        }
        packets = conversation.records.map { record in
            Packet(.packet(record.type), record.direction, record.octets).at(milliseconds: Double(record.milliseconds))
                .losing(record.isAfterLoss ? 1 : 0)
        }
        marked = conversation.marked
    }

    /// The same with one octet in ten changed.
    public func damaged(by generator: inout some RandomNumberGenerator) -> Conversation {
        var damaged = self
        for index in packets.indices {
            damaged.packets[index].octets = packets[index].octets.map {
                Int.random(in: 0..<10, using: &generator) == 0 ? .random(in: 0...255, using: &generator) : $0
            }
        }
        return damaged
    }
}

public func repeated(_ line: String, _ count: Int) -> String {
    Array(repeating: line, count: count).joined(separator: "\n")
}

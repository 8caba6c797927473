import AttlasWire

/// Joins the messages that a device splits over several values of one characteristic.
///
/// Memory is limited to `sizeLimit` octets and `partLimit` parts: with more than that a new message begins.
public struct MessageAssembler: Sendable {
    package static let sizeLimit = 1 << 16
    static let partLimit = 4_096

    /// The result of adding a part.
    public enum Outcome: Equatable, Sendable {
        /// The message is not complete. `need`: the octets of the whole message, if the parts so far contain its length.
        case waiting(need: Int?)
        /// `message` is complete.
        case complete
        /// The part belongs to no message: by its header it continues a message whose beginning was not captured.
        case stray
    }

    /// The reason why an earlier message was dropped when a part came.
    public enum Loss: String, Sendable {
        case timeout = "no further part in time"
        case sequence = "a part is missing"
        case restarted = "a new message began"
        case tooLong = "longer than 65536 octets"
    }

    private let definition: AssemblyDefinition
    /// The octets so far, without the headers of the parts.
    public private(set) var message: [UInt8] = []
    /// The frame numbers that `add` got for each part.
    public private(set) var parts: [Int] = []
    private var lastTime: Int64 = 0
    private var lastSequence: UInt64?
    /// The octets of the message, if the header of its first part has them.
    private var announced: Int?
    /// Octets of that header that are kept.
    private var keptOctets = 0
    private var isComplete = false
    /// Octets of the message, in a part that was cut, that the capture does not have: zeros stand for them.
    public private(set) var missing = 0
    /// The last part has more than the message needs: it may be another message's.
    public private(set) var hasExcess = false
    /// A part may be missing between the parts: nothing in them would show it.
    public var mayLackPart: Bool {
        switch definition.rule {
        case .header(let header): !header.hasFirst || header.sequence == 0 && parts.count > 1
        case .length, .total, .kind, .terminator, .stuffed: parts.count > 1
        case .value: false
        }
    }

    /// Waits for the first part of a message.
    public init(_ definition: AssemblyDefinition) {
        self.definition = definition
    }

    /// - Parameters:
    ///   - part: the value of one PDU.
    ///   - frame: its frame.
    ///   - microseconds: when it came.
    ///   - cut: octets at its end that the capture does not have.
    public mutating func add(
        _ part: Bytes, frame: Int, at microseconds: Int64, cut: Int = 0
    ) -> (Outcome, Loss?) {
        var loss: Loss?
        if isComplete {
            clear()
        } else if !parts.isEmpty, microseconds &- lastTime > Int64(definition.timeoutMilliseconds) * 1_000 {
            loss = .timeout
            clear()
        }
        lastTime = microseconds
        var body = part
        if !definition.start.isEmpty {
            if !parts.isEmpty, isNewStart(part) {
                loss = .restarted
                clear()
            }
            if parts.isEmpty {
                // The octets before the start belong to a message that was truncated or too long.
                guard let start = Self.place(of: definition.start, in: part) else { return (.stray, loss) }
                body = part.dropFirst(start)
            }
        }
        var isLast = false
        if case .header(let header) = definition.rule {
            guard part.count >= header.octets else { return (.stray, loss) }
            var number: UInt64 = 0
            for index in (0..<header.octets).reversed() { number = number << 8 | UInt64(part[index]) }
            let state = number & header.mask
            let isFirst = header.hasFirst && (state == header.first || state == header.complete)
            isLast = header.lengths.isEmpty && (state == header.last || state == header.complete)
            if isFirst, !parts.isEmpty {
                loss = .restarted
                clear()
            }
            if let found = follow(number & header.sequence, mask: header.sequence) {
                loss = found
                clear()
            }
            let form = isFirst ? header.lengths.first { $0.length(in: part) != nil } : nil
            if isFirst, !header.lengths.isEmpty {
                guard let form else { return (.stray, loss) }
                announced = form.length(in: part)
                keptOctets = form.octets
            }
            // A message that began with another part cannot be completed.
            if parts.isEmpty, header.hasFirst, !isFirst { return (.stray, loss) }
            if !header.isKept || !parts.isEmpty { body = part.dropFirst(form?.octets ?? header.octets) }
            if !isFirst || header.numbersFirst { lastSequence = number & header.sequence }
        }
        guard cut <= Self.sizeLimit, message.count + body.count + cut <= Self.sizeLimit, parts.count < Self.partLimit
        else {
            clear()
            return (.stray, .tooLong)
        }
        body.append(to: &message)
        message.append(contentsOf: repeatElement(0, count: cut))
        missing += cut
        parts.append(frame)
        let need = need(isLast: isLast)
        isComplete = need.map { message.count >= $0 } ?? false
        hasExcess = need.map { message.count > $0 } ?? false
        if isComplete { decode() }
        return (isComplete ? .complete : .waiting(need: need), loss)
    }

    /// The sequence number has to be the one after the last.
    private func follow(_ sequence: UInt64, mask: UInt64) -> Loss? {
        guard mask != 0, let lastSequence else { return nil }
        let step = UInt64(1) << UInt64(mask.trailingZeroBitCount)
        return (lastSequence &+ step) & mask == sequence ? nil : .sequence
    }

    /// The octets of the whole message, if the octets so far contain its length.
    private func need(isLast: Bool) -> Int? {
        switch definition.rule {
        case .header(let header):
            // The header that is kept is a part of the message, and not of its length.
            if let announced { return announced + (header.isKept ? keptOctets : 0) }
            return isLast ? message.count : nil
        case .value: return message.count
        case .stuffed(let stuffing):
            return message.last == stuffing.end && message.contains { $0 != stuffing.end } ? message.count : nil
        case .total(let total): return total
        case .kind(let offset, let lengths, let otherwise):
            guard message.count > offset else { return nil }
            let kind = Int(message[offset])
            return lengths.first { $0.kinds.contains(kind) }?.octets ?? otherwise ?? message.count
        case .terminator(let end):
            // A mark may be both the start and the end.
            guard message.count >= definition.start.count + end.count else { return nil }
            return message.suffix(end.count).elementsEqual(end) ? message.count : nil
        case .length(let offset, let octets, let isBigEndian, let plus):
            guard message.count >= offset + octets else { return nil }
            var number = 0
            for index in 0..<octets {
                number = number << 8 | Int(message[offset + (isBigEndian ? index : octets - 1 - index)])
            }
            return number + plus
        }
    }

    private mutating func clear() {
        message.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        lastSequence = nil
        announced = nil
        keptOctets = 0
        missing = 0
        isComplete = false
    }

    // MARK: The start of a message

    /// A length that was wrong keeps the next message from being found. One octet may be anything: it only counts where the message would
    /// be longer than its length.
    private func isNewStart(_ part: Bytes) -> Bool {
        guard Self.place(of: definition.start, in: part.prefix(definition.start.count)) == 0 else { return false }
        if definition.start.count > 1 || definition.escape != nil { return true }
        return need(isLast: false).map { message.count + part.count > $0 } ?? false
    }

    private static func place(of octets: [UInt8], in part: Bytes) -> Int? {
        guard part.count >= octets.count else { return nil }
        for place in 0...part.count - octets.count
        where octets.indices.allSatisfy({ part[place + $0] == octets[$0] }) { return place }
        return nil
    }

    // MARK: The octets of a message

    private mutating func decode() {
        if case .stuffed(let stuffing) = definition.rule { message = stuffing.decode(message) }
        if let escape = definition.escape { message = escape.decode(message) }
        definition.cipher?.decipher(&message)
    }
}

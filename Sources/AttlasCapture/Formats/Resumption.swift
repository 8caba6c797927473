import AttlasWire

/// A record with an impossible length, while no record was found after it. The input is still at its beginning.
struct LostPlace {
    let fault: CaptureFault
    /// The length that it claims, when that is worth trying.
    let length: Int?
}

/// Whether a record begins at a place.
enum Verdict {
    case yes, no
    /// Octets that a decision needs.
    case needs(Int)
}

/// A format in which reading continues after an impossible record.
protocol ResumableReader: FormatReader {
    var lost: LostPlace? { get set }
    /// The time given to unreadable records, and compared with other records' times.
    var lastTime: Timestamp? { get }

    /// Whether a record seems to begin at the first octet.
    /// - Parameter isSearching: Whether the place is one of many tried.
    func isStart(_ bytes: borrowing Bytes, isSearching: Bool) -> Verdict
}

extension ResumableReader {
    /// Moves to the record after the lost place.
    @inline(never)
    func resume(_ input: inout InputBuffer) throws(CaptureError) {
        guard let lost else { return }
        try input.resume(after: lost, step: 1, isStart)
        self.lost = nil
    }

    /// Returns why the record here cannot be read: its lengths are impossible, or the file ends in it.
    ///
    /// - Parameter length: Octets of the record, as far as they are true.
    @inline(never)
    func refuse(
        _ header: inout RecordHeader, _ input: inout InputBuffer, _ length: Int, captured: UInt32, original: UInt32
    ) throws(CaptureError) -> Bool {
        if let reason = contradiction(captured: captured, original: original) {
            return losePlace(&header, input, length: captured <= packetLimit ? length : nil, reason)
        }
        let isLie = try input.isFollowed(step: 1, isStart)
        guard isLie else { throw input.cutShort("the last record", need: length) }
        return losePlace(&header, input, length: nil, .packetBeyondFile(captured))
    }

    /// Reports a record with an impossible length, and makes the next call look for the record after it.
    @inline(never)
    func losePlace(
        _ header: inout RecordHeader, _ input: borrowing InputBuffer, length: Int?, _ reason: FaultReason
    ) -> Bool {
        lost = LostPlace(fault: CaptureFault(reason, offset: input.offset), length: length)
        header = RecordHeader(frame: frame, offset: input.offset, time: lastTime ?? .epoch, broken: reason)
        return true
    }
}

extension InputBuffer {
    /// Moves on to where records begin again: after the broken one if its length was right after all, else to the first
    /// place that looks like one.
    ///
    /// No format has a mark that cannot occur inside a packet, so `isStart` looks at all that it knows of a record's header.
    /// - Parameters:
    ///   - step: Octets by which records are aligned.
    ///   - isStart: Gets the available octets, and whether the place is one of many tried.
    /// - Throws: `unreadable` when there is no such place, unless the file ends with the broken record.
    mutating func resume(
        after lost: LostPlace, step: Int, _ isStart: (borrowing Bytes, _ isSearching: Bool) -> Verdict
    ) throws(CaptureError) {
        if let length = lost.length {
            let found = try holds(at: length) { isStart($0, false) }
            if found || available == length { return consume(length) }
        }
        while try fill(step) {
            consume(step)
            if try holds(at: 0, { isStart($0, true) }) { return }
        }
        consume(available)
        throw CaptureError(
            .unreadable, file: name, offset: lost.fault.offset,
            "\(lost.fault.reason), and no readable record follows")
    }

    /// Whether a record begins in the rest of the file, in which the record that begins here does not end. If so, its length is wrong;
    /// otherwise the file is cut short.
    mutating func isFollowed(
        step: Int, _ isStart: (borrowing Bytes, _ isSearching: Bool) -> Verdict
    ) throws(CaptureError) -> Bool {
        for distance in stride(from: step, to: available, by: step) {
            if try holds(at: distance, { isStart($0, true) }) { return true }
        }
        return false
    }

    private mutating func holds(
        at distance: Int, _ isStart: (borrowing Bytes) -> Verdict
    ) throws(CaptureError) -> Bool {
        var need = 1
        while try fill(distance + need) {
            switch isStart(bytes.dropFirst(distance)) {
            case .yes: return true
            case .no: return false
            case .needs(let more): need = max(more, need + 1)
            }
        }
        return false
    }

    /// The file ends in the middle of something that starts here.
    package func cutShort(_ what: String, need: Int) -> CaptureError {
        CaptureError(cutShort: what, file: name, offset: offset, need: need, have: available)
    }
}

extension CaptureError {
    init(cutShort what: String, file: String, offset: UInt64, need: Int, have: Int) {
        self.init(
            .cutShort(need: need, have: have), file: file, offset: offset,
            "\(what) is cut short: \(need) octets needed, \(have) available",
            advice: "The file was still being written, or was copied incompletely.")
    }
}

import AttlasCapture
import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// Replaces data that identifies devices and people in the records of a capture, with lengths, times, handles and errors as they are.
///
/// Every octet is one of three kinds: known and harmless, which stays; known and personal, which is replaced; not understood, which becomes
/// 0 and is listed. The capture is read twice: first the secrets are collected, because a record may turn out to contain secrets only
/// later.
///
/// ```swift
/// while let record = try reader.next() { anonymizer.anonymize(record, &trace) { … } }
/// anonymizer.finish(&trace) { … }
/// ```
package struct Anonymizer: EventSink {
    /// The parts that may stay.
    package struct Choice: Sendable {
        /// Values of characteristics stay, as in the log of a firmware; identities in them do not.
        package var keepsValues = false
        /// Types of attributes, or of service data, whose vendor's values stay.
        package var keptTypes: Set<BluetoothUUID> = []

        package init() {}
    }

    let choice: Choice
    let library: DissectorLibrary
    var values: ValueInterpreter
    /// Secrets are noted, and nothing is replaced.
    package let isCollecting: Bool
    package internal(set) var secrets: Secrets
    package internal(set) var outcome = AnonymizationOutcome()

    var records = EditableRecords()
    /// The packet, or the PDU of several records, that is being changed.
    var scratch: [UInt8] = []
    var edits: [Edit] = []
    /// Frames that may be parts of a PDU, by their connection; some are settled since.
    private var waiting: [UInt64?: [Int]] = [:]
    /// Where `scratch` comes from.
    private var parts: [(record: Int, range: Range<Int>)] = []
    /// The capture has not all octets of the packet.
    private var isRecordCut = false
    var advertisingParts = AdvertisingParts()
    var nameMeanings: [String: NameMeaning] = [:]
    /// CRC initial values of waiting packets from the air, by frame.
    var initialCRCs: [Int: UInt32] = [:]
    var heard = HeardPackets()
    /// Whether the record that is decoded is from the air.
    private var isAir = false

    /// A place in `scratch`, and its treatment.
    struct Edit {
        var range: Range<Int>
        var treatment: Treatment
    }

    enum Treatment {
        case address(isRandom: Bool?)
        case key, text, octets
        /// Encrypted on the air: it is not searched for.
        case ciphertext
        /// A number of six digits.
        case number
        /// AD structures; the last one may have its end in another packet, or nowhere.
        case advertisingData(mayBeCut: Bool)
        /// It becomes 0: a vendor's, or of no use to others.
        case zero
        /// The same, and it is listed.
        case unknown
    }

    /// The first reading.
    package init(collecting pseudonyms: Pseudonyms, _ choice: Choice, values: ValueInterpreter) {
        self.init(Secrets(pseudonyms), choice, values, isCollecting: true)
    }

    /// The second one.
    ///
    /// - Parameter secrets: From the first reading.
    package init(replacing secrets: Secrets, _ choice: Choice, values: ValueInterpreter) {
        self.init(secrets, choice, values, isCollecting: false)
    }

    private init(_ secrets: Secrets, _ choice: Choice, _ values: ValueInterpreter, isCollecting: Bool) {
        self.choice = choice
        self.values = values
        library = values.library
        self.secrets = secrets
        self.isCollecting = isCollecting
    }

    package var wantsPackets: Bool { isAir }

    // MARK: Records

    /// Takes a record, before it is decoded.
    fileprivate mutating func hold(_ record: Record) {
        let index = records.indices.upperBound
        records.append(record)
        outcome.comments += record.comments.count
        isAir = record.radio != nil
        guard record.packetType != HCIPacketType.acl.rawValue else { return }
        if record.radio != nil {
            noteCRC(of: record)
            noteHeard(record)
        }
        guard let edits = record.radio == nil ? editsOfControl(record) : Self.editsOfAir(record) else { return }
        edit(index, edits)
    }

    /// To be called when the record was decoded: a record without a PDU, or a part of one, is not understood.
    fileprivate mutating func settle(in trace: borrowing Trace) {
        guard let last = records.indices.last, !records.isSettled(last) else { return }
        let connection = Self.connection(of: records[last])
        waiting[connection, default: []].append(records[last].frame)
        if trace.hasUnfinished(records[last]) {
            // The memory for waiting records has a limit: beyond it, they are given up.
            if records.size > Self.waitingLimit { giveUpAll() }
            return
        }
        for frame in waiting.removeValue(forKey: connection) ?? [] {
            if let index = records.index(ofFrame: frame) { giveUp(index) }
        }
    }

    private mutating func giveUpAll() {
        for index in records.indices { giveUp(index) }
        waiting.removeAll()
    }

    /// Octets of records that wait for the end of their PDU.
    private static let waitingLimit = 16 << 20

    /// By controller and handle, or by access address.
    private static func connection(of record: borrowing Record) -> UInt64? {
        let bytes = record.bytes
        if record.packetType == HCIPacketType.acl.rawValue, let packet = try? ACLPacket(bytes) {
            return UInt64(record.controller) << 16 | UInt64(packet.connectionHandle)
        }
        if record.radio != nil, bytes.count >= 4 { return 1 << 48 | UInt64(bytes.uint32(at: 0)) }
        return nil
    }

    /// Hands on the records that are done.
    fileprivate mutating func release(_ body: (Record) -> Void) {
        records.release(body)
        if records.indices.isEmpty {
            waiting.removeAll(keepingCapacity: true)
            heard.removeWaiting()
        }
    }

    /// To be called at the end, before the last `release`.
    fileprivate mutating func finish(in trace: borrowing Trace) {
        giveUpAll()
        if isCollecting { secrets.settle(in: trace) }
    }

    /// A part of a PDU that was not decoded: only its headers stay, and the first octet.
    private mutating func giveUp(_ index: Int) {
        guard !records.isSettled(index) else { return }
        let (range, isFirst) = Self.data(of: records[index])
        // The header of L2CAP, and the first octet after it.
        let start = min(range.lowerBound + (isFirst ? L2CAPFrame.headerLength + 1 : 0), range.upperBound)
        edit(
            index,
            [Edit(range: start..<range.upperBound, treatment: .unknown)]
                + Self.all(of: records[index].bytes.count, from: Self.end(of: records[index]), .unknown))
    }

    /// Changes a record by itself.
    mutating func edit(_ index: Int, _ edits: [Edit]) {
        if isCollecting, edits.isEmpty { return settle(index) }
        isRecordCut = records[index].missing > 0
        scratch.removeAll(keepingCapacity: true)
        records.copy(index, to: &scratch)
        parts.removeAll(keepingCapacity: true)
        parts.append((index, 0..<scratch.count))
        self.edits = edits
        apply(frame: records[index].frame)
        if !isCollecting { records.replace(index, from: 0, with: scratch[...]) }
        settle(index)
    }

    mutating func settle(_ index: Int) {
        records.settle(index)
        guard records[index].radio != nil else { return }
        renewCRC(index)
        repeatPayload(of: index)
    }

    // MARK: Edits

    /// - Parameter frame: The frame in the list of parts that were not understood.
    mutating func apply(frame: Int) {
        for edit in edits { apply(edit, frame: frame) }
        edits.removeAll(keepingCapacity: true)
        if !isCollecting { replaceSecrets(in: 0..<scratch.count) }
    }

    mutating func apply(_ edit: Edit, frame: Int) {
        let range = edit.range.clamped(to: 0..<scratch.count)
        guard !range.isEmpty else { return }
        switch edit.treatment {
        case .address(let isRandom):
            guard range.count == 6 else { return zero(range, frame: frame, isListed: true) }
            let old = range.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64(scratch[$1]) }
            if isCollecting { return secrets.note(address: old, isRandom: isRandom) }
            let new = secrets.replacement(ofAddress: old)
            for (place, index) in range.enumerated() {
                scratch[index] = UInt8(truncatingIfNeeded: new >> UInt64(8 * place))
            }
            outcome.addresses += 1
        case .key where range.count == 16:
            let old = range.reversed().reduce(0 as UInt128) { $0 << 8 | UInt128(scratch[$1]) }
            if isCollecting { return secrets.note(key: old) }
            write(secrets.pseudonyms.key(old).littleEndianOctets, at: range.lowerBound)
            outcome.keys += 1
        case .number:
            let random = secrets.pseudonyms.octets(Array(scratch[range]))
            let number = random.reduce(0 as UInt64) { ($0 << 8 | UInt64($1)) % 1_000_000 }
            if !isCollecting { write(Array(number.littleEndianOctets.prefix(range.count)), at: range.lowerBound) }
            outcome.keys += 1
        case .key, .octets:
            // A shorter one is found by chance.
            if isCollecting { return range.count < 6 ? () : secrets.note(octets: scratch[range]) }
            if scratch[range].contains(where: { $0 != 0 }) {
                write(secrets.pseudonyms.octets(Array(scratch[range])), at: range.lowerBound)
            }
            outcome.keys += 1
        case .ciphertext:
            if !isCollecting { write(secrets.pseudonyms.octets(Array(scratch[range])), at: range.lowerBound) }
        case .text:
            if isCollecting { return secrets.note(text: scratch[range]) }
            write(secrets.replacement(ofText: scratch[range]), at: range.lowerBound)
            outcome.texts += 1
        case .advertisingData(let mayBeCut):
            anonymizeAdvertisingData(range, mayBeCut: mayBeCut || isRecordCut, frame: frame)
        case .zero: zero(range, frame: frame, isListed: false)
        case .unknown: zero(range, frame: frame, isListed: true)
        }
    }

    mutating func write(_ octets: [UInt8], at start: Int) {
        for (place, octet) in octets.enumerated() { scratch[start + place] = octet }
    }

    mutating func zero(_ range: Range<Int>, frame: Int, isListed: Bool) {
        let range = range.clamped(to: 0..<scratch.count)
        guard !isCollecting, scratch[range].contains(where: { $0 != 0 }) else { return }
        for index in range { scratch[index] = 0 }
        if isListed {
            outcome.note(unknown: placeInRecord(range), frame: frame)
        } else {
            outcome.zeroed += 1
        }
    }

    /// The range in the record of a range of octets in `scratch`.
    private func placeInRecord(_ range: Range<Int>) -> Range<Int> {
        var start = 0
        for (_, part) in parts {
            if range.lowerBound < start + part.count {
                let place = part.lowerBound + range.lowerBound - start
                return place..<place + range.count
            }
            start += part.count
        }
        return range
    }

    /// Secrets in any other place.
    mutating func replaceSecrets(in range: Range<Int>) {
        var start = range.lowerBound
        while let match = secrets.search.next(in: Bytes(scratch.span).prefix(range.upperBound), from: start) {
            write(secrets.replacement(of: match, Array(scratch[match.range])), at: match.range.lowerBound)
            outcome.elsewhere += 1
            start = match.range.upperBound
        }
    }

    // MARK: Events

    package mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .att(let operation): anonymize(operation, of: event, in: trace)
        case .smp(let pdu): anonymize(pdu, of: event)
        // Those of ATT come as PDUs too: of BR/EDR, and of enhanced bearers.
        case .sdu(let sdu) where sdu.psm != ProtocolMultiplexer.att && sdu.psm != ProtocolMultiplexer.eatt:
            gather(event, skipping: sdu.credits == nil ? 0 : 2) { anonymizer, _ in
                anonymizer.edits.append(Edit(range: 0..<anonymizer.scratch.count, treatment: .zero))
            }
        case .assembled(let value):
            if isCollecting {
                secrets.note(assembled: value.value.copy(), frames: value.frames.indices.map { value.frames[$0] })
            }
        case .signal: gather(event, skipping: 0) { anonymizer, _ in anonymizer.editSignals() }
        case .advertising(let report):
            if isCollecting, let address = report.address {
                secrets.note(address: address.value, isRandom: address.isRandom)
            }
        case .air(let packet): receive(packet, event)
        default: break
        }
    }

    /// Changes a PDU of one or several records in `scratch`.
    ///
    /// - Parameters:
    ///   - header: Octets of an SDU's header before the PDU.
    ///   - change: Adds edits, or changes `scratch`.
    mutating func gather(
        _ event: borrowing Event, skipping header: Int, _ change: (inout Anonymizer, Int) -> Void
    ) {
        scratch.removeAll(keepingCapacity: true)
        edits.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        // Octets of headers that are still to come, of which a fragment may have a part.
        var headers = header
        func add(_ frame: Int, to anonymizer: inout Anonymizer) {
            guard let index = anonymizer.records.index(ofFrame: frame), !anonymizer.records.isSettled(index) else {
                return
            }
            let (range, isFirst) = Self.data(of: anonymizer.records[index])
            if isFirst { headers += L2CAPFrame.headerLength }
            let skipped = min(headers, range.count)
            headers -= skipped
            let payload = range.lowerBound + skipped..<range.upperBound
            anonymizer.records.copy(index, payload, to: &anonymizer.scratch)
            anonymizer.parts.append((index, payload))
        }
        if event.frames.isEmpty { add(event.frame, to: &self) }
        for place in event.frames.indices { add(event.frames[place], to: &self) }
        change(&self, event.frame)
        apply(frame: event.frame)
        var start = 0
        for (index, range) in parts {
            if !isCollecting {
                records.replace(index, from: range.lowerBound, with: scratch[start..<start + range.count])
            }
            start += range.count
            closeRecord(index)
        }
    }

    /// Zeros the octets after the payload: unknown data, or the check of a packet from the air.
    private mutating func closeRecord(_ index: Int) {
        settle(index)
        guard !isCollecting else { return }
        let (end, count) = (Self.end(of: records[index]), records[index].bytes.count)
        guard end < count else { return }
        records.replace(index, from: end, with: [UInt8](repeating: 0, count: count - end)[...])
        outcome.note(unknown: end..<count, frame: records[index].frame)
    }

    /// Where the data of a connection is in a record, and whether an L2CAP frame begins with it.
    static func data(of record: borrowing Record) -> (range: Range<Int>, isFirst: Bool) {
        let bytes = record.bytes
        if record.radio != nil { return airData(of: record) }
        guard let packet = try? ACLPacket(bytes) else { return (bytes.count..<bytes.count, false) }
        let isFirst = packet.boundary != .continuing
        var length = packet.data.count
        if isFirst, let frame = try? L2CAPFrame(packet.data) {
            length = L2CAPFrame.headerLength + frame.payload.count
        }
        return (ACLPacket.headerLength..<ACLPacket.headerLength + length, isFirst)
    }

    /// Where a record of a connection ends: after its data, and the CRC of a packet from the air.
    private static func end(of record: borrowing Record) -> Int {
        min(data(of: record).range.upperBound + (record.radio == nil ? 0 : crcLength), record.bytes.count)
    }

    /// The octets from `start` on.
    static func all(of count: Int, from start: Int, _ treatment: Treatment) -> [Edit] {
        start < count ? [Edit(range: start..<count, treatment: treatment)] : []
    }
}

extension Interpreted<Anonymizer> {
    /// Decodes a record, and hands on the records that are done.
    package mutating func anonymize(_ record: Record, _ trace: inout Trace, _ release: (Record) -> Void) {
        sink.hold(record)
        trace.decodeUnspecialized(record, into: &self)
        sink.settle(in: trace)
        sink.release(release)
    }

    /// To be called after the last record.
    package mutating func finish(_ trace: inout Trace, _ release: (Record) -> Void) {
        trace.finish(into: &self)
        sink.finish(in: trace)
        sink.release(release)
    }
}

import AttlasWire

/// Reads a capture, record by record: a file, a pipe or standard input. AttlasInput opens them.
///
/// ```swift
/// var reader = try CaptureReader(path: "btsnoop_hci.log")
/// while let record = try reader.next() { … }
/// ```
/// The format is detected from the first octets, not from the name. Records are borrowed from one buffer that is reused.
public struct CaptureReader: ~Copyable {
    private var input: InputBuffer
    private var format: any RecordSource
    private var isAtEnd: Bool
    private var timeline: Timeline
    private var evidence: TruncationEvidence
    private var plain: PlainRecords
    /// Header of the last record.
    private var header: CollectionOfOne<RecordHeader>
    /// Counted before the first frame of this file.
    public var framesBefore: Int
    private let utcOffset: Int64?

    /// - Parameter format: Has recognized the input.
    package init(_ input: consuming InputBuffer, _ format: any FormatReader.Type) throws(CaptureError) {
        let format = try format.init(&input)
        self.init(input, format)
    }

    /// Continues from a position of a capture that is not joined.
    ///
    /// - Parameter source: Begins with the octets there.
    package init(_ source: consuming ByteSource, from position: CapturePosition) {
        self.init(InputBuffer(source, offset: position.offset), position.format.copy(after: position.format.frame))
    }

    /// Where the next record begins.
    package var position: CapturePosition {
        guard let next = plain.following else {
            return CapturePosition(format: format.copy(after: format.frame), offset: input.offset)
        }
        return CapturePosition(format: format.copy(after: next.frame - framesBefore - 1), offset: next.offset)
    }

    /// A reader of the records in the first 256 KiB of the buffer; this reader does not move.
    package mutating func lookahead() throws(CaptureError) -> CaptureReader {
        _ = try input.fill(1)
        var octets: [UInt8] = []
        input.bytes.prefix(InputBuffer.initialCapacity).append(to: &octets)
        return CaptureReader(InputBuffer(octets, name: input.name), position.format)
    }

    private init(_ input: consuming InputBuffer, _ format: any RecordSource) {
        self.format = format
        self.input = input
        isAtEnd = false
        timeline = Timeline()
        evidence = TruncationEvidence()
        plain = PlainRecords()
        header = CollectionOfOne(RecordHeader())
        framesBefore = 0
        utcOffset = CaptureClock.utcOffset
    }

    /// All octets from the first record on, and whether those are all that there are: at most `limit` are taken. To be called
    /// before a record is read.
    package mutating func octets(limit: Int) throws(CaptureError) -> (octets: [UInt8], isWhole: Bool) {
        var octets: [UInt8] = []
        while try input.fill(1) {
            let count = min(input.available, limit - octets.count)
            guard count > 0 else { return (octets, false) }
            input.bytes.prefix(count).append(to: &octets)
            input.consume(count)
        }
        return (octets, true)
    }

    /// Several captures that are read as one.
    ///
    /// - Parameters:
    ///   - paths: As they were given.
    ///   - openNext: Opens the next of the captures in their order; nil after the last.
    package init(
        joining paths: [String], _ openNext: @escaping () throws(CaptureError) -> CaptureReader?
    ) throws(CaptureError) {
        guard let first = try openNext() else {
            throw CaptureError(.empty, file: "", "no files to join")
        }
        self = first
        timeline = Timeline(paths, openNext)
    }

    /// The capture's metadata, as far as it has been read.
    public var info: CaptureInfo {
        var info = timeline.info(format.info)
        if utcOffset != nil { info.lacksZone = false }
        info.cuts = evidence.findings(info)
        return info
    }

    /// Whether all input read so far was returned, so that the next call may have to wait.
    public var isDrained: Bool { input.available == 0 && plain.isEmpty }

    /// Returns the next record, valid until the next call; nil at the end, and after an error.
    ///
    /// An unreadable record is a record too (`.broken`), as long as reading continues after it. From a pipe, a record
    /// is returned when its last octet has arrived.
    /// - Throws: Once, after the last record, when the capture cannot be read to its end.
    @inline(__always)
    @_lifetime(&self)
    public mutating func next() throws(CaptureError) -> Record? {
        if plain.isEmpty, try !read() { return nil }
        guard !plain.isEmpty else { return Record(header.span, in: input.buffer) }
        let record = Record(plain.next(), in: input.buffer)
        evidence.notePlain(record)
        return record
    }

    /// Returns the next record and those after it that were read together with it, at least one, valid until the next call; nil at the
    /// end, and after an error. They are the records that `next` would return one after the other.
    /// - Parameter limit: Maximum number of records, at least 1.
    /// - Throws: As `next`.
    @_lifetime(&self)
    public mutating func nextRow(limit: Int = .max) throws(CaptureError) -> RecordRow? {
        if plain.isEmpty, try !read() { return nil }
        guard !plain.isEmpty else { return RecordRow(header.span, in: input.buffer) }
        if plain.position == 0, plain.count <= limit {
            evidence.notePlain(data: plain.dataCount, control: plain.controlCount)
            return RecordRow(plain.rest(limit: limit), in: input.buffer)
        }
        // Only some of those that were read together.
        let row = RecordRow(plain.rest(limit: limit), in: input.buffer)
        for index in 0..<row.count { evidence.notePlain(row[index]) }
        return row
    }

    /// Reads plain records, or one other; false at the end.
    @inline(never)
    private mutating func read() throws(CaptureError) -> Bool {
        guard !isAtEnd else { return false }
        // Stays true when this throws.
        isAtEnd = true
        isAtEnd = try !(timeline.isJoined ? readJoined() : readFile())
        return !isAtEnd
    }

    private mutating func readFile() throws(CaptureError) -> Bool {
        if utcOffset == nil { format.nextPlain(&input, into: &plain, framesBefore: framesBefore) }
        guard plain.isEmpty else { return true }
        guard try format.next(&input, into: &header[0]) else { return false }
        header[0].frame += framesBefore
        if let utcOffset, header[0].time.hasDate, format.info.lacksZone {
            header[0].time = header[0].time.earlier(by: utcOffset * 1_000_000_000)
        }
        if header[0].missing > 0 { header[0].correctMissing(in: input.buffer) }
        evidence.note(Record(header.span, in: input.buffer))
        return true
    }

    /// Reads the next record of this file or of one after it.
    @inline(never)
    private mutating func readJoined() throws(CaptureError) -> Bool {
        while true {
            do throws(CaptureError) {
                // After an error the rest of the file is not read.
                if !timeline.hasFileFailed, try readFile() {
                    let first = plain.following ?? header[0]
                    timeline.note(
                        first: first.time, frame: first.frame, last: plain.lastTime ?? first.time,
                        of: format.info.file)
                    return true
                }
                guard try openNext() else { break }
            } catch {
                header[0] = timeline.fail(error, frame: framesBefore + format.frame)
                return true
            }
        }
        if let failure = timeline.failure { throw failure }
        return false
    }

    private mutating func openNext() throws(CaptureError) -> Bool {
        guard let following = try timeline.openNext() else { return false }
        framesBefore += format.frame
        timeline.leave(format)
        let previous = format
        format = following.format
        input = following.input
        format.follow(previous)
        return true
    }
}

import AttlasWire

/// Reads a capture file, a pipe or standard input, record by record.
///
/// ```swift
/// var reader = try CaptureReader(path: "btsnoop_hci.log")
/// while let record = try reader.next() { … }
/// ```
/// The format is told from the first octets, never from the name. Records are borrowed from one buffer that is used again.
public struct CaptureReader: ~Copyable {
    /// The formats that can be read.
    private static let formats: [any FormatReader.Type] = [
        BTSnoop.self,
        PCAP.self,
        PCAPNG.self,
        HCIDump.self,
        PacketLogger.self,
    ]

    private var input: InputBuffer
    private var format: any FormatReader
    private var header: RecordHeader?
    private var isAtEnd = false

    /// Opens a file; `-` is standard input. Returns when enough is there to tell the format.
    public init(path: String) throws(CaptureError) {
        try self.init(ByteSource(path: path))
    }

    /// A capture in memory. `name` stands for its path in messages.
    public init(bytes: [UInt8], name: String) throws(CaptureError) {
        try self.init(InputBuffer(bytes, name: name))
    }

    init(_ source: consuming ByteSource) throws(CaptureError) {
        try self.init(InputBuffer(source))
    }

    private init(_ input: consuming InputBuffer) throws(CaptureError) {
        format = try Self.sniff(&input)
        self.input = input
    }

    /// What the capture says about itself, as far as it has been read.
    public var info: CaptureInfo { format.info }

    /// Whether everything read so far was handed on, so that the next record has to be waited for.
    public var isDrained: Bool { input.available == 0 }

    /// The next record, valid until the next call; nil at the end, and after an error.
    ///
    /// A record that cannot be read is a record too (`.broken`), as long as reading goes on behind it. From a pipe, a record
    /// comes as soon as its last octet is there.
    /// - Throws: Once, behind the last record, when the capture cannot be read to its end.
    @_lifetime(&self)
    public mutating func next() throws(CaptureError) -> Record? {
        guard !isAtEnd else { return nil }
        // Stays true when this throws.
        isAtEnd = true
        guard let header = try format.next(&input) else { return nil }
        isAtEnd = false
        return Record(
            frame: header.frame, offset: header.offset, time: header.time, content: header.content,
            direction: header.direction, controller: header.controller, bytes: input.bytes(at: header.place),
            missing: header.missing, lost: header.lost)
    }

    private static func sniff(_ input: inout InputBuffer) throws(CaptureError) -> any FormatReader {
        // One octet more at a time: nothing says that a pipe holds more than the header of the shortest format.
        var length = 1
        while length <= 17, try input.fill(length) {
            for format in formats where format.recognizes(input.bytes) { return try format.init(&input) }
            length += 1
        }
        throw try unknownFormat(&input)
    }
}

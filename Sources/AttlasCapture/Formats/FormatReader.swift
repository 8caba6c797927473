import AttlasWire

/// Octets become record headers.
///
/// A class, because a struct that is held as `any RecordSource` is checked at every record for sharing.
package protocol RecordSource: AnyObject, SendableMetatype {
    /// Reads the next record, whose octets stay in the buffer until the next call; false at the end of the file.
    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool

    /// Reads the records in a row from here on that are in the buffer and plain, if the format knows such.
    func nextPlain(_ input: inout InputBuffer, into records: inout PlainRecords, framesBefore: Int)

    var info: CaptureInfo { get }

    /// Frames so far, those included that gave no record.
    var frame: Int { get }

    /// Takes over the state of the file before, in a rotated log. Called before the first record.
    func follow(_ previous: any RecordSource)

    /// A copy that continues after a frame: the last one, or a plain one before it.
    func copy(after frame: Int) -> any RecordSource
}

/// One capture format.
package protocol FormatReader: RecordSource {
    /// Whether a file that begins with `bytes` is of this format: from at most 17 octets, so that nothing after the first
    /// packet's header has to be waited for. False when there are too few.
    static func recognizes(_ bytes: borrowing Bytes) -> Bool

    /// Reads the file header.
    init(_ input: inout InputBuffer) throws(CaptureError)
}

extension RecordSource {
    package func follow(_ previous: any RecordSource) {}
    package func nextPlain(_ input: inout InputBuffer, into records: inout PlainRecords, framesBefore: Int) {}
}

import AttlasWire

/// One capture format: the file's octets become record headers.
///
/// A class, because a struct that is held as `any FormatReader` is asked at every record whether it is shared.
package protocol FormatReader: AnyObject, SendableMetatype {
    /// Whether a file that begins with `bytes` is of this format: from at most 17 octets, so that nothing behind the first
    /// packet's header has to be waited for. False when there are too few.
    static func recognizes(_ bytes: borrowing Bytes) -> Bool

    /// Reads the file header.
    init(_ input: inout InputBuffer) throws(CaptureError)

    /// Reads the next record, whose octets stay in the buffer until the next call; false at the end of the file.
    func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool

    var info: CaptureInfo { get }

    /// Frames so far, those included that gave no record.
    var frame: Int { get }

    /// Takes over what goes on from the file before in a log that was rotated. Called before the first record.
    func follow(_ previous: any FormatReader)
}

extension FormatReader {
    package func follow(_ previous: any FormatReader) {}
}

extension CaptureReader {
    /// The formats that can be read. Those that have no signature stand behind those that have one.
    package static let formats: [any FormatReader.Type] = [
        BTSnoop.self,
        PCAP.self,
        PCAPNG.self,
        HCIDump.self,
        PacketLogger.self,
    ]
}

/// Octets of a packet beyond which a record's length is not believed. HCI packets end at 65 540; Wireshark has this limit.
let packetLimit: UInt32 = 256 << 10

/// Why the two lengths of a packet cannot be true.
@inline(__always)
func contradiction(captured: UInt32, original: UInt32) -> FaultReason? {
    guard captured > packetLimit || captured > original else { return nil }
    return captured > packetLimit
        ? .packetBeyondLimit(captured) : .moreCaptured(captured, ofPacket: original)
}

extension Timestamp {
    /// For records without a time that come before any with one.
    package static let epoch = Timestamp(seconds: 0, nanoseconds: 0, precision: 0)

    /// Whether a record of this time may well come near one of the time `other`. Only the search for the next record
    /// after a broken one asks this.
    func isWithinADay(of other: Timestamp) -> Bool {
        let day: Int64 = 86_400_000_000_000
        return (-day...day).contains(nanoseconds(since: other))
    }
}

import AttlasInput
import AttlasTestSupport
import AttlasWire

@testable import AttlasCapture

/// A record that has left the buffer.
struct PlainRecord: Equatable {
    var frame: Int
    var offset: UInt64
    var time: Timestamp
    var content: Record.Content
    var direction: Direction
    var controller: UInt16
    var bytes: [UInt8]
    var missing: Int
    var lost: UInt32

    init(_ record: borrowing Record) {
        frame = record.frame
        offset = record.offset
        time = record.time
        content = record.content
        direction = record.direction
        controller = record.controller
        bytes = record.bytes.copy()
        missing = record.missing
        lost = record.lost
    }

    /// The fault, when there is one.
    var fault: String? {
        guard case .broken(let fault) = content else { return nil }
        return fault.reason
    }
}

/// All that a capture gives.
struct Reading: Equatable {
    var records: [PlainRecord] = []
    var error: CaptureError?
    var info: CaptureInfo?

    init(_ bytes: [UInt8]) {
        self.init { () throws(CaptureError) in try CaptureReader(bytes: bytes, name: "test") }
    }

    init(_ open: () throws(CaptureError) -> CaptureReader) {
        do throws(CaptureError) {
            read(try open())
        } catch {
            self.error = error
        }
    }

    init(_ reader: consuming CaptureReader) {
        read(reader)
    }

    private mutating func read(_ reader: consuming CaptureReader) {
        do throws(CaptureError) {
            while let record = try reader.next() { records.append(PlainRecord(record)) }
        } catch {
            self.error = error
        }
        info = reader.info
    }

    var faults: [String] { records.compactMap(\.fault) }
}

/// HCI packets behind their H4 indicators.
enum Sample {
    /// Reset.
    static let command = hex("01 030C00")
    /// Command Complete of it.
    static let event = hex("04 0E 04 01 030C 00")
    /// Read Request on handle 0x0040.
    static let acl = hex("02 4000 0700 0300 0400 0A 1900")
    /// The same without its indicator.
    static let aclPacket = Array(acl.dropFirst())
    static let vendor = hex("FF 0102")
}

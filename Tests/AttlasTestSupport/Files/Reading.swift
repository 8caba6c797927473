import AttlasInput
import AttlasWire

/// A record that has left the buffer.
public struct PlainRecord: Equatable, Sendable {
    public var frame: Int
    public var offset: UInt64
    public var time: Timestamp
    public var content: Record.Content
    public var direction: Direction
    public var controller: UInt16
    public var bytes: [UInt8]
    public var missing: Int
    public var lost: UInt32

    public init(_ record: borrowing Record) {
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
    public var fault: String? {
        guard case .broken(let fault) = content else { return nil }
        return fault.reason
    }
}

/// All that a capture gives.
public struct Reading: Equatable, Sendable {
    public var records: [PlainRecord] = []
    public var error: CaptureError?
    public var info: CaptureInfo?

    public init(_ bytes: [UInt8]) {
        self.init { () throws(CaptureError) in try CaptureReader(bytes: bytes, name: "test") }
    }

    public init(_ open: () throws(CaptureError) -> CaptureReader) {
        do throws(CaptureError) {
            read(try open())
        } catch {
            self.error = error
        }
    }

    public init(_ reader: consuming CaptureReader) {
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

    public var faults: [String] { records.compactMap(\.fault) }
}

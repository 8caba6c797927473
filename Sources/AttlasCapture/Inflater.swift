import CZlib
import Glibc

/// Inflates a zlib stream (RFC 1950) that is in memory, as far as the reader asks.
final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let compressed: UnsafeMutableBufferPointer<UInt8>
    private var status: CInt
    private var expansion = Expansion()

    init(_ bytes: ArraySlice<UInt8>) {
        compressed = .allocate(capacity: bytes.count)
        _ = compressed.initialize(from: bytes)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        status = attlas_inflate_init(stream)
        stream.pointee.next_in = compressed.baseAddress
        stream.pointee.avail_in = UInt32(clamping: compressed.count)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        compressed.deallocate()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ByteSource.Outcome {
        guard status != Z_STREAM_END else { return .octets(0) }
        if let excess = expansion.excess(from: compressed.count) { return .excessive(excess) }
        let room = UInt32(clamping: buffer.count)
        if status == Z_OK {
            stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = room
            status = inflate(stream, Z_NO_FLUSH)
            let count = Int(room - stream.pointee.avail_out)
            expansion.note(count)
            // An error is told by the next read: first comes what was inflated before it.
            if count > 0 || status == Z_STREAM_END { return .octets(count) }
        }
        if let message = stream.pointee.msg { return .damaged("zlib says: \(String(cString: message))") }
        return .damaged("the zlib stream ends early")
    }
}

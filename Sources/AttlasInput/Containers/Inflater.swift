import AttlasCapture
import CZlib
import Glibc

/// Inflates a zlib stream (RFC 1950) that is in memory, as far as the reader asks.
@safe final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let compressed: UnsafeMutableBufferPointer<UInt8>
    private var status: CInt
    private var expansion = Expansion()

    init(_ bytes: ArraySlice<UInt8>) {
        unsafe compressed = .allocate(capacity: bytes.count)
        _ = unsafe compressed.initialize(from: bytes)
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        status = unsafe attlas_inflate_init(stream)
        unsafe stream.pointee.next_in = compressed.baseAddress
        unsafe stream.pointee.avail_in = UInt32(clamping: compressed.count)
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
        unsafe compressed.deallocate()
    }

    func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        guard status != Z_STREAM_END else { return .octets }
        if let excess = unsafe expansion.excess(from: compressed.count) { return .excessive(excess) }
        let room = UInt32(clamping: buffer.freeCapacity)
        if status == Z_OK {
            let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer, filled in
                unsafe stream.pointee.next_out = buffer.baseAddress.map { unsafe $0 + filled }
                unsafe stream.pointee.avail_out = room
                status = unsafe inflate(stream, Z_NO_FLUSH)
                let count = unsafe Int(room - stream.pointee.avail_out)
                filled += count
                return count
            }
            expansion.note(count)
            // The next read reports an error: the octets inflated before it come first.
            if count > 0 || status == Z_STREAM_END { return .octets }
        }
        if let message = unsafe stream.pointee.msg {
            return .damaged(unsafe "zlib reports: \(String(cString: message))")
        }
        return .damaged("the zlib stream ends early")
    }
}

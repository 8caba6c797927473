import AttlasCapture
import CZlib
import Glibc

/// Inflates a zlib stream (RFC 1950) or the members of a gzip file (RFC 1952), as far as the reader asks. zlib checks its output;
/// libarchive does not, and loses the last octets of a truncated file.
@safe final class Inflater {
    enum Format {
        case zlib, gzip
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let input: CompressedInput
    private let format: Format
    private var status: CInt
    private var isAtEnd = false

    init(_ input: CompressedInput, _ format: Format) {
        self.input = input
        self.format = format
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        status = unsafe attlas_inflate_init(stream, format == .zlib ? MAX_WBITS : 16 + MAX_WBITS)
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        while !isAtEnd {
            if let excess = input.expansion.excess { return .excessive(excess) }
            let count = status == Z_OK ? inflate(into: &buffer) : 0
            // The next read reports the fault: the octets before it come first.
            if count > 0 { return .octets }
            if status != Z_OK, status != Z_STREAM_END {
                let message = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "error \(status)"
                return .damaged("zlib reports: \(message)")
            }
            let isBetweenMembers = status == Z_STREAM_END
            if unsafe stream.pointee.avail_in == 0 {
                guard let chunk = unsafe input.next() else { return input.outcome ?? .octets }
                if unsafe chunk.isEmpty, !isBetweenMembers { return .damaged("the \(format) stream ends early") }
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: chunk.baseAddress?.assumingMemoryBound(to: UInt8.self))
                unsafe stream.pointee.avail_in = UInt32(chunk.count)
            }
            guard isBetweenMembers else { continue }
            // Another member, or other data.
            isAtEnd = unsafe format == .zlib || stream.pointee.avail_in == 0 || stream.pointee.next_in.pointee != 0x1F
            status = unsafe inflateReset(stream)
        }
        return .octets
    }

    private func inflate(into buffer: inout OutputSpan<UInt8>) -> Int {
        let room = UInt32(clamping: buffer.freeCapacity)
        let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer, filled in
            unsafe stream.pointee.next_out = buffer.baseAddress.map { unsafe $0 + filled }
            unsafe stream.pointee.avail_out = room
            status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
            let count = unsafe Int(room - stream.pointee.avail_out)
            filled += count
            return count
        }
        // There is nothing left to inflate.
        if status == Z_BUF_ERROR { status = Z_OK }
        input.expansion.note(count)
        return count
    }
}

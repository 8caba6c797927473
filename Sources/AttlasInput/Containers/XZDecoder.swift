import AttlasCapture
import CLZMA

/// Decodes an xz file as far as the reader asks, with a limit of memory: the file states how much of the decoded data has to be held, up to
/// 4 GiB, and libarchive believes it.
@safe final class XZDecoder {
    /// Octets that may be held: `xz -9` holds half as many.
    static let windowLimit = 128 << 20

    private let stream: UnsafeMutablePointer<lzma_stream>
    private let input: CompressedInput
    private var status: lzma_ret
    private var hasAll = false

    init(_ input: CompressedInput) {
        self.input = input
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: lzma_stream())
        status = unsafe attlas_xz_init(stream, UInt64(Self.windowLimit + (2 << 20)))
    }

    deinit {
        unsafe lzma_end(stream)
        unsafe stream.deallocate()
    }

    func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        while status == LZMA_OK || status == LZMA_BUF_ERROR {
            if let excess = input.expansion.excess { return .excessive(excess) }
            let count = decode(into: &buffer)
            // The next read reports the fault: the octets before it come first.
            if count > 0 { return .octets }
            if status == LZMA_BUF_ERROR, hasAll { break }
            guard status == LZMA_OK || status == LZMA_BUF_ERROR, unsafe stream.pointee.avail_in == 0, !hasAll else {
                continue
            }
            guard let chunk = unsafe input.next() else { return input.outcome ?? .octets }
            hasAll = unsafe chunk.isEmpty
            unsafe stream.pointee.next_in = chunk.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_in = chunk.count
        }
        switch status {
        case LZMA_STREAM_END: return .octets
        case LZMA_BUF_ERROR: return .damaged("the xz stream ends early")
        case LZMA_MEMLIMIT_ERROR:
            return .excessive(
                "to decompress it takes more than \(Self.windowLimit >> 20) MiB of memory, which is the limit")
        case LZMA_OPTIONS_ERROR: return .damaged("the xz stream has options that are not supported")
        default: return .damaged("the xz stream is damaged")
        }
    }

    private func decode(into buffer: inout OutputSpan<UInt8>) -> Int {
        let room = buffer.freeCapacity
        let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer, filled in
            unsafe stream.pointee.next_out = buffer.baseAddress.map { unsafe $0 + filled }
            unsafe stream.pointee.avail_out = room
            status = unsafe lzma_code(stream, hasAll ? LZMA_FINISH : LZMA_RUN)
            let count = unsafe room - stream.pointee.avail_out
            filled += count
            return count
        }
        input.expansion.note(count)
        return count
    }
}

import AttlasCapture
import Glibc

/// Compressed octets on their way into a C library: they stay where they are until it requests more.
@safe final class CompressedInput {
    let name: String
    private var input: InputBuffer
    /// Counts octets read of the file, and octets produced.
    let expansion: Expansion
    private let isOutermost: Bool
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
    /// Why the input ended too soon.
    private(set) var error: CaptureError?

    /// - Parameter isOutermost: it is the file itself, not something inside it.
    init(_ input: consuming InputBuffer, _ expansion: Expansion, isOutermost: Bool) {
        name = input.name
        self.input = input
        self.expansion = expansion
        self.isOutermost = isOutermost
    }

    deinit {
        unsafe chunk.deallocate()
    }

    /// None at the end, nil after an error.
    func next() -> UnsafeRawBufferPointer? {
        do throws(CaptureError) {
            if let excess = expansion.excess { throw CaptureError(.damaged, file: name, excess) }
            guard try input.fill(1) else { return unsafe UnsafeRawBufferPointer(rebasing: chunk[..<0]) }
            let count = unsafe min(chunk.count, input.available)
            unsafe chunk.copyBytes(from: input.bytes.prefix(count).copy())
            input.consume(count)
            if isOutermost { expansion.compressed = Int(clamping: input.offset) }
            return unsafe UnsafeRawBufferPointer(rebasing: chunk[..<count])
        } catch {
            self.error = error
            return nil
        }
    }

    /// The error for a reader of the decompressed octets.
    var outcome: ByteSource.Outcome? {
        error.map { ByteSource.Outcome($0) }
    }
}

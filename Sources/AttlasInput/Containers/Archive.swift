import AttlasCapture
import CArchive
import Glibc

/// A compressed file or an archive, through libarchive: what is inside comes out entry by entry, as a stream.
///
/// The formats are enabled by name: libarchive would otherwise take almost any text for an mtree, and anything at all for
/// `raw`, which here is for the one file behind a compression. Nothing is ever held but one block, whatever its size.
@safe final class Archive: CaptureContainer {
    /// libarchive's own numbers.
    private static let rawFormat: CInt = 0x90000
    private static let tarFormat: CInt = 0x30000
    private static let formatMask: CInt = 0xFF0000
    private static let regularFile: mode_t = 0o100000

    let name: String
    private let archive: OpaquePointer
    private let feed: Feed
    private var isAtEnd = false
    /// The number of entries begun: a reader of an earlier entry gets nothing.
    private var number = 0
    /// The rest of libarchive's last block, and where in the entry it belongs.
    private var block = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private var blockOffset: Int64 = 0
    private var position: Int64 = 0

    private var expansion = Expansion()

    /// Whether there is one nameless file inside, as in a .gz.
    private(set) var isCompressionOnly = false

    /// - Parameter kind: What the signature says.
    init(_ input: consuming InputBuffer, _ kind: ArchiveSignature) throws(CaptureError) {
        name = input.name
        feed = Feed(input)
        guard let archive = unsafe archive_read_new() else {
            throw CaptureError(.system(ENOMEM), file: name, "cannot be read: out of memory")
        }
        unsafe self.archive = archive
        _ = unsafe archive_read_support_filter_gzip(archive)
        _ = unsafe archive_read_support_filter_xz(archive)
        _ = unsafe archive_read_support_filter_zstd(archive)
        _ = unsafe archive_read_support_filter_bzip2(archive)
        _ = unsafe archive_read_support_filter_lz4(archive)
        _ = unsafe archive_read_support_format_tar(archive)
        _ = unsafe archive_read_support_format_zip_streamable(archive)
        if kind == .compression {
            _ = unsafe archive_read_support_format_raw(archive)
            _ = unsafe archive_read_support_format_empty(archive)
        }
        let status = unsafe archive_read_open(
            archive, Unmanaged.passUnretained(feed).toOpaque(), nil,
            { _, feed, chunk in
                guard let feed = unsafe feed else { return -1 }
                return unsafe Unmanaged<Feed>.fromOpaque(feed).takeUnretainedValue().next(chunk)
            }, nil)
        guard status == ARCHIVE_OK else { throw failure() }
    }

    deinit {
        unsafe archive_read_free(archive)
    }

    func next() throws(CaptureError) -> ContainerItem? {
        number += 1
        unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
        position = 0
        while !isAtEnd {
            var entry: OpaquePointer?
            let status = unsafe archive_read_next_header(archive, &entry)
            guard status != ARCHIVE_EOF else {
                isAtEnd = true
                return try checkEnd()
            }
            guard status >= ARCHIVE_WARN, let entry = unsafe entry else {
                isAtEnd = status == ARCHIVE_FATAL
                throw failure()
            }
            guard unsafe archive_entry_filetype(entry) == Self.regularFile else { continue }
            isCompressionOnly = unsafe archive_format(archive) == Self.rawFormat
            let path = isCompressionOnly ? name : unsafe "\(name)!/\(Self.path(entry))"
            if unsafe archive_entry_is_encrypted(entry) != 0 { return .unreadable("\(path) (encrypted)") }
            return .input(InputBuffer(source(path)))
        }
        return nil
    }

    /// A tar archive ends with blocks of zeros. One that was cut between two files has none.
    private func checkEnd() throws(CaptureError) -> ContainerItem? {
        guard unsafe archive_format(archive) & Self.formatMask == Self.tarFormat,
            unsafe archive_filter_bytes(archive, 0) == archive_read_header_position(archive)
        else { return nil }
        throw CaptureError(
            .damaged, file: name, "the archive has no end: files may be missing", advice: CaptureError.damagedAdvice)
    }

    /// Octets of the current entry.
    private func source(_ path: String) -> ByteSource {
        let number = number
        return ByteSource(name: path) { buffer in
            number == self.number ? self.read(into: &buffer) : .octets
        }
    }

    private func read(into buffer: inout OutputSpan<UInt8>) -> ByteSource.Outcome {
        while unsafe block.isEmpty {
            var start: UnsafeRawPointer?
            var count = 0
            let status = unsafe archive_read_data_block(archive, &start, &count, &blockOffset)
            if status == ARCHIVE_EOF { return .octets }
            guard status >= ARCHIVE_WARN else {
                if status == ARCHIVE_FATAL { isAtEnd = true }
                return feed.outcome ?? .damaged(message)
            }
            unsafe block = UnsafeRawBufferPointer(start: start, count: count)
        }
        if let excess = expansion.excess(from: feed.taken) { return .excessive(excess) }
        // A sparse file leaves out its zeros.
        let count: Int
        if position < blockOffset {
            count = min(buffer.freeCapacity, Int(clamping: blockOffset - position))
            buffer.append(repeating: 0, count: count)
        } else {
            count = unsafe min(buffer.freeCapacity, block.count)
            unsafe buffer.withUnsafeMutableBufferPointer { buffer, filled in
                unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
                filled += count
            }
            unsafe block = UnsafeRawBufferPointer(rebasing: block[count...])
            blockOffset += Int64(count)
        }
        position += Int64(count)
        expansion.note(count)
        return .octets
    }

    /// Names in the C locale are UTF-8 for the formats that say so, and octets for the others.
    private static func path(_ entry: OpaquePointer) -> String {
        guard let path = unsafe archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) else { return "?" }
        return unsafe String(cString: path)
    }

    private var message: String {
        let text = unsafe archive_error_string(archive).map { unsafe String(cString: $0) } ?? "it ends early"
        return "the contents cannot be read: \(text)"
    }

    private func failure() -> CaptureError {
        if let error = feed.error { return error }
        return CaptureError(.damaged, file: name, message, advice: CaptureError.damagedAdvice)
    }

    func refusal(_ held: HeldNames) -> CaptureError {
        CaptureError(
            .unknownFormat, file: name,
            held.isEmpty ? "the archive contains no file" : "the archive contains no capture, but \(held)",
            advice: "An Android bug report contains a capture only if the Bluetooth HCI snoop log was enabled before.")
    }

    /// Gives libarchive what the input holds, in one chunk that stays where it is until the next.
    @safe private final class Feed {
        private var input: InputBuffer
        private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        /// Why the input ended too soon.
        private(set) var error: CaptureError?
        /// Octets that libarchive was given.
        private(set) var taken = 0

        init(_ input: consuming InputBuffer) {
            self.input = input
        }

        deinit {
            unsafe chunk.deallocate()
        }

        var outcome: ByteSource.Outcome? {
            guard let error else { return nil }
            guard case .system(let number) = error.kind else { return .damaged(error.reason) }
            return .failed(number)
        }

        func next(_ start: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
            do throws(CaptureError) {
                unsafe start?.pointee = UnsafeRawPointer(chunk.baseAddress)
                guard try input.fill(1) else { return 0 }
                let count = unsafe min(chunk.count, input.available)
                unsafe chunk.copyBytes(from: input.bytes.prefix(count).copy())
                input.consume(count)
                taken += count
                return count
            } catch {
                self.error = error
                return -1
            }
        }
    }
}

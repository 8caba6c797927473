import AttlasCapture
import CArchive
import Glibc

/// A compressed file or an archive, through libarchive: its contents come out entry by entry, as a stream. gzip and xz are decompressed
/// before it.
///
/// The formats are enabled by name: libarchive would otherwise take almost any text for an mtree, and anything at all for
/// `raw`, which here is for the one file inside a compression. Nothing is ever held but one block, whatever its size.
@safe final class Archive: CaptureContainer {
    /// libarchive's own numbers.
    private static let rawFormat: CInt = 0x90000
    private static let tarFormat: CInt = 0x30000
    private static let formatMask: CInt = 0xFF0000
    private static let zipFormat: CInt = 0x50000
    /// The permitted compression methods of files in a zip archive; others can request gigabytes of memory.
    private static let zipMethods = ["uncompressed", "deflation", "bzip", "zstd"]
    private static let regularFile: mode_t = 0o100000

    let name: String
    private let archive: OpaquePointer
    private let input: CompressedInput
    /// The input was decompressed before it came here.
    private let isDecompressed: Bool
    private var isAtEnd = false
    /// The number of entries begun: a reader of an earlier entry gets nothing.
    private var number = 0
    /// The rest of libarchive's last block, and where in the entry it belongs.
    private var block = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private var blockOffset: Int64 = 0
    private var position: Int64 = 0

    /// The warning about the block.
    private var warning: String?
    /// Octets that libarchive decompressed until now.
    private var filtered: Int64 = 0
    /// libarchive would have to decompress the entry to find its end.
    private var hasUnknownEnd = false

    /// Whether there is one nameless file inside, as in a .gz.
    private(set) var isCompressionOnly = false

    /// - Parameter kind: The kind by its signature.
    init(_ input: CompressedInput, _ kind: ArchiveSignature) throws(CaptureError) {
        name = input.name
        isDecompressed = kind == .gzip || kind == .xz
        switch kind {
        case .gzip:
            let inflater = Inflater(input, .gzip)
            self.input = CompressedInput(
                InputBuffer(ByteSource(name: name) { inflater.read(into: &$0) }), input.expansion, isOutermost: false)
        case .xz:
            let decoder = XZDecoder(input)
            self.input = CompressedInput(
                InputBuffer(ByteSource(name: name) { decoder.read(into: &$0) }), input.expansion, isOutermost: false)
        case .compression, .archive:
            self.input = input
        }
        guard let archive = unsafe archive_read_new() else {
            throw CaptureError(.system(ENOMEM), file: name, "cannot be read: out of memory")
        }
        unsafe self.archive = archive
        _ = unsafe archive_read_support_filter_zstd(archive)
        _ = unsafe archive_read_support_filter_bzip2(archive)
        _ = unsafe archive_read_support_filter_lz4(archive)
        _ = unsafe archive_read_support_format_tar(archive)
        _ = unsafe archive_read_support_format_zip_streamable(archive)
        if kind != .archive {
            _ = unsafe archive_read_support_format_raw(archive)
            _ = unsafe archive_read_support_format_empty(archive)
        }
        let status = unsafe archive_read_open(
            archive, Unmanaged.passUnretained(self).toOpaque(), nil,
            { _, archive, chunk in
                guard let archive = unsafe archive else { return -1 }
                return unsafe Unmanaged<Archive>.fromOpaque(archive).takeUnretainedValue().supply(chunk)
            }, nil)
        guard status == ARCHIVE_OK else { throw failure() }
    }

    deinit {
        unsafe archive_read_free(archive)
    }

    /// Gives libarchive the input's octets. An error ends the input, so that earlier data comes out; callers check for the error at the
    /// end.
    private func supply(_ start: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        noteFiltered()
        guard let chunk = unsafe input.next() else { return 0 }
        unsafe start?.pointee = chunk.baseAddress
        return chunk.count
    }

    /// Counts octets that libarchive decompressed, also of entries that it skips.
    private func noteFiltered() {
        var octets: Int64 = 0
        // The last filter is the input itself.
        for filter in 0..<max(0, unsafe archive_filter_count(archive) - 1) {
            octets += max(0, unsafe archive_filter_bytes(archive, filter))
        }
        input.expansion.note(Int(octets - filtered))
        filtered = octets
    }

    func next() throws(CaptureError) -> ContainerItem? {
        try leaveEntry()
        number += 1
        unsafe block = UnsafeRawBufferPointer(start: nil, count: 0)
        position = 0
        while !isAtEnd {
            var entry: OpaquePointer?
            let status = unsafe archive_read_next_header(archive, &entry)
            guard status != ARCHIVE_EOF else { break }
            guard status >= ARCHIVE_WARN, let entry = unsafe entry else {
                isAtEnd = status == ARCHIVE_FATAL
                throw failure()
            }
            // Each filter has separate memory.
            guard unsafe archive_filter_count(archive) <= 2 else {
                isAtEnd = true
                throw CaptureError(
                    .unsupported, file: name, "it is compressed more than once", advice: "Decompress it first.")
            }
            guard unsafe archive_entry_filetype(entry) == Self.regularFile else { continue }
            let format = unsafe archive_format(archive)
            isCompressionOnly = format == Self.rawFormat
            hasUnknownEnd = unsafe format == Self.zipFormat && archive_entry_size_is_set(entry) == 0
            let path = isCompressionOnly ? name : unsafe "\(name)!/\(Self.path(entry))"
            if unsafe archive_entry_is_encrypted(entry) != 0 { return .unreadable("\(path) (encrypted)") }
            if format == Self.zipFormat, let method = zipMethod, !Self.zipMethods.contains(method) {
                return .unreadable("\(path) (compressed by \(method))")
            }
            return .input(InputBuffer(source(path)))
        }
        guard !isAtEnd else { return nil }
        isAtEnd = true
        // Decompressed data is checked at its end.
        if isDecompressed {
            while let chunk = unsafe input.next(), unsafe !chunk.isEmpty {}
        }
        if let error = input.error { throw error }
        try checkEnd()
        return nil
    }

    /// A tar archive ends with blocks of zeros. One that was cut between two files has none.
    private func checkEnd() throws(CaptureError) {
        guard unsafe archive_format(archive) & Self.formatMask == Self.tarFormat,
            unsafe archive_filter_bytes(archive, 0) == archive_read_header_position(archive)
        else { return }
        throw CaptureError(
            .damaged, file: name, "the archive has no end: files may be missing", advice: CaptureError.damagedAdvice)
    }

    /// Passes over the rest of the current entry, where libarchive would decompress it uncounted.
    private func leaveEntry() throws(CaptureError) {
        // There is only one.
        if isCompressionOnly { isAtEnd = true }
        while hasUnknownEnd, !isAtEnd {
            var start: UnsafeRawPointer?
            var count = 0
            guard unsafe archive_read_data_block(archive, &start, &count, &blockOffset) >= ARCHIVE_WARN, count > 0
            else { break }
            input.expansion.note(count)
            if let excess = input.expansion.excess {
                isAtEnd = true
                throw CaptureError(.damaged, file: name, excess)
            }
        }
        hasUnknownEnd = false
    }

    /// `ZIP 2.0 (deflation)`
    private var zipMethod: String? {
        let name = unsafe archive_format_name(archive).map { unsafe String(cString: $0) }
        return name?.split(separator: "(").last.map { String($0.prefix { $0 != ")" }) }
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
            if let warning {
                self.warning = nil
                return .damaged(warning)
            }
            var start: UnsafeRawPointer?
            var count = 0
            let status = unsafe archive_read_data_block(archive, &start, &count, &blockOffset)
            if status == ARCHIVE_EOF { return input.outcome ?? .octets }
            guard status >= ARCHIVE_WARN else {
                if status == ARCHIVE_FATAL { isAtEnd = true }
                return input.outcome ?? .damaged(message)
            }
            // A wrong checksum: the octets are present.
            if status == ARCHIVE_WARN { warning = message }
            noteFiltered()
            if unsafe archive_format(archive) == Self.zipFormat { input.expansion.note(count) }
            unsafe block = UnsafeRawBufferPointer(start: start, count: count)
        }
        if let excess = input.expansion.excess { return .excessive(excess) }
        // A sparse file leaves out its zeros.
        let count: Int
        if position < blockOffset {
            count = min(buffer.freeCapacity, Int(clamping: blockOffset - position))
            buffer.append(repeating: 0, count: count)
            input.expansion.note(count)
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
        return .octets
    }

    /// Names in the C locale are UTF-8 for the formats that declare it, and octets for the others.
    private static func path(_ entry: OpaquePointer) -> String {
        guard let path = unsafe archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) else { return "?" }
        return unsafe String(cString: path)
    }

    private var message: String {
        let text = unsafe archive_error_string(archive).map { unsafe String(cString: $0) } ?? "it ends early"
        return "the contents cannot be read: \(text)"
    }

    private func failure() -> CaptureError {
        if let error = input.error { return error }
        return CaptureError(.damaged, file: name, message, advice: CaptureError.damagedAdvice)
    }

    func refusal(_ held: HeldNames) -> CaptureError {
        if held.isSysdiagnose {
            return CaptureError(
                .unknownFormat, file: name, "the iPhone recorded no Bluetooth log: the sysdiagnose contains \(held)",
                advice:
                    "Install Apple's Bluetooth logging profile on the iPhone, repeat what went wrong, then make a sysdiagnose "
                    + "again: attlas help getting-a-log.")
        }
        return CaptureError(
            .unknownFormat, file: name,
            held.isEmpty ? "the archive contains no file" : "the archive contains no capture, but \(held)",
            advice: "An Android bug report contains a capture only if the Bluetooth HCI snoop log was enabled before.")
    }
}

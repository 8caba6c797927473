import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasCapture
@testable import AttlasInput

/// What compressed files ask for, what their checksums say, and what is left of those that are cut.
@Suite struct DecompressionTests {
    private static let file = SampleFile.btsnoop
    private static let records = Reading(file.bytes).records

    private func expectAllThenAnError(
        _ bytes: [UInt8], _ reason: String, count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let set = CaptureSetReading(bytes)
        expect(set.records.count, equals: count, sourceLocation: sourceLocation)
        #expect(set.records.allSatisfy { $0 == Self.records }, sourceLocation: sourceLocation)
        #expect(set.failures.count == 1, "\(set.failures)", sourceLocation: sourceLocation)
        #expect(set.failures.first?.reason.contains(reason) == true, "\(set.failures)", sourceLocation: sourceLocation)
    }

    // MARK: Checksums

    /// RFC 1952, 2.3.1: CRC32 and ISIZE are the last eight octets.
    @Test(arguments: [(8, "incorrect data check"), (4, "incorrect length check")])
    func theTrailerOfGzipIsChecked(distance: Int, reason: String) throws {
        guard let gzip = Tool("gzip") else { return }
        var bytes = try gzip.run(["-c"], input: Self.file.bytes)
        bytes[bytes.count - distance] ^= 1
        expectAllThenAnError(bytes, reason)
    }

    @Test func theTrailerBehindATarArchiveIsChecked() throws {
        guard let tar = Tool("tar"), let gzip = Tool("gzip") else { return }
        let folder = try TemporaryFolder([("a.log", Self.file.bytes), ("b.log", Self.file.bytes)])
        var bytes = try gzip.run(["-c"], input: try tar.run(["-cf", "-", "a.log", "b.log"], in: folder.url))
        #expect(CaptureSetReading(bytes).failures.isEmpty)
        bytes[bytes.count - 8] ^= 1
        expectAllThenAnError(bytes, "incorrect data check", count: 2)
    }

    /// APPNOTE.TXT, 4.3.7: the CRC-32 is 14 octets after the signature of the local header.
    @Test(arguments: ["-q", "-q0"]) func theChecksumOfAFileInAZipIsChecked(option: String) throws {
        guard let zip = Tool("zip") else { return }
        let folder = try TemporaryFolder([("a.log", Self.file.bytes)])
        _ = try zip.run([option, "a.zip", "a.log"], in: folder.url)
        var bytes = Array(try Data(contentsOf: folder.url.appending(path: "a.zip")))
        #expect(CaptureSetReading(bytes).failures.isEmpty)
        bytes[14] ^= 1
        expectAllThenAnError(bytes, "bad CRC")
    }

    @Test func theChecksumsOfXZAreChecked() throws {
        guard let xz = Tool("xz") else { return }
        var bytes = try xz.run(["-c", "--check=crc32"], input: Self.file.bytes)
        // The check of the only block is before the index, whose size is in the footer.
        let index = (Int(bytes[bytes.count - 8]) + 1) * 4
        bytes[bytes.count - 12 - index - 1] ^= 1
        expectAllThenAnError(bytes, "the xz stream is damaged")
    }

    // MARK: Cut files

    @Test(arguments: ["gzip", "xz"]) func aCutFileGivesWhatItsOwnProgramRecovers(tool: String) throws {
        guard let tool = Tool(tool) else { return }
        var bytes = btsnoopHeader()
        for number in 0..<400 {
            let data = (0..<60).map { UInt8(truncatingIfNeeded: number &* 97 &+ $0 &* number) }
            bytes += btsnoopRecord([2, 0x40, 0, 60, 0] + data)
        }
        let compressed = try tool.run(["-c"], input: bytes)
        for length in stride(from: 100, to: compressed.count, by: max(1, compressed.count / 20)) {
            let cut = Array(compressed.prefix(length))
            let recovered = try tool.run(["-dc"], input: cut)
            let set = CaptureSetReading(cut)
            #expect((set.records.first ?? []).count >= Reading(recovered).records.count)
            expect(set.failures.count, equals: 1)
            #expect(set.failures.first?.reason.hasSuffix("stream ends early") == true, "\(set.failures)")
        }
    }

    @Test func severalMembersAreOneFile() throws {
        guard let gzip = Tool("gzip"), let xz = Tool("xz") else { return }
        for tool in [gzip, xz] {
            let half = Self.file.bytes.count / 2
            let parts = [Self.file.bytes.prefix(half), Self.file.bytes.dropFirst(half)]
            let bytes = try parts.flatMap { try tool.run(["-c"], input: Array($0)) }
            expect(CaptureSetReading(bytes).records, equals: [Self.records])
            #expect(CaptureSetReading(bytes).failures.isEmpty)
        }
        // What gzip passes over: zeros, as on a tape.
        let padded = try gzip.run(["-c"], input: Self.file.bytes) + [UInt8](repeating: 0, count: 512)
        #expect(CaptureSetReading(padded).failures.isEmpty)
    }

    // MARK: Memory

    /// The xz file format, 3.1 and 5.3.1: the header of the only block begins at 12 with its size; after the ID 0x21 of LZMA2 and the
    /// size 1 is the size of the dictionary, and the last four octets are a CRC32.
    private func xz(dictionary size: UInt8) throws -> [UInt8]? {
        guard let xz = Tool("xz") else { return nil }
        var bytes = try xz.run(["-c"], input: Self.file.bytes)
        let end = 12 + (Int(bytes[12]) + 1) * 4
        let place = try #require((12..<end - 5).first { bytes[$0] == 0x21 && bytes[$0 + 1] == 1 }) + 2
        bytes[place] = size
        let checksum = crc32(bytes[12..<end - 4])
        for index in 0..<4 { bytes[end - 4 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(index))) }
        return bytes
    }

    private func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~remainder
    }

    @Test func theDictionaryOfXZHasALimit() throws {
        // 64 MiB, 128 MiB; 192 MiB, 2 GiB, 4 GiB.
        for size in [UInt8(28), 30] {
            guard let bytes = try xz(dictionary: size) else { return }
            expect(CaptureSetReading(bytes).records, equals: [Self.records])
        }
        for size in [UInt8(31), 38, 40] {
            guard let bytes = try xz(dictionary: size) else { return }
            let set = CaptureSetReading(bytes)
            #expect(set.readings.isEmpty)
            expect(
                set.errors.map(\.reason),
                equals: ["to decompress it takes more than 128 MiB of memory, which is the limit"])
        }
        // The second stream of a file asks for more than the first.
        guard let small = try xz(dictionary: 28), let large = try xz(dictionary: 38) else { return }
        expectAllThenAnError(small + large, "more than 128 MiB of memory")
    }

    @Test func theWindowOfZstandardHasALimit() throws {
        guard let zstd = Tool("zstd") else { return }
        let bytes = try zstd.run(["-qc", "--long=31"], input: Self.file.bytes)
        // RFC 8878, 3.1.1.1.2: from a stream, the exponent of the window is in the first five bits after the descriptor.
        expect(bytes[5] >> 3, equals: 31 - 10)
        let set = CaptureSetReading(bytes)
        #expect(set.records.flatMap(\.self).isEmpty)
        #expect(set.failures.first?.reason.contains("too much memory") == true, "\(set.failures)")
    }

    /// APPNOTE.TXT, 4.4.5: LZMA, xz and PPMd, in the local header.
    @Test(arguments: [(14, "lzma"), (95, "xz"), (98, "ppmd-1")])
    func methodsOfZipWithoutALimitAreNotOpened(method: UInt8, name: String) throws {
        guard let zip = Tool("zip") else { return }
        let folder = try TemporaryFolder([("a.log", Self.file.bytes)])
        _ = try zip.run(["-q", "a.zip", "a.log"], in: folder.url)
        var bytes = Array(try Data(contentsOf: folder.url.appending(path: "a.zip")))
        bytes[8] = method
        let set = CaptureSetReading(bytes)
        #expect(set.readings.isEmpty)
        expect(set.errors.map(\.reason), equals: ["the archive contains no capture, but a.log (compressed by \(name))"])
    }

    @Test func whatIsCompressedTwiceByOneLibraryIsRefused() throws {
        guard let zstd = Tool("zstd"), let bzip2 = Tool("bzip2"), let gzip = Tool("gzip") else { return }
        let once = try zstd.run(["-qc"], input: Self.file.bytes)
        let set = CaptureSetReading(try bzip2.run(["-c"], input: once))
        expect(set.errors.map(\.reason), equals: ["it is compressed more than once"])
        try expect(CaptureSetReading(gzip.run(["-c"], input: once)).records, equals: [Self.records])
    }
}

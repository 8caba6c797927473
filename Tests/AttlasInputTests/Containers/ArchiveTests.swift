import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasCapture
@testable import AttlasInput

/// Archives and compressed files, made by the programs that make them everywhere.
@Suite struct ArchiveTests {
    static let compressors: [(tool: String, arguments: [String])] = [
        ("gzip", ["-c"]), ("xz", ["-c"]), ("zstd", ["-qc"]), ("bzip2", ["-c"]), ("lz4", ["-qc"]),
    ]

    static let file = SampleFile.btsnoop
    static let expected = Reading(file.bytes)

    @Test(arguments: compressors)
    func aCompressedCaptureIsReadAsItself(tool: String, arguments: [String]) throws {
        guard let compressor = Tool(tool) else { return }
        for file in [Self.file, .pcapng(PCAPNGBlocks()), .hcidump, .packetLogger(PacketLoggerRecords())] {
            let compressed = try compressor.run(arguments, input: file.bytes)
            let set = CaptureSetReading(compressed)
            #expect(set.errors.isEmpty)
            expect(set.readings, equals: [Reading(file.bytes)])
        }
    }

    /// Enough for several reads, and for several blocks of each compressor.
    @Test(arguments: compressors)
    func largeCapturesAreStreamed(tool: String, arguments: [String]) throws {
        guard let compressor = Tool(tool) else { return }
        let records = (0..<20_000).flatMap {
            btsnoopRecord([2, 0x40, 0, 60, 0] + [UInt8](repeating: UInt8($0 & 0xFF), count: 60))
        }
        let bytes = btsnoopHeader() + records
        let set = CaptureSetReading(try compressor.run(arguments, input: bytes))
        expect(set.readings, equals: [Reading(bytes)])
        expect(set.readings.first?.records.count, equals: 20_000)
    }

    @Test(arguments: compressors)
    func aCompressedFileCutAnywhereGivesWhatCanBeReadThenTheError(tool: String, arguments: [String]) throws {
        guard let compressor = Tool(tool) else { return }
        let compressed = try compressor.run(arguments, input: Self.file.bytes)
        for length in 1..<compressed.count {
            let set = CaptureSetReading(Array(compressed.prefix(length)))
            let records = set.records.first ?? []
            expect(records, equals: Array(Self.expected.records.prefix(records.count)), "\(tool) at \(length)")
            let error = set.errors.first ?? set.readings.first?.error
            // A checksum at the end is not missed by every format.
            #expect(error != nil || records == Self.expected.records, "\(tool) at \(length)")
            #expect(set.errors.count <= 1)
        }
    }

    @Test(arguments: compressors)
    func mutatedCompressedFilesNeitherTrapNorLastForever(tool: String, arguments: [String]) throws {
        guard let compressor = Tool(tool) else { return }
        let compressed = try compressor.run(arguments, input: Self.file.bytes)
        mutate(compressed, times: 500) {
            let set = CaptureSetReading($0)
            #expect(set.readings.count <= 4 && set.errors.count < CaptureSetReading.errorLimit)
        }
    }

    /// One fault or a few at a time.
    func mutate(_ bytes: [UInt8], times: Int, _ body: ([UInt8]) -> Void) {
        var generator = SplitMix64(seed: 5)
        for _ in 0..<times {
            var mutated = bytes
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let place = bytes.indices.randomElement(using: &generator) ?? 0
                mutated[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            body(mutated)
        }
    }

    // MARK: Archives

    static let other = SampleFile.packetLogger(PacketLoggerRecords())
    static let logs = "FS/data/misc/bluetooth/logs"

    func folder() throws -> TemporaryFolder {
        try TemporaryFolder([
            ("\(Self.logs)/btsnoop_hci.log", Self.file.bytes), ("\(Self.logs)/btsnoop_hci.log.last", Self.other.bytes),
            ("FS/empty", []), ("FS/noise.bin", (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7 + 130) }),
            ("main_entry.txt", Array("bugreport.txt".utf8)), ("bugreport.txt", BugReportFile.report(version: 2)),
        ])
    }

    static let archivers: [(tool: String, arguments: [String])] = [
        ("zip", ["-qr", "-", "."]), ("zip", ["-qr0", "-", "."]), ("tar", ["-cf", "-", "."]),
        ("tar", ["--format=pax", "-cf", "-", "."]), ("tar", ["-czf", "-", "."]), ("tar", ["--zstd", "-cf", "-", "."]),
        ("tar", ["-cJf", "-", "."]),
    ]

    @Test(arguments: archivers)
    func everyCaptureOfAnArchiveIsReadUnderItsName(tool: String, arguments: [String]) throws {
        guard let archiver = Tool(tool) else { return }
        let folder = try folder()
        let set = CaptureSetReading(try archiver.run(arguments, in: folder.url))
        #expect(set.errors.isEmpty)
        let names = set.names.map { $0.replacing("!/./", with: "!/") }
        expect(
            Set(names),
            equals: [
                "test!/\(Self.logs)/btsnoop_hci.log", "test!/\(Self.logs)/btsnoop_hci.log.last",
                "test!/bugreport.txt!/btsnooz",
            ])
        for (name, records) in zip(names, set.records) {
            let file = name.hasSuffix("last") ? Self.other.bytes : Self.file.bytes
            if !name.hasSuffix("btsnooz") { expect(records, equals: Reading(file).records) }
        }
    }

    /// Cut after the first file, where two blocks of zeros would have to be.
    @Test func aTarWithoutItsEndIsReported() throws {
        guard let tar = Tool("tar") else { return }
        let folder = try TemporaryFolder([("a.log", Self.file.bytes)])
        let whole = try tar.run(["-cf", "-", "a.log"], in: folder.url)
        #expect(CaptureSetReading(whole).errors.isEmpty)
        let end = 512 + (Self.file.bytes.count + 511) / 512 * 512
        let set = CaptureSetReading(Array(whole[..<end]))
        expect(set.names, equals: ["test!/a.log"])
        expect(set.errors.map(\.reason), equals: ["the archive has no end: files may be missing"])
    }

    @Test func anArchiveInAnArchiveIsOpenedAndOneInThatIsNot() throws {
        guard let zip = Tool("zip"), let gzip = Tool("gzip") else { return }
        let compressed = try gzip.run(["-c"], input: Self.file.bytes)
        let inner = try TemporaryFolder([("log", Self.file.bytes), ("log.gz", compressed)])
        let innerArchive = try zip.run(["-qr", "-", "."], in: inner.url)
        let middle = try TemporaryFolder([("in.zip", innerArchive), ("b.gz", compressed)])
        let bytes = try zip.run(["-qr", "-", "in.zip", "b.gz"], in: middle.url)
        let set = CaptureSetReading(bytes)
        expect(set.names, equals: ["test!/in.zip!/log", "test!/b.gz"])
        #expect(set.errors.isEmpty)
    }

    @Test func anArchiveWithoutACaptureSaysWhatItHolds() throws {
        guard let zip = Tool("zip"), let gzip = Tool("gzip") else { return }
        let names = (1...6).map { "file\($0).txt" }
        let folder = try TemporaryFolder(names.map { ($0, Array("no capture".utf8)) })
        let set = CaptureSetReading(try zip.run(["-q", "-"] + names, in: folder.url))
        #expect(set.readings.isEmpty)
        expect(
            set.errors.map(\.reason),
            equals: [
                "the archive contains no capture, but file1.txt, file2.txt, file3.txt, file4.txt and 2 more"
            ])
        let single = CaptureSetReading(try gzip.run(["-c"], input: [1, 2, 3]))
        expect(single.errors.map(\.reason), equals: ["unknown format; the file begins with 01 02 03"])
        let empty = CaptureSetReading(try gzip.run(["-c"], input: []))
        expect(empty.errors.count, equals: 1)
    }

    @Test func aCaptureThatIsNotSupportedKeepsNoOtherFromBeingRead() throws {
        guard let zip = Tool("zip") else { return }
        let folder = try TemporaryFolder([("a.log", btsnoopHeader(1004)), ("b.log", Self.file.bytes)])
        let set = CaptureSetReading(try zip.run(["-q", "-", "a.log", "b.log"], in: folder.url))
        expect(set.errors.map(\.file), equals: ["test!/a.log"])
        expect(set.names, equals: ["test!/b.log"])
    }

    @Test func anEncryptedFileIsNamed() throws {
        guard let zip = Tool("zip") else { return }
        let folder = try TemporaryFolder([("a.log", Self.file.bytes)])
        let set = CaptureSetReading(try zip.run(["-q", "-P", "secret", "-", "a.log"], in: folder.url))
        expect(set.errors.map(\.reason), equals: ["the archive contains no capture, but a.log (encrypted)"])
    }

    /// Tables of contents, headers and checksums, and what is between them.
    @Test(arguments: archivers)
    func damagedArchivesNeitherTrapNorLastForever(tool: String, arguments: [String]) throws {
        guard let archiver = Tool(tool) else { return }
        let folder = try TemporaryFolder([("a.log", Self.file.bytes), ("b.pklg", Self.other.bytes)])
        let archive = try archiver.run(arguments, in: folder.url)
        mutate(archive, times: 300) {
            let set = CaptureSetReading($0)
            #expect(set.readings.count <= 20 && set.errors.count < CaptureSetReading.errorLimit)
        }
        for length in stride(from: 1, to: archive.count, by: max(1, archive.count / 300)) {
            let set = CaptureSetReading(Array(archive.prefix(length)))
            #expect(set.readings.count <= 2 && set.errors.count < CaptureSetReading.errorLimit)
        }
    }

    @Test func aFileInAnArchiveIsOpenedByItsName() throws {
        guard let zip = Tool("zip") else { return }
        let folder = try folder()
        try Data(try zip.run(["-qr", "-", "."], in: folder.url)).write(to: folder.url.appending(path: "a.zip"))
        let path = folder.path("a.zip")
        let set = CaptureSetReading(path: "\(path)!/\(Self.logs)/btsnoop_hci.log")
        expect(set.records, equals: [Self.expected.records])
        #expect(set.errors.isEmpty)
        let none = CaptureSetReading(path: "\(path)!/nothing")
        #expect(none.readings.isEmpty)
        expect(none.errors.map(\.reason), equals: ["the file does not contain this capture"])
        expect(CaptureSetReading(path: path).readings.count, equals: 3)
    }

    /// Zeros, which are empty records: never held, however little they take when compressed.
    @Test func aBombIsReadAsAStream() throws { try expectStream(ofRecords: 100_000) }

    fileprivate func expectStream(ofRecords count: Int) throws {
        guard let gzip = Tool("gzip") else { return }
        let bomb = try gzip.run(["-c"], input: btsnoopHeader() + [UInt8](repeating: 0, count: 24 * count))
        #expect(bomb.count < 100_000)
        var reader = try CaptureReader(bytes: bomb, name: "test")
        var frames = 0
        while let record = try reader.next() { frames = record.frame }
        expect(frames, equals: count)
    }

    /// What is small, and what shrinks as logs do, may be of any size.
    @Test func aBombIsToldByWhatComesOutOfIt() {
        let bomb = Expansion()
        bomb.compressed = 1_000
        bomb.note(256 << 20)
        #expect(bomb.excess == nil)
        bomb.note(1)
        #expect(bomb.excess?.contains("decompression bomb") == true)
        let log = Expansion()
        log.compressed = 1 << 30
        log.note(100 << 30)
        #expect(log.excess == nil)
    }
}

/// … with 64 MiB.
@Suite struct ArchiveLongTests {
    @Test func aBombIsReadAsAStream() throws { try ArchiveTests().expectStream(ofRecords: 2_800_000) }
}

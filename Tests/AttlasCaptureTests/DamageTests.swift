import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture
@testable import AttlasInput

@Suite struct DamageTests {
    @Test func everyFormatHasASample() {
        for format in CaptureReader.formats {
            #expect(SampleFile.all.contains { format.recognizes(Bytes($0.bytes.span)) }, "\(format)")
        }
    }

    @Test(arguments: SampleFile.all)
    func aFileCutAnywhereGivesItsWholeRecordsThenTheError(file: SampleFile) {
        let whole = Reading(file.bytes)
        #expect(whole.error == nil)
        for length in 1..<file.bytes.count {
            let reading = Reading(Array(file.bytes.prefix(length)))
            expect(reading.records, equals: Array(whole.records.prefix(reading.records.count)))
            if length < file.signatureLength {
                expect(reading.error?.kind, equals: .unknownFormat)
            } else if file.ends.contains(length) {
                #expect(reading.error == nil)
            } else {
                let start = file.ends.last { $0 < length } ?? 0
                guard case .cutShort(let need, let have) = reading.error?.kind else {
                    Issue.record("cut at \(length): \(String(describing: reading.error))")
                    continue
                }
                expect(reading.error?.offset, equals: UInt64(start))
                #expect(need > have && have == length - start)
            }
        }
    }

    @Test(arguments: SampleFile.all)
    func mutatedFilesNeitherTrapNorLastForever(file: SampleFile) {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<3000 {
            var bytes = file.bytes
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: bytes[place] = UInt8(Int.random(in: 0..<256, using: &generator))
                case 1: bytes[place] ^= 1 << UInt8(Int.random(in: 0..<8, using: &generator))
                case 2: bytes[place] = [0, 0x7F, 0x80, 0xFF][Int.random(in: 0..<4, using: &generator)]
                case 3: bytes.insert(UInt8(Int.random(in: 0..<256, using: &generator)), at: place)
                default: bytes.remove(at: place)
                }
            }
            let reading = Reading(bytes)
            #expect(reading.records.count <= bytes.count)
            #expect(reading.records.allSatisfy { $0.offset < UInt64(bytes.count) && $0.missing >= 0 })
            let frames = reading.records.map(\.frame)
            expect(frames, equals: frames.sorted())
        }
    }

    /// Small numbers everywhere look like lengths, and types, and times.
    @Test func noiseBehindAHeaderEnds() {
        var generator = SplitMix64(seed: 7)
        for file in SampleFile.all {
            for _ in 0..<200 {
                let noise = (0..<500).map { _ in
                    UInt8(Int.random(in: 0..<3, using: &generator) == 0 ? Int.random(in: 0..<32, using: &generator) : 0)
                }
                let reading = Reading(Array(file.bytes.prefix(file.ends[1])) + noise)
                #expect(reading.records.count <= 500)
            }
        }
    }

    @Test func searchingBehindABrokenBlockTakesTimeInProportionToTheFile() {
        // Each four octets begin a block that claims the longest length: all would be looked into to its end.
        let blocks = PCAPNGBlocks()
        let claim = blocks.uint32(6) + blocks.uint32(UInt32(PCAPNG.blockLimit - 4))
        let file =
            blocks.section() + blocks.interface(187) + blocks.uint32(6) + blocks.uint32(7)
            + (0..<400_000).flatMap { _ in claim }
        var left = file[...]
        let reading = Reading { () throws(CaptureError) in
            try CaptureReader(
                ByteSource(name: "test") { buffer in
                    let chunk = left.prefix(min(buffer.freeCapacity, 4096))
                    for octet in chunk { buffer.append(octet) }
                    left = left.dropFirst(chunk.count)
                    return .octets
                })
        }
        expect(reading.error?.kind, equals: .unreadable)
    }
}

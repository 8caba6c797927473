import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasMetrics
import AttlasTestSupport
import AttlasValues
import AttlasWire
import Testing

@testable import AttlasDocuments
@testable import AttlasInference
@testable import AttlasText

/// What devices advertise is read as the values of characteristics are.
@Suite struct AdvertisedInferenceTests {
    /// Manufacturer data of 0x0BAD, which no definition reads, or another AD structure, each advertised three times.
    ///
    /// - Parameter head: the AD type and what follows it.
    private static func advertisements(
        _ values: [(octets: [UInt8], time: Int64)], of address: String = Address.strap,
        head: [UInt8] = [0xFF, 0xAD, 0x0B]
    ) -> [Packet] {
        let first = values.first?.time ?? 0
        return values.flatMap { value in
            let structure = [UInt8(value.octets.count + head.count)] + head + value.octets
            return (0..<3).map { repetition in
                Packet.advertisement(of: address, structure)
                    .at(microseconds: Int((value.time - first) / 1_000) + 100_000 * repetition)
            }
        }
    }

    private static func counted(_ count: Int, from first: Int) -> [(octets: [UInt8], time: Int64)] {
        (0..<count).map { number in
            let temperature = 2_100 + number * 3 % 40
            let octets = [0x01, UInt8((first + number) & 0xFF), UInt8(temperature & 0xFF), UInt8(temperature >> 8)]
            return (octets + [UInt8(octets.reduce(0) { $0 + Int($1) } & 0xFF)], Int64(number) * 2_000_000_000)
        }
    }

    @Test func repetitionsCountOnce() throws {
        let packets = Self.advertisements(Self.counted(60, from: 10))
        let model = document(of: packets) { InferenceCollector(nil, values: $0) }
        let found = try #require(model.characteristics.first)
        expect(found.values.source, equals: .manufacturerData(company: 0x0BAD))
        expect(found.values.count, equals: 60)
        let claims = found.layouts.flatMap { $0.layout.groups.flatMap(\.claims) }.map(\.word)
        #expect(claims.contains("counter") && claims.contains("check"), "\(claims)")
    }

    /// Each has its own counter.
    @Test func severalDevicesOfACompany() throws {
        let packets =
            zip(
                Self.advertisements(Self.counted(60, from: 10)),
                Self.advertisements(Self.counted(60, from: 200), of: Address.probe)
            ).flatMap { [$0, $1] }
        let model = document(of: packets) { InferenceCollector("manufacturer-data:0x0bad", values: $0) }
        let found = try #require(model.characteristics.first)
        expect(found.values.devices, equals: 2)
        expect(found.values.count, equals: 120)
        #expect(found.layouts.flatMap { $0.layout.groups.flatMap(\.claims) }.contains { $0.word == "check" })
        let none = document(of: packets) { InferenceCollector("service-data:FCD2", values: $0) }
        expect(none.whyNothing, equals: "no device advertises that in the capture")
    }

    /// `dissectors check` accepts the draft, which reads all that was advertised.
    @Test(
        arguments: [("manufacturer-data", [0xFF, 0xAD, 0x0B]), ("ad-structure:0xee", [0xEE])] as [(String, [UInt8])])
    func draftsReadWhatWasAdvertised(subject: String, head: [UInt8]) throws {
        for number in 0..<8 {
            var device = SyntheticDevice(number: number)
            device.count = min(device.count, 150)
            let values = device.values().filter { $0.octets.count <= 24 }.map { ($0.octets, $0.time) }
            guard values.count >= 50 else { continue }
            let packets = Self.advertisements(values, head: head)
            let model = document(of: packets) { InferenceCollector(subject, values: $0) }
            let draft = DraftFile(model.characteristics).text
            let loader = DefinitionLoader([DefinitionSource(path: "draft.yaml", text: draft)], above: .shipped)
            expect(loader.mistakes.map(\.description), equals: [], "device \(number): \(draft)")
            let library = DissectorLibrary.shipped.adding(loader.files)
            for file in loader.files {
                expect(ExampleCheck(file, library: library).mistakes.map(\.description), equals: [], "device \(number)")
            }
            let score = document(of: packets, library: library) {
                DefinitionScoreCollector(loader.files.flatMap(\.attributes), values: $0)
            }
            let definition = try #require(score.definitions.first)
            expect(definition.values, equals: 3 * values.count)
            expect(definition.whole, equals: definition.values, "device \(number): \(draft)")
        }
    }
}

import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasGenerate
import AttlasTestSupport
import AttlasValues
import AttlasWire
import Foundation
import Testing

@testable import AttlasDocuments
@testable import AttlasInference
@testable import AttlasText

@Suite struct DraftFileTests {
    private static let uuid = "A1B2C3D4-0001-4000-8000-0123456789AB"

    /// A connection in which a characteristic with notifications is discovered, and its notifications.
    private static func conversation(_ values: [(octets: [UInt8], time: Int64, layout: Int)]) -> [Packet] {
        let first = values.first?.time ?? 0
        var packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0300 F0FF"),
            .att(.tx, "08 0100 0300 0328"),
            .att(.rx, "09 15 0200 10 0300 AB8967452301 0080 0040 0100 D4C3B2A1"),
        ]
        for value in values {
            let notification = Packet.att(.rx, "1B 0300 \(InferredField.hex(value.octets))")
            packets.append(notification.at(microseconds: Int(10_000 + (value.time - first) / 1_000)))
        }
        return packets
    }

    /// `dissectors check` accepts each draft, and it reads each value without a fault and without an octet left.
    @Test func draftsReadEachValue() throws { try expectReading(of: 0..<8) }

    fileprivate func expectReading(of devices: Range<Int>) throws {
        for number in devices {
            var device = SyntheticDevice(number: number)
            device.count = min(device.count, 400)
            let values = device.values()
            let model = document(of: Self.conversation(values)) { InferenceCollector("A1B2C3D4", values: $0) }
            let draft = DraftFile(model.characteristics).text
            let loader = DefinitionLoader([DefinitionSource(path: "draft.yaml", text: draft)], above: .shipped)
            expect(loader.mistakes.map(\.description), equals: [], "device \(number): \(draft)")
            let library = DissectorLibrary.shipped.adding(loader.files)
            let form = CodecForm(loader.files, name: "Draft", resolve: library.definition)
            expect(form.refusals.map(\.description), equals: [], "device \(number): \(draft)")
            #expect(form.codecs.count == 1, "device \(number): \(draft)")
            for file in loader.files {
                expect(ExampleCheck(file, library: library).mistakes.map(\.description), equals: [], "device \(number)")
            }
            let uuid = try #require(BluetoothUUID(Self.uuid))
            let dissector = try #require(library.dissector(for: uuid))
            var dissection = Dissection()
            var unread = 0
            for value in values {
                dissector.dissect(Bytes(value.octets.span), operation: .notify, into: &dissection)
                if dissection.fault != nil || !dissection.unexplained.isEmpty { unread += 1 }
            }
            expect(unread, equals: 0, "device \(number), \(values.count) values: \(draft)")
        }
    }

    /// A UUID in both orders, SFLOAT in both orders, an integer of 6 octets, and a length of 4 octets.
    @Test func draftsOfKnownNumbersAreAccepted() throws {
        var random = SplitMix64(seed: 11)
        var (tenths, current) = (950, 5)
        let values = (0..<200).map { index -> (octets: [UInt8], time: Int64, layout: Int) in
            tenths += (index / 20 % 2 == 0 ? 5 : -5) + Int.random(in: -2...2, using: &random)
            current = min(90, max(-90, current + Int.random(in: -20...20, using: &random)))
            var uuid = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            uuid[6] = uuid[6] & 0x0F | 0x40
            uuid[8] = uuid[8] & 0x3F | 0x80
            let number = tenths < 1_000 ? 0xF000 | tenths : tenths / 10
            let medical = [UInt8(number & 0xFF), UInt8(number >> 8)]
            let rest = (0..<Int.random(in: 1...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            let octets =
                uuid + uuid.reversed() + medical + medical.reversed()
                + (0..<6).map { UInt8(truncatingIfNeeded: current >> (8 * $0)) } + rest
            return ([0x55, 0x00, 0x00, 0x00, UInt8(octets.count)] + octets, Int64(index) * 200_000_000, 0)
        }
        let model = document(of: Self.conversation(values)) { InferenceCollector("A1B2C3D4", values: $0) }
        let draft = DraftFile(model.characteristics).text
        for line in [
            "{ name: UUID 5, type: bytes, size: 16 }", "{ name: UUID 21, type: uuid, size: 16 }",
            "{ name: Number 37, type: medfloat16 }", "{ name: Number 39, type: uint16, order: big }",
            "{ name: Number 41, type: sint48 }", "# doubt: the constant octet 3 may be its high part",
        ] { #expect(draft.contains(line), "\(line) in \(draft)") }
        let loader = DefinitionLoader([DefinitionSource(path: "draft.yaml", text: draft)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [], "\(draft)")
    }

    /// The layout is that of each message, whose length is one octet or two.
    @Test(arguments: [1, 2]) func draftsOfSeveralMessagesInAValue(width: Int) throws {
        var random = SplitMix64(seed: 12)
        let values = (0..<80).map { index -> (octets: [UInt8], time: Int64, layout: Int) in
            let messages = (0...Int.random(in: 0...3, using: &random)).map { _ -> [UInt8] in
                let body = (0..<Int.random(in: 1...7, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                return [0x5A] + [UInt8](repeating: 0, count: width - 1) + [UInt8(body.count)] + body
            }
            return (Array(messages.joined()), Int64(index) * 200_000_000, 0)
        }
        let model = document(of: Self.conversation(values)) { InferenceCollector("A1B2C3D4", values: $0) }
        let draft = DraftFile(model.characteristics).text
        #expect(draft.contains("repeat: rest"), "\(draft)")
        let loader = DefinitionLoader([DefinitionSource(path: "draft.yaml", text: draft)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [], "\(draft)")
        let library = DissectorLibrary.shipped.adding(loader.files)
        let uuid = try #require(BluetoothUUID(Self.uuid))
        let dissector = try #require(library.dissector(for: uuid))
        var dissection = Dissection()
        for value in values {
            dissector.dissect(Bytes(value.octets.span), operation: .notify, into: &dissection)
            #expect(dissection.fault == nil && dissection.unexplained.isEmpty, "\(value.octets) \(draft)")
        }
    }

    /// Values without octets, and messages that have only their first octet.
    @Test func draftsOfEmptyValuesAreAccepted() throws {
        var random = SplitMix64(seed: 5)
        let empty = (0..<20).map { (octets: [UInt8](), time: Int64($0) * 100_000_000, layout: 0) }
        let messages = (0..<200).map { number -> (octets: [UInt8], time: Int64, layout: Int) in
            let kind = Int.random(in: 0...2, using: &random)
            let rest = (0..<2 * kind).map { _ in UInt8.random(in: 0...255, using: &random) }
            return ([[0x20, 0x31, 0x47][kind]] + rest, Int64(number) * 100_000_000, 0)
        }
        for values in [empty, messages] {
            let model = document(of: Self.conversation(values)) { InferenceCollector("0x0003", values: $0) }
            let draft = DraftFile(model.characteristics).text
            let loader = DefinitionLoader([DefinitionSource(path: "draft.yaml", text: draft)], above: .shipped)
            expect(loader.mistakes.map(\.description), equals: [], "\(draft)")
            expect(draft.contains("switch: Op Code"), equals: values.count == 200, "\(draft)")
            let library = DissectorLibrary.shipped.adding(loader.files)
            for file in loader.files {
                expect(ExampleCheck(file, library: library).mistakes.map(\.description), equals: [], "\(draft)")
            }
        }
    }

    /// A counter, a constant and a sum of both.
    private static let counted: [(octets: [UInt8], time: Int64, layout: Int)] = (0..<300).map { number in
        let counter = UInt8(truncatingIfNeeded: number)
        let noise = UInt8(truncatingIfNeeded: number * number / 7)
        return ([0xAA, counter, noise, 0xAA &+ counter &+ noise], Int64(number) * 100_000_000, 0)
    }

    @Test func claimsAreComments() throws {
        let model = document(of: Self.conversation(Self.counted)) { InferenceCollector("0x0003", values: $0) }
        let text = DraftFile(model.characteristics).text
        // The third octet has no claim.
        #expect(text.contains("\n# The claims explain 75 % of the octets.\n"), "\(text)")
        #expect(text.contains("# constant AA: 300 of 300 values\n"))
        #expect(text.contains("      - { name: Constant 0, const: AA }\n"))
        #expect(text.contains("# counter, step 1: 300 of 300 values, by chance < 10⁻⁹⁹\n"))
        #expect(text.contains("# sum modulo 256 of all octets before it: 300 of 300 values, by chance < 10⁻"))
        #expect(text.contains("      - { name: Check, type: uint8, check: sum8 }\n"))
    }

    /// Two numbers of two octets whose sign no value shows, and one of one octet between octets that are always 0.
    @Test func doubtsAreSaidOnce() throws {
        var random = SplitMix64(seed: 23)
        var numbers = [20_000, 30_000, 90]
        let values = (0..<400).map { index -> (octets: [UInt8], time: Int64, layout: Int) in
            for place in numbers.indices { numbers[place] += Int.random(in: -2...2, using: &random) }
            let octets = numbers.prefix(2).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            return ([0xA5, 0xA5] + octets + [0, UInt8(numbers[2] & 0xFF), 0], Int64(index) * 100_000_000, 0)
        }
        let model = document(of: Self.conversation(values)) { InferenceCollector("0x0003", values: $0) }
        let lines = DraftFile(model.characteristics).text.split(separator: "\n").map { $0.drop { $0 == " " } }
        let doubts = lines.filter { $0.hasPrefix("# doubt") && !$0.contains("may be a") }
        expect(
            doubts.map { String($0) },
            equals: [
                "# doubt about 2 fields: no value passes through 0, so that a sign would not show",
                // Of the number before octet 6, and of the one after it.
                "# doubt: the constant octet 6 may be its high part",
                "# doubt: the constant octet 6 or 8 may be its high part",
            ], "\(lines.joined(separator: "\n"))")
    }

    /// A definition can say each checksum that is found.
    @Test(arguments: [
        ("negated-sum8", 0), ("inverted-sum8", 1), ("{ algorithm: sum8, modulo: 100 }", 2), ("xor8", 3),
    ])
    func checksumsAreWritten(text: String, kind: Int) throws {
        let values = Self.counted.map { value -> (octets: [UInt8], time: Int64, layout: Int) in
            let octets = Array(value.octets.dropLast())
            let sum = octets.reduce(0) { $0 + Int($1) }
            let checks = [-sum & 0xFF, ~sum & 0xFF, sum % 100, Int(octets.reduce(0, ^))]
            return (octets + [UInt8(checks[kind])], value.time, 0)
        }
        let model = document(of: Self.conversation(values)) { InferenceCollector("0x0003", values: $0) }
        let draft = DraftFile(model.characteristics, name: "Mine").text
        #expect(draft.contains("      - { name: Check, type: uint8, check: \(text) }\n"), "\(draft)")
        #expect(draft.contains("    name: \"Mine\"\n"))
        let loader = DefinitionLoader([DefinitionSource(path: "draft.yaml", text: draft)], above: .shipped)
        let uuid = try #require(BluetoothUUID(Self.uuid))
        let dissector = try #require(DissectorLibrary.shipped.adding(loader.files).dissector(for: uuid))
        var dissection = Dissection()
        for value in values {
            dissector.dissect(Bytes(value.octets.span), operation: .notify, into: &dissection)
            #expect(!dissection.hasWrongCheck && dissection.fault == nil)
        }
    }

    /// Frames are decoded, and their examples are values as they are sent.
    @Test func framesAreWritten() throws {
        let values = Self.counted.map { value -> (octets: [UInt8], time: Int64, layout: Int) in
            let inner = value.octets.flatMap { octet -> [UInt8] in
                octet == 0xC0 ? [0xDB, 0xDC] : octet == 0xDB ? [0xDB, 0xDD] : [octet]
            }
            return ([0xC0] + inner + [0xC0], value.time, 0)
        }
        let model = document(of: Self.conversation(values)) { InferenceCollector("0x0003", values: $0) }
        let draft = DraftFile(model.characteristics).text
        #expect(draft.contains("    assemble: { for: [read, notify, indicate], framing: slip }\n"), "\(draft)")
        let loader = DefinitionLoader([DefinitionSource(path: "draft.yaml", text: draft)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [])
        let library = DissectorLibrary.shipped.adding(loader.files)
        for file in loader.files {
            let check = ExampleCheck(file, library: library)
            #expect(check.mistakes.map(\.description) == [] && check.count == 3)
        }
    }

    /// Parts that no rule joins: an octet before each numbers the parts of a message from 0. The examples are the messages.
    @Test func messagesWithoutARuleAreExamples() throws {
        var random = SplitMix64(seed: 11)
        var values: [(octets: [UInt8], time: Int64, layout: Int)] = []
        for message in 0..<120 {
            let octets =
                [0x5A, UInt8(message)]
                + (0..<(10 + message % 37)).map { _ in UInt8.random(in: 0...255, using: &random) }
            for (number, start) in stride(from: 0, to: octets.count, by: 18).enumerated() {
                let part = [UInt8(number)] + octets[start..<min(start + 18, octets.count)]
                values.append((part, Int64(values.count) * 100_000_000, 0))
            }
        }
        let model = document(of: Self.conversation(values)) { InferenceCollector("0x0003", values: $0) }
        let draft = DraftFile(model.characteristics).text
        #expect(draft.contains("# doubt: a definition has no rule for this"), "\(draft)")
        #expect(!draft.contains("parts:") && !draft.contains("assemble:"))
        let loader = DefinitionLoader([DefinitionSource(path: "draft.yaml", text: draft)], above: .shipped)
        let library = DissectorLibrary.shipped.adding(loader.files)
        for file in loader.files {
            expect(ExampleCheck(file, library: library).mistakes.map(\.description), equals: [], "\(draft)")
        }
    }

    @Test func listNamesClaims() throws {
        let model = document(of: Self.conversation(Self.counted)) { InferenceCollector(nil, values: $0) }
        let list = try printed { output in
            var text = InferenceText(model, width: 80, isColoured: false)
            text.write(file: nil, into: &output)
        }
        #expect(
            list.hasPrefix(
                """
                0x0003  A1B2C3D4-0001-4000-8000-0123456789AB
                        300 values received, 294 distinct, 4 octets
                          octet 1: counter, step 1
                          octet 3: sum modulo 256 of all octets before it

                """), "\(list)")
    }

    /// Values that may hold keys are not used.
    @Test func keysAreWithheld() throws {
        let definition = """
            characteristics:
              - uuid: \(Self.uuid)
                name: Key
                fields: [{ name: Key, type: bytes, secret: true, size: 4 }]
                examples: [{ hex: "01 02 03 04" }]
            """
        let loader = DefinitionLoader([DefinitionSource(path: "key.yaml", text: definition)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [])
        let model = document(
            of: Self.conversation(Self.counted), library: DissectorLibrary.shipped.adding(loader.files)
        ) { InferenceCollector("A1B2C3D4", values: $0) }
        expect(model.characteristics.first?.values.withheld, equals: 300)
        expect(model.characteristics.first?.values.count, equals: 0)
        #expect(!DraftFile(model.characteristics).text.contains("AA"))
    }

    @Test func valuesHaveStatistics() throws {
        let model = document(of: Self.conversation(Array(Self.counted.prefix(20)))) {
            ValuesCollector("A1B2", values: $0)
        }
        let text = try printed { output in
            var text = ValuesText(model, width: nil, isColoured: false)
            text.write(file: nil, into: &output)
        }
        #expect(text.contains("20 values received, 20 distinct\n"))
        #expect(text.contains("      1 ×    4 octets  AA 13 33 F0\n"))
        #expect(text.contains("      1    00–13        20       19   4.3  ██▒"), "\(text)")
        #expect(text.contains("counter, step 1\n"))
    }
}

/// What is written.
private func printed(_ write: (inout Output) -> Void) throws -> String {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) {
        let path = try folder.write([], to: "output")
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        var output = Output(descriptor: file.fileDescriptor)
        write(&output)
        try file.close()
        return try String(contentsOfFile: path, encoding: .utf8)
    }
}

@Suite struct DraftFileLongTests {
    @Test func draftsReadEachValue() throws { try DraftFileTests().expectReading(of: 0..<40) }
}

import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasAnonymize

/// What happens to the values of attributes.
@Suite struct AnonymizedValuesTests {
    /// A discovered service with one characteristic at 0x0010.
    private static func discovered(_ service: String, _ characteristic: String) -> String {
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0E00 1F00 \(service)
        > 08 0E00 1F00 0328
        < 09 07 0F00 10 1000 \(characteristic)
        """
    }

    private func value(
        _ service: String, _ characteristic: String, _ line: String, _ choice: Anonymizer.Choice = .init()
    ) -> (new: [UInt8], outcome: AnonymizationOutcome) {
        let result = Anonymized(Self.discovered(service, characteristic) + "\n" + line, choice)
        expect(result.leaks, equals: [])
        return (Array(result.octets[5].dropFirst(8)), result.outcome)
    }

    /// Heart Rate Measurement: flags with the contact and RR-Intervals, 72 bpm, 828/1024 s.
    @Test func aMeasurementBecomesAnotherOne() {
        let (new, outcome) = value("0D18", "372A", "< 1B 1000 16 48 3C03")
        #expect(new.count == 7 && new.prefix(4) == [0x1B, 0x10, 0x00, 0x16])
        #expect(new[4] != 0x48 && new[4] >= 64 && outcome.values == 1 && outcome.unknownOctets == 0)
        // About as large: the same number of bits.
        #expect(new[6] == 2 || new[6] == 3)
    }

    /// CGM Measurement with E2E-CRC: Continuous Glucose Monitoring Service, 3.1. The CRC is CRC-CCITT with 0xFFFF, the least significant
    /// bit first; computed here bit by bit.
    @Test func checksumsAreMadeAgain() {
        func crc(_ octets: some Sequence<UInt8>) -> UInt16 {
            octets.reduce(0xFFFF as UInt16) { crc, octet in
                (0..<8).reduce(crc ^ UInt16(octet)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0x8408 : crc >> 1 }
            }
        }
        let octets = hex("08 00 7800 0500")
        let sum = crc(octets)
        let tail = String(sum & 0xFF, radix: 16).leftPadded + String(sum >> 8, radix: 16).leftPadded
        let (new, outcome) = value("1F18", "A72A", "< 1B 1000 08 00 7800 0500 \(tail)")
        let measured = Array(new.dropFirst(3))
        #expect(outcome.values == 1 && measured.count == 8 && Array(measured[2..<4]) != [0x78, 0x00])
        let made = crc(measured.dropLast(2))
        expect(Array(measured.suffix(2)), equals: [UInt8(made & 0xFF), UInt8(made >> 8)])
    }

    /// Improv's RPC Result ends with the sum of the octets before it. The name in it is one that the device advertises.
    @Test func aChecksumOverANameIsMadeAgain() {
        let octets = hex("01 07 06") + Array("Polar7".utf8)
        let sum = octets.reduce(0 as UInt8) { $0 &+ $1 }
        var choice = Anonymizer.Choice()
        choice.keepsValues = true
        let packets: [Packet] = [
            .advertisement([7, 9] + Array("Polar7".utf8)), .connected(), .att(.tx, "10 0100 FFFF 0028"),
            .att(.rx, "11 14 0E00 1F00 0080267874276346722228626877 4600"), .att(.tx, "08 0E00 1F00 0328"),
            .att(.rx, "09 15 0F00 10 1000 0480267874276346722228626877 4600"),
            .frame(.rx, channel: 4, hex("1B1000") + octets + [sum]),
        ]
        let result = Anonymized(packets, choice)
        let value = Array(result.octets[6].dropFirst(11))
        #expect(result.leaks == [] && value.count == 10 && value[3..<9] != Array("Polar7".utf8)[...])
        expect(value.last, equals: value.dropLast().reduce(0 as UInt8) { $0 &+ $1 })
    }

    @Test func identities() {
        // Serial Number String.
        let (serial, _) = value("0A18", "252A", "< 1B 1000 50372D303034323131")
        #expect(serial.count == 12 && serial[5] == 0x2D && Array(serial.dropFirst(3)) != Array("P7-004211".utf8))
        // System ID.
        let (system, _) = value("0A18", "232A", "< 1B 1000 123456FFFE9ABCDE")
        #expect(system.count == 11 && Array(system.dropFirst(3)) != hex("123456FFFE9ABCDE"))
        // Manufacturer Name String says nothing of one device.
        let (name, _) = value("0A18", "292A", "< 1B 1000 41636D65")
        expect(Array(name.dropFirst(3)), equals: Array("Acme".utf8))
    }

    /// A keyboard's keys, and what a phone shows.
    @Test func whatIsTypedBecomesNothing() {
        let (new, _) = value("1218", "4D2A", "< 1B 1000 0200040000000000")
        expect(Array(new.dropFirst(3)), equals: hex("0000000000000000"))
    }

    @Test func vendorsValues() {
        let vendor = Self.vendor("< 1B 1000 11223344")
        expect(Anonymized(vendor).octets[5].suffix(4), equals: [0, 0, 0, 0])
        expect(Anonymized(vendor).outcome.unknownPlaces, equals: 0)
        var choice = Anonymizer.Choice()
        choice.keptTypes = [BluetoothUUID("5E1F0A20-0000-1000-8000-00AABBCCB401")!]
        expect(Anonymized(vendor, choice).octets[5].suffix(4), equals: hex("11223344")[...])
        choice = Anonymizer.Choice()
        choice.keepsValues = true
        expect(Anonymized(vendor, choice).octets[5].suffix(4), equals: hex("11223344")[...])
    }

    /// Nordic's DFU: Create Object of a size, and its result. What was asked and how it ended are no one's secrets.
    @Test func resultsOfAVendorStay() {
        let lines = Self.vendor(
            "> 12 1000 01 02 11223344\n< 1B 1000 60 01 05", in: "59FE", "50EADA308883B89F604F15F30100C98E")
        let result = Anonymized(lines)
        expect(result.octets[5].suffix(6), equals: hex("010200000000")[...])
        expect(result.octets[6].suffix(3), equals: hex("600105")[...])
    }

    private static func vendor(
        _ line: String, in service: String = "F0FF", _ type: String = "01B4CCBBAA00008000100000200A1F5E"
    ) -> String {
        """
        connect
        > 10 0100 FFFF 0028
        < 11 06 0E00 1F00 \(service)
        > 08 0E00 1F00 0328
        < 09 15 0F00 10 1000 \(type)
        \(line)
        """
    }

    /// A name in two parts of a long read: neither has it whole. Vol 3, Part F, 3.4.4.5.
    @Test func aSecretInTwoPartsOfAValue() {
        var choice = Anonymizer.Choice()
        choice.keepsValues = true
        let name = "506F6C617269732D37"
        let first = String(repeating: "2E", count: 18) + name.prefix(8)
        let result = Anonymized(
            """
            advertise 010203040506
            event 3E 17 02 01 00 01 010203040506 0B 0A09 \(name) C4
            \(Self.vendor("> 0A 1000\n< 0B \(first)\n> 0C 1000 1600\n< 0D \(name.dropFirst(8))2E\n"))
            """, choice)
        expect(result.leaks, equals: [])
        expect(result.octets[8].suffix(22), equals: [UInt8](repeating: 0, count: 22)[...])
    }

    /// Without discovery nobody knows what a value is; a Client Characteristic Configuration shows by what follows.
    @Test func valuesOfUnknownHandles() {
        let result = Anonymized("connect\n> 12 1100 0100\n< 13\n< 1B 1000 0648\n> 12 1300 0500")
        expect(result.octets[1].suffix(2), equals: [1, 0])
        expect(result.octets[3].suffix(2), equals: [0, 0])
        #expect(result.octets[4].suffix(2) == [0, 0] && result.outcome.unknownPlaces == 2)
    }

    private static let definitions: [AttributeDefinition] = {
        let folder = Repository.root.appending(path: "Dissectors")
        let sources = (try? DefinitionSource.files(at: folder.path)) ?? []
        return DefinitionLoader(sources, above: .shipped).files.flatMap(\.attributes)
    }()

    /// judgements.tsv says of each attribute of the Bluetooth SIG whether its values are personal, and what happens to them. A new
    /// attribute needs a line.
    @Test func everyAttributeIsJudged() throws {
        let table = Repository.root.appending(path: "Tests/AttlasAnonymizeTests/judgements.tsv")
        var judged = Set(
            try String(contentsOf: table, encoding: .utf8).split(separator: "\n").dropFirst().map(String.init))
        var missing: [String] = []
        for definition in Self.definitions where definition.kind == .characteristic || definition.kind == .descriptor {
            guard let short = definition.uuid.uint16, 0x2800..<0x3000 ~= short else { continue }
            let judgement = Anonymizer.judgement(definition.uuid, definition.sensitivity?.subject)
            let line = "\(definition.uuid)\t\(definition.name)\t\(judgement.rawValue)"
            if judged.remove(line) == nil { missing.append(line) }
        }
        #expect(missing.isEmpty, "not in judgements.tsv:\n\(missing.joined(separator: "\n"))")
        #expect(judged.isEmpty, "no longer true: \(judged.sorted())")
    }

    /// Indoor Positioning Service, User Data Service and Device Information Service: the local coordinates, the floor and the altitude, the
    /// gender and the user index, and octets after the end of a PnP ID.
    @Test(arguments: [
        ("2118", "B02A", "D204"), ("2118", "B12A", "EA00"), ("2118", "B22A", "19"), ("2118", "B32A", "BA08"),
        ("1C18", "9A2A", "07"),
    ])
    func whereAndWhoSomebodyIs(_ service: String, _ characteristic: String, _ octets: String) {
        let (new, outcome) = value(service, characteristic, "< 1B 1000 \(octets)")
        #expect(Array(new.dropFirst(3)) != hex(octets) && new.count == 3 + hex(octets).count)
        expect(outcome.values, equals: 1)
    }

    /// Any of the three names of the User Data Service, 3.10.
    @Test func theGenderIsAnother() {
        let all = (0..<24 as Range<UInt8>).map { seed in
            Anonymized(
                Conversation(Self.discovered("1C18", "8C2A") + "\n> 0A 1000\n< 0B 01").packets, seed: seed
            ).octets[6].last
        }
        expect(Set(all), equals: [0, 1, 2])
    }

    /// Basic Audio Announcement (Basic Audio Profile 1.0.2, 3.7.2.2): a Program Info is a text, and all numbers stay.
    @Test func serviceDataOfTheBluetoothSIG() {
        let base = hex("1651 18 409C00 01 01 06 00 00 00 00 04 03 02 01 00 06 05 03 416E6E61 01 00")
        let data = [UInt8(base.count)] + base
        let new = Array(Anonymized([.advertisement(data)]).octets[0][13...].dropLast())
        let text = data.count - 6..<data.count - 2
        #expect(new.count == data.count && new[..<text.lowerBound] == data[..<text.lowerBound])
        #expect(new[text] != data[text] && new.suffix(2) == [1, 0])
    }

    /// Vendor ID Source, Vendor ID, Product ID and Product Version stay.
    @Test func octetsAfterAPnPID() {
        let result = Anonymized(Self.discovered("0A18", "502A") + "\n> 0A 1000\n< 0B 01 0D00 0100 1001 416E6E61")
        expect(result.octets[6].dropFirst(9), equals: hex("01 0D00 0100 1001 00000000")[...])
        expect(result.outcome.unknownOctets, equals: 4)
    }

    /// Tx Power Level is one octet: others of a prepared write have no meaning. Vol 3, Part F, 3.4.6.1.
    @Test func octetsAfterAPreparedValue() {
        let lines = "> 16 1000 0000 04 416E6E61\n< 17 1000 0000 04 416E6E61\n> 16 1000 0100 416E"
        let result = Anonymized(Self.discovered("0418", "072A") + "\n" + lines)
        expect(result.octets[5].suffix(5), equals: hex("0400000000")[...])
        expect(result.octets[7].suffix(2), equals: [0, 0])
    }

    /// The layouts of the sensitive characteristics of the Bluetooth SIG, with the examples of their definitions.
    @Test func everySensitiveDefinition() {
        var types: Set<BluetoothUUID> = []
        var replaced = 0
        for definition in Self.definitions where definition.sensitivity != nil {
            guard let dissector = DissectorLibrary.shipped.dissector(for: definition.uuid) else { continue }
            for example in definition.examples where example.parts.isEmpty && !example.octets.isEmpty {
                types.insert(definition.uuid)
                if isReplaced(example.octets, dissector, example.operation) { replaced += 1 }
            }
        }
        #expect(types.count > 60 && replaced > 150)
    }

    /// Whether it is another value with the same fields.
    private func isReplaced(_ octets: [UInt8], _ dissector: Dissector, _ access: AttributeAccess) -> Bool {
        var old = Dissection()
        dissector.dissect(Bytes(octets.span), operation: access, into: &old)
        var value = RandomValue(octets, insteadOf: octets, dissector, old, access, RandomOctets(state: 5))
        value.change()
        let replaced = value.renewed()
        var new = Dissection()
        dissector.dissect(Bytes(replaced.span), operation: access, into: &new)
        expect(replaced.count, equals: octets.count)
        let isZero = replaced.allSatisfy { $0 == 0 }
        #expect(isZero || (0..<new.count).map { new[$0].field } == (0..<old.count).map { old[$0].field })
        #expect(isZero || new.hasOutOfRange == old.hasOutOfRange && new.fault == old.fault)
        return !isZero && replaced != octets
    }
}

extension String {
    fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}

import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Testing

/// A definition applies in the services that its characteristic belongs to.
@Suite struct ServiceScopeTests {
    /// One characteristic at handle 3, in a service; then a notification of it.
    private func conversation(_ characteristic: String, in service: String, _ values: [String]) -> [Packet] {
        let discovery: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"),
            .att(.rx, "11 \(service.count == 4 ? "06" : "14") 0100 0400 \(service)"),
            .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 \(characteristic)"),
        ]
        return discovery + values.map { .att(.rx, "1B 0300 \($0)") }
    }

    private func names(_ packets: [Packet], _ library: DissectorLibrary = .shipped) -> [[String]] {
        decoded(packets, library: library) { ReadingCollector(values: $0) }.readings.map(\.names)
    }

    private static let batteryLevel = "192A"
    private static let vendor = "9ECADC240EE5A9E093F3A3B50100406E"

    @Test(arguments: ["0F18", "1A18"])
    func servicesOfTheSIGUseEachOthersCharacteristics(_ service: String) {
        expect(names(conversation(Self.batteryLevel, in: service, ["5A"])), equals: [["Battery Level"]])
    }

    /// A service of 128 bits, a member's, one that nobody was assigned, one of another organization.
    @Test(arguments: [vendor, "E0FE", "E0FF", "FF18", "F0FF"])
    func aVendorsServiceMayMeanSomethingElse(_ service: String) {
        expect(names(conversation(Self.batteryLevel, in: service, ["5A", "5A01", ""])), equals: [["Battery Level"]])
    }

    /// A float32 where Temperature has 2 octets, and a Heart Rate Measurement with flags that are reserved, in Battery.
    @Test(arguments: [("6E2A", "00002041"), ("372A", "E0 48")])
    func aValueOfAnotherFormatIsNotReadWhereItDoesNotBelong(_ characteristic: String, _ value: String) {
        expect(names(conversation(characteristic, in: "0F18", [value])), equals: [])
        expect(
            names(conversation(characteristic, in: characteristic == "6E2A" ? "1A18" : "0D18", [value])).count,
            equals: 1)
    }

    @Test func anUnknownServiceIsNoVendors() {
        let packets: [Packet] = [
            .connected(), .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 192A"),
            .att(.rx, "1B 0300 5A"),
        ]
        expect(names(packets), equals: [["Battery Level"]])
    }

    /// Boolean, and a Client Characteristic Configuration: their files name no service.
    @Test func aDefinitionWithoutAServiceAppliesEverywhere() {
        let packets =
            conversation("E22A", in: Self.vendor, ["01"]) + [
                .att(.tx, "04 0400 0400"), .att(.rx, "05 01 0400 0229"), .att(.tx, "12 0400 0100"),
            ]
        expect(names(packets), equals: [["Boolean"], ["Configuration"]])
    }

    /// One device in both, with a value that fits in neither: what was chosen in the first service is not kept for the second.
    @Test func eachServiceIsLookedAtByItself() {
        let packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0300 0F18 0400 0600 E0FE"),
            .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 10 0300 192A 0500 10 0600 192A"),
            .att(.rx, "1B 0300 5A01"), .att(.rx, "1B 0600 5A01"), .att(.rx, "1B 0300 5901"), .att(.rx, "1B 0600 5901"),
        ]
        let frames = decoded(packets) { ReadingCollector(values: $0) }.readings.map(\.frame)
        expect(frames, equals: [6, 8])
    }

    /// The parts of Mesh Proxy Data Out.
    @Test func aDefinitionThatDoesNotApplyHasNoHistory() {
        let parts = ["40 10 11 12", "C0 13 14"]
        expect(readings(conversation("DE2A", in: "2818", parts)).compactMap(\.message).count, equals: 2)
        #expect(readings(conversation("DE2A", in: "E0FE", parts)).isEmpty)
    }

    /// A Presentation Format describes the value of a characteristic whose definition does not belong there, also one that fits.
    @Test func aPresentationFormatAppliesInAVendorsService() {
        let packets =
            conversation(Self.batteryLevel, in: "E0FE", []) + [
                .att(.tx, "04 0400 0400"), .att(.rx, "05 01 0400 0429"),
                // uint16, no exponent, unitless.
                .att(.tx, "0A 0400"), .att(.rx, "0B 06 00 0027 01 0000"),
                .att(.rx, "1B 0300 5A01"), .att(.rx, "1B 0300 5A"),
            ]
        let readings = decoded(packets) { ReadingCollector(values: $0) }.readings
        expect(readings.suffix(2).map(\.fields), equals: [["Value = 346.0"], []])
    }

    // MARK: A user's definitions

    private func library(_ head: String) throws -> DissectorLibrary {
        let text = """
            \(head)
            characteristics:
              - uuid: 2A19
                name: Charge
                fields: [{ name: Charge, type: uint16 }]
            """
        let loader = DefinitionLoader([DefinitionSource(path: "mine.yaml", text: text)], above: .shipped)
        #expect(loader.mistakes.isEmpty)
        return DissectorLibrary.shipped.adding(loader.files)
    }

    @Test func aUsersDefinitionAppliesInItsServices() throws {
        let mine = try library("services: [{ uuid: FEE0, name: Band }, { uuid: FEE1, name: Band }]")
        expect(names(conversation(Self.batteryLevel, in: "E0FE", ["5A01"]), mine), equals: [["Charge"]])
        expect(names(conversation(Self.batteryLevel, in: "E1FE", ["5A01"]), mine), equals: [["Charge"]])
        expect(names(conversation(Self.batteryLevel, in: "E2FE", ["5A01"]), mine), equals: [])
        expect(names(conversation(Self.batteryLevel, in: "0F18", ["5A"]), mine), equals: [["Battery Level"]])
    }

    @Test func aUsersDefinitionOfAServiceOfTheSIGAppliesInNoOther() throws {
        let mine = try library("service: { uuid: 180F, name: Battery }")
        expect(names(conversation(Self.batteryLevel, in: "0F18", ["5A01"]), mine), equals: [["Charge"]])
        expect(names(conversation(Self.batteryLevel, in: "1A18", ["5A"]), mine), equals: [["Battery Level"]])
    }

    @Test func aUsersDefinitionWithoutAServiceAppliesEverywhere() throws {
        let mine = try library("# no service")
        for service in ["E0FE", "0F18", Self.vendor] {
            expect(names(conversation(Self.batteryLevel, in: service, ["5A01"]), mine), equals: [["Charge"]])
        }
    }
}

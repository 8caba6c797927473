import Attlas
import AttlasTestSupport
import Testing

@Suite struct DissectorTests {
    private static let yaml = """
        service: { uuid: 6E40FF01-B5A3-F393-E0A9-E50E24DCCA9E, name: LED Strip }
        characteristics:
          - uuid: 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E
            name: Colour
            fields:
              - { name: Flags, type: uint8, bits: { 0: Party Mode } }
              - { name: Frequency, type: uint8, unit: /min, if: Party Mode }
              - { name: Red, type: uint8 }
              - { name: Green, type: uint8, max: 128 }
              - { name: Blue, type: uint8 }
        """

    private func colour() throws -> Dissector { try Dissector(yaml: Self.yaml, named: "led.yaml") }

    @Test func fieldsAreInTheirOrder() throws {
        let fields = try colour().decode([0x01, 0x05, 0xFF, 0x80, 0x00])
        expect(fields.map(\.name), equals: ["Flags", "Party Mode", "Frequency", "Red", "Green", "Blue"])
        expect(fields.map(\.number), equals: [1, 1, 5, 255, 128, 0])
        expect(fields.map(\.octets), equals: [0..<1, 0..<1, 1..<2, 2..<3, 3..<4, 4..<5])
        expect("\(fields[2])", equals: "Frequency: 5/min")
        #expect(try colour().decode([0x00, 0xFF, 0x80, 0x00])["Frequency"] == nil)
    }

    @Test func aValueThatEndsEarlyIsRefusedWithPlaceAndReason() throws {
        do {
            _ = try colour().decode([0x01, 0x05, 0xFF, 0x80])
            Issue.record("no error")
        } catch let error as DissectionError {
            #expect(error.field == "Blue" && error.offset == 4)
            expect(error.description, equals: "Blue: the value ends within the field, needs 5 octets, has 4")
        }
    }

    @Test func aNumberThatIsNotPermittedIsRefused() throws {
        do {
            _ = try colour().decode([0x00, 0xFF, 0x81, 0x00])
            Issue.record("no error")
        } catch let error as DissectionError {
            #expect(error.field == "Green" && error.offset == 2)
            expect(error.description, equals: "Green outside the permitted range 0 to 128")
        }
    }

    @Test func whatTheDefinitionDoesNotExplainIsReported() throws {
        let fields = try colour().decode([0x80, 0xFF, 0x80, 0x00, 0xAA])
        #expect(fields.hasReservedBits)
        expect(fields.unexplained, equals: 4..<5)
    }

    @Test func aMistakeInADefinitionNamesItsLine() {
        do {
            _ = try Dissector(yaml: Self.yaml.replacing("unit:", with: "untit:"), named: "led.yaml")
            Issue.record("no error")
        } catch {
            expect(error.description, equals: "led.yaml:7:41: a field has no key \"untit\"; did you mean \"unit\"?")
        }
    }

    @Test func oneOfSeveralDefinitionsIsNamed() throws {
        let two = try Dissector(
            yaml: """
                characteristics:
                  - { uuid: FFE1, name: One, fields: [{ name: First, type: uint8 }] }
                  - { uuid: FFE2, name: Two, fields: [{ name: Second, type: uint8 }] }
                """)
        expect(two.names, equals: ["One", "Two"])
        try expect(two.decode([2], of: "FFE2").map(\.name), equals: ["Second"])
        try expect(two.decode([2], of: "two").map(\.name), equals: ["Second"])
        #expect(throws: UnknownName.self) { try two.decode([2], of: "FFE3") }
    }

    @Test func definitionsOfTheSIGAreFoundByName() throws {
        // Heart Rate Service, 3.1: flags, 8 bits, contact detected.
        try expect(Dissector("Heart Rate Measurement").decode([0x06, 0x48]).description, equals: "72 bpm · contact")
        #expect(throws: UnknownName.self) { try Dissector("Heart Rat Measurement") }
    }

    @Test func literalsOfUUIDsAreNotAmbiguous() {
        expect(BluetoothUUID(0x2A37), equals: BluetoothUUID("2A37"))
        expect(
            BluetoothUUID(0x6E40_FF02_B5A3_F393_E0A9_E50E_24DC_CA9E).description,
            equals: "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E")
        expect(
            ([0x180D, 0x1234_5678] as [BluetoothUUID]).map(\.description),
            equals: [
                "180D", "12345678-0000-1000-8000-00805F9B34FB",
            ])
    }
}

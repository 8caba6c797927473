import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

/// Values that other attributes of the device describe.
@Suite struct ShapeTests {
    private static let unknown = BluetoothUUID("F0000001-0000-4000-8000-000000000000")

    private func dissected(
        _ type: BluetoothUUID?, of characteristic: UInt16? = nil, _ values: [UInt16: String], _ value: String
    ) throws -> Dissected {
        let type = try #require(type)
        let decoder = DissectorLibrary.shipped.definition(of: type)?.decoder
        let sources = try #require(
            ValueShape.sources(for: decoder, descriptorOf: characteristic.map { BluetoothUUID($0) }) { uuid in
                uuid.uint16.flatMap { values[$0] }.map(hex)
            })
        let dissector = try #require(
            DissectorLibrary.shipped.dissector(for: type, name: "Test", decoder: decoder, sources))
        return Dissected(dissector, hex(value))
    }

    /// Format, exponent, unit, name space, description.
    @Test(arguments: [
        ("0E FE 2F 27 01 00 00", "F1 FF", "-0.15 °C"),  // sint16, 10^-2, degree Celsius
        ("04 00 AD 27 01 00 00", "57", "87 %"),  // uint8, percentage
        ("06 02 00 27 01 00 00", "03 00", "300"),  // uint16, 10^2, unitless
        ("01 00 00 27 01 00 00", "01", "true"),
        ("14 00 00 27 01 00 00", "00 00 C0 3F", "1.5"),
        ("16 00 2F 27 01 00 00", "6D F1", "36.5 °C"),  // SFLOAT
        ("19 00 00 27 01 00 00", "48 69", "\"Hi\""),
    ])
    func presentationFormats(format: String, value: String, text: String) throws {
        try expect(dissected(Self.unknown, [0x2904: format], value).text, equals: text)
    }

    @Test func formatsThatNothingReads() throws {
        let type = try #require(Self.unknown)
        for format in ["1B 00 00 27 01 00 00", "00 00 00 27 01 00 00", "04", "04 7F 00 27 01 00 00"] {
            let sources = try #require(ValueShape.sources(for: nil, descriptorOf: nil) { _ in hex(format) })
            #expect(DissectorLibrary.shipped.dissector(for: type, name: "Test", decoder: nil, sources) == nil)
        }
    }

    /// The mouse of the HID specification, E.10: three buttons, padding, X and Y from −127 to 127.
    private static let mouse =
        "05 01 09 02 A1 01 09 01 A1 00 05 09 19 01 29 03 15 00 25 01 95 03 75 01 81 02 95 01 75 05 81 01 "
        + "05 01 09 30 09 31 15 81 25 7F 75 08 95 02 81 06 C0 C0"
    /// Its keyboard, B.1: modifiers, a reserved octet, six keys; five LEDs.
    private static let keyboard =
        "05 01 09 06 A1 01 05 07 19 E0 29 E7 15 00 25 01 75 01 95 08 81 02 95 01 75 08 81 01 95 05 75 01 "
        + "05 08 19 01 29 05 91 02 95 01 75 03 91 01 95 06 75 08 15 00 25 65 05 07 19 00 29 65 81 00 C0"

    @Test func aMouse() throws {
        let report = try dissected(BluetoothUUID(0x2A4D as UInt16), [0x2A4B: Self.mouse, 0x2908: "00 01"], "05 FE 10")
        expect(report.names, equals: ["Button 1", "Button 2", "Button 3", "Padding", "X", "Y"])
        expect(report.raws, equals: [1, 0, 1, 0, -2, 16])
        expect(report.text, equals: "Button 1, Button 3 pressed · X -2 · Y 16")
    }

    @Test func aKeyboard() throws {
        let input = try dissected(
            BluetoothUUID(0x2A4D as UInt16), [0x2A4B: Self.keyboard, 0x2908: "00 01"], "02 00 04 28 00 00 00 00")
        expect(input.raws, equals: [0, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0x28, 0, 0, 0, 0])
        expect(input.names[1], equals: "Left Shift")
        expect(input.text, equals: "Left Shift, A, Return pressed")
        #expect(input.json.contains(#""name":"Key","value":4,"label":"A""#))
        let output = try dissected(
            BluetoothUUID(0x2A4D as UInt16), [0x2A4B: Self.keyboard, 0x2908: "00 02"], "02")
        expect(output.names, equals: ["Num Lock", "Caps Lock", "Scroll Lock", "Compose", "Kana", "Padding"])
        expect(output.raws, equals: [0, 1, 0, 0, 0, 0])
        expect(output.text, equals: "Caps Lock on")
    }

    /// Usages of the consumer page from 0 to 0x28C; two that are listed, from 1 on; keys that are no letters; a button's number.
    @Test(arguments: [
        ("15 00 26 8C 02 05 0C 19 00 2A 8C 02 75 10 95 01 81 00", "E9 00", "Volume Increment pressed"),
        ("15 00 26 8C 02 05 0C 19 00 2A 8C 02 75 10 95 01 81 00", "00 00", "nothing pressed"),
        ("15 00 26 8C 02 05 0C 19 00 2A 8C 02 75 10 95 02 81 00", "CD 00 FF 7F", "Play/Pause, 32767 pressed"),
        ("15 01 25 02 05 0C 09 E9 09 EA 75 08 95 01 81 00", "01", "Volume Increment pressed"),
        ("15 01 25 02 05 0C 09 E9 09 EA 75 08 95 01 81 00", "02", "Volume Decrement pressed"),
        (
            "15 00 25 E7 05 07 19 00 29 E7 75 08 95 04 81 00", "E4 68 59 57",
            "Right Control, F13, Keypad 1, Keypad + pressed"
        ),
        ("15 01 25 10 05 09 19 01 29 10 75 08 95 01 81 00", "0A", "Button 10 pressed"),
        ("15 00 25 01 05 01 09 81 09 82 09 83 75 01 95 03 81 02 75 05 95 01 81 03", "02", "System Sleep pressed"),
        ("15 00 25 01 05 0D 09 42 09 32 75 01 95 02 81 02 75 06 95 01 81 03", "03", "Tip Switch, In Range on"),
    ])
    func keysAreTold(map: String, report: String, text: String) throws {
        let type = BluetoothUUID(0x2A4D as UInt16)
        try expect(dissected(type, [0x2A4B: map, 0x2908: "00 01"], report).text, equals: text)
    }

    /// A report that the map does not have, a map that ends within an item, sizes that no value has.
    @Test(arguments: [
        (mouse, "07 01"), (mouse, "00 03"), ("05", "00 01"), ("75 FF 95 FF 81 02", "00 01"),
        ("76 FF FF 96 FF FF 81 02", "00 01"), ("", "00 01"), (mouse, "00"),
    ])
    func mapsThatDescribeNothing(map: String, reference: String) throws {
        let type = BluetoothUUID(0x2A4D as UInt16)
        let sources = try #require(
            ValueShape.sources(for: .hidReport, descriptorOf: nil) { hex($0.uint16 == 0x2A4B ? map : reference) })
        #expect(
            DissectorLibrary.shipped.dissector(for: type, name: "Report", decoder: .hidReport, sources) == nil)
    }

    /// Valid Range of Temperature (sint16, 0.01 °C).
    @Test func rangesAreLaidOutAsTheirCharacteristic() throws {
        let range = try dissected(BluetoothUUID(0x2906 as UInt16), of: 0x2A6E, [:], "30 F8 B8 0B")
        expect(range.numbers, equals: ["Lower Inclusive Value = -20", "Upper Inclusive Value = 30"])
    }
}

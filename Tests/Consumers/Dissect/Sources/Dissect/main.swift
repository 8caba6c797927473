// A program that decodes values with its definition, and opens no capture.
import Attlas

let led = """
    service: { uuid: 6E40FF01-B5A3-F393-E0A9-E50E24DCCA9E, name: LED Strip }
    characteristics:
      - uuid: 6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E
        name: Colour
        fields:
          - { name: Flags, type: uint8, bits: { 0: Party Mode } }
          - { name: Frequency, type: uint8, unit: /min, if: Party Mode }
          - { name: Red, type: uint8 }
          - { name: Green, type: uint8 }
          - { name: Blue, type: uint8 }
        summary: "#{Red:02X}{Green:02X}{Blue:02X}{Frequency? at {Frequency}/min}"
    """
let colour = try Dissector(yaml: led, named: "led.yaml")
let fields = try colour.decode([0x01, 0x05, 0xFF, 0x80, 0x00])
print(fields)
for field in fields { print(field) }
print(try fields["Red"]?.number ?? .nan, try fields["Party Mode"]?.text ?? "")
print(try colour.decode([0x00, 0xFF, 0x80, 0x00])["Frequency"] == nil)

func refuse(_ body: () throws -> some Any) {
    do {
        print("not refused: \(try body())")
    } catch {
        print(error)
    }
}
refuse { try colour.decode([0x01, 0x05, 0xFF]) }
refuse { try fields["Gren"] }
refuse { try colour.decode([0x00], of: "Color") }
refuse { try Dissector(yaml: led.replacing("unit:", with: "untit:"), named: "led.yaml") }
refuse { try Dissector("Heart Rate Measurment") }
print(try Dissector("2A37").decode([0x16, 0x8B, 0x5A, 0x02]))
print(
    BluetoothUUID(0x2A37), BluetoothUUID(0x6E40_FF02_B5A3_F393_E0A9_E50E_24DC_CA9E),
    [0x180D, 0x2902] as [BluetoothUUID])

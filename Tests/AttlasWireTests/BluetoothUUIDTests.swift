import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct BluetoothUUIDTests {
    @Test func shortFormsAreOnTheBase() {
        let long = BluetoothUUID(0x0000_2A37_0000_1000_8000_0080_5F9B_34FB as UInt128)
        expect(BluetoothUUID(0x2A37 as UInt16), equals: long)
        expect(BluetoothUUID(0x0000_2A37 as UInt32), equals: long)
        expect(long.uint16, equals: 0x2A37)
        expect(long.description, equals: "2A37")
    }

    @Test func noShortForm() {
        let medium = BluetoothUUID(0x1234_2A37 as UInt32)
        #expect(medium.uint16 == nil)
        expect(medium.description, equals: "12342A37-0000-1000-8000-00805F9B34FB")
        #expect(BluetoothUUID(0x0000_2A37_0000_1000_8000_0080_5F9B_34FC as UInt128).uint16 == nil)
    }

    @Test(arguments: [
        ("37 2A", "2A37"), ("37 2A 00 00", "2A37"), ("37 2A 34 12", "12342A37-0000-1000-8000-00805F9B34FB"),
        ("10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01", "01020304-0506-0708-090A-0B0C0D0E0F10"),
        ("FB 34 9B 5F 80 00 00 80 00 10 00 00 37 2A 00 00", "2A37"),
    ])
    func octets(octets: String, description: String) {
        let octets = hex(octets)
        expect(BluetoothUUID(octets.wire)?.description, equals: description)
    }

    @Test func everyOtherLength() {
        for length in 0...20 where ![2, 4, 16].contains(length) {
            let octets = [UInt8](repeating: 0x11, count: length)
            #expect(BluetoothUUID(octets.wire) == nil)
        }
    }

    @Test(arguments: [
        ("2a37", "2A37"), ("00002A37", "2A37"), ("00002a37-0000-1000-8000-00805f9b34fb", "2A37"),
        ("0102030405060708090a0b0c0d0e0f10", "01020304-0506-0708-090A-0B0C0D0E0F10"),
    ])
    func text(text: String, description: String) {
        expect(BluetoothUUID(text)?.description, equals: description)
    }

    @Test(arguments: [
        "", "-", "2A3", "2A370", "2A3G", "0x2A37", "2A-37", "００２A", "00002a37-0000-1000-8000-00805f9b34f",
        "00002a370000-1000-8000-00805f9b34fb-", "0102030405060708090a0b0c0d0e0f1011",
    ])
    func noUUID(text: String) {
        #expect(BluetoothUUID(text) == nil)
    }

    @Test func everyDigitIsWritten() {
        let uuid = BluetoothUUID(0xFEDC_BA98_7654_3210_8899_AABB_CCDD_EEFF as UInt128)
        expect(uuid.description, equals: "FEDCBA98-7654-3210-8899-AABBCCDDEEFF")
        expect(BluetoothUUID(UInt128.max).description, equals: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")
    }
}

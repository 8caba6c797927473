import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct BluetoothAddressTests {
    @Test func mostSignificantOctetIsPrintedFirst() {
        let octets = hex("EE 04 03 02 01 0E 0C")
        let address = octets.wire.address(at: 1, type: 0)
        expect(address.description, equals: "0C:0E:01:02:03:04")
        expect(BluetoothAddress(0, isRandom: false).description, equals: "00:00:00:00:00:00")
        expect(BluetoothAddress(UInt64.max, isRandom: false).description, equals: "FF:FF:FF:FF:FF:FF")
    }

    @Test(arguments: [
        (0xC000_0000_0000, true, BluetoothAddress.Kind.randomStatic), (0x4000_0000_0000, true, .resolvable),
        (0x0000_0000_0001, true, .nonResolvable), (0x8000_0000_0000, true, .randomReserved),
        (0xC000_0000_0000, false, .public),
    ])
    func kinds(value: UInt64, isRandom: Bool, kind: BluetoothAddress.Kind) {
        expect(BluetoothAddress(value, isRandom: isRandom).kind, equals: kind)
    }

    @Test(arguments: [(0x00, false), (0x01, true), (0x02, false), (0x03, true), (0xFE, true)])
    func types(type: UInt8, isRandom: Bool) {
        let octets = hex("04 03 02 01 DE C0")
        expect(octets.wire.address(at: 0, type: type).isRandom, equals: isRandom)
    }

    @Test func sameOctetsOfAnotherTypeAreAnotherDevice() {
        #expect(BluetoothAddress(1, isRandom: true) != BluetoothAddress(1, isRandom: false))
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasDissection

/// Fields that only HCI packets have, and fields after other octets.
@Suite struct ConnectionHandleTests {
    private static let yaml = """
        characteristics:
          - uuid: F0000001-0000-4000-8000-000000000001
            name: Test
            fields:
              - { name: Handle, type: connection-handle, special: { 0xFFFF: none } }
              - { name: Level, type: uint8, if: Handle == 0x0040 }
        """

    @Test(arguments: [
        ([0x40, 0x00, 0x05] as [UInt8], ["Handle = 64", "Level = 5"], false), ([0xFF, 0x0E], ["Handle = 3839"], false),
        ([0x41, 0xF0], ["Handle = 65"], true), ([0xFF, 0xFF], [], false),
    ])
    func twelveBitsAreTheHandle(octets: [UInt8], numbers: [String], hasReservedBits: Bool) throws {
        let value = try Dissected(yaml: Self.yaml, octets)
        expect(value.numbers, equals: numbers)
        expect(value.dissection.hasReservedBits, equals: hasReservedBits)
        #expect(value.dissection.fault == nil)
    }

    /// Places count from the first octet of the value.
    @Test func theFieldsMayBeginLater() throws {
        let dissector = try Dissected(yaml: Self.yaml, []).dissector
        var dissection = Dissection()
        let octets: [UInt8] = [0xAA, 0xBB, 0x40, 0x00, 0x05, 0xCC]
        dissector.dissect(Bytes(octets.span), from: 2, into: &dissection)
        expect((0..<dissection.count).map { dissection[$0].range }, equals: [2..<4, 4..<5])
        expect(dissection.unexplained, equals: 5..<6)
        dissector.dissect(Bytes(octets.span).prefix(3), from: 2, into: &dissection)
        expect(dissection.fault?.offset, equals: 2)
        expect(dissection.fault?.need, equals: 4)
        expect(dissection.fault?.have, equals: 3)
        dissector.dissect(Bytes(octets.span), from: 6, into: &dissection)
        expect(dissection.count, equals: 0)
        expect(dissection.fault?.need, equals: 8)
    }
}

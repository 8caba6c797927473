import Testing

@testable import AttlasWire

@Suite struct BytesTests {
    @Test func loadsAreLittleEndian() {
        let octets: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08]
        let bytes = Bytes(octets.span.bytes)
        #expect(bytes.uint16(at: 1) == 0x0302)
        #expect(bytes.uint24(at: 0) == 0x030201)
        #expect(bytes.uint48(at: 2) == 0x0807_0605_0403)
        #expect(bytes.bigEndianUInt32(at: 0) == 0x0102_0304)
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct BytesTests {
    @Test func loadsAreLittleEndian() {
        let octets = hex("01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 F1")
        let bytes = octets.wire
        expect(bytes[16], equals: 0xF1)
        expect(bytes.int8(at: 16), equals: -15)
        expect(bytes.uint16(at: 1), equals: 0x0302)
        expect(bytes.uint24(at: 0), equals: 0x030201)
        expect(bytes.uint32(at: 13), equals: 0xF110_0F0E)
        expect(bytes.uint48(at: 2), equals: 0x0807_0605_0403)
        expect(bytes.uint64(at: 0), equals: 0x0807_0605_0403_0201)
        expect(bytes.uint128(at: 1), equals: 0xF110_0F0E_0D0C_0B0A_0908_0706_0504_0302)
    }

    @Test func captureFilesAreBigEndianToo() {
        let octets = hex("01 02 03 04 05 06 07 08 F9")
        let bytes = octets.wire
        expect(bytes.bigEndianUInt16(at: 7), equals: 0x08F9)
        expect(bytes.bigEndianUInt32(at: 0), equals: 0x0102_0304)
        expect(bytes.bigEndianUInt64(at: 1), equals: 0x0203_0405_0607_08F9)
    }

    @Test func partsStayInside() {
        let octets = hex("01 02 03")
        let bytes = octets.wire
        expect(bytes.prefix(0).count, equals: 0)
        expect(bytes.prefix(2).copy(), equals: [1, 2])
        expect(bytes.prefix(4).copy(), equals: [1, 2, 3])
        expect(bytes.dropFirst(0).copy(), equals: [1, 2, 3])
        expect(bytes.dropFirst(2).copy(), equals: [3])
        expect(bytes.dropFirst(4).count, equals: 0)
        expect(bytes.slice(1..<3).copy(), equals: [2, 3])
        expect(bytes.slice(3..<3).count, equals: 0)
    }

    @Test func equalityIsOfOctets() {
        let (one, same) = (hex("01 02"), hex("01 02"))
        let (other, longer) = (hex("01 03"), hex("01 02 03"))
        #expect(one.wire.isEqual(to: same.wire) == true)
        #expect(one.wire.isEqual(to: other.wire) == false)
        #expect(one.wire.isEqual(to: longer.wire) == false)
    }

    @Test func eachOctetIsCompared() {
        for length in 0...40 {
            let octets = (0..<length).map { UInt8($0) }
            let isSame = Bytes(octets.span).isEqual(to: Bytes(octets.span))
            #expect(isSame)
            for place in octets.indices {
                var other = octets
                other[place] ^= 0x80
                let isEqual = Bytes(octets.span).isEqual(to: Bytes(other.span))
                #expect(!isEqual, "octet \(place) of \(length)")
            }
        }
    }

    @Test func copying() {
        var buffer: [UInt8] = [9]
        let octets = hex("01 02")
        octets.wire.append(to: &buffer)
        expect(buffer, equals: [9, 1, 2])
    }

    @Test(arguments: [-1, 2, Int.max - 1, Int.max])
    func loadsBeyondTheViewStopTheProgram(offset: Int) async {
        await #expect(processExitsWith: .failure) { [offset] in
            let octets: [UInt8] = [1, 2]
            _ = Bytes(octets.span).uint16(at: offset)
        }
    }
}

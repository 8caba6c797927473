import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ReadByTypeTests {
    @Test func requestWithShortUUID() throws {
        let octets = hex("08 01 00 FE FF 03 28")
        let request = try ReadByTypeRequest(octets.wire)
        expect(request.startingHandle, equals: 0x0001)
        expect(request.endingHandle, equals: 0xFFFE)
        expect(request.attributeType, equals: BluetoothUUID(0x2803 as UInt16))
    }

    @Test func requestWithLongUUID() throws {
        let octets = hex("08 01 00 FF FF  10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01")
        let request = try ReadByTypeRequest(octets.wire)
        expect(request.attributeType.description, equals: "01020304-0506-0708-090A-0B0C0D0E0F10")
    }

    /// 7 and 21 octets are the two lengths; a shorter one lacks what the next longer has.
    @Test func everyOtherLengthOfARequestFails() {
        let octets = [0x08] + [UInt8](repeating: 0x11, count: 30)
        for length in 0...octets.count {
            let error = failure(Array(octets.prefix(length))) { _ = try ReadByTypeRequest($0) }
            guard length != 7, length != 21 else {
                #expect(error == nil)
                continue
            }
            expect(error?.need, equals: length < 7 ? 7 : 21)
            expect(error?.have, equals: length)
        }
    }

    @Test func characteristicDeclarations() throws {
        let octets = hex("09 07  02 00 0A 03 00 00 2A  04 00 02 05 00 01 2A")
        let response = try ReadByTypeResponse(octets.wire)
        expect(response.list.stride, equals: 7)
        expect(response.list.count, equals: 2)
        expect(response.list.remainder, equals: 0)
        expect(response.handle(0), equals: 0x0002)
        expect(response.value(0).copy(), equals: hex("0A 03 00 00 2A"))
        expect(response.handle(1), equals: 0x0004)
        expect(response.value(1).copy(), equals: hex("02 05 00 01 2A"))
    }

    @Test(arguments: [2, 3, 7, 21, 254, 255])
    func everyShorterPrefixOfAResponseFails(stride: Int) {
        let octets = [0x09, UInt8(stride)] + [UInt8](repeating: 0x11, count: stride)
        for length in 0..<octets.count {
            let error = failure(Array(octets.prefix(length))) { _ = try ReadByTypeResponse($0) }
            expect(error?.need, equals: length < 2 ? 2 : 2 + stride)
            expect(error?.have, equals: length)
            expect(error?.limit, equals: .l2capLength)
        }
        #expect(failure(octets) { _ = try ReadByTypeResponse($0) } == nil)
    }

    @Test(arguments: [0, 1])
    func lengthTooSmallForAHandle(length: UInt8) {
        let error = failure([0x09, length, 0x01, 0x02]) { _ = try ReadByTypeResponse($0) }
        expect(error?.need, equals: 2)
        expect(error?.have, equals: Int(length))
        expect(error?.limit, equals: .valueLength)
    }

    @Test func lengthOfAHandleAlone() throws {
        let octets = hex("09 02  01 00  02 00  03")
        let response = try ReadByTypeResponse(octets.wire)
        expect(response.list.count, equals: 2)
        expect(response.list.remainder, equals: 1)
        expect(response.handle(1), equals: 0x0002)
        expect(response.value(1).count, equals: 0)
    }

    @Test(arguments: 0..<7)
    func remainder(remainder: Int) throws {
        let octets = hex("09 07  02 00 0A 03 00 00 2A") + [UInt8](repeating: 0xEE, count: remainder)
        let response = try ReadByTypeResponse(octets.wire)
        expect(response.list.count, equals: 1)
        expect(response.list.remainder, equals: remainder)
    }
}

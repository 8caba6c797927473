import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ReadByGroupTypeTests {
    @Test func requestWithShortUUID() throws {
        let octets = hex("10 01 00 FE FF 00 28")
        let request = try ReadByGroupTypeRequest(octets.wire)
        expect(request.startingHandle, equals: 0x0001)
        expect(request.endingHandle, equals: 0xFFFE)
        expect(request.attributeGroupType, equals: BluetoothUUID(0x2800 as UInt16))
    }

    @Test func requestWithLongUUID() throws {
        let octets = hex("10 01 00 FF FF  10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01")
        let request = try ReadByGroupTypeRequest(octets.wire)
        expect(request.attributeGroupType.description, equals: "01020304-0506-0708-090A-0B0C0D0E0F10")
    }

    @Test func everyOtherLengthOfARequestFails() {
        let octets = [0x10] + [UInt8](repeating: 0x11, count: 30)
        for length in 0...octets.count {
            let error = failure(Array(octets.prefix(length))) { _ = try ReadByGroupTypeRequest($0) }
            guard length != 7, length != 21 else {
                #expect(error == nil)
                continue
            }
            expect(error?.need, equals: length < 7 ? 7 : 21)
            expect(error?.have, equals: length)
        }
    }

    @Test func services() throws {
        let octets = hex("11 06  01 00 05 00 00 18  06 00 FF FF 0D 18")
        let response = try ReadByGroupTypeResponse(octets.wire)
        expect(response.list.stride, equals: 6)
        expect(response.list.count, equals: 2)
        expect(response.list.remainder, equals: 0)
        expect(response.handle(0), equals: 0x0001)
        expect(response.endGroupHandle(0), equals: 0x0005)
        expect(response.value(0).copy(), equals: [0x00, 0x18])
        expect(response.handle(1), equals: 0x0006)
        expect(response.endGroupHandle(1), equals: 0xFFFF)
        expect(response.value(1).copy(), equals: [0x0D, 0x18])
    }

    @Test(arguments: [4, 5, 6, 20, 254, 255])
    func everyShorterPrefixOfAResponseFails(stride: Int) {
        let octets = [0x11, UInt8(stride)] + [UInt8](repeating: 0x11, count: stride)
        for length in 0..<octets.count {
            let error = failure(Array(octets.prefix(length))) { _ = try ReadByGroupTypeResponse($0) }
            expect(error?.need, equals: length < 2 ? 2 : 2 + stride)
            expect(error?.have, equals: length)
            expect(error?.limit, equals: .l2capLength)
        }
        #expect(failure(octets) { _ = try ReadByGroupTypeResponse($0) } == nil)
    }

    @Test(arguments: 0..<4)
    func lengthTooSmallForTwoHandles(length: UInt8) {
        let error = failure([0x11, length, 0x01, 0x00, 0x05, 0x00]) { _ = try ReadByGroupTypeResponse($0) }
        expect(error?.need, equals: 4)
        expect(error?.have, equals: Int(length))
        expect(error?.limit, equals: .valueLength)
    }

    @Test(arguments: 0..<6)
    func remainder(remainder: Int) throws {
        let octets = hex("11 06  01 00 05 00 00 18") + [UInt8](repeating: 0xEE, count: remainder)
        let response = try ReadByGroupTypeResponse(octets.wire)
        expect(response.list.count, equals: 1)
        expect(response.list.remainder, equals: remainder)
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct FindInformationTests {
    @Test func request() throws {
        let octets = hex("04 02 01 FF FF")
        let request = try FindInformationRequest(octets.wire)
        expect(request.startingHandle, equals: 0x0102)
        expect(request.endingHandle, equals: 0xFFFF)
        expectNeed(5, of: octets) { _ = try FindInformationRequest($0) }
    }

    @Test func shortUUIDs() throws {
        let octets = hex("05 01  0C 00 02 29  0D 00 01 29")
        let response = try FindInformationResponse(octets.wire)
        expect(response.format, equals: 0x01)
        expect(response.list.count, equals: 2)
        expect(response.list.remainder, equals: 0)
        expect(response.handle(0), equals: 0x000C)
        expect(response.uuid(0), equals: BluetoothUUID(0x2902 as UInt16))
        expect(response.handle(1), equals: 0x000D)
        expect(response.uuid(1), equals: BluetoothUUID(0x2901 as UInt16))
    }

    @Test func longUUIDs() throws {
        let octets = hex("05 02  34 12  10 0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01")
        let response = try FindInformationResponse(octets.wire)
        expect(response.format, equals: 0x02)
        expect(response.list.count, equals: 1)
        expect(response.handle(0), equals: 0x1234)
        expect(response.uuid(0).description, equals: "01020304-0506-0708-090A-0B0C0D0E0F10")
    }

    @Test(arguments: [("01", 6), ("02", 20)])
    func everyShorterPrefixFails(format: String, need: Int) {
        let octets = hex("05" + format) + [UInt8](repeating: 0x11, count: need - 2)
        for length in 0..<need {
            let error = failure(Array(octets.prefix(length))) { _ = try FindInformationResponse($0) }
            expect(error?.need, equals: length < 2 ? 2 : need)
            expect(error?.have, equals: length)
            expect(error?.limit, equals: .l2capLength)
        }
        #expect(failure(octets) { _ = try FindInformationResponse($0) } == nil)
    }

    @Test(arguments: [0x00, 0x03, 0x7F, 0xFF])
    func formatThatDoesNotExist(format: UInt8) {
        let octets = [0x05, format] + [UInt8](repeating: 0, count: 36)
        let error = failure(octets) { _ = try FindInformationResponse($0) }
        expect(error?.limit, equals: .valueLength)
        expect(error?.have, equals: Int(format))
    }

    @Test(arguments: 0..<4)
    func remainderOfShortUUIDs(remainder: Int) throws {
        let octets = hex("05 01  0C 00 02 29") + [UInt8](repeating: 0xEE, count: remainder)
        let response = try FindInformationResponse(octets.wire)
        expect(response.list.count, equals: 1)
        expect(response.list.remainder, equals: remainder)
    }

    @Test(arguments: 0..<18)
    func remainderOfLongUUIDs(remainder: Int) throws {
        let octets = hex("05 02") + [UInt8](repeating: 0xEE, count: 36 + remainder)
        let response = try FindInformationResponse(octets.wire)
        expect(response.list.count, equals: 2)
        expect(response.list.remainder, equals: remainder)
    }
}

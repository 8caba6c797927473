import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ErrorTests {
    let octets = hex("01 08 34 12 0A")

    @Test func fields() throws {
        let response = try ErrorResponse(octets.wire)
        expect(response.requestOpcodeInError, equals: ATTOpcode(rawValue: 0x08))
        expect(response.attributeHandleInError, equals: 0x1234)
        expect(response.errorCode, equals: ATTErrorCode(rawValue: 0x0A))
        expect(response.errorCode.name, equals: "Attribute Not Found")
    }

    @Test func everyShorterPrefixFails() {
        expectNeed(5, of: octets + [0xEE]) { _ = try ErrorResponse($0) }
    }

    @Test(arguments: [
        (0x00, "Reserved Error Code"), (0x01, "Invalid Handle"), (0x0E, "Unlikely Error"),
        (0x12, "Database Out Of Sync"), (0x13, "Value Not Allowed"), (0x14, "Reserved Error Code"),
        (0x7F, "Reserved Error Code"), (0x80, "Application Error"), (0x9F, "Application Error"),
        (0xA0, "Reserved Error Code"), (0xFB, "Reserved Error Code"), (0xFC, "Write Request Rejected"),
        (0xFE, "Procedure Already in Progress"), (0xFF, "Out of Range"),
    ])
    func names(code: Int, name: String) {
        expect(ATTErrorCode(rawValue: UInt8(code)).name, equals: name)
    }
}

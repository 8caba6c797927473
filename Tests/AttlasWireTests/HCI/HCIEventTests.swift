import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct HCIEventTests {
    @Test func header() throws {
        let octets = hex("05 04  00 40 00 13")
        let event = try HCIEvent(octets.wire)
        expect(event.code, equals: .disconnectionComplete)
        #expect(event.subeventCode == nil)
        expect(event.parameterTotalLength, equals: 4)
        expect(event.parameters.copy(), equals: hex("00 40 00 13"))
        expect(event.missing, equals: 0)
        expect(event.excess, equals: 0)
        expectNeed(2, of: octets, layer: .hci, limit: .capturedLength) { _ = try HCIEvent($0) }
    }

    @Test(arguments: [(0, 0, 0, 3), (1, 1, 0, 2), (3, 3, 0, 0), (4, 3, 1, 0), (255, 3, 252, 0)])
    func length(length: UInt8, count: Int, missing: Int, excess: Int) throws {
        let octets = [0x05, length, 0xAA, 0xBB, 0xCC]
        let event = try HCIEvent(octets.wire)
        expect(event.parameters.count, equals: count)
        expect(event.missing, equals: missing)
        expect(event.excess, equals: excess)
    }

    @Test func subevent() throws {
        let octets = hex("3E 04  14 40 00 01")
        let event = try HCIEvent(octets.wire)
        expect(event.subeventCode, equals: 0x14)
        expect(event.parameters.copy(), equals: hex("14 40 00 01"))
    }

    /// Status and Connection_Handle come first, or after the subevent code.
    @Test(arguments: [
        ("08 04  06 40 00 00", HCIOpcode.leEnableEncryption), ("59 05  06 40 00 00 10", .leEnableEncryption),
        ("30 03  06 40 00", .leEnableEncryption), ("0C 08  06 40 00 09 0F00 1234", .readRemoteVersionInformation),
        ("3E 0A  03 06 4000 0C00 0000 C800", .leConnectionUpdate),
        ("3E 0C  04 06 4000 0102030405060708", .leReadRemoteFeatures), ("3E 06  0C 06 4000 02 02", .leSetPHY),
    ]) func endOfAProcedure(octets: String, command: HCIOpcode) throws {
        let octets = hex(octets)
        guard let ended = LinkProcedureEvent(try HCIEvent(octets.wire)) else {
            Issue.record("no view")
            return
        }
        #expect(ended.command == command && ended.connectionHandle == 0x0040)
        expect(ended.status, equals: .pinOrKeyMissing)
    }

    @Test func authenticatedPayloadTimeout() throws {
        let expired = hex("57 02  40 F0")
        try expect(AuthenticatedPayloadTimeoutExpiredEvent(HCIEvent(expired.wire))?.connectionHandle, equals: 0x0040)
        let cut = hex("57 01  40")
        #expect(AuthenticatedPayloadTimeoutExpiredEvent(try HCIEvent(cut.wire)) == nil)
    }

    /// The subevent code is a parameter: a length of 0 leaves it out, whatever follows.
    @Test(arguments: ["3E 00 01", "3E 00", "3E 01"])
    func metaEventWithoutSubevent(octets: String) throws {
        let octets = hex(octets)
        let event = try HCIEvent(octets.wire)
        #expect(event.subeventCode == nil)
        let error = failure(octets) { _ = try HCIEventParameters(try HCIEvent($0)) }
        expect(error?.need, equals: 1)
        expect(error?.have, equals: 0)
    }

    @Test(arguments: [
        (0x00, "Success"), (0x08, "Connection Timeout"), (0x13, "Remote User Terminated Connection"),
        (0x16, "Connection Terminated By Local Host"), (0x22, "LMP Response Timeout / LL Response Timeout"),
        (0x2B, "Reserved Error Code"), (0x3B, "Unacceptable Connection Parameters"),
        (0x3D, "Connection Terminated due to MIC Failure"),
        (0x3E, "Connection Failed to be Established / Synchronization Timeout"), (0x48, "Insufficient Channels"),
        (0x49, "Reserved Error Code"), (0xFF, "Reserved Error Code"),
    ])
    func errorNames(code: Int, name: String) {
        expect(HCIErrorCode(rawValue: UInt8(code)).name, equals: name)
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct L2CAPSignalParametersTests {
    private func channel(_ rawValue: UInt16) -> L2CAPChannel { L2CAPChannel(rawValue: rawValue) }

    @Test func commandReject() throws {
        let octets = hex("02 00 40 00 41 00")
        let reject = try L2CAPCommandReject(octets.wire)
        expect(reject.reason, equals: 2)
        expect(reject.reasonName, equals: "Invalid CID in request")
        expect(reject.reasonData.copy(), equals: hex("40 00 41 00"))
        expectSignal(2, of: octets) { _ = try L2CAPCommandReject($0) }
    }

    @Test func connection() throws {
        let request = hex("1F 00 40 00")
        try expect(L2CAPConnectionRequest(request.wire).psm, equals: 0x001F)
        try expect(L2CAPConnectionRequest(request.wire).sourceCID, equals: channel(0x0040))
        expectSignal(4, of: request) { _ = try L2CAPConnectionRequest($0) }

        let octets = hex("41 00 40 00 01 00 02 00")
        let response = try L2CAPConnectionResponse(octets.wire)
        expect(response.destinationCID, equals: channel(0x0041))
        expect(response.sourceCID, equals: channel(0x0040))
        expect(response.result, equals: 1)
        expect(response.resultName, equals: "Connection pending")
        expect(response.status, equals: 2)
        expectSignal(8, of: octets) { _ = try L2CAPConnectionResponse($0) }
    }

    @Test func configuration() throws {
        let octets = hex("41 00 01 00  01 02 A0 02  82 00  05 01 00")
        let request = try L2CAPConfigurationRequest(octets.wire)
        expect(request.destinationCID, equals: channel(0x0041))
        expect(request.flags, equals: 1)
        var options = request.options
        expect(options.next()?.copy(), equals: hex("A0 02"))
        expect(options.type, equals: 0x01)
        expect(options.next()?.copy(), equals: [])
        expect(options.type, equals: 0x82)
        expect(options.next()?.copy(), equals: [0x00])
        expect(options.type, equals: 0x05)
        expect(options.missing, equals: 0)
        #expect(options.next()?.copy() == nil)
        expectSignal(4, of: octets) { _ = try L2CAPConfigurationRequest($0) }

        let answer = hex("40 00 00 00 03 00  02")
        let response = try L2CAPConfigurationResponse(answer.wire)
        expect(response.sourceCID, equals: channel(0x0040))
        expect(response.flags, equals: 0)
        expect(response.result, equals: 3)
        expect(response.resultName, equals: "Failure - unknown options")
        options = response.options
        #expect(options.next()?.copy() == nil)
        expect(options.remainder, equals: 1)
        expectSignal(6, of: answer) { _ = try L2CAPConfigurationResponse($0) }
    }

    @Test(arguments: [(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 2, 1), (255, 2, 253)])
    func lengthOfAnOption(length: UInt8, count: Int, missing: Int) throws {
        let octets = hex("41 00 00 00 01") + [length, 0xA0, 0x02]
        var options = try L2CAPConfigurationRequest(octets.wire).options
        expect(options.next()?.count, equals: count)
        expect(options.missing, equals: missing)
    }

    @Test func disconnection() throws {
        let octets = hex("41 00 40 00")
        try expect(L2CAPDisconnectionRequest(octets.wire).destinationCID, equals: channel(0x0041))
        try expect(L2CAPDisconnectionRequest(octets.wire).sourceCID, equals: channel(0x0040))
        try expect(L2CAPDisconnectionResponse(octets.wire).destinationCID, equals: channel(0x0041))
        try expect(L2CAPDisconnectionResponse(octets.wire).sourceCID, equals: channel(0x0040))
        expectSignal(4, of: octets) { _ = try L2CAPDisconnectionRequest($0) }
        expectSignal(4, of: octets) { _ = try L2CAPDisconnectionResponse($0) }
    }

    @Test func information() throws {
        let request = hex("03 00")
        try expect(L2CAPInformationRequest(request.wire).infoType, equals: 3)
        expectSignal(2, of: request) { _ = try L2CAPInformationRequest($0) }

        let octets = hex("02 00 00 00 B8 02 00 00")
        let response = try L2CAPInformationResponse(octets.wire)
        expect(response.infoType, equals: 2)
        expect(response.result, equals: 0)
        expect(response.info.copy(), equals: hex("B8 02 00 00"))
        expectSignal(4, of: octets) { _ = try L2CAPInformationResponse($0) }
    }

    @Test func connectionParameterUpdate() throws {
        let octets = hex("06 00 0C 00 04 00 F4 01")
        let request = try L2CAPConnectionParameterUpdateRequest(octets.wire)
        expect(request.intervalMin, equals: 6)
        expect(request.intervalMax, equals: 12)
        expect(request.latency, equals: 4)
        expect(request.timeout, equals: 500)
        expectSignal(8, of: octets) { _ = try L2CAPConnectionParameterUpdateRequest($0) }

        let answer = hex("01 00")
        let response = try L2CAPConnectionParameterUpdateResponse(answer.wire)
        expect(response.result, equals: 1)
        expect(response.resultName, equals: "Connection Parameters rejected")
        expectSignal(2, of: answer) { _ = try L2CAPConnectionParameterUpdateResponse($0) }
    }

    @Test func leCreditBasedConnection() throws {
        let octets = hex("27 00 40 00 00 02 F7 00 0A 00")
        let request = try L2CAPLECreditBasedConnectionRequest(octets.wire)
        expect(request.spsm, equals: 0x0027)
        expect(request.sourceCID, equals: channel(0x0040))
        expect(request.mtu, equals: 512)
        expect(request.mps, equals: 247)
        expect(request.initialCredits, equals: 10)
        expectSignal(10, of: octets) { _ = try L2CAPLECreditBasedConnectionRequest($0) }

        let answer = hex("41 00 00 02 F7 00 0A 00 02 00")
        let response = try L2CAPLECreditBasedConnectionResponse(answer.wire)
        expect(response.destinationCID, equals: channel(0x0041))
        expect(response.mtu, equals: 512)
        expect(response.mps, equals: 247)
        expect(response.initialCredits, equals: 10)
        expect(response.result.name, equals: "Connection refused - SPSM not supported")
        expectSignal(10, of: answer) { _ = try L2CAPLECreditBasedConnectionResponse($0) }

        let credits = hex("40 00 05 00")
        try expect(L2CAPFlowControlCredit(credits.wire).cid, equals: channel(0x0040))
        try expect(L2CAPFlowControlCredit(credits.wire).credits, equals: 5)
        expectSignal(4, of: credits) { _ = try L2CAPFlowControlCredit($0) }
    }

    @Test func creditBasedConnection() throws {
        let octets = hex("27 00 00 02 F7 00 0A 00  40 00 41 00 42 00")
        let request = try L2CAPCreditBasedConnectionRequest(octets.wire)
        expect(request.spsm, equals: 0x0027)
        expect(request.mtu, equals: 512)
        expect(request.mps, equals: 247)
        expect(request.initialCredits, equals: 10)
        expect(request.sourceCIDs.count, equals: 3)
        expect(request.sourceCIDs[0], equals: channel(0x0040))
        expect(request.sourceCIDs[2], equals: channel(0x0042))
        expect(request.sourceCIDs.remainder, equals: 0)
        expectSignal(10, of: octets) { _ = try L2CAPCreditBasedConnectionRequest($0) }

        let answer = hex("00 02 F7 00 0A 00 04 00  50 00 00 00 51")
        let response = try L2CAPCreditBasedConnectionResponse(answer.wire)
        expect(response.mtu, equals: 512)
        expect(response.mps, equals: 247)
        expect(response.initialCredits, equals: 10)
        expect(response.result.name, equals: "Some connections refused - insufficient resources available")
        expect(response.destinationCIDs.count, equals: 2)
        expect(response.destinationCIDs[0], equals: channel(0x0050))
        expect(response.destinationCIDs[1], equals: channel(0x0000))
        expect(response.destinationCIDs.remainder, equals: 1)
        expectSignal(8, of: answer) { _ = try L2CAPCreditBasedConnectionResponse($0) }
    }

    @Test func creditBasedReconfigure() throws {
        let octets = hex("00 02 F7 00  40 00 41 00")
        let request = try L2CAPCreditBasedReconfigureRequest(octets.wire)
        expect(request.mtu, equals: 512)
        expect(request.mps, equals: 247)
        expect(request.destinationCIDs.count, equals: 2)
        expect(request.destinationCIDs[1], equals: channel(0x0041))
        expectSignal(6, of: octets) { _ = try L2CAPCreditBasedReconfigureRequest($0) }

        let answer = hex("03 00")
        let response = try L2CAPCreditBasedReconfigureResponse(answer.wire)
        expect(response.result, equals: 3)
        expect(response.resultName, equals: "Reconfiguration failed - one or more Destination CIDs invalid")
        expectSignal(2, of: answer) { _ = try L2CAPCreditBasedReconfigureResponse($0) }
    }

    /// The code, and how many octets of data its view needs.
    @Test(arguments: [
        (0x01, 2, "commandReject"), (0x02, 4, "connectionRequest"), (0x03, 8, "connectionResponse"),
        (0x04, 4, "configurationRequest"), (0x05, 6, "configurationResponse"), (0x06, 4, "disconnectionRequest"),
        (0x07, 4, "disconnectionResponse"), (0x08, 0, "echoRequest"), (0x09, 0, "echoResponse"),
        (0x0A, 2, "informationRequest"), (0x0B, 4, "informationResponse"), (0x0C, 0, "other"), (0x11, 0, "other"),
        (0x12, 8, "connectionParameterUpdateRequest"), (0x13, 2, "connectionParameterUpdateResponse"),
        (0x14, 10, "leCreditBasedConnectionRequest"), (0x15, 10, "leCreditBasedConnectionResponse"),
        (0x16, 4, "flowControlCredit"), (0x17, 10, "creditBasedConnectionRequest"),
        (0x18, 8, "creditBasedConnectionResponse"), (0x19, 6, "creditBasedReconfigureRequest"),
        (0x1A, 2, "creditBasedReconfigureResponse"), (0x00, 0, "other"), (0x1B, 0, "other"), (0xFF, 0, "other"),
    ])
    func dispatch(code: Int, need: Int, name: String) throws {
        for length in 0...need {
            let octets = [UInt8(code), 0x01, UInt8(length), 0x00] + [UInt8](repeating: 0, count: need)
            let signal = try L2CAPSignal(octets.wire)
            if length == need {
                try expect(caseName(L2CAPSignalParameters(signal)), equals: name)
            } else {
                let error = failure(octets) { _ = try L2CAPSignalParameters(try L2CAPSignal($0)) }
                expect(error?.limit, equals: .signalLength)
                expect(error?.need, equals: need)
                expect(error?.have, equals: length)
            }
        }
    }

    private func expectSignal(
        _ need: Int, of octets: [UInt8], sourceLocation: SourceLocation = #_sourceLocation,
        _ read: (Bytes) throws -> Void
    ) {
        expectNeed(need, of: octets, layer: .l2cap, limit: .signalLength, sourceLocation: sourceLocation, read)
    }

    private func caseName(_ parameters: L2CAPSignalParameters) -> String {
        switch parameters {
        case .commandReject: "commandReject"
        case .connectionRequest: "connectionRequest"
        case .connectionResponse: "connectionResponse"
        case .configurationRequest: "configurationRequest"
        case .configurationResponse: "configurationResponse"
        case .disconnectionRequest: "disconnectionRequest"
        case .disconnectionResponse: "disconnectionResponse"
        case .echoRequest: "echoRequest"
        case .echoResponse: "echoResponse"
        case .informationRequest: "informationRequest"
        case .informationResponse: "informationResponse"
        case .connectionParameterUpdateRequest: "connectionParameterUpdateRequest"
        case .connectionParameterUpdateResponse: "connectionParameterUpdateResponse"
        case .leCreditBasedConnectionRequest: "leCreditBasedConnectionRequest"
        case .leCreditBasedConnectionResponse: "leCreditBasedConnectionResponse"
        case .flowControlCredit: "flowControlCredit"
        case .creditBasedConnectionRequest: "creditBasedConnectionRequest"
        case .creditBasedConnectionResponse: "creditBasedConnectionResponse"
        case .creditBasedReconfigureRequest: "creditBasedReconfigureRequest"
        case .creditBasedReconfigureResponse: "creditBasedReconfigureResponse"
        case .other: "other"
        }
    }
}

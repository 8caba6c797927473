import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct L2CAPSignalParametersTests {
    private func channel(_ rawValue: UInt16) -> L2CAPChannel { L2CAPChannel(rawValue: rawValue) }

    @Test func commandReject() throws {
        let octets = hex("02 00 40 00 41 00")
        let reject = try L2CAPCommandReject(octets.wire)
        #expect(reject.reason == 2)
        #expect(reject.reasonName == "Invalid CID in request")
        #expect(reject.reasonData.copy() == hex("40 00 41 00"))
        expectSignal(2, of: octets) { _ = try L2CAPCommandReject($0) }
    }

    @Test func connection() throws {
        let request = hex("1F 00 40 00")
        #expect(try L2CAPConnectionRequest(request.wire).psm == 0x001F)
        #expect(try L2CAPConnectionRequest(request.wire).sourceCID == channel(0x0040))
        expectSignal(4, of: request) { _ = try L2CAPConnectionRequest($0) }

        let octets = hex("41 00 40 00 01 00 02 00")
        let response = try L2CAPConnectionResponse(octets.wire)
        #expect(response.destinationCID == channel(0x0041))
        #expect(response.sourceCID == channel(0x0040))
        #expect(response.result == 1)
        #expect(response.resultName == "Connection pending")
        #expect(response.status == 2)
        expectSignal(8, of: octets) { _ = try L2CAPConnectionResponse($0) }
    }

    @Test func configuration() throws {
        let octets = hex("41 00 01 00  01 02 A0 02  82 00  05 01 00")
        let request = try L2CAPConfigurationRequest(octets.wire)
        #expect(request.destinationCID == channel(0x0041))
        #expect(request.flags == 1)
        var options = request.options
        #expect(options.next()?.copy() == hex("A0 02"))
        #expect(options.type == 0x01)
        #expect(options.next()?.copy() == [])
        #expect(options.type == 0x82)
        #expect(options.next()?.copy() == [0x00])
        #expect(options.type == 0x05)
        #expect(options.missing == 0)
        #expect(options.next()?.copy() == nil)
        expectSignal(4, of: octets) { _ = try L2CAPConfigurationRequest($0) }

        let answer = hex("40 00 00 00 03 00  02")
        let response = try L2CAPConfigurationResponse(answer.wire)
        #expect(response.sourceCID == channel(0x0040))
        #expect(response.flags == 0)
        #expect(response.result == 3)
        #expect(response.resultName == "Failure - unknown options")
        options = response.options
        #expect(options.next()?.copy() == nil)
        #expect(options.remainder == 1)
        expectSignal(6, of: answer) { _ = try L2CAPConfigurationResponse($0) }
    }

    @Test(arguments: [(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 2, 1), (255, 2, 253)])
    func lengthOfAnOption(length: UInt8, count: Int, missing: Int) throws {
        let octets = hex("41 00 00 00 01") + [length, 0xA0, 0x02]
        var options = try L2CAPConfigurationRequest(octets.wire).options
        #expect(options.next()?.count == count)
        #expect(options.missing == missing)
    }

    @Test func disconnection() throws {
        let octets = hex("41 00 40 00")
        #expect(try L2CAPDisconnectionRequest(octets.wire).destinationCID == channel(0x0041))
        #expect(try L2CAPDisconnectionRequest(octets.wire).sourceCID == channel(0x0040))
        #expect(try L2CAPDisconnectionResponse(octets.wire).destinationCID == channel(0x0041))
        #expect(try L2CAPDisconnectionResponse(octets.wire).sourceCID == channel(0x0040))
        expectSignal(4, of: octets) { _ = try L2CAPDisconnectionRequest($0) }
        expectSignal(4, of: octets) { _ = try L2CAPDisconnectionResponse($0) }
    }

    @Test func information() throws {
        let request = hex("03 00")
        #expect(try L2CAPInformationRequest(request.wire).infoType == 3)
        expectSignal(2, of: request) { _ = try L2CAPInformationRequest($0) }

        let octets = hex("02 00 00 00 B8 02 00 00")
        let response = try L2CAPInformationResponse(octets.wire)
        #expect(response.infoType == 2)
        #expect(response.result == 0)
        #expect(response.info.copy() == hex("B8 02 00 00"))
        expectSignal(4, of: octets) { _ = try L2CAPInformationResponse($0) }
    }

    @Test func connectionParameterUpdate() throws {
        let octets = hex("06 00 0C 00 04 00 F4 01")
        let request = try L2CAPConnectionParameterUpdateRequest(octets.wire)
        #expect(request.intervalMin == 6)
        #expect(request.intervalMax == 12)
        #expect(request.latency == 4)
        #expect(request.timeout == 500)
        expectSignal(8, of: octets) { _ = try L2CAPConnectionParameterUpdateRequest($0) }

        let answer = hex("01 00")
        let response = try L2CAPConnectionParameterUpdateResponse(answer.wire)
        #expect(response.result == 1)
        #expect(response.resultName == "Connection Parameters rejected")
        expectSignal(2, of: answer) { _ = try L2CAPConnectionParameterUpdateResponse($0) }
    }

    @Test func leCreditBasedConnection() throws {
        let octets = hex("27 00 40 00 00 02 F7 00 0A 00")
        let request = try L2CAPLECreditBasedConnectionRequest(octets.wire)
        #expect(request.spsm == 0x0027)
        #expect(request.sourceCID == channel(0x0040))
        #expect(request.mtu == 512)
        #expect(request.mps == 247)
        #expect(request.initialCredits == 10)
        expectSignal(10, of: octets) { _ = try L2CAPLECreditBasedConnectionRequest($0) }

        let answer = hex("41 00 00 02 F7 00 0A 00 02 00")
        let response = try L2CAPLECreditBasedConnectionResponse(answer.wire)
        #expect(response.destinationCID == channel(0x0041))
        #expect(response.mtu == 512)
        #expect(response.mps == 247)
        #expect(response.initialCredits == 10)
        #expect(response.result.name == "Connection refused - SPSM not supported")
        expectSignal(10, of: answer) { _ = try L2CAPLECreditBasedConnectionResponse($0) }

        let credits = hex("40 00 05 00")
        #expect(try L2CAPFlowControlCredit(credits.wire).cid == channel(0x0040))
        #expect(try L2CAPFlowControlCredit(credits.wire).credits == 5)
        expectSignal(4, of: credits) { _ = try L2CAPFlowControlCredit($0) }
    }

    @Test func creditBasedConnection() throws {
        let octets = hex("27 00 00 02 F7 00 0A 00  40 00 41 00 42 00")
        let request = try L2CAPCreditBasedConnectionRequest(octets.wire)
        #expect(request.spsm == 0x0027)
        #expect(request.mtu == 512)
        #expect(request.mps == 247)
        #expect(request.initialCredits == 10)
        #expect(request.sourceCIDs.count == 3)
        #expect(request.sourceCIDs[0] == channel(0x0040))
        #expect(request.sourceCIDs[2] == channel(0x0042))
        #expect(request.sourceCIDs.remainder == 0)
        expectSignal(10, of: octets) { _ = try L2CAPCreditBasedConnectionRequest($0) }

        let answer = hex("00 02 F7 00 0A 00 04 00  50 00 00 00 51")
        let response = try L2CAPCreditBasedConnectionResponse(answer.wire)
        #expect(response.mtu == 512)
        #expect(response.mps == 247)
        #expect(response.initialCredits == 10)
        #expect(response.result.name == "Some connections refused - insufficient resources available")
        #expect(response.destinationCIDs.count == 2)
        #expect(response.destinationCIDs[0] == channel(0x0050))
        #expect(response.destinationCIDs[1] == channel(0x0000))
        #expect(response.destinationCIDs.remainder == 1)
        expectSignal(8, of: answer) { _ = try L2CAPCreditBasedConnectionResponse($0) }
    }

    @Test func creditBasedReconfigure() throws {
        let octets = hex("00 02 F7 00  40 00 41 00")
        let request = try L2CAPCreditBasedReconfigureRequest(octets.wire)
        #expect(request.mtu == 512)
        #expect(request.mps == 247)
        #expect(request.destinationCIDs.count == 2)
        #expect(request.destinationCIDs[1] == channel(0x0041))
        expectSignal(6, of: octets) { _ = try L2CAPCreditBasedReconfigureRequest($0) }

        let answer = hex("03 00")
        let response = try L2CAPCreditBasedReconfigureResponse(answer.wire)
        #expect(response.result == 3)
        #expect(response.resultName == "Reconfiguration failed - one or more Destination CIDs invalid")
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
                #expect(caseName(try L2CAPSignalParameters(signal)) == name)
            } else {
                let error = failure(octets) { _ = try L2CAPSignalParameters(try L2CAPSignal($0)) }
                #expect(error?.limit == .signalLength)
                #expect(error?.need == need)
                #expect(error?.have == length)
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

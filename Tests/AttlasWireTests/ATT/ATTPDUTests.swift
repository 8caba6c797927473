import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct ATTPDUTests {
    /// The shortest PDU of each opcode that its view can read, and whether the specification allows no other length.
    static let shortest: [(name: String, octets: String, isFixedLength: Bool)] = [
        ("Error Response", "01 0A 01 00 0A", true),
        ("Exchange MTU Request", "02 17 00", true),
        ("Exchange MTU Response", "03 17 00", true),
        ("Find Information Request", "04 01 00 FF FF", true),
        ("Find Information Response", "05 01 01 00 00 28", false),
        ("Find By Type Value Request", "06 01 00 FF FF 00 28", false),
        ("Find By Type Value Response", "07 01 00 05 00", false),
        ("Read By Type Request", "08 01 00 FF FF 03 28", false),
        ("Read By Type Response", "09 02 01 00", false),
        ("Read Request", "0A 01 00", true),
        ("Read Response", "0B", false),
        ("Read Blob Request", "0C 01 00 16 00", true),
        ("Read Blob Response", "0D", false),
        ("Read Multiple Request", "0E 01 00 02 00", false),
        ("Read Multiple Response", "0F", false),
        ("Read By Group Type Request", "10 01 00 FF FF 00 28", false),
        ("Read By Group Type Response", "11 04 01 00 05 00", false),
        ("Write Request", "12 01 00", false),
        ("Write Response", "13", true),
        ("Prepare Write Request", "16 01 00 00 00", false),
        ("Prepare Write Response", "17 01 00 00 00", false),
        ("Execute Write Request", "18 01", true),
        ("Execute Write Response", "19", true),
        ("Handle Value Notification", "1B 01 00", false),
        ("Handle Value Indication", "1D 01 00", false),
        ("Handle Value Confirmation", "1E", true),
        ("Read Multiple Variable Request", "20 01 00 02 00", false),
        ("Read Multiple Variable Response", "21 00 00", false),
        ("Multiple Handle Value Notification", "23 01 00 00 00", false),
        ("Write Command", "52 01 00", false),
        ("Signed Write Command", "D2 01 00 01 00 00 00 01 02 03 04 05 06 07 08", false),
    ]

    @Test func thereAre31() {
        expect(Self.shortest.count, equals: 31)
        expect((0x00...0xFF).count { ATTOpcode(rawValue: UInt8($0)).definition != nil }, equals: 31)
    }

    @Test(arguments: shortest)
    func dispatch(name: String, octets: String, isFixedLength: Bool) throws {
        let octets = hex(octets)
        try expect(caseName(ATTPDU(octets.wire)), equals: name)
        for length in 0..<octets.count {
            #expect(failure(Array(octets.prefix(length))) { _ = try ATTPDU($0) } != nil, "\(length) octets")
        }
    }

    @Test(arguments: shortest)
    func definition(name: String, octets: String, isFixedLength: Bool) throws {
        let octets = hex(octets)
        let definition = try #require(ATTOpcode(rawValue: octets[0]).definition)
        expect(definition.name.description, equals: name)
        let length =
            switch octets[0] {
            // Lists of two or more tuples, of which one can be read as well.
            case 0x21: 1 + 2 * 2
            case 0x23: 1 + 2 * 4
            default: octets.count
            }
        expect(definition.length, equals: isFixedLength ? .exactly(length) : .atLeast(length))
    }

    /// Of the notification and the requests that name one attribute. Vol 3, Part F, 3.4.4, 3.4.5 and 3.4.7.
    @Test func handleAfterTheOpcode() {
        let owning = (0x00...0xFF).filter { ATTOpcode(rawValue: UInt8($0)).definition?.ownsHandle == true }
        expect(owning, equals: [0x0A, 0x0C, 0x12, 0x16, 0x1B, 0x1D, 0x52, 0xD2])
    }

    @Test func everyOtherOpcodeIsUnknown() throws {
        for opcode in UInt8.min...UInt8.max where ATTOpcode(rawValue: opcode).definition == nil {
            let octets = [opcode, 0xEE]
            try expect(caseName(ATTPDU(octets.wire)), equals: "unknown 2")
        }
    }

    @Test func noOpcode() {
        let error = failure([]) { _ = try ATTPDU($0) }
        expect(error, equals: WireError(.att, "ATT PDU without an opcode", need: 1, have: 0, limit: .l2capLength))
    }

    @Test(arguments: [(0x52, true), (0xD2, true), (0x7F, true), (0x12, false), (0x1B, false), (0x92, false)])
    func commandFlag(opcode: Int, isCommand: Bool) {
        expect(ATTOpcode(rawValue: UInt8(opcode)).isCommand, equals: isCommand)
    }

    @Test(arguments: [
        (0x0A, ATTOpcode.Definition.Kind.request), (0x0B, .response), (0x01, .response), (0x52, .command),
        (0xD2, .command), (0x1B, .notification), (0x23, .notification), (0x1D, .indication), (0x1E, .confirmation),
    ])
    func kinds(opcode: Int, kind: ATTOpcode.Definition.Kind) {
        expect(ATTOpcode(rawValue: UInt8(opcode)).definition?.kind, equals: kind)
    }

    private func caseName(_ pdu: ATTPDU) -> String {
        switch pdu {
        case .errorResponse: "Error Response"
        case .exchangeMTURequest: "Exchange MTU Request"
        case .exchangeMTUResponse: "Exchange MTU Response"
        case .findInformationRequest: "Find Information Request"
        case .findInformationResponse: "Find Information Response"
        case .findByTypeValueRequest: "Find By Type Value Request"
        case .findByTypeValueResponse: "Find By Type Value Response"
        case .readByTypeRequest: "Read By Type Request"
        case .readByTypeResponse: "Read By Type Response"
        case .readRequest: "Read Request"
        case .readResponse: "Read Response"
        case .readBlobRequest: "Read Blob Request"
        case .readBlobResponse: "Read Blob Response"
        case .readMultipleRequest: "Read Multiple Request"
        case .readMultipleResponse: "Read Multiple Response"
        case .readByGroupTypeRequest: "Read By Group Type Request"
        case .readByGroupTypeResponse: "Read By Group Type Response"
        case .writeRequest: "Write Request"
        case .writeResponse: "Write Response"
        case .writeCommand: "Write Command"
        case .signedWriteCommand: "Signed Write Command"
        case .prepareWriteRequest: "Prepare Write Request"
        case .prepareWriteResponse: "Prepare Write Response"
        case .executeWriteRequest: "Execute Write Request"
        case .executeWriteResponse: "Execute Write Response"
        case .handleValueNotification: "Handle Value Notification"
        case .handleValueIndication: "Handle Value Indication"
        case .handleValueConfirmation: "Handle Value Confirmation"
        case .readMultipleVariableRequest: "Read Multiple Variable Request"
        case .readMultipleVariableResponse: "Read Multiple Variable Response"
        case .multipleHandleValueNotification: "Multiple Handle Value Notification"
        case .unknown(let bytes): "unknown \(bytes.count)"
        }
    }
}

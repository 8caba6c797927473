import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasConversation

/// What `--hci` shows of commands and events whose octets are written by hand. Core Specification, Vol 4, Part E.
@Suite struct HCIParametersTests {
    private func text(_ packet: Packet, _ library: DissectorLibrary = .shipped) throws -> String {
        var options = ConversationText.Options()
        options.showsHCI = true
        let lines = decoded([packet], library: library) { ConversationText(values: $0, options: options) }.lines.string
        let line = try #require(lines.split(separator: "\n").first { $0.contains(" HCI ") })
        return String(line[try #require(line.firstRange(of: "HCI ")).upperBound...])
    }

    /// The members after the packet's name, or after its code.
    private func members(_ packet: Packet, _ library: DissectorLibrary = .shipped) throws -> String {
        let lines = decoded([packet], library: library) {
            ConversationJSON(values: $0, showsHCI: true, file: nil)
        }.lines.string
        let line = try #require(lines.split(separator: "\n").first { $0.contains("\"type\":\"hci\"") })
        let start = line.firstRange(of: "\"name\":") ?? line.firstRange(of: "code\":")
        return String(line[try #require(start).upperBound...].dropLast())
    }

    // MARK: Commands

    @Test func aCommandHasItsParametersByName() throws {
        // 7.1.6
        let command = Packet.command("0604 03 4000 13")
        try expect(
            text(command),
            equals:
                "command Disconnect (0x0406) · Connection Handle 0x0040 · Reason Remote User Terminated Connection (0x13)"
        )
        #expect(
            try members(command) == """
                "Disconnect","connection_handle":64,"reason":{"code":"0x13","name":"Remote User Terminated Connection"},\
                "parameters":"400013"
                """)
    }

    @Test func timesAreMicroseconds() throws {
        // 7.8.12: 60 ms, 30 ms; a random address; 30 ms to 50 ms, 4, 420 ms.
        let command = Packet.command("0D20 19 6000 3000 00 01 \(Address.strap) 00 1800 2800 0400 2A00 0000 0000")
        let members = try members(command)
        for member in [
            "\"le_scan_interval_us\":60000,\"le_scan_window_us\":30000", "\"peer_address\":\"F2:F2:F2:F2:F2:F2\"",
            "\"interval_min_us\":30000,\"interval_max_us\":50000,\"latency\":4,\"supervision_timeout_us\":420000",
        ] {
            #expect(members.contains(member), "\(members)")
        }
        let text = try text(command)
        #expect(text.contains("Interval Min 30 ms · Interval Max 50 ms · Latency 4 · Supervision Timeout 420 ms"))
    }

    @Test func aCommandWithoutParametersHasNone() throws {
        try expect(text(.command("030C 00")), equals: "command Reset (0x0C03)")
        #expect(try members(.command("030C 00")) == #""Reset","parameters":"""#)
    }

    @Test func flagsAreTheirNames() throws {
        // 7.8.49: no preference of the host for what it receives; LE 1M and LE 2M; nothing; no preferred coding.
        let command = Packet.command("3220 07 4000 02 03 00 0000")
        #expect(try members(command).contains(#""tx_phys":["LE 1M","LE 2M"],"rx_phys":[]"#))
        #expect(try text(command).contains("TX PHYs LE 1M, LE 2M · RX PHYs none"))
    }

    @Test func aCommandThatIsNotKnownIsOctets() throws {
        try expect(text(.command("01FC 03 AABBCC")), equals: "command Vendor Specific (0xFC01) · aa bb cc")
        #expect(try members(.command("01FC 03 AABBCC")) == #""Vendor Specific","parameters":"aabbcc""#)
        try expect(text(.command("FF23 01 AA")), equals: "command Unknown (0x23FF) · aa")
        #expect(try members(.command("FF23 01 AA")) == #""0x23ff","parameters":"aa""#)
    }

    // MARK: Results

    @Test func aResultFollowsItsCommand() throws {
        // 7.4.6
        let event = Packet.event("0E 0A 01 0910 00 060504030201")
        try expect(
            text(event),
            equals:
                "event Command Complete · Num HCI Command Packets 1 · Command Read BD_ADDR (0x1009) · Status Success (0x00) "
                + "· BD_ADDR 01:02:03:04:05:06")
        #expect(
            try members(event) == """
                "Command Complete","num_hci_command_packets":1,"command":{"code":"0x1009","name":"Read BD_ADDR"},\
                "status":{"code":"0x00","name":"Success"},"bd_addr":"01:02:03:04:05:06","parameters":"01091000060504030201"
                """)
    }

    @Test(arguments: [
        // 7.5.4
        ("0E 07 01 0514 00 4000 C5", #""connection_handle":64,"rssi_dbm":-59,"#),
        // 7.8.2: 251 octets, 8 packets.
        ("0E 07 01 0220 00 FB00 08", #""le_acl_data_packet_length":251,"total_num_le_acl_data_packets":8,"#),
        // 7.8.33: 27 octets, 328 µs.
        ("0E 08 01 2320 00 1B00 4801", #""suggested_max_tx_octets":27,"suggested_max_tx_time_us":328,"#),
    ])
    func resultsHaveTheirParameters(event: String, members: String) throws {
        let got = try self.members(.event(event))
        #expect(got.contains(members), "\(got)")
    }

    @Test func aFailedCommandMayReturnItsStatusAlone() throws {
        #expect(
            try text(.event("0E 04 01 0910 01")).hasSuffix(
                "Command Read BD_ADDR (0x1009) · Status Unknown HCI Command (0x01)"))
    }

    @Test func aResultThatIsNotKnownIsOctets() throws {
        #expect(
            try text(.event("0E 05 01 01FC AABB")).hasSuffix(
                "Command Vendor Specific (0xFC01) · Return Parameters AA BB"))
        #expect(
            try text(.event("0E 05 01 FF23 00BB")).hasSuffix(
                "Command Unknown (0x23FF) · Status Success (0x00) · Return Parameters BB"))
        #expect(try text(.event("0E 03 02 0000")).hasSuffix("Num HCI Command Packets 2 · Command NOP (0x0000)"))
    }

    // MARK: Events

    @Test func anEventHasItsParametersByName() throws {
        // 7.7.15
        let event = Packet.event("0F 04 0C 01 0D20")
        try expect(
            text(event),
            equals: "event Command Status · Status Command Disallowed (0x0C) · Num HCI Command Packets 1 · "
                + "Command LE Create Connection (0x200D)")
    }

    @Test func structuresAreObjects() throws {
        // 7.7.19
        let event = Packet.event("13 09 02 4000 0300 4100 0201")
        #expect(
            try members(event).contains(
                #""completed":[{"connection_handle":64,"packets":3},{"connection_handle":65,"packets":258}],"#))
        #expect(
            try text(event).hasSuffix(
                "Completed (Connection Handle 0x0040 · Packets 3), (Connection Handle 0x0041 · Packets 258)"))
    }

    @Test(arguments: [
        // 7.7.65.1
        (
            "3E 13 01 00 4000 00 01 F2F2F2F2F2F2 1800 0400 4800 05",
            #""role":"central","peer_address_type":"random","peer_address":"F2:F2:F2:F2:F2:F2","interval_us":30000,"#
                + #""latency":4,"supervision_timeout_us":720000,"#
        ),
        // 7.7.65.7
        (
            "3E 0B 07 4000 FB00 4808 1B00 4801",
            #""max_tx_octets":251,"max_tx_time_us":2120,"max_rx_octets":27,"max_rx_time_us":328,"#
        ),
        // 7.7.65.12
        ("3E 06 0C 00 4000 02 03", #""connection_handle":64,"tx_phy":"LE 2M","rx_phy":"LE Coded","#),
    ])
    func anLEEventHasItsParametersByName(event: String, members: String) throws {
        let got = try self.members(.event(event))
        #expect(got.contains(members), "\(got)")
    }

    @Test func anEventThatIsNotKnownIsOctets() throws {
        try expect(text(.event("FE 02 AABB")), equals: "event Unknown Event · aa bb")
        try expect(text(.event("3E 03 FD AABB")), equals: "event Unknown LE Event · fd aa bb")
        try expect(text(.event("3E 00")), equals: "event LE Meta")
        #expect(try members(.event("FE 02 AABB")) == #""Unknown Event","parameters":"aabb""#)
    }

    // MARK: What does not fit

    @Test func theFieldsBeforeAFaultAreShown() throws {
        let event = Packet.event("05 03 00 4000")
        #expect(
            try text(event).hasSuffix(
                "Connection Handle 0x0040 · ✗ Reason: the value ends within the field, needs 4 octets, has 3"))
        #expect(
            try members(event).contains(
                #""connection_handle":64,"fault":{"layer":"hci","reason":"Reason: the value ends within the field","#
                    + #""need":4,"have":3,"limited_by":"HCI length"},"parameters":"004000""#))
    }

    /// The subevent code and the opcode are in front of the fields.
    @Test func placesCountFromTheFirstParameter() throws {
        #expect(
            try text(.event("3E 05 0C 00 4000 02")).hasSuffix(
                "✗ RX PHY: the value ends within the field, needs 6 octets, has 5"))
        #expect(
            try text(.event("0E 05 01 0910 00 06")).hasSuffix(
                "✗ BD_ADDR: the value ends within the field, needs 10 octets, has 5"))
        #expect(try members(.event("3E 07 0C 00 4000 02 01 AA")).contains(#""unexplained":{"offset":6,"length":1},"#))
    }

    @Test func octetsThatNoFieldExplainsAreShown() throws {
        #expect(try text(.command("0604 05 4000 13 AABB")).hasSuffix("(0x13) · unexplained AA BB"))
        #expect(try members(.command("0604 05 4000 13 AABB")).contains(#""unexplained":{"offset":3,"length":2},"#))
    }

    @Test func reservedBitsAreReported() throws {
        #expect(
            try text(.command("0604 03 4010 13")).hasSuffix(
                "Connection Handle 0x0040 · Reason Remote User Terminated Connection (0x13) · reserved bits set"))
        #expect(try members(.command("0604 03 4010 13")).contains(#""connection_handle":64,"#))
        #expect(try members(.command("0604 03 4010 13")).contains(#""reserved_bits":["connection_handle"],"#))
    }

    // MARK: Advertising data

    /// 7.8.7 and 7.8.54: flags, and the name "LS"; Core Specification Supplement, Part A, 1.2 and 1.3.
    @Test func advertisingDataIsDecoded() throws {
        let data = "02 01 06 03 09 4C 53"
        let padding = String(repeating: "00", count: 24)
        let command = Packet.command("0820 20 07 \(data) \(padding)")
        #expect(
            try text(command).hasSuffix(
                "Advertising Data 02 01 06 03 09 4C 53 · \"LS\" · LE General Discoverable, BR/EDR Not Supported"))
        #expect(
            try members(command).contains(
                #""advertising_data":"02010603094c53","padding":"\#(padding)","advertising_data_decoded":{"name":"LS","flags":["#
            ))
        #expect(try text(.command("3720 0B 01 03 01 07 \(data)")).contains(#"4C 53 · "LS" · "#))
        #expect(try text(.command("3F20 0A 01 03 07 \(data)")).contains(#"4C 53 · "LS" · "#))
    }

    /// 7.7.65.15 and 7.7.65.37: what broadcasters of audio send, Basic Audio Announcement (Basic Audio Profile, 3.7.2.2): 40 ms, one subgroup
    /// of two BISes, LC3, 48 kHz, 10 ms, 120 octets, media; front left and front right.
    @Test func periodicAdvertisingIsDecoded() throws {
        let base = """
            2D 16 51 18 40 9C 00 01 02 06 00 00 00 00 0A 02 01 08 02 02 01 03 04 78 00 04 03 02 04 00
            01 06 05 03 01 00 00 00 02 06 05 03 02 00 00 00
            """
        let report = try text(.event("3E 36 0F 10 00 7F C4 FF 00 2E \(base)"))
        #expect(report.contains("Basic Audio Announcement: LC3 Sampling Frequency 48 kHz"), "\(report)")
        #expect(report.hasSuffix("presentation after 40000 µs"), "\(report)")
        #expect(report.contains("LC3"))
        let second = try members(.event("3E 39 25 10 00 7F C4 FF 2C 01 03 00 2E \(base)"))
        #expect(second.contains(#""data_decoded":{"service_data":[{"uuid":"1851","#), "\(second)")
        // More to come: the beginning of what one cannot read yet.
        #expect(try !members(.event("3E 36 0F 10 00 7F C4 FF 01 2E \(base)")).contains("decoded"))
        // The end of a row of reports begins within a structure.
        #expect(try !members(.event("3E 0C 0F 10 00 7F C4 FF 00 04 AA BB CC DD")).contains("decoded"))
    }

    /// The beginning of a fragment need not be one of a structure.
    @Test func fragmentsOfAdvertisingDataStayOctets() throws {
        let command = Packet.command("3720 0B 01 02 01 07 02 01 06 03 09 4C 53")
        #expect(try text(command).hasSuffix("Advertising Data 02 01 06 03 09 4C 53"))
        #expect(try !members(command).contains("decoded"))
        // Nothing to tell.
        #expect(try !members(.command("3720 05 01 03 01 01 00")).contains("decoded"))
    }

    /// 7.3.56
    @Test func extendedInquiryResponseIsDecoded() throws {
        let command = Packet.command(
            "520C F1 00 03 09 4C 53 02 0A F8 " + String(repeating: "00", count: 233))
        #expect(try text(command).hasSuffix(#" … 240 octets · "LS" · tx power -8 dBm"#))
        #expect(try members(command).contains(#""extended_inquiry_response_decoded":{"name":"LS","tx_power_dbm":-8},"#))
    }

    // MARK: Keys

    private static let key = "A1A2A3A4A5A6A7A8A9AAABACADAEAFB0"

    /// Every command and event that carries a key, whole and cut within the key.
    @Test(arguments: [
        // 7.1.10, 7.1.12, 7.3.8: a link key, a PIN of 4 digits, a stored link key.
        ("0B04", "\(Address.strap) \(key)"), ("0D04", "\(Address.strap) 04 \(key)"),
        ("110C", "01 \(Address.strap) \(key)"),
        // 7.8.22, 7.8.24, 7.8.25, 7.8.38
        ("1720", "\(key) \(key)"), ("1920", "4000 0102030405060708 3412 \(key)"), ("1A20", "4000 \(key)"),
        ("2720", "01 \(Address.strap) \(key) \(key)"),
    ])
    func theKeyOfACommandIsWithheld(opcode: String, parameters: String) throws {
        let octets = hex(parameters)
        for count in [octets.count, octets.count - 1] {
            let command = Packet(
                .packet(.command), .tx, hex(opcode) + [UInt8(count)] + octets.prefix(count))
            expectNoKey(in: try text(command))
            expectNoKey(in: try members(command))
        }
        #expect(
            try text(Packet(.packet(.command), .tx, hex(opcode) + [UInt8(octets.count)] + octets)).contains("withheld"))
    }

    @Test(arguments: [
        // 7.7.21, 7.7.24
        ("15", "01 \(Address.strap) \(key)"), ("18", "\(Address.strap) \(key) 04"),
        // 7.7.65.9: a DH key, which is twice as long.
        ("3E", "09 00 \(key) \(key)"),
        // 7.3.60: the hash and the randomizer of OOB data.
        ("0E", "01 570C 00 \(key) \(key)"),
    ])
    func theKeyOfAnEventIsWithheld(code: String, parameters: String) throws {
        let octets = hex(parameters)
        for count in [octets.count, octets.count - 2] {
            let event = Packet(.packet(.event), .rx, hex(code) + [UInt8(count)] + octets.prefix(count))
            expectNoKey(in: try text(event))
            expectNoKey(in: try members(event))
        }
    }

    private func expectNoKey(in text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let digits = text.uppercased().filter { $0 != " " }
        #expect(!digits.contains("A3A4"), "\(text)", sourceLocation: sourceLocation)
        #expect(!digits.contains("AFB0"), "\(text)", sourceLocation: sourceLocation)
        #expect(!text.contains("\"parameters\""), sourceLocation: sourceLocation)
    }

    // MARK: A user's definitions

    @Test func aVendorsPacketsHaveTheirDefinitions() throws {
        let yaml = """
            hci-commands:
              - opcode: 0xFC01
                name: Set Radio
                fields:
                  - { name: Name, type: utf8, size: 2 }
                  - { name: Level, type: sint8, unit: dBm, special: { 127: not set } }
                  - { name: Gain, type: uint8, unit: dB, repeat: 2 }
                  - { name: Mode, type: uint8, bits: { 0: Fast, 1..2: { name: Band, values: { 1: low } } } }
                  - { name: Pause, type: uint16, scale: 0.5, unit: s }
              - { opcode: 0x0C03, name: Restart }
            hci-results:
              - { opcode: 0xFC01, fields: [{ name: Status, type: uint8, values: hci-errors }] }
            """
        let loader = DefinitionLoader([DefinitionSource(path: "radio.yaml", text: yaml)], above: .shipped)
        expect(loader.mistakes.map(\.description), equals: [])
        let library = DissectorLibrary.shipped.adding(loader.files)
        #expect(
            try members(.command("01FC 08 4142 7F 0102 03 0300"), library).hasPrefix(
                #""Set Radio","parameter_name":"AB","level_dbm":null,"gain_db":[1,2],"mode":["Fast"],"band":"low","pause_us":1500000,"#
            ))
        try expect(
            text(.command("01FC 08 4142 7F 0102 03 0300"), library),
            equals:
                "command Set Radio (0xFC01) · Name \"AB\" · Level not set · Gain 1 dB, 2 dB · Mode Fast, Band low · Pause 1.5 s"
        )
        #expect(
            try text(.event("0E 04 01 01FC 00"), library).hasSuffix(
                "Command Set Radio (0xFC01) · Status Success (0x00)"))
        // Only another name.
        #expect(try text(.event("0F 04 00 01 030C"), library).hasSuffix("Command Restart (0x0C03)"))
        try expect(text(.command("030C 01 AA"), library), equals: "command Restart (0x0C03) · aa")
    }
}

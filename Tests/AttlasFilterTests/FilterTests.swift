import AttlasDissection
import AttlasTestSupport
import Testing

@testable import AttlasFilter

/// What filters select. The frames are those of the captures' pages, or of tshark.
@Suite struct FilterTests {
    @Test(
        arguments: [
            ("char == 2A39", [78, 153, 156, 159, 162, 168, 171]),
            ("char == \"Heart Rate Control Point\" and method == \"Write Request\"", [153, 159, 168]),
            ("char == 00002A39-0000-1000-8000-00805F9B34FB and method == response", [78, 156, 162, 171]),
            ("descriptor == 2902", [72, 84, 96, 137, 139, 174, 176]),
            // What a discovery asks for, and what its answers list.
            ("uuid == 180D and method ~ \"group type\"", [48]),
            ("uuid == Include", [52, 61, 73, 85, 97]),
            ("uuid == \"Body Sensor Location\" and method == \"Read By Type\"", [78]),
            ("uuid == 2A39", [78, 153, 156, 159, 162, 168, 171]),
            ("handle == 0x0011 and not known_from", []),
            ("handle == 0x0011 and method == \"Find Information\"", [84]),
            ("not known", []),
            ("error", [136, 162]),
            ("error == 0x05", [136]),
            ("error == \"insufficient authentication\"", [136]),
            ("error == \"Control Point Not Supported\"", [162]),
            ("error != 5", [51, 54, 60, 63, 69, 75, 81, 87, 93, 99, 106, 162]),
            ("error and not error == 5", [162]),
            ("method == read and direction == tx", [107, 110, 113, 116, 119, 122, 125, 128, 131, 134]),
            ("method == \"Read Response\"", [109, 112, 115, 118, 121, 124, 127, 130, 133]),
            ("method == \"Handle Value Notification\" and frame < 143", [140, 141, 142]),
            ("opcode == 0x1b and frame < 143", [140, 141, 142]),
            ("field(\"Heart Rate Measurement Value\") > 150", [164, 165, 166, 167, 169]),
            ("field(\"heart rate measurement value\") == 112", [172]),
            (
                "field(\"Flags\") == \"Sensor Contact Supported\" and not field(\"Sensor Contact Detected\")",
                [141, 172]
            ),
            ("value begins 1e", [145, 146, 150, 160, 165, 173]),
            ("value contains ffff", [133, 169]),
            ("value == \"04 70\"", [172]),
            ("rtt > 60ms", [48, 78, 103, 115, 118, 156]),
            ("rtt >= 0.062s", [48, 115]),
            ("rtt > 62022 us and rtt <= 62023us", [48]),
            ("handle == 0x0024 or handle == 24", [113, 115, 134, 136]),
            ("frame >= 137 and frame <= 139", [137, 139]),
            ("not (direction == rx or frame < 170)", [174]),
        ])
    func framesOfTheHeartRate(filter: String, frames: [Int]) throws {
        try expect(SelectedEvents(filter, in: "heart-rate.btsnoop").frames, equals: frames)
    }

    @Test(
        arguments: [
            ("eatt.btsnoop", "char == \"Battery Level\" and method == \"Multiple Handle Value Notification\"", [326]),
            ("eatt.btsnoop", "field(\"Battery Level\") == 80", [326]),
            ("eatt.btsnoop", "handle == 0x0016 and method == \"Read Multiple Variable Request\"", [183]),
            (
                "eatt.btsnoop", "bearer == eatt:0x0041 and method == notification and frame >= 240 and frame <= 276",
                [251, 276]
            ),
            ("eatt.btsnoop", "handle == 0x0016 and method ~ \"multiple variable\"", [183, 195]),
            ("eatt.btsnoop", "field(\"Battery Level\") and method ~ \"multiple variable\"", [195]),
            ("eatt.btsnoop", "bearer == eatt:0x0042 and (frame == 250 or frame == 290)", [250, 290]),
            ("indications.btsnoop", "field(\"Temperature Measurement Value\") == 36.64", [118]),
            ("indications.btsnoop", "field(\"Temperature Measurement Value\") == NaN", [124]),
            ("indications.btsnoop", "field(\"Temperature Measurement Value\") > 0", [115, 118, 121, 191]),
            ("indications.btsnoop", "method == confirmation", [116, 119, 122, 125, 128, 192]),
            ("led-strip.btsnoop", "fault", [117, 137]),
            ("led-strip.btsnoop", "field(\"Frequency\") > 50", [111, 116, 122, 127, 136]),
            ("pairing.btsnoop", "error", [87, 90, 93, 148]),
            ("handle-reused.btsnoop", "handle == 0x0010 and not known", [154, 156]),
            ("handle-reused.btsnoop", "service == 181A and method == \"Find By Type Value\"", [126, 128, 129]),
            ("two-peripherals.btsnoop", "service == 1809 and method ~ \"group type\"", [63]),
            ("bluez-central.btsnoop", "char == \"Database Hash\" and value begins d585", [334, 431]),
            ("bluez-central.btsnoop", "field(\"Database Hash\") and method == \"Read By Type\"", [334, 431]),
            ("after-discovery.btsnoop", "value contains \"48 52 4d\"", [19]),
        ])
    func framesOfOthers(capture: String, filter: String, frames: [Int]) throws {
        try expect(SelectedEvents(filter, in: capture).frames, equals: frames)
    }

    /// A mouse and a vendor's pressure, whose values other attributes describe.
    @Test(
        arguments: [
            ("field(\"X\") < 0", [180]), ("field(x) == 5", [176]), ("field(\"Button 1\") == 1", [177]),
            ("field(\"Button 3\") == 0 and field(Y) == 127", [180]),
            // The first read came before the Presentation Format.
            ("field(\"Value\") == -15.3", [194]), ("field(Value) > 100", [199]),
        ])
    func valuesThatOthersDescribeHaveFields(filter: String, frames: [Int]) throws {
        try expect(SelectedEvents(filter, in: "many-sensors.btsnoop").frames, equals: frames)
    }

    @Test func aPeerGoesByNameAndByAddress() throws {
        let byName = try SelectedEvents("peer == \"oven probe\"", in: "two-peripherals.btsnoop").frames
        expect(byName.count, equals: 70)
        for filter in ["peer == E6:0A:33:7C:90:15", "peer ~ \"0a:33\"", "peer begins Oven", "peer != \"HRM-7\""] {
            try expect(SelectedEvents(filter, in: "two-peripherals.btsnoop").frames, equals: byName)
        }
    }

    /// FFF0, which the SIG assigned to a member, has no name and is found by its assignment as well.
    @Test func aServiceIsFoundByWhomItsUUIDIsAssignedTo() throws {
        let packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0300 F0FF 0400 0600 0D18"),
            .att(.tx, "08 0100 0600 0328"), .att(.rx, "09 07 0200 08 0300 F3FF 0500 02 0600 372A"),
            .att(.tx, "12 0300 01"), .att(.tx, "0A 0600"),
        ]
        for filter in ["service == \"Public Key Open Credential (PKOC)\"", "service == FFF0", "service ~ pkoc"] {
            #expect(try SelectedEvents(filter, of: packets).frames.contains(6), "\(filter)")
            #expect(try !SelectedEvents(filter, of: packets).frames.contains(7), "\(filter)")
        }
    }

    /// Read RSSI with −60 dBm, an advertisement with −90, and the end by Connection Timeout. Vol 4, Part E, 7.5.4 and 7.7.5.
    @Test func signalsAndEnds() throws {
        let packets: [Packet] = [
            .advertisement(rssi: -90), .connected(), .event("0E 07 01 0514 00 4000 C4"), .att(.rx, "1B 1200 01"),
            .event("08 04 00 4000 01"), .att(.rx, "1B 1200 02"), .disconnected(reason: 0x08),
        ]
        for (filter, frames, others) in [
            ("rssi == -60", [], 1), ("rssi < -70", [], 1), ("rssi", [], 2), ("ended", [], 1), ("reason == 0x08", [], 1),
            ("reason == \"Connection Timeout\"", [], 1), ("reason == 0x13", [], 0), ("reason != 0x13", [], 1),
            ("method == notify and encrypted", [6], 0), ("method == notify and not encrypted", [4], 0),
            ("method == indicate", [], 0),
        ] as [(String, [Int], Int)] {
            let found = try SelectedEvents(filter, of: packets)
            #expect(found.frames == frames && found.others == others, "\(filter): \(found.frames), \(found.others)")
        }
    }

    // MARK: Neither true nor false

    @Test func whatAnEventDoesNotHaveIsNeitherEqualNorUnequal() throws {
        let different = try SelectedEvents("char != 2A37", in: "heart-rate.btsnoop")
        let negated = try SelectedEvents("not char == 2A37", in: "heart-rate.btsnoop")
        expect(different.frames, equals: negated.frames)
        // The reads of the nine characteristics and of System ID, the control point's six, and four answers that declare
        // others only.
        expect(different.frames.count, equals: 30)
        expect(different.others, equals: 0)
    }

    @Test func oneSideOfAnOrIsEnough() throws {
        let found = try SelectedEvents("char == 2A39 or frame == 177", in: "heart-rate.btsnoop")
        expect(found.frames.count, equals: 7)
        // The disconnection, and what HCI says of it.
        #expect(found.others >= 1)
    }

    @Test func theNegationOfFaultsAndLossesIsEverythingElse() throws {
        try expect(SelectedEvents("not fault and not loss", in: "heart-rate.btsnoop").frames.count, equals: 97)
        try expect(SelectedEvents("not fault", in: "led-strip.btsnoop").frames.count, equals: 65)
    }

    @Test func theEndOfASearchIsAboutNoAttribute() throws {
        // 54 ends the search for what Generic Access includes, at 0x0001.
        try expect(SelectedEvents("frame == 54", in: "heart-rate.btsnoop").frames, equals: [54])
        for filter in ["frame == 54 and handle", "frame == 54 and not known", "frame == 54 and error"] {
            #expect(try SelectedEvents(filter, in: "heart-rate.btsnoop").frames.isEmpty)
        }
    }

    // MARK: One mechanism

    @Test func theOptionsAreFilters() throws {
        var selection = Selection()
        selection.characteristic = "rate meas"
        selection.frames = 100...150
        let byOptions = try SelectedEvents(selection, in: "heart-rate.btsnoop")
        let byFilter = try SelectedEvents(
            "char ~ \"rate meas\" and frame >= 100 and frame <= 150", in: "heart-rate.btsnoop")
        expect(byOptions.frames, equals: byFilter.frames)
        expect(byOptions.frames.count, equals: 13)
    }

    @Test func anMTUInForceGoesWithItsResponse() throws {
        let found = try SelectedEvents("method == \"Exchange MTU Response\"", in: "heart-rate.btsnoop")
        expect(found.frames, equals: [44])
        expect(found.others, equals: 1)
    }
}

import AttlasMetrics
import AttlasTestSupport
import AttlasValues
import Testing

@testable import AttlasDocuments

@Suite struct DevicesDocumentTests {
    private let values = ValueInterpreter(library: .shipped)

    private func devices(_ packets: [Packet]) -> DevicesModel {
        document(of: packets, as: RecordMaker(step: 1_000_000)) { _ in DeviceCollector() }
    }

    private func text(_ model: DevicesModel, width: Int? = nil) throws -> String {
        try printed { output in
            var text = DevicesText(model, values: values, width: width, isColoured: false)
            text.write(into: &output)
        }
    }

    private func json(_ model: DevicesModel) throws -> String {
        try printed { output in
            var json = DevicesJSON(model, values: values)
            json.write(file: "a.btsnoop", into: &output)
        }
    }

    /// A packet a second from 2 s on: a strap that advertises Flags, Heart Rate and Battery, then its name, is connected with and
    /// advertises again; a phone that says something of its vendor's once, 12 s before the end.
    private static let two: [Packet] = [
        .advertisement(hex("02 01 06  05 03 0D18 0F18"), rssi: -56),
        .advertisement(hex("06 09 48524D2D37  03 19 4103  02 0A F8"), type: 4, rssi: -48),
        .advertisement(
            of: Address.phone, hex("05 FF FEFF 1005  04 16 0F18 5A"), random: false, type: 3, rssi: -90),
        .connected(), .disconnected(),
        .advertisement(hex("02 01 06")).at(microseconds: 16_000_000),
    ]

    @Test func twoDevicesAsText() throws {
        try expectText(
            text(devices(Self.two)),
            equals: """
                F2:F2:F2:F2:F2:F2  random-static         HRM-7                    -60 … -48 dBm   3 advertisements · connectable \
                · connected · seen 0.000000 – 14.000000
                    Heart Rate Belt · Heart Rate, Battery · tx power -8 dBm · LE General Discoverable, BR/EDR Not Supported
                00:1A:7D:DA:71:13  public                –                        -90 dBm         1 advertisement \
                · seen 2.000000 – 2.000000 · gone
                    Battery: 5a · company 0xFFFE: 10 05

                """)
    }

    @Test func twoDevicesAsJSON() throws {
        try expectJSON(
            json(devices(Self.two)),
            equals: """
                {"schema": "attlas/devices/1", "file": "a.btsnoop",
                 "devices": [
                  {"address": "F2:F2:F2:F2:F2:F2", "address_type": "random-static", "name": "HRM-7",
                   "flags": ["LE General Discoverable", "BR/EDR Not Supported"],
                   "appearance": {"code": "0x0341", "name": "Heart Rate Belt"}, "tx_power_dbm": -8,
                   "services": [{"uuid": "180D", "name": "Heart Rate"}, {"uuid": "180F", "name": "Battery"}],
                   "rssi_dbm": {"min": -60, "max": -48}, "advertisements": 3, "connectable": true, "connections": 1,
                   "connected": false, "first_seen": "1970-01-01T00:00:02.000000Z", "last_seen": "1970-01-01T00:00:16.000000Z",
                   "gone": false},
                  {"address": "00:1A:7D:DA:71:13", "address_type": "public",
                   "service_data": [
                    {"uuid": "180F", "name": "Battery", "data": "5a"}],
                   "manufacturer_data": [{"company": "0xfffe", "name": "company 0xFFFE", "data": "1005"}],
                   "rssi_dbm": {"min": -90, "max": -90}, "advertisements": 1, "connectable": false, "connections": 0,
                   "connected": false, "first_seen": "1970-01-01T00:00:04.000000Z", "last_seen": "1970-01-01T00:00:04.000000Z",
                   "gone": true}],
                 "forgotten": 0, \(complete(Self.two.count))}
                """)
    }

    /// The device sends its identity and the key of its private address while it pairs. Vol 3, Part H, 3.6.4 and 3.6.5.
    @Test func aPrivateAddressBelongsToItsDevice() throws {
        // ah of the Core Specification, Vol 3, Part H, D.7: key EC0234A3 57C8AD05 341010A6 0A397D9B, prand 708194, hash 0DFBAA.
        let address = "AAFB0D948170"
        let model = devices([
            .advertisement(of: address, hex("02 01 06"), rssi: -50), .connected(address),
            .frame(.rx, channel: 6, hex("08 9B7D390A A6101034 05ADC857 A33402EC")),
            .frame(.rx, channel: 6, hex("09 01 \(Address.strap)")),
        ])
        try expectText(
            text(model),
            equals: """
                F2:F2:F2:F2:F2:F2  random-static         –                        -50 dBm         1 advertisement · connectable \
                · connected · as 70:81:94:0D:FB:AA · seen from 0.000000 · connected at the end
                    LE General Discoverable, BR/EDR Not Supported

                """)
        #expect(try json(model).contains(#""private_addresses":["70:81:94:0D:FB:AA"]"#))
    }

    /// A notification on handle 0x0040, of which nothing was captured before.
    @Test func aDeviceWithoutAnAddress() throws {
        let model = devices([.att(.rx, "1B 1900 01")])
        try expectText(
            text(model),
            equals: """
                address unknown                          Unknown peer                             LE · connection handle 0x0040 \
                · its beginning was not captured · first seen 0.000000 · connected at the end

                """)
        try expectJSON(
            json(model),
            equals: """
                {"schema": "attlas/devices/1", "file": "a.btsnoop", "devices": [],
                 "without_address": [
                  {"transport": "LE", "connection_handle": 64, "first_seen": "1970-01-01T00:00:02.000000Z",
                   "connected": true}],
                 "forgotten": 0, \(complete(1))}
                """)
    }

    @Test func anEmptyCapture() throws {
        try expect(text(devices([])), equals: "No device advertised or connected in this capture.\n")
        try expectJSON(
            json(devices([])),
            equals:
                #"{"schema": "attlas/devices/1", "file": "a.btsnoop", "devices": [], "forgotten": 0, \#(complete(0))}"#)
    }

    /// A new address in each of 20 000 packets: the oldest half goes when there are 16 384.
    @Test func whatWasForgottenIsCounted() throws {
        let packets = (0..<16_385).lazy.map { number in
            Packet.event("3E 0C 02 01 03 00").with(little(number, 6) + [0, 0xC4])
        }
        let model = devices(Array(packets))
        expect(model.devices.count + model.forgotten, equals: 16_385)
        #expect(model.forgotten > 0)
        #expect(try text(model).hasSuffix("\n\(model.forgotten) older devices are not listed\n"))
        #expect(try json(model).contains(#","forgotten":\#(model.forgotten),"#))
    }

    /// A name that ends a JSON string, begins a line, clears the screen and turns the line round.
    @Test func aHostileName() throws {
        let name = Array("a\"\n\u{1B}[2J\u{202E}".utf8)
        let model = devices([
            .advertisement([UInt8(name.count + 1), 0x09] + name)
        ])
        let text = try text(model)
        expect(text.split(separator: "\n").count, equals: 1)
        #expect(text.contains(#"  a"\n\u{1B}[2J\u{202E}  "#))
        #expect(try json(model).contains(#""name":"a\"\n\u001b[2J\u202e""#))
    }

    @Test func noLinePassesTheEdge() throws {
        for line in try text(devices(Self.two), width: 60).split(separator: "\n") { #expect(line.count <= 60) }
    }

    /// Of `Audio.broadcast`: the advertisement with the Broadcast_ID, and what the train says.
    @Test func aBroadcast() throws {
        let model = devices(Audio.broadcast)
        try expectText(
            text(model),
            equals: """
                C1:22:33:44:55:66  random-static         –                        -60 dBm         1 advertisement · seen 0.000000 – 0.000000
                    Broadcast Audio Announcement: 1193046
                    periodic advertising · SID 1 · every 100 ms · LE 2M · 1 report · -60 dBm · lost
                        Basic Audio Announcement: LC3 Sampling Frequency 48 kHz, Frame Duration 10 ms, Octets per Codec Frame 100 octets \
                · Streaming Audio Contexts Media · BIS 1 Audio Channel Allocation Front Left, BIS 2 Audio Channel Allocation Front Right \
                · presentation after 40000 µs
                        2 broadcast streams · every 10 ms · SDUs of up to 100 octets every 10 ms · LE 2M · encrypted

                """)
        let json = try json(model)
        #expect(
            json.contains(
                #""periodic_advertising":[{"address":"C1:22:33:44:55:66","address_type":"random-static","sid":1,"interval_us":100000,"#
                    + #""phy":"LE 2M","followed":true,"lost":true,"reports":1,"rssi_dbm":{"min":-60,"max":-60},"service_data":["#
            ))
        #expect(
            json.contains(
                #""big":{"streams":2,"iso_interval_us":10000,"sdu_interval_us":10000,"max_sdu_octets":100,"max_pdu_octets":120,"#
                    + #""phy":"LE 2M","framed":false,"encrypted":true}"#))
    }

    /// Core Specification Supplement, Part A, 1.9, 1.15 and 1.17; 0xEE is not assigned.
    @Test func structuresOfOtherTypes() throws {
        let model = devices([.advertisement(hex("03 1A A000  05 12 0600 0C00  03 EE 0C01"))])
        #expect(
            try text(model).contains(
                "Advertising Interval: 100 ms · Peripheral Connection Interval Range: 7.5 to 15 ms · AD type 0xEE: 0c 01"
            ))
        let expected =
            #""structures":[{"type":"0x1a","name":"Advertising Interval","data":"a000","fields":[{"name":"Advertising Interval","#
            + #""value":100,"raw":160,"unit":"ms","offset":0,"length":2}]},"#
        #expect(try json(model).contains(expected))
    }

    /// A train that was not followed, and one whose sender is not known.
    @Test func broadcastsOfWhichLittleIsKnown() throws {
        try expectText(
            text(devices([Audio.broadcast[0], .event("3E 0B 0F 2000 7F 7F FF 00 03 020A04")])),
            equals: """
                C1:22:33:44:55:66  random-static         –                        -60 dBm         1 advertisement · seen 0.000000 – 0.000000
                    Broadcast Audio Announcement: 1193046
                    periodic advertising · SID 1 · every 100 ms · not followed
                address not captured
                    periodic advertising · 1 report
                        tx power 4 dBm

                """)
    }

    /// The end of the announcement is missing: what is present is read, and where it ends is no fault. The next one is whole.
    @Test func dataThatTheControllerTruncated() throws {
        let cut = Packet.event("3E 1B 0F 2000 7F 7F FF 02 13 2D16 5118 409C00 01 02 0600000000 0A 020108 02")
        let model = devices([cut])
        try expectText(
            text(model),
            equals: """
                address not captured
                    periodic advertising · 1 report · truncated by the controller
                        Basic Audio Announcement: Presentation Delay 40000 µs · Number of Subgroups 1 · Subgroup LC3 · …

                """)
        let json = try json(model)
        #expect(json.contains(#""reports":1,"truncated":true,"#))
        #expect(json.contains("\"fault\"") == false)
        let whole = devices([cut, .event("3E 0B 0F 2000 7F 7F FF 00 03 020A04")])
        #expect(try text(whole).contains("truncated") == false)
        // The controller said that this one is complete.
        let malformed = devices([.event("3E 1B 0F 2000 7F 7F FF 00 13 2D16 5118 409C00 01 02 0600000000 0A 020108 02")])
        #expect(try self.json(malformed).contains("\"fault\""))
    }

    @Test func whatThisHostBroadcasts() throws {
        let model = devices(Audio.ownBroadcast)
        try expectText(
            text(model),
            equals: """
                C1:22:33:44:55:66  random-static         this host broadcasts
                    periodic advertising · SID 3 · every 100 ms · LE 2M · enabled
                        Basic Audio Announcement: LC3 Sampling Frequency 48 kHz, Frame Duration 10 ms, Octets per Codec Frame 100 octets \
                · Streaming Audio Contexts Media · BIS 1 Audio Channel Allocation Front Left, BIS 2 Audio Channel Allocation Front Right \
                · presentation after 40000 µs
                        2 broadcast streams · every 10 ms · SDUs of up to 100 octets every 10 ms · LE 2M · encrypted

                """)
        #expect(
            try json(model).contains(
                #""own_periodic_advertising":[{"address":"C1:22:33:44:55:66","address_type":"random-static","sid":3,"#
                    + #""interval_us":100000,"phy":"LE 2M","followed":false,"lost":false,"reports":0,"enabled":true,"#))
        #expect(try text(devices(Array(Audio.ownBroadcast[..<10]))).contains(" · not enabled\n"))
        let ended = Audio.ownBroadcast + [.command("4020 02 00 01"), .event("0E 04 01 4020 00")]
        #expect(try text(devices(ended)).contains(" · ended\n"))
    }

    /// The name comes with the scan response; a layout for any company begins with the number in the company's place.
    @Test func dataThatIsRecognizedByTheName() throws {
        let model = devices([
            .advertisement(hex("0A FF AA08 6D1100A79A5706"), type: 3), .advertisement(hex("04 09 737073"), type: 4),
        ])
        #expect(try text(model).contains("\n    Inkbird IBS-TH: 22.18 °C · 44.61 % · battery 87 %\n"))
        #expect(
            try json(model).contains(
                #""definition":"Inkbird IBS-TH","data":"6d1100a79a5706","fields":["#))
        #expect(try text(devices([.advertisement(hex("0A FF AA08 6D1100A79A5706"))])).contains("Inkbird") == false)
    }
}

import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasMetrics
import AttlasTestSupport
import Testing

@testable import AttlasConversation
@testable import AttlasDocuments

@Suite struct TreeDocumentTests {
    private func tree(_ packets: [Packet], _ library: DissectorLibrary = .shipped) -> TreeModel {
        document(of: packets, as: RecordMaker(step: 1_000_000), library: library) { TreeCollector(values: $0) }
    }

    private func text(_ model: TreeModel, file: String? = nil, width: Int? = nil) throws -> String {
        try printed { output in
            var text = TreeText(model, width: width, isColoured: false)
            text.write(file: file, into: &output)
        }
    }

    private func json(_ model: TreeModel) throws -> String {
        try printed { output in
            var json = TreeJSON(model)
            json.write(file: "a.btsnoop", into: &output)
        }
    }

    // MARK: Versions

    /// Battery Level at 0x0003, read by a client; then Service Changed (of 0x0007), a read of the old handle, and another service there.
    private static let changed: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 0F18 0500 0800 0118"),
        .att(.tx, "08 0100 FFFF 0328"), .att(.rx, "09 07 0200 12 0300 192A 0600 20 0700 052A"),
        .att(.tx, "0A 0300"), .att(.rx, "0B 5A"), .att(.rx, "1D 0700 0100 0400"), .att(.tx, "1E"),
        .att(.tx, "0A 0300"), .att(.rx, "0B 59"),
    ]

    /// A table explains what was said while it held, and what is said with it although it has changed.
    @Test func aTableThatChanged() throws {
        let former = try text(tree(Self.changed))
        #expect(!former.contains("unknown: used"))
        #expect(former.contains("until frame 8, then Service Changed:\n└─ 0x0001–0x0004  Battery  180F\n"))
        #expect(former.contains("0x0003  Battery Level  2A19  read, notify  89 % · 2 reads"))

        let discovered: [Packet] = [
            .att(.tx, "10 0100 0400 0028"), .att(.rx, "11 06 0100 0400 0A18"),
            .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 02 0300 242A"),
            .att(.tx, "0A 0300"), .att(.rx, "0B 41"),
        ]
        let both = try text(tree(Self.changed + discovered))
        #expect(both.contains("0x0003  Model Number String  2A24  read  \"A\" · 1 read"))
        #expect(both.contains("0x0003  Battery Level  2A19  read, notify  89 % · 2 reads"))
        #expect(try json(tree(Self.changed + discovered)).contains(#""former":[{"until_frame":8,"#))
    }

    // MARK: A server

    /// Battery Service 0x0001 to 0x0006 of an unnamed peer, from frame 1 at 2 s on, a packet a second: Battery Level, which is
    /// subscribed to, and a vendor's FFF1, which cannot be written; and a notification of 0x002A, of which nobody knows what it is.
    private static let battery: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0600 0F18"),
        .att(.tx, "08 0100 0600 0328"), .att(.rx, "09 07 0200 12 0300 192A 0500 08 0600 F1FF"),
        .att(.tx, "04 0400 0400"), .att(.rx, "05 01 0400 0229"),
        .att(.tx, "12 0400 0100"), .att(.rx, "13"),
        .att(.rx, "1B 0300 5A"), .att(.rx, "1B 0300 59"), .att(.rx, "1B 0300 58"),
        .att(.tx, "12 0600 0102"), .att(.rx, "01 12 0600 03"),
        .att(.rx, "1B 2A00 0102"),
    ]

    /// FFF0, which the SIG assigned to a member and any vendor uses, and FFF3; and Heart Rate, which has a name.
    @Test func aMembersUUIDIsAnAssignmentAndNoName() throws {
        let packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0300 F0FF 0400 0600 0D18"),
            .att(.tx, "08 0100 0300 0328"), .att(.rx, "09 07 0200 08 0300 F3FF"), .att(.tx, "12 0300 01"),
        ]
        let model = tree(packets)
        let lines = try text(model).split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix("FFF0  assigned to Public Key Open Credential (PKOC)") })
        #expect(lines.contains { $0.hasSuffix("Heart Rate  180D") })
        let json = try json(model)
        #expect(json.contains(#""uuid":"FFF0","name":"Public Key Open Credential (PKOC)","name_from":"assignment""#))
        #expect(!json.contains(#""name":"Heart Rate","name_from""#))
        let write = printedLines(of: packets) { ConversationText(values: $0, options: .init()) }.split(separator: "\n")
            .last
        #expect(write?.contains("FFF0 › FFF3") == true, "\(write ?? "")")
    }

    /// A definition that names the service of a member keeps its name.
    @Test func aDefinitionNamesAMembersUUID() throws {
        let yaml = """
            services: [{ uuid: FFF0, name: Lamp }]
            characteristics: [{ uuid: FFF3, name: Colour, fields: [{ name: Red, type: uint8 }] }]
            """
        let loader = DefinitionLoader([DefinitionSource(path: "lamp.yaml", text: yaml)], above: .shipped)
        let packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0300 F0FF"),
            .att(.tx, "08 0100 0300 0328"), .att(.rx, "09 07 0200 08 0300 F3FF"),
        ]
        let model = tree(packets, DissectorLibrary.shipped.adding(loader.files))
        let text = try text(model)
        #expect(text.contains("Lamp  FFF0\n") && !text.contains("assigned to"))
        #expect(try !json(model).contains("name_from"))
    }

    /// Complete List of 16-bit Service UUIDs with FFF0 and 180D. Core Specification Supplement, Part A, 1.1.
    @Test func anAdvertisedUUIDOfAMemberIsAnAssignment() {
        let packets: [Packet] = [.advertisement([0x05, 0x03, 0xF0, 0xFF, 0x0D, 0x18])]
        var options = ConversationText.Options()
        options.showsHCI = true
        let text = printedLines(of: packets) { ConversationText(values: $0, options: options) }
        #expect(text.contains("FFF0 (assigned to Public Key Open Credential (PKOC)), Heart Rate"))
    }

    @Test func aServerAsText() throws {
        try expectText(
            text(tree(Self.battery)),
            equals: """
                F2:F2:F2:F2:F2:F2 random-static · MTU 23 (values up to 20) · discovered in frames 3–7
                ├─ 0x0001–0x0006  Battery  180F
                │  ├─ 0x0003  Battery Level  2A19  read, notify  88 % · 3 notifications, 1/s
                │  │  └─ 0x0004  Client Characteristic Configuration  2902  notifications · 1 write · subscribed in frame 9
                │  └─ 0x0006  FFF1  write  01 02 · 1 write, 1 error
                └─ unknown: used, and not explained by this capture
                   └─ 0x002A  1 notification · last 01 02


                """)
    }

    /// Blood Pressure Feature, which has text here, and Battery Level of a member's service FEE0, which has its format.
    @Test func aVendorsUseOfAUUIDOfTheSIGIsReadWhereItFits() throws {
        let packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0600 E0FE"),
            .att(.tx, "08 0100 0600 0328"), .att(.rx, "09 07 0200 02 0300 492A 0500 02 0600 192A"),
            .att(.tx, "0A 0300"), .att(.rx, "0B 312E302E33"), .att(.tx, "0A 0600"), .att(.rx, "0B 5A"),
        ]
        let lines = try text(tree(packets))
        #expect(lines.contains("0x0003  Blood Pressure Feature  2A49  read  31 2e 30 2e 33 \"1.0.3\" · 1 read\n"))
        #expect(lines.contains("0x0006  Battery Level  2A19  read  90 % · 1 read\n"))
    }

    @Test func anMTUWhoseExchangeWasNotCapturedIsALowerBound() throws {
        let packets = [Packet.att(.rx, "1B 2A00" + String(repeating: "AA", count: 60))]
        #expect(try text(tree(packets)).contains(" · MTU at least 63, its exchange was not captured"))
        let json = try json(tree(packets))
        #expect(json.contains("\"mtu_at_least\":63"))
        #expect(!json.contains("\"mtu\":"))
    }

    /// A read of 22 octets fills 23 octets of MTU: the attribute may have more. Vol 3, Part F, 3.4.4.4.
    @Test func aLastValueThatMayGoOnSaysSo() throws {
        let packets = Self.battery + [.att(.tx, "0A 0600"), .att(.rx, "0B" + String(repeating: "AA", count: 22))]
        #expect(try text(tree(packets)).contains(" more may follow · 1 read, 1 write"))
        #expect(try json(tree(packets)).contains("\"may_continue\":true"))
        #expect(try !json(tree(Self.battery)).contains("may_continue"))
    }

    @Test func aServerAsJSON() throws {
        try expectJSON(
            json(tree(Self.battery)),
            equals: """
                {"schema": "attlas/tree/1", "file": "a.btsnoop",
                 "peers": [
                  {"address": "F2:F2:F2:F2:F2:F2", "address_type": "random-static", "mtu": 23,
                   "services": [
                    {"handle": 1, "end_handle": 6, "uuid": "180F", "name": "Battery", "primary": true,
                     "known_from": "discovery", "frame": 3, "connection": 1, "includes": [],
                     "characteristics": [
                      {"handle": 2, "value_handle": 3, "uuid": "2A19", "name": "Battery Level",
                       "properties": ["read", "notify"], "known_from": "discovery", "frame": 5, "connection": 1,
                       "counts": {"reads": 0, "writes": 0, "notifications": 3, "indications": 0, "errors": 0},
                       "value": "58",
                       "fields": [{"name": "Battery Level", "value": 88, "unit": "%", "offset": 0, "length": 1}],
                       "descriptors": [
                        {"handle": 4, "uuid": "2902", "name": "Client Characteristic Configuration",
                         "known_from": "discovery", "frame": 7, "connection": 1,
                         "counts": {"reads": 0, "writes": 1, "notifications": 0, "indications": 0, "errors": 0},
                         "subscription": {"frame": 9, "notifications": true, "indications": false},
                         "value": "0100",
                         "fields": [
                          {"name": "Configuration", "value": 1, "set": ["notifications"],
                           "offset": 0, "length": 2}]}]},
                      {"handle": 5, "value_handle": 6, "uuid": "FFF1", "properties": ["write"],
                       "known_from": "discovery", "frame": 5, "connection": 1,
                       "counts": {"reads": 0, "writes": 1, "notifications": 0, "indications": 0, "errors": 1},
                       "value": "0102", "descriptors": []}]}],
                   "unknown_handles": [
                    {"handle": 42,
                     "counts": {"reads": 0, "writes": 0, "notifications": 1, "indications": 0, "errors": 0},
                     "value": "0102"}]}],
                 "local": [], "operations_left_out": 0, \(complete(Self.battery.count))}
                """)
    }

    // MARK: What is seldom there

    /// The host's own table; a secondary service that another includes; an attribute between services; an MTU; a name.
    private static let others: [Packet] = [
        .connected(), .att(.tx, "02 F700"), .att(.rx, "03 4000"),
        // Device Name of the peer, read by its type.
        .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 07 0300 48524D2D37"),
        .att(.rx, "10 0100 FFFF 0128"), .att(.tx, "11 06 0900 0C00 0A18"),
        .att(.rx, "10 0100 FFFF 0028"), .att(.tx, "11 06 0100 0800 0F18"),
        .att(.rx, "08 0100 0800 0228"), .att(.tx, "09 08 0200 0900 0C00 0A18"),
    ]

    @Test func bothSidesAsText() throws {
        try expectText(
            text(tree(Self.others), file: "a.btsnoop"),
            equals: """
                a.btsnoop

                HRM-7  F2:F2:F2:F2:F2:F2 random-static · MTU 64 (values up to 61) · discovered in frame 5
                └─ service not discovered
                   └─ 0x0003  Device Name  2A00  "HRM-7" · 1 read

                This host  controller 0 · discovered in frames 7–11
                ├─ 0x0001–0x0008  Battery  180F
                │  └─ 0x0002  includes 0x0009–0x000C  Device Information  180A
                └─ 0x0009–0x000C  Device Information  180A  secondary


                """)
    }

    @Test func bothSidesAsJSON() throws {
        try expectJSON(
            json(tree(Self.others)),
            equals: """
                {"schema": "attlas/tree/1", "file": "a.btsnoop",
                 "peers": [
                  {"address": "F2:F2:F2:F2:F2:F2", "address_type": "random-static", "name": "HRM-7", "mtu": 64,
                   "services": [
                    {"includes": [], "characteristics": [],
                     "attributes": [
                      {"handle": 3, "uuid": "2A00", "name": "Device Name", "known_from": "discovery", "frame": 5,
                       "connection": 1,
                       "counts": {"reads": 1, "writes": 0, "notifications": 0, "indications": 0, "errors": 0},
                       "value": "48524d2d37",
                       "fields": [{"name": "Device Name", "value": "HRM-7", "offset": 0, "length": 5}]}]}],
                   "unknown_handles": []}],
                 "local": [
                  {"controller": 0,
                   "services": [
                    {"handle": 1, "end_handle": 8, "uuid": "180F", "name": "Battery", "primary": true,
                     "known_from": "discovery", "frame": 9, "connection": 1,
                     "includes": [
                      {"handle": 2, "included_handle": 9, "included_end_handle": 12, "uuid": "180A",
                       "name": "Device Information", "known_from": "discovery", "frame": 11, "connection": 1}],
                     "characteristics": []},
                    {"handle": 9, "end_handle": 12, "uuid": "180A", "name": "Device Information", "primary": false,
                     "known_from": "discovery", "frame": 7, "connection": 1, "includes": [], "characteristics": []}],
                   "unknown_handles": []}],
                 "operations_left_out": 0, \(complete(Self.others.count))}
                """)
    }

    /// Mesh Proxy Data Out in two segments, and the first one of a next message. Mesh Protocol 1.1, 6.3.1.
    @Test func aMessageInPartsIsShownWhole() throws {
        let text = try text(
            tree([
                .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 2818"),
                .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 DE2A"),
                .att(.rx, "1B 0300 40 10 11 12"), .att(.rx, "1B 0300 C0 13 14"), .att(.rx, "1B 0300 40 10 21 22"),
            ]))
        #expect(text.contains("Data 11 12 13 14"))
        #expect(text.contains("3 notifications"))
    }

    // MARK: Nothing, too much, and names that would steer

    @Test func anEmptyCapture() throws {
        try expect(text(tree([])), equals: "No connection in this capture, so no GATT server was seen.\n")
        try expect(
            text(tree([]), file: "a"), equals: "a\n\nNo connection in this capture, so no GATT server was seen.\n")
        try expectJSON(
            json(tree([])),
            equals:
                #"{"schema": "attlas/tree/1", "file": "a.btsnoop", "peers": [], "local": [], "operations_left_out": 0, \#(complete(0))}"#
        )
    }

    @Test func aConnectionWithoutATT() throws {
        try expectText(
            text(tree([.connected()])),
            equals: """
                F2:F2:F2:F2:F2:F2 random-static · MTU 23 (values up to 20)
                └─ nothing discovered and nothing accessed


                """)
    }

    @Test func aConnectionThatBeganBeforeTheCapture() throws {
        let model = tree([.att(.rx, "1B 0300 5A")])
        let text = try text(model)
        #expect(text.hasPrefix("Unknown peer  address unknown: its connection was not captured"))
        #expect(
            text.hasSuffix(
                """

                └─ unknown: used, and not explained by this capture
                   └─ 0x0003  1 notification · last 5a


                """))
        #expect(try !json(model).contains("\"address"))
    }

    /// One attribute more than are kept.
    @Test func whatWasLeftOut() throws {
        let packets = (1...TreeCollector.limit + 1).map { Packet.frame(.rx, channel: 4, [0x1B] + little($0) + [1]) }
        let model = tree(packets)
        #expect(
            try text(model).hasSuffix(
                "✗ limit of 16384 attributes with traffic reached: 1 operations on others are not counted\n"))
        #expect(try json(model).contains(#","operations_left_out":1,"#))
    }

    /// Advertised: a name that ends a JSON string, begins a line, clears the screen and turns the line round.
    @Test func aHostileName() throws {
        let name = Array("a\"\n\u{1B}[2J\u{202E}".utf8)
        let model = tree([.advertisement([UInt8(name.count + 1), 0x09] + name), .connected()])
        #expect(
            try text(model).hasPrefix(
                #"a"\n\u{1B}[2J\u{202E}  F2:F2:F2:F2:F2:F2 random-static · MTU 23 (values up to 20)"# + "\n"))
        #expect(try json(model).contains(#""name":"a\"\n\u001b[2J\u202e""#))
        try expectJSON(
            json(model),
            equals: #"""
                {"schema": "attlas/tree/1", "file": "a.btsnoop",
                 "peers": [
                  {"address": "F2:F2:F2:F2:F2:F2", "address_type": "random-static",
                   "name": "a\"\n\u001b[2J\u202e", "mtu": 23, "services": [], "unknown_handles": []}],
                 "local": [], "operations_left_out": 0, \#(complete(2))}
                """#)
    }

    @Test func noLinePassesTheEdge() throws {
        for line in try text(tree(Self.battery), width: 40).split(separator: "\n") { #expect(line.count <= 40) }
    }
}

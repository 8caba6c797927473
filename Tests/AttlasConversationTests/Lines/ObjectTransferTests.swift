import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasConversation

/// Objects of the Object Transfer Service on their channel. Object Transfer Service, 3.
@Suite struct ObjectTransferTests {
    /// The lines of SDUs, from the name of the method on.
    private func lines(_ packets: [Packet], showsHCI: Bool = false) -> [String] {
        var options = ConversationText.Options()
        options.showsHCI = showsHCI
        return decoded(packets) { ConversationText(values: $0, options: options) }.lines.string
            .split(separator: "\n").map(String.init).filter { $0.contains("⇒ Object") }
            .map { line in
                line[(line.range(of: "⇒ ")?.upperBound ?? line.startIndex)...].split(separator: " ")
                    .joined(separator: " ")
            }
    }

    private func objects(_ packets: [Packet], showsHCI: Bool = false) -> [String] {
        decoded(packets) { ConversationJSON(values: $0, showsHCI: showsHCI, file: nil) }.lines.string
            .split(separator: "\n").map(String.init).filter { $0.contains(#""type":"object_transfer""#) }
    }

    @Test(arguments: [false, true]) func anObjectIsRead(showsHCI: Bool) throws {
        #expect(
            lines(Objects.read, showsHCI: showsHCI) == [
                #"Object Read "notes.txt" (ID 256) 6 of 12 octets"#,
                #"Object Read "notes.txt" (ID 256) 12 of 12 octets · complete · Unspecified · "Hello, world""#,
            ])
        let objects = objects(Objects.read, showsHCI: showsHCI)
        expect(objects.count, equals: 2)
        let first = try #require(objects.first)
        #expect(
            first.hasSuffix(
                #""channel":"0x0040","server":"peer","operation":"read","object":{"id":256,"name":"notes.txt","#
                    + #""type":{"uuid":"2ACA","name":"Unspecified"},"current_size_octets":12,"allocated_size_octets":1024},"#
                    + #""request_frame":18,"offset":0,"length":12,"part_octets":6,"transferred_octets":6,"complete":false}"#
            ), "\(first)")
        let last = try #require(objects.last)
        #expect(
            last.hasSuffix(
                #""part_octets":6,"transferred_octets":12,"complete":true,"value":"48656c6c6f2c20776f726c64","text":"Hello, world"}"#
            ), "\(last)")
    }

    /// Of what the list selects nothing is known but the ID, where that was named; what is written is sent by the client.
    @Test func anotherObjectIsSelected() {
        let write = Objects.act("06 04000000 03000000 00") + [Objects.sdu(.tx, "000102")]
        expect(
            lines(Objects.selected + Objects.list("04") + write),
            equals: ["Object Write object 3 of 3 octets from 4 · complete · 00 01 02"])
        expect(
            lines(Objects.selected + Objects.list("05 020100000000") + write),
            equals: ["Object Write object (ID 258) 3 of 3 octets from 4 · complete · 00 01 02"])
        expect(
            lines(Objects.selected + Objects.list("05 000000000000") + write),
            equals: ["Object Write Directory Listing Object 3 of 3 octets from 4 · complete · 00 01 02"])
        // Out Of Bounds: the object is the same.
        #expect(
            lines(Objects.selected + Objects.list("04", result: "05") + write)
                == [#"Object Write "notes.txt" (ID 256) 3 of 3 octets from 4 · complete · Unspecified · 00 01 02"#])
    }

    /// Create selects the new object, of the type that was asked for; then it gets its name. Delete leaves none.
    @Test func anObjectIsCreatedAndNamed() {
        let name = [Packet.att(.tx, "12 0300 6E6577"), .att(.rx, "13")]
        let write = Objects.act("06 00000000 02000000 00") + [Objects.sdu(.tx, "FF00")]
        let create = Objects.act("01 10000000 A92B")
        #expect(
            lines(Objects.selected + create + name + write)
                == [#"Object Write "new" 2 of 2 octets · complete · Media Player Icon · ff 00"#])
        // Object Name Already Exists.
        let refused = [Packet.att(.tx, "12 0300 6E6577"), .att(.rx, "01 12 0300 83")]
        expect(
            lines(Objects.selected + create + refused + write),
            equals: ["Object Write object 2 of 2 octets · complete · Media Player Icon · ff 00"])
        expect(
            lines(Objects.selected + Objects.act("02") + write),
            equals: [
                "Object Write object 2 of 2 octets · complete · ff 00"
            ])
    }

    /// Without a request, after one that was refused, after Abort and in the other direction nothing is known of an SDU.
    @Test func octetsThatWereNotAskedFor() {
        let sdu = [Objects.sdu(.rx, "AABB")]
        expect(lines(Objects.selected + sdu), equals: [])
        expect(lines(Objects.selected + Objects.act("05 00000000 0C000000", result: "0A") + sdu), equals: [])
        expect(lines(Objects.selected + Objects.act("06 00000000 0C000000 00") + sdu), equals: [])
        expect(lines(Objects.read + Objects.act("07") + sdu).count, equals: 2)
        // Write Request Rejected.
        let rejected = [Packet.att(.tx, "12 0B00 05 00000000 0C000000"), .att(.rx, "01 12 0B00 80")]
        expect(lines(Objects.selected + rejected + sdu), equals: [])
        expect(objects(Objects.selected + sdu, showsHCI: true), equals: [])
    }

    @Test func moreThanWasAskedFor() {
        let packets = Objects.selected + Objects.act("05 00000000 01000000") + [Objects.sdu(.rx, "AABBCC")]
        #expect(
            lines(packets).last
                == #"Object Read "notes.txt" (ID 256) 1 of 1 octets · complete · ✗ 2 octets more than asked for · Unspecified · aa"#
        )
        #expect(objects(packets).last?.hasSuffix(#""complete":true,"excess_octets":2,"value":"aa"}"#) == true)
    }

    /// What the capture left out counts, and is not malformed.
    @Test func theCaptureIsCut() {
        let packets =
            Objects.selected + Objects.act("05 00000000 08000000")
            + [Objects.sdu(.rx, "AABB", missing: 2), Objects.sdu(.rx, "EEFF0011")]
        #expect(
            lines(packets).last
                == #"Object Read "notes.txt" (ID 256) 8 of 8 octets · complete · Unspecified · cut by the capture · aa bb"#
        )
        #expect(objects(packets).last?.hasSuffix(#""complete":true,"cut":true,"value":"aabb"}"#) == true)
    }

    /// This host is the server. Its object is read by the peer.
    @Test func theHostHasTheObject() {
        let packets: [Packet] = [
            .connected(role: 1),
            .att(.rx, "04 0B00 0C00"), .att(.tx, "05 01 0B00 C52A 0C00 0229"),
            .frame(.rx, channel: 5, hex("14 01 0A00 2500 5500 0001 4000 0A00")),
            .frame(.tx, channel: 5, hex("15 01 0A00 4000 0001 4000 0A00 0000")),
            .att(.rx, "12 0B00 05 00000000 02000000"), .att(.tx, "13"),
            .att(.tx, "1D 0B00 60 05 01"), .att(.rx, "1E"), Objects.sdu(.tx, "AABB"),
        ]
        expect(lines(packets), equals: ["Object Read object 2 of 2 octets · complete · aa bb"])
    }

    /// Of a long object the beginning is kept: 65,536 octets.
    @Test func aLongObject() throws {
        let part = String(repeating: "41", count: 250)
        let packets =
            Objects.selected + Objects.act("05 00000000 C0D40100") + (0..<480).map { _ in Objects.sdu(.rx, part) }
        let last = try #require(objects(packets).last)
        #expect(
            last.contains(#""length":120000,"part_octets":250,"transferred_octets":120000,"complete":true,"value":""#))
        #expect(last.contains(#""text":""# + String(repeating: "A", count: 65_536) + #"""#))
        #expect(lines(packets).last?.hasSuffix("\"" + String(repeating: "A", count: 96) + "…\"") == true)
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasTrace

/// Extended advertisements in several reports. Core Specification, Vol 4, Part E, 7.7.65.13.
@Suite struct AdvertisingPartsTests {
    /// LE Extended Advertising Report with one report.
    ///
    /// - Parameters:
    ///   - type: Event_Type: 0x0020 when more is to come, 0x0040 when the rest could not be received.
    ///   - last: the last octet of the address.
    private func report(_ type: String, _ data: String, last: String = "C1", sid: String = "01") -> Packet {
        let length = UInt8(data.filter { $0 != " " }.count / 2)
        return .event(
            """
            3E \(octet(26 + length)) 0D 01 \(type) 01 66 55 44 33 22 \(last) 01 01 \(sid) 7F C4 0000 00 000000000000 \
            \(octet(length)) \(data)
            """)
    }

    /// A structure begins in one part and ends in the next one.
    private let first = "020106 0509 4142"
    private let second = "4344 020A04"

    @Test func partsAreOneAdvertisement() {
        let recorder = decode([report("2000", first), report("0000", second)])
        expect(recorder.lines(), equals: ["advertising 2 C1:22:33:44:55:66 ABCD frames=1,2"])
    }

    @Test func eachHasItsOwnParts() {
        let other = "0509 5758"
        let recorder = decode([
            report("2000", first), report("2000", other, last: "C2"), report("2000", other, sid: "02"),
            report("2800", other), report("0000", "03095859", last: "C3"), report("0000", "595A", sid: "02"),
            report("0000", second), report("0800", "4142"), report("0000", "595A", last: "C2"),
        ])
        expect(
            recorder.lines(),
            equals: [
                "advertising 5 C3:22:33:44:55:66 XY", "advertising 6 C1:22:33:44:55:66 WXYZ frames=3,6",
                "advertising 7 C1:22:33:44:55:66 ABCD frames=1,7", "advertising 8 C1:22:33:44:55:66 WXAB frames=4,8",
                "advertising 9 C2:22:33:44:55:66 WXYZ frames=2,9",
            ])
    }

    @Test func theControllerCouldNotReceiveTheRest() {
        let recorder = decode([report("2000", "020106 0509 41"), report("4000", "4243"), report("4000", "0509 41")])
        expect(recorder.lines("fault"), equals: [])
        expect(
            recorder.lines(),
            equals: [
                "advertising 2 C1:22:33:44:55:66 ABC truncated 0201060509414243 frames=1,2",
                "advertising 3 C1:22:33:44:55:66 A truncated 050941",
            ])
    }

    /// What comes after lost records need not follow on what came before them.
    @Test func aPartWasLost() {
        let recorder = decode([
            report("2000", first), report("0000", second).losing(1), report("0000", "03095859"),
        ])
        expect(
            recorder.lines("advertising"),
            equals: [
                "advertising 2 C1:22:33:44:55:66 AB truncated 02010605094142 frames=1,2",
                "advertising 3 C1:22:33:44:55:66 XY",
            ])
    }

    /// Records that another controller lost are no part of it.
    @Test func anotherControllerLostRecords() {
        var other = Packet.event("0F 04 00 01 0000").losing(1)
        other.controller = 1
        let recorder = decode([report("2000", first), other, report("0000", second)])
        expect(recorder.lines("advertising"), equals: ["advertising 3 C1:22:33:44:55:66 ABCD frames=1,3"])
    }

    /// Parts without octets that never end.
    @Test func theListOfFramesIsBounded() throws {
        let parts = Array(repeating: report("2000", ""), count: 5_000)
        let line = try #require(decode(parts + [report("0000", "")]).lines("advertising").first)
        #expect(line.contains("truncated") && line.hasSuffix(",1649,1650"))
    }

    /// Vol 4, Part E, 7.8.57: 1 650 octets at most. After a reset nothing is left of the parts.
    @Test func whatIsKeptIsBounded() {
        let part = String(repeating: "02010602010602010602", count: 20)
        let recorder = decode(
            Array(repeating: report("2000", part), count: 10) + [report("0000", "020106")])
        let line = recorder.lines("advertising").first ?? ""
        #expect(line.contains("truncated"))
        #expect(line.contains("frames=1,2,3,4,5,6,7,8,9,10,11"))
        let many = (0..<200).map { report("2000", first, last: octet(UInt8($0))) }
        expect(
            decode(many + [report("0000", "03095859", last: "00")]).lines(),
            equals: ["advertising 201 00:22:33:44:55:66 XY"])
        let reset = Packet.event("0E 04 01 030C 00")
        expect(
            decode([report("2000", first), reset, report("0000", "03095859")]).lines(),
            equals: ["advertising 3 C1:22:33:44:55:66 XY"])
    }
}

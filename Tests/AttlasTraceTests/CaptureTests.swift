import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasTrace

@Suite struct CaptureTests {
    @Test(arguments: [
        ("after-discovery.btsnoop", 19), ("bluez-central.btsnoop", 97), ("both-roles.btsnoop", 103),
        ("broadcast.btsnoop", 0), ("broadcaster.btsnoop", 0),
        ("careless-scale.btsnoop", 73), ("earbud.btsnoop", 101), ("eatt.btsnoop", 101), ("fixed-passkey.btsnoop", 60),
        ("handle-reused.btsnoop", 86), ("hasty-app.btsnoop", 66),
        ("heart-rate.btsnoop", 97), ("ice-cream.btsnoop", 58),
        ("indications.btsnoop", 101), ("keyboard.btsnoop", 80), ("l2cap-tester.btsnoop", 0), ("led-strip.btsnoop", 67),
        ("long-read.btsnoop", 73), ("many-sensors.btsnoop", 116), ("pairing.btsnoop", 48),
        ("prepared-write.btsnoop", 80),
        ("tags.btsnoop", 0), ("two-controllers.btsnoop", 194), ("two-controllers.pcap", 194),
        ("two-peripherals.btsnoop", 141),
    ])
    func everyATTPDUOfACaptureIsFoundAndNothingIsMalformed(name: String, count: Int) throws {
        let story = try Story(name)
        expect(story.lines("att").count, equals: count)
        expect(story.lines("att").filter { $0.contains("!") }, equals: [])
        // The tester sends one malformed packet, on purpose.
        expect(story.lines("fault", "loss").count, equals: name == "l2cap-tester.btsnoop" ? 1 : 0)
    }

    @Test func everyCaptureIsTested() throws {
        expect(Repository.captureNames.count, equals: 25)
    }

    @Test func heartRate() throws {
        let story = try Story("heart-rate.btsnoop")
        expect(story.peers.map(\.name), equals: ["HRM-7"])
        expect(story.lines("mtu"), equals: ["mtu 44 client 247 server 185 in force 185"])
        // Every response has its request, and every handle after discovery a name.
        expect(story.lines("att").filter { $0.contains(" rx 0") && !$0.contains("answers") }, equals: [])
        expect(story.lines("att", frames: 107...177).filter { !$0.contains(" discovery") }, equals: [])
        expect(story.subject(115), equals: "peer 0018 180F/2A19 discovery")
        expect(story.subject(136), equals: "peer 0024 180A/2A23 discovery")
        #expect(story.lines("att", frames: 48...48)[0].hasSuffix("frames=47,48"))
        #expect(story.lines("att", frames: 103...103)[0].hasSuffix("frames=102,103"))
        expect(story.lines("att").filter { $0.contains(" 1B peer 0010 180D/2A37 discovery") }.count, equals: 25)
        #expect(story.lines("att", frames: 156...156)[0].contains("0015 180D/2A39 discovery answers 153 after"))
        expect(
            story.lines("subscription"),
            equals: [
                "subscription 139 peer 0011 180D/2A37/2902 = 1", "subscription 176 peer 0011 180D/2A37/2902 = 0",
            ])
        expect(
            story.lines("connection").last,
            equals: "connection 177 1 0040 ended by peer: Remote User Terminated Connection")
        let services = story.peers[0].table.services.map { "\(word(Int($0.handle)))-\(word(Int($0.endHandle)))" }
        expect(services, equals: ["0001-0005", "0006-000D", "000E-0015", "0016-0019", "001A-0026"])
    }

    @Test func twoPeripherals() throws {
        let story = try Story("two-peripherals.btsnoop")
        expect(story.peers.map(\.name), equals: ["HRM-7", "Oven Probe"])
        expect(
            story.lines("mtu"),
            equals: [
                "mtu 51 client 185 server 185 in force 185", "mtu 54 client 64 server 517 in force 64",
            ])
        // 0x0010 and 0x0011 are other things on the other device.
        let values = story.lines("att", frames: 187...271)
        let first = values.filter { $0.contains("peer 0010") }
        #expect(!first.isEmpty && first.allSatisfy { $0.contains("0010 180D/2A37 discovery") })
        let second = values.filter { $0.contains("peer connection 2 0010") }
        #expect(!second.isEmpty && second.allSatisfy { $0.contains("0010 180F/2A19 discovery") })
        expect(
            story.lines("subscription"),
            equals: [
                "subscription 182 peer 0011 180F/2A19/2902 = 1", "subscription 183 peer 0011 180D/2A37/2902 = 1",
                "subscription 186 peer 0015 1809/2A1E/2902 = 1",
            ])
        #expect(story.lines("att", frames: 230...230)[0].hasSuffix("frames=227,230"))
        #expect(story.lines("att", frames: 229...229)[0].hasSuffix("frames=228,229"))
        expect(
            story.lines("connection", frames: 267...271).map { $0.split(separator: ":")[0] },
            equals: [
                "connection 267 2 0041 ended by peer", "connection 271 1 0040 ended by host",
            ])
    }

    @Test func handleReused() throws {
        let story = try Story("handle-reused.btsnoop")
        expect(story.peers.map(\.name), equals: ["HRM-7", "Rooftop 3"])
        expect(story.lines("mtu").count, equals: 1)
        // Nothing of the first device's table names a handle of the second.
        let second = story.lines("att", frames: 125...162)
        expect(second.filter { $0.contains("180D") || $0.contains("remembered") }, equals: [])
        expect(second.filter { $0.contains("peer connection 2 0013 181A/2A6D discovery") }.count, equals: 4)
        expect(story.subject(154), equals: "peer 0010")
        expect(story.subject(156), equals: "peer 0010")
        expect(story.subject(157), equals: "peer 0019")
        // The first one's holds again.
        let third = story.lines("att", frames: 165...180)
        #expect(third.allSatisfy { $0.contains("remembered") })
        expect(story.lines("subscription").last, equals: "subscription 168 peer 0011 180D/2A37/2902 = 1")
        expect(
            story.lines("connection").map { $0.split(separator: ":")[0] }.filter { $0.contains("ended") },
            equals: [
                "connection 122 1 0040 ended by peer", "connection 162 2 0040 ended by host",
                "connection 180 3 0040 ended by peer",
            ])
    }

    @Test func preparedWrite() throws {
        let assembled = try Story("prepared-write.btsnoop").lines("assembled").map { $0.split(separator: " ") }
        expect(
            assembled.filter { $0[2] == "prepared" }.map { "\($0[1]) \($0[4]) \($0[6]) \($0[8])" },
            equals: [
                "101 complete 0010 @0", "119 cancelled 0010 @0", "143 complete 0010 @0", "143 complete 0012 @0",
                "158 refused 0012 @0", "158 refused 0012 @8",
            ])
        expect(hex(String(assembled[0][9])).count, equals: 65)
        expect(String(decoding: hex(String(assembled[4][9])), as: UTF8.self), equals: "Assam Halmari 2025")
        // Read back with Read and Read Blobs: what was written, and after the cancelled one the same.
        let read = assembled.filter { $0[2] == "long" }
        expect(read.map { $0[1] }, equals: ["110", "128"])
        #expect(read.allSatisfy { $0[9] == assembled[0][9] })
    }

    @Test func longRead() throws {
        let story = try Story("long-read.btsnoop")
        let assembled = story.lines("assembled").map { $0.split(separator: " ") }
        expect(assembled.map { "\($0[1]) \($0[6])" }, equals: ["135 0019", "144 0012"])
        expect(assembled.map { hex(String($0[9])).count }, equals: [180, 44])
        expect(assembled[1].last, equals: "138,141,144")
        // A value that just fills the MTU: more may follow, and nothing does.
        #expect(story.lines("att", frames: 147...147)[0].hasSuffix("more?"))
    }

    @Test func afterDiscovery() throws {
        let story = try Story("after-discovery.btsnoop")
        expect(
            story.lines("connection").map { $0.split(separator: ":")[0] },
            equals: [
                "connection 1 1 0040 presumed LE", "connection 26 1 0040 ended by peer",
            ])
        expect(story.peers.map(\.address), equals: [nil])
        // No handle is named; the one conclusion says that it is one.
        expect(story.lines("att").filter { $0.contains("discovery") || $0.contains("remembered") }, equals: [])
        expect(story.lines("subscription"), equals: ["subscription 17 peer 0019 2902 = 1"])
    }

    @Test func bothRoles() throws {
        let story = try Story("both-roles.btsnoop")
        expect(story.subject(147), equals: "local 0010 1805/2A2B discovery")
        expect(story.subject(165), equals: "local 0016 1802/2A06 discovery")
        expect(
            story.lines("subscription"),
            equals: [
                "subscription 155 peer 0011 180D/2A37/2902 = 1", "subscription 160 local 0011 1805/2A2B/2902 = 1",
            ])
        let notified = story.lines("att", frames: 167...191).filter { $0.contains(" 1B ") }
        expect(
            notified.filter { $0.contains("tx 1B local 0010 1805/2A2B discovery") }.count * 2, equals: notified.count)
        expect(notified.filter { $0.contains("rx 1B peer 0010 180D/2A37 discovery") }.count * 2, equals: notified.count)
        expect(story.lines("att").filter { $0.contains("answers 42 ") }.map { $0.prefix(9) }, equals: ["att 46 rx"])
    }

    @Test func indications() throws {
        let story = try Story("indications.btsnoop")
        expect(story.subject(115), equals: "peer 0010 1809/2A1C discovery")
        #expect(story.lines("att", frames: 116...116)[0].contains("tx 1E peer 0010 1809/2A1C discovery answers 115"))
        expect(story.subject(127), equals: "peer 0008 1801/2A05 discovery")
        // 0x0010 is something else after Service Changed and the second discovery.
        let after = story.lines("att", frames: 177...194)
        #expect(after.filter { $0.contains("peer 0010") }.allSatisfy { $0.contains("0010 180F/2A19 discovery") })
        #expect(after.filter { $0.contains("peer 0016") }.allSatisfy { $0.contains("0016 1809/2A1C discovery") })
        expect(
            story.lines("subscription", frames: 183...188),
            equals: [
                "subscription 185 peer 0017 1809/2A1C/2902 = 2", "subscription 188 peer 001C 1809/2A1E/2902 = 1",
            ])
    }

    @Test func pairing() throws {
        let story = try Story("pairing.btsnoop")
        expect(
            story.lines("connection").filter { $0.contains("encryption") },
            equals: [
                "connection 115 1 0040 encryption true Success", "connection 151 2 0040 encryption true Success",
            ])
        // Public keys come in three fragments each.
        expect(
            story.lines("smp").filter { $0.contains("Pairing Public Key") }.map { $0.split(separator: " ").last },
            equals: [
                "frames=97,98,99", "frames=103,104,105",
            ])
        #expect(
            story.lines("att", frames: 145...161).filter { $0.contains("0010") }.allSatisfy {
                $0.contains("remembered")
            })
        expect(story.lines("assembled").map { $0.split(separator: " ")[1] }, equals: ["160"])
    }

    @Test func eatt() throws {
        let story = try Story("eatt.btsnoop")
        expect(
            story.lines("signal").filter { $0.contains("Credit Based Connection") },
            equals: [
                "signal 136 tx Credit Based Connection Request", "signal 138 rx Credit Based Connection Response",
            ])
        let assembled = story.lines("assembled").map { $0.split(separator: " ") }
        expect(assembled.map { "\($0[1]) \($0[6])" }, equals: ["182 0016", "304 0016"])
        expect(assembled.map { hex(String($0[9])).count }, equals: [180, 200])
        // Four requests at once, each answered on its own bearer.
        let answers = story.lines("att", frames: 155...158).filter { $0.contains(" 0B ") }
        expect(answers.count { $0.contains("eatt:0040 0016") }, equals: 1)
        expect(answers.count { $0.contains("eatt:0041 0012") }, equals: 1)
        expect(answers.count { $0.contains("eatt:0042 0003") }, equals: 1)
        // A notification of 240 octets in several segments, with another bearer's in between.
        expect(story.lines("att", frames: 276...276).filter { $0.contains(" 1B peer eatt:0041 0018") }.count, equals: 1)
        expect(story.lines("att", frames: 326...326).filter { $0.contains(" 23 peer eatt:0041") }.count, equals: 1)
    }

    @Test(arguments: ["two-controllers.btsnoop", "two-controllers.pcap"])
    func twoControllers(name: String) throws {
        let story = try Story(name)
        expect(story.peers.map { $0.address?.description }, equals: ["00:AA:01:00:00:00", "00:AA:01:01:00:01"])
        // What the peer of one controller serves, the other controller's host serves itself.
        let notified = story.lines("att").filter { $0.contains(" 1B ") }
        expect(notified.filter { $0.contains("rx 1B peer connection") }.count * 2, equals: notified.count)
        expect(notified.filter { $0.contains("tx 1B local") }.count * 2, equals: notified.count)
        #expect(notified.allSatisfy { $0.contains("0019 181A/2A6E") })
        expect(
            story.lines("connection").filter { $0.contains("ended") }.map { $0.contains("by host") },
            equals: [
                true, false, true, false,
            ])
        // The kernel stamps the two controllers' records in parallel: that is no step of the clock.
        expect(story.lines("clock"), equals: [])
        expect(story.lines("att").filter { $0.contains("after -") }, equals: [])
    }

    @Test func bluezCentral() throws {
        let story = try Story("bluez-central.btsnoop")
        // No descriptor is ever discovered; those that are written to can be nothing else.
        expect(story.subject(376), equals: "peer 001A 181A/2A6E/2902 inferred")
        expect(story.subject(378), equals: "peer 001A 181A/2A6E/2902 inferred")
        expect(
            story.lines("subscription"),
            equals: [
                "subscription 343 peer 0009 1801/2A05/2902 = 2", "subscription 355 peer 0016 180F/2A19/2902 = 1",
                "subscription 378 peer 001A 181A/2A6E/2902 = 1", "subscription 389 peer 001A 181A/2A6E/2902 = 0",
                "subscription 434 peer 0016 180F/2A19/2902 = 1", "subscription 443 peer 0009 1801/2A05/2902 = 2",
                "subscription 449 peer 001A 181A/2A6E/2902 = 1",
            ])
        // The Database Hash is as before, so the table of the first connection holds.
        let again = story.lines("att", frames: 444...468)
        #expect(again.allSatisfy { $0.contains("remembered") || $0.contains("inferred") })
        #expect(again.filter { $0.contains("rx 1B peer connection 2 0019 181A/2A6E remembered") }.count > 5)
    }

    /// The numbers of each command are tshark's; it calls 2421 malformed, too, a request that the tester sends short.
    @Test func l2capTester() throws {
        let story = try Story("l2cap-tester.btsnoop")
        var commands: [String: Int] = [:]
        for line in story.lines("signal") {
            commands[String(line.split(separator: " ", maxSplits: 3)[3]), default: 0] += 1
        }
        expect(
            commands,
            equals: [
                "Command Reject Response": 5, "Connection Request": 16, "Connection Response": 17,
                "Configuration Request": 19, "Configuration Response": 18, "Disconnection Request": 21,
                "Disconnection Response": 18, "Information Request": 57, "Information Response": 55,
                "Connection Parameter Update Request": 3, "Connection Parameter Update Response": 3,
                "LE Credit Based Connection Request": 9, "LE Credit Based Connection Response": 8,
                "Credit Based Connection Request": 5, "Credit Based Connection Response": 4,
            ])
        // Of 262 frames, 258 hold one command each and four an SDU.
        expect(story.lines("l2cap").count, equals: 262)
        expect(story.lines("sdu").count, equals: 4)
        expect(
            story.lines("fault"),
            equals: [
                "fault 2421 l2cap: Connection Request incomplete, need 4 have 1 by signalling command length"
            ])
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasIncidents

/// LE Create CIS of the stream 0x0041 of connection 0x0040, and its Command Status. Vol 4, Part E, 7.8.99.
private func createCIS(_ status: String = "00") -> String {
    "command 64 20 05 01 4100 4000\nevent 0F 04 \(status) 01 64 20\n"
}

/// LE Set CIG Parameters for one stream with these PHYs, and an error. Vol 4, Part E, 7.8.97.
private func group(phys: String) -> String {
    "command 62 20 18 00 102700 102700 00 00 00 0A00 0A00 01 01 2800 0000 \(phys) 02 02\n"
}

/// LE Set Extended Advertising Parameters of the set 0 with these properties, and LE Set Extended Advertising Data with 48 octets, which fails.
/// Vol 4, Part E, 7.8.53 and 7.8.54.
private func advertise(properties: String, _ mark: String = "") -> String {
    let data = String(repeating: "41", count: 46)
    return
        "command 36 20 19 00 \(properties) A00000 A00000 07 00 00 000000000000 00 7F 01 00 01 00 00\nevent 0E 05 01 36 20 00 00\n"
        + "command 37 20 34 00 03 01 30 2F 09 \(data)\n\(mark)event 0E 04 01 37 20 12\n"
}

/// LE Set Extended Advertising Enable of set 0, which succeeds; and LE Set Extended Advertising Parameters of a set. Vol 4, Part E, 7.8.56.
private let enabledSet = "command 39 20 06 01 01 00 0000 00\nevent 0E 04 01 39 20 00\n"
private func advertisingSet(_ handle: String) -> String {
    "command 36 20 19 \(handle) 1300 A00000 A00000 07 00 00 000000000000 00 7F 01 00 01 00 00\n"
}

/// LE Periodic Advertising Sync Established of 66:55:44:33:22:11 with a status; the same lost; LE BIG Create Sync on it; LE BIG Sync
/// Established with a status; LE BIG Sync Lost with a reason. Vol 4, Part E, 7.7.65.14, 7.7.65.16, 7.8.106, 7.7.65.29 and 7.7.65.30.
private func train(_ status: String) -> String { "event 3E 10 0E \(status) 0100 01 01 112233445566 02 5000 05\n" }
private let trainLost = "event 3E 03 10 0100\n"
private func receive(encryption: String) -> String {
    "command 6B 20 19 00 0100 \(encryption) 000102030405060708090A0B0C0D0E0F 00 6400 01 01\nevent 0F 04 00 01 6B 20\n"
}
private func received(_ status: String) -> String {
    status == "00"
        ? "event 3E 11 1D 00 00 102700 03 01 00 03 2800 0800 01 6000\n"
        : "event 3E 0F 1D \(status) 00 102700 03 01 00 03 2800 0800 00\n"
}
private func groupLost(_ reason: String) -> String { "event 3E 03 1E 00 \(reason)\n" }

/// Connection Parameter Update Request of the peer for 180 to 200 ms, and its acceptance. Vol 3, Part A, 4.20 and 4.21.
private let slower = "l2cap 5 < 12 02 0800 9000 A000 0400 5802\nl2cap 5 > 13 02 0200 0000\n"
/// LE Connection Update for 30 ms, with its Command Status; and its completion. Vol 4, Part E, 7.8.18.
private let update = "command 13 20 0E 4000 1800 1800 0000 5802 0000 0000\nevent 0F 04 00 01 13 20\n"
private let updated = "event 3E 0A 03 00 4000 1800 0000 5802\n"

/// The Source ASE 2 of the peer with its control point, from QoS Configured of CIS 1 of CIG 1 to Enabling; and the CIS. Audio Stream
/// Control Service, 4.1 and 5; Core Specification, Vol 4, Part E, 7.7.65.25.
private let enabled =
    "connect\n> 02 0002\n< 03 0002\n> 10 0100 FFFF 0028\n< 11 06 1000 2000 4E18\n> 08 1000 2000 0328\n"
    + "< 09 07 1100 1A 1200 C62B 1400 12 1500 C52B\n> 0A 1500\n< 0B 02 02 01 01 102700 00 02 2800 05 1400 409C00\n"
private let enabling = "< 1B 1500 02 03 01 01 00\n"
private let audioGroup =
    "command 62 20 18 01 102700 102700 00 00 00 0A00 0A00 01 01 2800 0000 02 02 02 02\nevent 0E 08 01 62 20 00 01 01 4100\n"
private let audioStream = audioGroup + createCIS() + stream("00", "4100")
private let ready = "> 52 1200 04 01 02\n"

/// LE CIS Request for two streams, and LE CIS Established. Vol 4, Part E, 7.7.65.26 and 7.7.65.25.
private let streams = "connect peripheral\nevent 3E 07 1A 4000 4100 01 02\nevent 3E 07 1A 4000 4200 01 03\n"
private func stream(_ status: String, _ handle: String) -> String {
    "event 3E 1D 19 \(status) \(handle) 000000 000000 000000 000000 02 02 01 01 01 01 01 2800 2800 0800\n"
}

/// Just Works to encryption, and the identity of the peer. Vol 3, Part H, 3.5 and 3.6.
private let bonding =
    "connect\nsmp > 01 03 00 01 10 02 02\nsmp < 02 03 00 01 10 02 02\n\(confirm)encrypt\n"
    + "smp < 08 000102030405060708090A0B0C0D0E0F\nsmp < 09 01 F2F2F2F2F2F2\n"
/// LE Enable Encryption. Vol 4, Part E, 7.8.24.
private let startEncryption =
    "command 19 20 1C 4000 0000000000000000 0000 000102030405060708090A0B0C0D0E0F\n"

/// HCI_Reset, LE Set Advertising Parameters and LE Set Advertising Enable. Vol 4, Part E, 7.8.5 and 7.8.9.
private func random(_ between: String = "") -> String {
    "command 03 0C 00\nevent 0E 04 01 03 0C 00\n"
        + "command 06 20 0F A000 A000 00 01 00 000000000000 07 00\nevent 0E 04 01 06 20 00\n"
        + between + "command 0A 20 01 01\n"
}

private func scan(interval: String) -> String {
    "command 0B 20 07 01 \(interval) 6000 00 00\nevent 0E 04 01 0B 20 00\ncommand 0C 20 02 01 00\nevent 0E 04 01 0C 20 00\n"
}

/// Causes in commands and events of the controller.
let controllerStories = [
    // LE Read Peer Resolvable Address of F2:F2:F2:F2:F2:F2, and Disconnect with a handle that is gone. Vol 4, Part E, 7.8.41 and 7.1.6.
    CauseStory(
        .commandFailed, "not in the resolving list",
        "command 2B 20 07 00 F2F2F2F2F2F2\n✗ event 0E 0A 01 2B 20 02 000000000000",
        "command 06 04 03 4000 13\nevent 0F 04 02 01 06 04"),
    // A second LE Create CIS before LE CIS Established, and after it.
    // LE Set Extended Advertising Parameters of a set that is on, and of another one. Vol 4, Part E, 7.8.53.
    CauseStory(
        .commandFailed, "Advertising of set 0 is on since frame 1",
        enabledSet + advertisingSet("00") + "✗ event 0E 05 01 36 20 0C 00",
        enabledSet + advertisingSet("01") + "event 0E 05 01 36 20 0C 00"),
    CauseStory(
        .commandFailed, "Advertising of set 0 is on since frame 1",
        enabledSet + advertisingSet("00") + "✗ event 0E 05 01 36 20 0C 00",
        enabledSet + "event 3E 06 12 00 00 4000 00\n" + advertisingSet("00") + "event 0E 05 01 36 20 0C 00"),
    CauseStory(
        .commandFailed, "LE Create CIS of frame 2 was pending",
        "connect\n\(createCIS())command 64 20 05 01 4200 4000\n✗ event 0F 04 0C 01 64 20",
        "connect\n\(createCIS())event 3E 1D 19 3E 4100 000000 000000 000000 000000 02 02 01 01 01 01 01 2800 2800 0800\n"
            + createCIS("0C")),
    CauseStory(
        .commandFailed, "CIS 1 has no PHY for one direction", group(phys: "02 00") + "✗ event 0E 04 01 62 20 30",
        group(phys: "02 02") + "event 0E 04 01 62 20 30"),
    // Legacy PDUs: bit 4.
    CauseStory(
        .commandFailed, "48 octets of data for a set with legacy PDUs (frame 1), which hold 31",
        advertise(properties: "1300", "✗ "),
        advertise(properties: "0000")),
    // HCI_Reset, LE Set Advertising Parameters with a random own address, LE Set Advertising Enable; and with LE Set Random Address.
    CauseStory(
        .advertisingNotStarted, "the host has set none since the reset", random() + "✗ event 0E 04 01 0A 20 12",
        random("command 05 20 06 F2F2F2F2F2C2\nevent 0E 04 01 05 20 00\n") + "event 0E 04 01 0A 20 12"),
    // Two requests at once, the second of which is not answered; and two in turn.
    CauseStory(
        .requestUnanswered, "one may wait at a time",
        "connect\n> 0A 1500\n✗ > 12 1700 01\n< 0B 01\nwait 31000\ndisconnect 16",
        "connect\n> 0A 1500\n< 0B 01\n> 12 1700 01\nwait 31000\ndisconnect 16"),
    // The passkey is awaited: the host closes; and the peer does.
    CauseStory(
        .pairingUnfinished, "The host did not wait for the peer",
        "connect\n\(pairing)smp > 03 000102030405060708090A0B0C0D0E0F\nwait 9000\n✗ disconnect 16",
        "connect\n\(pairing)smp > 03 000102030405060708090A0B0C0D0E0F\nwait 9000\ndisconnect 13"),
    // Pairing Response with IdKey of both sides; the host does not send its Identity Address Information, and does. Then PIN or Key Missing.
    CauseStory(
        .encryptionFailed, "was not complete",
        bonding + "disconnect 16\nconnect\n" + startEncryption + "✗ event 08 04 06 4000 00\ndisconnect",
        bonding + "smp > 09 00 665544332211\ndisconnect 16\nconnect\n" + startEncryption
            + "event 08 04 06 4000 00\ndisconnect"),
    // The peer gives up.
    CauseStory(
        .pairingFailed, "had agreed to send its identity", bonding + "✗ smp < 05 08\ndisconnect",
        bonding + "smp > 09 00 665544332211\nsmp < 05 08\ndisconnect"),
    // One CIS is up when another fails; and it has ended.
    CauseStory(
        .streamNotEstablished, "and the one that is up (frame 4)",
        "\(streams)\(stream("00", "4100"))✗ \(stream("3E", "4200"))wait 1000\ndisconnect",
        "\(streams)\(stream("00", "4100"))event 05 04 00 4100 16\n\(stream("3E", "4200"))disconnect"),
    CauseStory(
        .streamNotEstablished, "Its first packets were not heard", "✗ " + train("3E"), train("07")),
    // With a Broadcast_Code, and without one.
    CauseStory(
        .streamNotEstablished, "The Broadcast_Code of frame 2 does not open the broadcast",
        train("00") + receive(encryption: "01") + "✗ " + received("3D"),
        train("00") + receive(encryption: "00") + received("3D")),
    CauseStory(
        .streamNotEstablished, "has no Broadcast_Code", train("00") + receive(encryption: "00") + "✗ " + received("3D"),
        train("00") + receive(encryption: "01") + received("3D")),
    // A Source ASE that stays in Enabling: without Receiver Start Ready, with it, and without its CIS.
    CauseStory(
        .streamNotEstablished, "wrote no Receiver Start Ready",
        enabled + "✗ " + enabling + audioStream + "wait 8000\ndisconnect",
        enabled + enabling + audioStream + ready + "wait 8000\ndisconnect"),
    CauseStory(
        .streamNotEstablished, "did not start it after Receiver Start Ready (frame 16)",
        enabled + "✗ " + enabling + audioStream + ready + "wait 8000\n< 1B 1500 02 06\ndisconnect",
        enabled + enabling + audioStream + "wait 8000\n< 1B 1500 02 06\ndisconnect"),
    CauseStory(
        .streamNotEstablished, "Its CIS was not established.",
        enabled + "✗ " + enabling + ready + "wait 8000\ndisconnect",
        enabled + enabling + audioStream + "wait 8000\ndisconnect"),
    // The same soon after the streams were established, and much later.
    CauseStory(
        .streamLost, "does not open the broadcast",
        train("00") + receive(encryption: "01") + received("00") + "✗ " + groupLost("3D"),
        train("00") + receive(encryption: "01") + received("00") + "wait 60000\n" + groupLost("3D")),
    // Encryption Mode Not Acceptable: in LE BIG Sync Established, and in Command Status. Vol 4, Part E, 7.8.106.
    CauseStory(
        .streamNotEstablished, "The broadcast is encrypted, and LE BIG Create Sync has no Broadcast_Code",
        train("00") + receive(encryption: "00") + "✗ " + received("25"),
        train("00") + receive(encryption: "01") + received("25")),
    CauseStory(
        .commandFailed, "The broadcast is not encrypted, and LE BIG Create Sync has a Broadcast_Code",
        train("00") + receive(encryption: "01").replacing("event 0F 04 00", with: "✗ event 0F 04 25"),
        train("00") + receive(encryption: "00").replacing("event 0F 04 00", with: "event 0F 04 25")),
    CauseStory(
        .streamLost, "for the Sync_Timeout", train("00") + "wait 2000\n✗ " + trainLost,
        train("00") + receive(encryption: "00") + received("00") + groupLost("08")),
    // Connection Timeout, and the end by the broadcaster.
    CauseStory(
        .streamLost, "for the BIG_Sync_Timeout",
        train("00") + receive(encryption: "00") + received("00") + "wait 8000\n✗ " + groupLost("08"),
        train("00") + receive(encryption: "00") + received("00") + "wait 8000\n" + groupLost("13")),
    // LE Connection Update was under way when the peer asked for other parameters, which never come; and they came.
    CauseStory(
        .updateNotMade, "accepted the request and never made",
        "connect\n\(update)\(slower.replacing("l2cap 5 >", with: "✗ l2cap 5 >"))\(updated)wait 40000\ndisconnect",
        "connect\nl2cap 5 < 12 02 0800 9000 A000 0400 5802\nl2cap 5 > 13 02 0200 0000\n\(update)wait 40000\ndisconnect"),
    // LE Set Scan Parameters with a window of 60 ms in an interval of 60 ms, and of 120 ms; LE Set Scan Enable. Vol 4, Part E, 7.8.10.
    CauseStory(
        .linkLost, "This host scanned all the time (since frame 4",
        "connect\n\(scan(interval: "6000"))✗ disconnect 08", "connect\n\(scan(interval: "C000"))disconnect 08"),
    // Out-of-band data of both sides, and a passkey.
    CauseStory(
        .pairingFailed, "those of the two sides differ",
        "connect\nsmp > 01 04 01 05 10 07 07\nsmp < 02 00 01 05 10 07 07\n\(confirm)✗ smp < 05 04\ndisconnect",
        "connect\n\(pairing)\(confirm)smp < 05 04\ndisconnect"),
    CauseStory(
        .pairingFailed, "The log does not show how they paired", "connect\n✗ smp < 05 04\ndisconnect",
        "connect\n\(pairing)\(confirm)smp < 05 04\ndisconnect"),
]

@Suite struct ControllerIncidentTests {
    /// The host itself ends what it hears: Operation Cancelled by Host, Connection Terminated by Local Host.
    @Test func whatTheHostEndsIsNoIncident() {
        let script =
            train("44") + train("00") + receive(encryption: "00") + received("44") + receive(encryption: "00")
            + received("00") + groupLost("16")
        #expect(Conversation(script).incidents().isEmpty)
    }

    /// Scan parameters that were refused (0x0C), and a scan of 1 s: LE Set Extended Scan Enable with a Duration of 100. Vol 4, Part E, 7.8.65.
    @Test(arguments: [
        "command 0B 20 07 01 6000 6000 00 00\nevent 0E 04 01 0B 20 0C\ncommand 0C 20 02 01 00\nevent 0E 04 01 0C 20 00\n",
        "command 41 20 08 00 00 01 01 6000 6000\nevent 0E 04 01 41 20 00\ncommand 42 20 06 01 00 6400 0000\nevent 0E 04 01 42 20 00\n",
    ]) func aScanThatIsNotFull(scan: String) throws {
        let lost = try #require(
            Conversation("connect\n\(scan)disconnect 08").incidents().first { $0.kind == .linkLost })
        #expect(!lost.cause.text.contains("scanned all the time"))
        let whole = scan.replacing("20 0C", with: "20 00").replacing("6400 0000", with: "0000 0000")
        let full = try #require(
            Conversation("connect\n\(whole)disconnect 08").incidents().first { $0.kind == .linkLost })
        #expect(full.cause.text.contains("scanned all the time"))
    }

    /// LE Set Extended Advertising Parameters with legacy PDUs is refused: the set stays as it was.
    @Test func parametersThatWereRefusedAreNotInForce() {
        let refused = advertise(properties: "1300").replacing(
            "event 0E 05 01 36 20 00 00", with: "event 0E 05 01 36 20 0C 00")
        let causes = Conversation(refused).incidents().map(\.cause.text)
        #expect(!causes.isEmpty && !causes.contains { $0.contains("legacy PDUs") })
    }

    /// An ASE that starts or is released in time, one whose CIS failed or was lost, and a CIS of unknown numbers.
    @Test(
        arguments: [
            (audioStream + ready + "< 1B 1500 02 04 01 01 00\nwait 8000\n", nil),
            (audioStream + "wait 3000\n< 1B 1500 02 06\nwait 8000\n", nil),
            (audioGroup + createCIS() + stream("3E", "4100") + "wait 8000\n", "isochronous stream not established"),
            (audioStream + "wait 1000\nevent 05 04 00 4100 08\nwait 8000\n", "isochronous stream lost"),
            (createCIS() + stream("00", "4100") + "wait 8000\n", nil),
        ] as [(String, String?)])
    func anEndpointThatStartsOrWhoseStreamFailed(script: String, title: String?) {
        let titles = Conversation(enabled + enabling + script + "disconnect").incidents().map(\.title)
        expect(titles, equals: title.map { [$0] } ?? [])
    }

    /// Periodic advertising and streams of one broadcaster fail with the same code.
    @Test func aTrainAndItsStreamsAreTwo() {
        let script =
            train("3E") + train("00") + receive(encryption: "00") + received("3E") + receive(encryption: "00")
            + received("00") + "wait 9000\n"
            + groupLost("08") + trainLost
        expect(
            Conversation(script).incidents().map(\.kind),
            equals: [.streamNotEstablished, .streamNotEstablished, .streamLost, .streamLost])
    }

    @Test func eachSideOfAChannelHasItsRefusals() {
        let script =
            "connect\nl2cap 5 > 17 01 0A00 2700 F700 F700 0500 4000\nl2cap 5 < 18 01 0A00 0000 0000 0000 0400 0000\nwait 6000\n"
            + "l2cap 5 < 17 01 0A00 2700 F700 F700 0500 4000\nl2cap 5 > 18 01 0A00 0000 0000 0000 0400 0000\ndisconnect"
        let found = Conversation(script).incidents()
        #expect(
            found.map(\.kind) == [.channelRefused, .channelRefused]
                && found[1].what.hasPrefix("The peer asked for Enhanced ATT, and the host"))
    }

    /// LE Create Connection to the public address of a device that advertises as random, and then to the right one.
    @Test func theRightAddressTypeLater() throws {
        let wrong =
            "advertise F2F2F2F2F2F2\n" + attempt.replacing("01 F2F2", with: "00 F2F2")
            + "wait 8000\ncommand 0E 20 00\nevent 0E 04 01 0E 20 00\n"
            + failed("02").replacing("01 F2F2", with: "00 F2F2")
        let found = Conversation(wrong + "connect\n> 0A 1500\n< 0B 01\ndisconnect").incidents()
        let incident = try #require(found.first { $0.kind == .wrongAddressType })
        #expect(incident.weight == .hindered && incident.title.hasSuffix("connected as random too"))
        let never = Conversation(wrong).incidents().first { $0.kind == .wrongAddressType }
        expect(never?.weight, equals: .broke)
    }
}

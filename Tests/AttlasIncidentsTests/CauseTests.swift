import AttlasTestSupport
import Testing

@testable import AttlasIncidents

/// Causes that the capture proves or makes likely, and the same conversations with the fact that refutes them.
struct CauseStory: Sendable, CustomTestStringConvertible {
    let kind: Incident.Kind
    /// A part of the cause.
    let cause: String
    let has: String
    /// An incident of the same kind has another cause.
    let lacks: String

    init(_ kind: Incident.Kind, _ cause: String, _ has: String, _ lacks: String) {
        self.kind = kind
        self.cause = cause
        self.has = has
        self.lacks = lacks
    }

    var testDescription: String { cause }
}

/// A Read Request with its response.
private let read = "> 0A 1500\n< 0B 01\n"

/// LE Credit Based Connection Request for PSM 0x0025 and its response; Credit Based Connection Request for Enhanced ATT.
private let channel = "l2cap 5 > 14 01 0A00 2500 4000 0002 0002 0A00\n"
private func refused(_ result: String) -> String { "l2cap 5 < 15 01 0A00 0000 0000 0000 0000 \(result)\n" }
private let enhanced = "17 01 0A00 2700 F700 F700 0500 4000\n"

/// Octets of a part of a long write.
private let eighteen = "000102030405060708090A0B0C0D0E0F1011"

/// A connection and one characteristic at 0x0012 with these properties.
private func declared(_ properties: String) -> String {
    "connect\n> 10 0100 FFFF 0028\n< 11 06 1000 1200 F0FF\n> 08 1000 1200 0328\n< 09 07 1100 \(properties) 1200 F1FF\n"
}

/// LE Add Device To Resolving List: 11:22:33:44:55:66, public. Vol 4, Part E, 7.8.38.
private let identity =
    "command 27 20 27 00 665544332211 000102030405060708090A0B0C0D0E0F 00000000000000000000000000000000\n"

/// LE Create Connection with an interval of 150 ms, a latency of 60 and this timeout, and its Command Status. Vol 4, Part E, 7.8.12.
private func attempt(timeout: String, status: String = "event 0F 04 00 01 0D 20") -> String {
    "command 0D 20 19 6000 3000 00 00 665544332211 00 7800 7800 3C00 \(timeout) 0000 0000\n\(status)\n"
}

/// The host's Connection Parameter Update Request for 7.5 ms. Vol 3, Part A, 4.20.
private let fastRequest = "l2cap 5 > 12 01 0800 0600 0600 0000 F401\n"

/// A command about connection 0x0040 and its Command Status. Vol 4, Part E, 7.7.15.
private func begun(_ opcode: String, _ parameters: String) -> String {
    let octets = parameters.filter { $0 != " " }.count / 2 + 2
    let length = String(octets, radix: 16)
    return
        "command \(opcode) \(length.count == 1 ? "0" : "")\(length) 4000 \(parameters)\nevent 0F 04 00 01 \(opcode)\n"
}

/// LE Read Remote Features, LE Set PHY and LE Connection Update. Vol 4, Part E, 7.8.21, 7.8.49 and 7.8.18.
private let features = begun("16 20", "")
private let setPHY = begun("32 20", "00 02 02 0000")
private let update = begun("13 20", "0C00 0C00 0000 C800 0000 0000")

/// Long Term Keys of the peripheral, which is the peer, and of the central. Vol 3, Part H, 3.6.2.
private let keys = "smp < 06 \(peerKey)\nsmp > 06 \(ownKey)\n"
private let peerKey = "000102030405060708090A0B0C0D0E0F"
private let ownKey = "101112131415161718191A1B1C1D1E1F"

/// LE Enable Encryption with a key.
private func enable(_ key: String) -> String { begun("19 20", "0000000000000000 0000 \(key)") }

/// Prepare Write Request of 18 octets at this offset, and its response or another one. Vol 3, Part F, 3.4.6.1.
private func prepared(_ offset: Int, _ answer: String? = nil) -> String {
    let part = "1200 \(offset == 0 ? "0000" : "1200") \(eighteen)"
    let answer = answer ?? "17 \(part)"
    return answer.hasPrefix("✗ ") ? "> 16 \(part)\n✗ < \(answer.dropFirst(2))\n" : "> 16 \(part)\n< \(answer)\n"
}

/// One report of F2:F2:F2:F2:F2:F2, random, with an Event_Type.
private func extended(_ type: String) -> String {
    "3E 1A 0D 01 \(type) 01 F2F2F2F2F2F2 01 00 FF 7F C4 0000 00 000000000000 00"
}

/// Write Request, its response, and the loss of the connection with a supervision timeout of 2 s.
private func lostAfterWrite(_ mark: String, _ time: Int) -> String {
    "connect\nevent 3E 0A 03 00 4000 1800 0000 C800\n> 12 1200 01\n< 13\nwait \(time)\n\(mark)disconnect 08\n"
}

/// Connection Parameter Update Request for 37.5 ms and a timeout of 100 ms, its response, and LE Connection Update Complete.
private let shortTimeout =
    "l2cap 5 < 12 01 0800 1E00 1E00 0000 0A00\nl2cap 5 > 13 01 0200 0000\nevent 3E 0A 03 00 4000 1E00 0000 0A00\n"

/// Host Buffer Size with one ACL packet, and Set Controller To Host Flow Control for ACL.
private let oneHostBuffer = "command 33 0C 07 FF00 00 0100 0000\ncommand 31 0C 01 01\n"
/// `{"temp":21.5,"humi"#`
private let cutText = "7B2274656D70223A32312E352C2268756D692223"

private let causeStories = [
    // LE Read Remote Features Complete with Connection Timeout, and with success.
    CauseStory(
        .linkLost, "No packet of the peer was received",
        "connect\n\(features)wait 20000\nevent 3E 0C 04 08 4000 0000000000000000\n✗ disconnect 08",
        "connect\n\(features)event 3E 0C 04 00 4000 FF00000000000000\nwait 20000\ndisconnect 08"),
    CauseStory(
        .linkLost, "The peer asked for these 100 ms (frame 2)",
        "connect\n\(shortTimeout)\(read)wait 100\n✗ disconnect 08",
        "connect\nevent 3E 0A 03 00 4000 1E00 0000 0A00\n\(read)wait 100\ndisconnect 08"),
    // A latency of 10, 50 ms and 2.56 s; and 6 s. LE Connection Update Complete, Vol 4, Part E, 7.7.65.3.
    CauseStory(
        .linkLost, "2560 ms is only 4.6 times the effective interval",
        "connect\nevent 3E 0A 03 00 4000 2800 0A00 0001\n\(read)wait 2560\n✗ disconnect 08",
        "connect\nevent 3E 0A 03 00 4000 2800 0A00 5802\n\(read)wait 6000\ndisconnect 08"),
    // 7.5 ms, a subrate factor of 100 and 1 s; and 6 s. LE Subrate Change, Vol 4, Part E, 7.7.65.35.
    CauseStory(
        .linkLost, "1000 ms is only 1.3 times the effective interval of (latency 0 + 1) × 7.5 ms × subrate factor 100",
        "connect\nevent 3E 0A 03 00 4000 0600 0000 6400\nevent 3E 0C 23 00 4000 6400 0000 0000 6400\n\(read)wait 1000\n✗ disconnect 08",
        "connect\nevent 3E 0A 03 00 4000 0600 0000 5802\nevent 3E 0C 23 00 4000 6400 0000 0000 5802\n\(read)wait 6000\ndisconnect 08"
    ),
    // 9.6 s after a write, with a timeout of 2 s; and after other times.
    CauseStory(
        .linkLost, "the device stops at it, or restarts", lostAfterWrite("✗ ", 9_600) + lostAfterWrite("✗ ", 9_600),
        lostAfterWrite("", 9_600) + lostAfterWrite("", 4_300)),
    // Connection Already Exists with the connection, after its end, and of an unknown one.
    CauseStory(
        .attemptFailed, "open since frame 1", "connect\n\(attempt)✗ \(failed("0B"))", "\(attempt)\(failed("0B"))"),
    CauseStory(
        .attemptFailed, "ended in frame 2, and the controller still holds it",
        "connect\ndisconnect 16\n\(attempt)✗ \(failed("0B"))", "\(attempt)\(failed("0B"))"),
    // The host refuses a peer with a keyboard and a display; and one that has neither.
    CauseStory(
        .pairingFailed, "the settings of the host decide",
        "connect peripheral\nsmp < 01 04 00 05 10 07 07\n✗ smp > 05 03\ndisconnect",
        "connect peripheral\nsmp < 01 03 00 05 10 07 07\nsmp > 05 03\ndisconnect"),
    // Unspecified Reason right after a response without SC; and after one with it. Vol 3, Part H, 3.5.2.
    CauseStory(
        .pairingFailed, "which the host offers and may demand",
        "connect\nsmp > 01 04 00 0D 10 03 03\nsmp < 02 03 00 01 10 03 03\n✗ smp > 05 08\ndisconnect",
        "connect\nsmp > 01 04 00 0D 10 03 03\nsmp < 02 03 00 09 10 03 03\nsmp > 05 08\ndisconnect"),
    // A Pairing Request of a bonded peer, and of an unknown one.
    CauseStory(
        .pairingUnfinished, "does not answer a new Pairing Request",
        "connect peripheral\nsmp < 01 04 00 05 10 07 07\nsmp > 02 00 00 05 10 07 07\nencrypt\ndisconnect\n"
            + "connect peripheral\nsmp < 01 04 00 05 10 07 07\nwait 31000\n✗ disconnect 13",
        "connect peripheral\nsmp < 01 04 00 05 10 07 07\nwait 31000\ndisconnect 13\ncommand 14 0C 00"),
    // The host bonded with the peer, and with none before. LE Long Term Key Request Negative Reply, Vol 4, Part E, 7.8.26.
    CauseStory(
        .keyMissing, "did not keep the key or deleted it",
        "connect peripheral\nsmp < 01 04 00 05 10 07 07\nsmp > 02 00 00 05 10 07 07\nencrypt\ndisconnect\n"
            + "connect peripheral\n✗ command 1B 20 02 4000",
        "connect peripheral\ncommand 1B 20 02 4000"),
    // The first part of another write is refused; the client does not cancel in between, or does.
    CauseStory(
        .requestRefused, "neither executed nor cancelled them",
        "connect\n\(prepared(0))\(prepared(18))\(prepared(0, "✗ 01 16 1200 09"))disconnect",
        "connect\n\(prepared(0))\(prepared(18))> 18 00\n< 19\n\(prepared(0, "01 16 1200 09"))disconnect"),
    // The host's indication before encryption, and after it.
    CauseStory(
        .indicationUnconfirmed, "sent before the link was encrypted",
        "connect peripheral\n✗ > 1D 1200 01\nencrypt\nwait 31000\ndisconnect 13",
        "connect peripheral\nencrypt\n> 1D 1200 01\nwait 31000\ndisconnect 13"),
    // Extended Advertising Report of a connectable advertiser with extended and with legacy PDUs. Vol 4, Part E, 7.7.65.13.
    CauseStory(
        .attemptCancelled, "with extended PDUs only",
        "event \(extended("0100"))\n\(attempt)wait 20000\n✗ \(failed("02"))",
        "event \(extended("1300"))\n\(attempt)wait 20000\n\(failed("02"))"),
    // Invalid Offset to Read Request and to Read Blob Request of octet 100. Vol 3, Part F, 3.4.1.1.
    CauseStory(
        .requestRefused, "a Read Request has no offset", "connect\n> 0A 1500\n✗ < 01 0A 1500 07\ndisconnect",
        "connect\n> 0A 1500\n< 01 0A 1500 02\ndisconnect"),
    // Host Buffer Size with room for one packet, and Set Controller To Host Flow Control, with and without Host Number Of Completed
    // Packets. Vol 4, Part E, 7.3.38 to 7.3.40.
    CauseStory(
        .linkLost, "This host has room for 1 packet and limited",
        "\(oneHostBuffer)connect\n\(read)wait 5000\n✗ disconnect 08",
        "\(oneHostBuffer)connect\n\(read)command 35 0C 05 01 4000 0100\nwait 5000\ndisconnect 08"),
    CauseStory(
        .linkLost, "This host has room for 1 packet and limited",
        "\(oneHostBuffer)connect\n\(read)wait 5000\n✗ disconnect 08",
        "\(oneHostBuffer)connect\n\(read)\(read)wait 5000\ndisconnect 08"),
    // 20 octets that fill the MTU, after two that the server took; and without them.
    CauseStory(
        .requestRefused, "The attribute took 2 octets and refuses 20, which fill the MTU of 23",
        declared("08") + "> 12 1200 0102\n< 13\n> 12 1200 \(eighteen)0102\n✗ < 01 12 1200 0D\ndisconnect",
        declared("08") + "> 12 1200 \(eighteen)\n< 01 12 1200 0D\ndisconnect"),
    // The host refuses Exchange MTU Request; and the values are cut all the same.
    CauseStory(
        .valuesCut, "The host refused the Exchange MTU Request of the peer (frame 7)",
        declared("10") + "< 02 F700\n> 01 02 0000 06\n✗ < 1B 1200 \(cutText)\n" + repeated("< 1B 1200 \(cutText)", 3)
            + "\ndisconnect",
        declared("10") + repeated("< 1B 1200 \(cutText)", 4) + "\ndisconnect"),
    // Just Works, although the peer asked for MITM; and it did not.
    CauseStory(
        .noValues, "The peer asked for protection against a man in the middle",
        declared("18")
            + "smp > 01 03 00 01 10 00 00\nsmp < 02 00 00 05 10 00 00\n\(confirm)encrypt\n> 52 1500 00\n✗ < 1B 1200 00\n"
            + repeated("> 52 1500 4142\n< 1B 1200 4142", 4) + "\ndisconnect",
        declared("18") + "smp > 01 03 00 01 10 00 00\nsmp < 02 00 00 01 10 00 00\n\(confirm)encrypt\n"
            + repeated("> 52 1500 4142\n< 1B 1200 4142", 5) + "\ndisconnect"),
    // Create Object with 7,936 and with 4,096 octets: Invalid Parameter.
    CauseStory(
        .procedureFailed, "The object has 7936 octets, and the device takes 4096 at most",
        objects + "> 12 1200 0102 001F0000\n< 13\n✗ < 1B 1200 600103\ndisconnect",
        objects + "> 12 1200 0102 00100000\n< 13\n< 1B 1200 600103\ndisconnect"),
    // Request Not Supported to a second Exchange MTU Request of the host; and to its first, after that of the peer.
    CauseStory(
        .requestRefused, "The host had asked for the MTU before (frame 3)",
        "connect\n> 02 F700\n< 03 F700\n> 02 F700\n✗ < 01 02 0000 06",
        "connect\n< 02 F700\n> 03 F700\n> 02 F700\n< 01 02 0000 06"),
    // LE PHY Update Complete ends the procedure.
    CauseStory(
        .noLinkLayerResponse, "LE Set PHY (frame 4)", "connect\n\(read)\(setPHY)wait 40000\n✗ disconnect 22",
        "connect\n\(read)\(setPHY)event 3E 06 0C 00 4000 02 02\nwait 40000\ndisconnect 22"),
    // LE Connection Update Complete with LL Response Timeout.
    CauseStory(
        .noLinkLayerResponse, "LE Connection Update (frame 4) ended without an answer of the peer (frame 6)",
        "connect\n\(read)\(update)wait 40000\nevent 3E 0A 03 22 4000 0C00 0000 C800\n✗ disconnect 22",
        "connect\n\(read)\(update)event 3E 0A 03 00 4000 0C00 0000 C800\nwait 40000\ndisconnect 22"),
    // A value after the start of encryption; and the key was refreshed after it (Vol 4, Part E, 7.7.39).
    CauseStory(
        .integrityFailed, "The key was right: 1 value was decrypted",
        heartRate + "encrypt\n< 1B 1200 0048\nwait 100\n✗ disconnect 3D",
        heartRate + "encrypt\n< 1B 1200 0048\nevent 30 03 00 4000\nwait 100\ndisconnect 3D"),
    CauseStory(
        .integrityFailed, "wrong Long Term Key of the bond",
        "connect\n\(keys)disconnect\nconnect\n\(enable(ownKey))encrypt\n✗ disconnect 3D",
        "connect\n\(keys)disconnect\nconnect\n\(enable(peerKey))encrypt\ndisconnect 3D"),
    // The peer asks while the host waits; and before it.
    CauseStory(
        .requestUnanswered, "sent another request",
        heartRate + "✗ > 0A 1500\n< 0A 0300\n> 0B 01\nwait 31000\ndisconnect",
        heartRate + "< 0A 0300\n> 0B 01\n> 0A 1500\nwait 31000\ndisconnect"),
    // The service ends at 0x0015, with Body Sensor Location; and it notifies.
    CauseStory(
        .requestRefused, "has no Client Characteristic Configuration",
        notifying + "> 12 1600 0100\n✗ < 01 12 1600 01\ndisconnect",
        heartRate + "> 12 1600 0100\n< 01 12 1600 01\ndisconnect"),
    // Read Not Permitted; the other is written.
    CauseStory(
        .requestRefused, "must be readable without authentication",
        heartRate + "> 0A 1300\n✗ < 01 0A 1300 02\ndisconnect",
        heartRate + "> 0A 1500\n< 01 0A 1500 02\ndisconnect"),
    // The table was discovered on another connection.
    CauseStory(
        .requestRefused, "an old table", heartRate + "disconnect\nconnect\n> 0A 1500\n✗ < 01 0A 1500 01\ndisconnect",
        heartRate + "> 0A 1500\n< 01 0A 1500 01\ndisconnect"),
    // A response is decrypted; nothing is.
    CauseStory(
        .integrityFailed, "The key was right: PDUs of the peer were", "connect\nencrypt\n\(read)✗ disconnect 3D",
        "connect\nencrypt\n✗ > 0A 1500\ndisconnect 3D"),
    // A Read Request before Encryption Change; and after it.
    CauseStory(
        .integrityFailed, "while encryption was being started",
        "connect\n\(enable(ownKey))> 0A 1500\n✗ disconnect 3D",
        "connect\n\(enable(ownKey))encrypt\n> 0A 1500\ndisconnect 3D"),
    // The key of the connection before, under which a response was decrypted; and another one.
    CauseStory(
        .integrityFailed, "uses the key that worked",
        "connect\n\(enable(peerKey))encrypt\n\(read)disconnect\nconnect\n\(enable(peerKey))✗ disconnect 3D",
        "connect\n\(enable(peerKey))encrypt\n\(read)disconnect\nconnect\n\(enable(ownKey))disconnect 3D"),
    // The host asks with its key; and the peer, which is the central.
    CauseStory(
        .encryptionFailed, "The peer has no key", "connect\n\(enable(ownKey))✗ event 08 04 06 4000 00",
        "connect peripheral\nevent 08 04 06 4000 00"),
    // The peer asked for other parameters, which the host refused; and did not.
    CauseStory(
        .endedWithError, "The peer had asked for",
        "connect\nl2cap 5 < 12 01 0800 5000 A000 0000 9001\nwait 31000\n✗ disconnect 3B", "connect\ndisconnect 3B"),
    // Read Not Permitted for Body Sensor Location, of another connection, and of this one.
    CauseStory(
        .requestRefused, "an old table", heartRate + "disconnect\nconnect\n> 0A 1500\n✗ < 01 0A 1500 02\ndisconnect",
        heartRate + "> 0A 1500\n< 01 0A 1500 02\ndisconnect"),
    CauseStory(
        .subscriptionRefused, "an old table",
        heartRate + "disconnect\nconnect\n> 12 1300 0100\n✗ < 01 12 1300 03\ndisconnect",
        heartRate + "> 12 1300 0100\n< 01 12 1300 03\ndisconnect"),
    // Body Sensor Location declares reading, Heart Rate Measurement does not.
    CauseStory(
        .requestRefused, "contradicts its table", heartRate + "> 0A 1500\n✗ < 01 0A 1500 02\ndisconnect",
        heartRate + "> 0A 1200\n< 01 0A 1200 02\ndisconnect"),
    // LE Connection Update Complete, and nothing for the supervision timeout of 4 s; and a response after it.
    CauseStory(
        .linkLost, "did not follow the connection update of frame 4",
        "connect\n\(read)event 3E 0A 03 00 4000 A000 0000 9001\nwait 4100\n✗ disconnect 08",
        "connect\nevent 3E 0A 03 00 4000 A000 0000 9001\n\(read)wait 4100\ndisconnect 08"),
    // LE Set Extended Scan Enable before LE Set Scan Enable; and HCI_Reset between them.
    CauseStory(
        .scanNotStarted, "used an extended command before (frame 1)",
        "command 42 20 06 01 00 0000 0000\nevent 0E 04 01 42 20 00\ncommand 0C 20 02 01 00\n✗ event 0E 04 01 0C 20 0C",
        "command 42 20 06 01 00 0000 0000\nevent 0E 04 01 42 20 00\ncommand 03 0C 00\nevent 0E 04 01 03 0C 00\ncommand 0C 20 02 01 00\nevent 0E 04 01 0C 20 0C"
    ),
    // The host refuses parameters within the specification; and an interval below 7.5 ms.
    CauseStory(
        .updateRefused, "within the specification",
        "connect\nl2cap 5 < 12 01 0800 5000 A000 0000 9001\n✗ l2cap 5 > 13 01 0200 0100\ndisconnect",
        "connect\nl2cap 5 < 12 01 0800 0500 A000 0000 9001\nl2cap 5 > 13 01 0200 0100\ndisconnect"),
    // Handle 0x0000, and one that was never discovered.
    CauseStory(
        .requestRefused, "Handle 0x0000 is reserved", heartRate + "> 0A 0000\n✗ < 01 0A 0000 01\ndisconnect",
        heartRate + "> 0A 3000\n< 01 0A 3000 01\ndisconnect"),
    // Pairing Failed: Confirm Value Failed; and no pairing at all.
    CauseStory(
        .requestRefused, "pairing failed (frame 13)",
        heartRate + pairing + confirm + "smp < 05 04\n> 0A 1500\n✗ < 01 0A 1500 05\ndisconnect",
        heartRate + "> 0A 1500\n< 01 0A 1500 05\ndisconnect"),
    // The peer, as central, pairs up to the public values and starts encryption; and it starts with a key of before.
    CauseStory(
        .keyMissing, "the pairing that began in frame 2",
        "connect peripheral\nsmp < 01 04 00 05 10 07 07\nsmp > 02 00 00 05 10 07 07\n"
            + "smp < 03 000102030405060708090A0B0C0D0E0F\n✗ command 1B 20 02 4000\ndisconnect",
        "connect peripheral\ncommand 1B 20 02 4000\ndisconnect"),
    // No encryption from the beginning on; and the key fails at once.
    CauseStory(
        .integrityFailed, "without encryption there is no integrity check", "connect\n\(read)✗ disconnect 3D",
        "connect\nencrypt\n> 0A 1500\ndisconnect 3D"),
    // Pairing without protection against a man in the middle, because of NoInputNoOutput; and with it.
    CauseStory(
        .requestRefused,
        "its key is not authenticated: pairing was Just Works, because the peer has no input and no output (frame 9)",
        heartRate
            + "smp > 01 04 00 05 10 07 07\nsmp < 02 03 00 05 10 07 07\nencrypt\n> 0A 1500\n✗ < 01 0A 1500 05\ndisconnect",
        heartRate + pairing + "encrypt\n> 0A 1500\n< 01 0A 1500 05\ndisconnect"),
    // A part that ends at octet 522, and one that ends at 511.
    CauseStory(
        .requestRefused, "It ends at octet 522 of the value",
        heartRate + "> 16 1500 F801 \(eighteen)\n✗ < 01 16 1500 09\ndisconnect",
        heartRate + "> 16 1500 ED01 \(eighteen)\n< 01 16 1500 09\ndisconnect"),
    CauseStory(
        .requestRefused, "The server has room for 198 octets; the MTU in force is 23",
        heartRate + "> 16 1500 C600 \(eighteen)\n✗ < 01 16 1500 11\ndisconnect",
        heartRate + "> 12 1500 \(eighteen)\n< 01 12 1500 11\ndisconnect"),
    // A characteristic with the property Write Without Response, and one with Write.
    CauseStory(
        .requestRefused, "takes writes without response only",
        declared("04") + "> 12 1200 01\n✗ < 01 12 1200 03\ndisconnect",
        declared("0C") + "> 12 1200 01\n< 01 12 1200 03\ndisconnect"),
    // Two Pairing Responses; and one.
    CauseStory(
        .pairingFailed, "The peer made two offers in one pairing (frames 3 and 4)",
        "connect\n\(pairing)smp < 02 03 00 01 10 03 03\n✗ smp < 05 03\ndisconnect",
        "connect\n\(pairing)smp < 05 03\ndisconnect"),
    // After a pairing with bonding, the host pairs again and is refused; and without a bond.
    CauseStory(
        .pairingFailed, "The two were bonded (frame 2). The host did not use that key",
        "connect\n\(pairing)encrypt\ndisconnect\nconnect\nsmp > 01 04 00 05 10 07 07\n✗ smp < 05 0A\ndisconnect",
        "connect\nsmp > 01 04 00 05 10 07 07\nsmp < 05 0A\ndisconnect"),
    // LE Connection Update Complete with LL Response Timeout, without a command; and none.
    CauseStory(
        .noLinkLayerResponse, "this host had not asked for it",
        "connect\n\(read)event 3E 0A 03 22 4000 1800 0000 C800\n✗ disconnect 22", "connect\n\(read)disconnect 22"),
    // LE Set PHY that does not complete, and none, before LL Procedure Collision.
    CauseStory(
        .endedWithError, "LE Set PHY of the host (frame 2) was running",
        "connect\n\(begun("32 20", "00 02 02 0000"))wait 100\n✗ disconnect 23", "connect\nwait 100\ndisconnect 23"),
    // Data Buffer Overflow before Hardware Error; and Hardware Error alone.
    CauseStory(
        .hardwareError, "more packets than the controller has room for", "event 1A 01 01\n✗ event 10 01 00",
        "event 10 01 00"),
    // LE Set Scan Parameters while scanning, and after it.
    CauseStory(
        .commandFailed, "Scanning is on since frame 1",
        "command 0C 20 02 01 00\nevent 0E 04 01 0C 20 00\ncommand 0B 20 07 01 1000 1000 00 00\n✗ event 0E 04 01 0B 20 0C",
        "command 0C 20 02 01 00\nevent 0E 04 01 0C 20 00\ncommand 0C 20 02 00 00\nevent 0E 04 01 0C 20 00\n"
            + "command 0B 20 07 01 1000 1000 00 00\nevent 0E 04 01 0B 20 0C"),
    // LE Add Device To Resolving List twice, and once.
    CauseStory(
        .commandFailed, "has 11:22:33:44:55:66 already (frame 2)",
        "\(identity)event 0E 04 01 27 20 00\n\(identity)✗ event 0E 04 01 27 20 12", "\(identity)event 0E 04 01 27 20 12"
    ),
    // LE Create Connection with a latency of 60 and a supervision timeout of 6 s; and of 20 s.
    CauseStory(
        .attemptFailed, "the supervision timeout is not above", attempt(timeout: "5802") + "✗ " + failed("12"),
        attempt(timeout: "D007") + failed("12")),
    // A second LE Create Connection while the first is pending, and after it failed.
    CauseStory(
        .attemptFailed, "An attempt to connect was pending (frame 1)",
        attempt(timeout: "D007") + attempt(timeout: "D007", status: "✗ event 0F 04 0C 01 0D 20"),
        attempt(timeout: "D007") + failed("3E") + attempt(timeout: "D007", status: "event 0F 04 0C 01 0D 20")),
    // LE Credit Based Connection Response: SPSM not supported; and no resources. Vol 3, Part A, 4.23.
    CauseStory(
        .channelRefused, "has no service with this PSM", "connect\n\(channel)✗ \(refused("0200"))disconnect",
        "connect\n\(channel)\(refused("0400"))disconnect"),
    // Both sides ask for Enhanced ATT, and the peer refuses for lack of resources; and only the host asks. Vol 3, Part A, 4.25 and 4.26.
    CauseStory(
        .channelRefused, "Both sides asked at once (frames 2 and 3)",
        "connect\nl2cap 5 > \(enhanced)l2cap 5 < \(enhanced)✗ l2cap 5 < 18 01 0A00 0000 0000 0000 0400 0000\ndisconnect",
        "connect\nl2cap 5 > \(enhanced)l2cap 5 < 18 01 0A00 0000 0000 0000 0400 0000\ndisconnect"),
    // Confirm Value Failed in Just Works; and with a passkey.
    CauseStory(
        .pairingFailed, "nobody entered anything",
        "connect\nsmp > 01 03 00 01 10 03 03\nsmp < 02 03 00 01 10 03 03\n\(confirm)✗ smp < 05 04\ndisconnect",
        "connect\n\(pairing)\(confirm)smp < 05 04\ndisconnect"),
    // OOB Not Available by the peer, which has data: the host has none; and has them.
    CauseStory(
        .pairingFailed, "The host has no out-of-band data (frame 2)",
        "connect\nsmp > 01 04 00 05 10 07 07\nsmp < 02 00 01 05 10 07 07\n✗ smp < 05 02\ndisconnect",
        "connect\nsmp > 01 04 01 05 10 07 07\nsmp < 02 00 01 05 10 07 07\nsmp < 05 02\ndisconnect"),
    // DHKey Check of both sides before the key is used; and of none.
    CauseStory(
        .integrityFailed, "both sides had sent DHKey Check (the second in frame 5)",
        "connect\n\(pairing)smp > 0D \(ownKey)\nsmp < 0D \(peerKey)\n\(enable(ownKey))✗ disconnect 3D",
        "connect\n\(pairing)\(enable(ownKey))disconnect 3D"),
    // LE Add Device To Resolving List fails before the host has no key; and succeeds.
    CauseStory(
        .keyMissing, "failed in frame 2",
        "\(identity)event 0E 04 01 27 20 07\nconnect peripheral\n✗ command 1B 20 02 4000\ndisconnect",
        "\(identity)event 0E 04 01 27 20 00\nconnect peripheral\ncommand 1B 20 02 4000\ndisconnect"),
    // The host exchanged the MTU, and does not answer the peer's exchange; and had not.
    CauseStory(
        .requestUnanswered, "The host had exchanged the MTU itself (frame 3)",
        "connect\n> 02 F700\n< 03 F700\n✗ < 02 F700\nwait 31000\ndisconnect",
        "connect\n✗ < 02 F700\nwait 31000\ndisconnect\ncommand 14 0C 00"),
    // The same; and Create Connection, which is of BR/EDR.
    CauseStory(
        .attemptFailed, "An attempt to connect was pending (frame 1)",
        attempt(timeout: "D007") + attempt(timeout: "D007", status: "✗ event 0F 04 0C 01 0D 20"),
        attempt(timeout: "D007") + "command 05 04 0D 665544332211 18CC 01 00 0000 01\nevent 0F 04 0C 01 05 04\n"),
    // Apple's controllers (Read Remote Version Information Complete), for an interval of 7.5 ms; and a controller of Nordic.
    CauseStory(
        .updateRefused, "The peer has a controller of Apple",
        "connect\nevent 0C 08 00 4000 0A 4C00 0000\n\(fastRequest)✗ l2cap 5 < 13 01 0200 0100\ndisconnect",
        "connect\nevent 0C 08 00 4000 0A 5900 0000\n\(fastRequest)l2cap 5 < 13 01 0200 0100\ndisconnect"),
    // Both sides begin a connection update at once; and the peer does not accept the parameters.
    CauseStory(
        .updateRefused, "Both sides began a procedure at once",
        "connect\n\(update)✗ event 3E 0A 03 23 4000 1800 0000 C800\n\(read)disconnect",
        "connect\n\(update)event 3E 0A 03 3B 4000 1800 0000 C800\n\(read)disconnect"),
    // Pairing Request and Pairing Response, and Pairing Failed of the host. The offers: IO Capability, OOB, AuthReq, key size. Vol 3,
    // Part H, 3.5.1, 3.5.2 and 3.5.5.
    CauseStory(
        .pairingFailed, "The peer allows keys of 7 octets (frame 3), and the host demands longer ones",
        "connect\nsmp > 01 03 00 09 10 03 03\nsmp < 02 03 00 09 07 03 03\n✗ smp > 05 06\ndisconnect",
        "connect\nsmp > 01 03 00 09 10 03 03\nsmp < 02 03 00 09 10 03 03\nsmp > 05 06\ndisconnect"),
    CauseStory(
        .pairingFailed, "Not the size: the peer allows keys of 16 octets (frame 3)",
        "connect\nsmp > 01 03 00 09 10 03 03\nsmp < 02 03 00 09 10 03 03\n✗ smp > 05 06\ndisconnect",
        "connect\nsmp > 01 03 00 09 10 03 03\nsmp < 02 03 00 09 07 03 03\nsmp > 05 06\ndisconnect"),
    CauseStory(
        .pairingFailed, "The host has no input and no output (frame 2): only Just Works is left",
        "connect\nsmp > 01 03 00 0D 10 03 03\n✗ smp < 05 03\ndisconnect",
        "connect\nsmp > 01 04 00 0D 10 03 03\nsmp < 05 03\ndisconnect"),
    CauseStory(
        .pairingFailed, "The peer does not offer LE Secure Connections (frame 3), which the host demands",
        "connect\nsmp > 01 04 00 0D 10 03 03\nsmp < 02 04 00 05 10 03 03\n✗ smp > 05 03\ndisconnect",
        "connect\nsmp > 01 04 00 05 10 03 03\nsmp < 02 04 00 05 10 03 03\nsmp > 05 03\ndisconnect"),
    // The peer closes five connections; and the host does.
    CauseStory(
        .reconnectStorm, "The peer closed each of the 5 connections before",
        repeated("connect\nwait 200\ndisconnect 13", 5) + "\n✗ connect\ndisconnect 13",
        repeated("connect\nwait 200\ndisconnect 16", 6)),
    // Identity Information of zeros, and of a key.
    CauseStory(
        .securityRequestIgnored, "Identity Resolving Key is all zero",
        "connect\nsmp < 08 00000000000000000000000000000000\ndisconnect\nconnect\n✗ smp < 0B 01\nwait 3000\ndisconnect 13\ncommand 14 0C 00",
        "connect\nsmp < 08 \(peerKey)\ndisconnect\nconnect\nsmp < 0B 01\nwait 3000\ndisconnect 13\ncommand 14 0C 00"),
]

/// Heart Rate with Heart Rate Measurement (0x0012) alone, without a descriptor.
private let notifying = """
    connect
    > 10 0100 FFFF 0028
    < 11 06 1000 1200 0D18
    > 10 1300 FFFF 0028
    < 11 06 1400 1500 0F18
    > 08 1400 1500 0328
    < 09 07 1400 10 1500 192A

    """

@Suite struct CauseTests {
    @Test(arguments: causeStories + controllerStories) func isFound(_ story: CauseStory) throws {
        let conversation = Conversation(story.has)
        let found = try #require(conversation.incidents().first { $0.kind == story.kind })
        expect(found.occurrences, equals: conversation.marked)
        #expect(found.cause.text.contains(story.cause), "\(found.cause.text)")
        #expect(found.cause.certainty != .unknown)
    }

    /// The fact that supports it is missing, or one refutes it.
    @Test(arguments: causeStories + controllerStories) func isNotInvented(_ story: CauseStory) throws {
        let found = try #require(Conversation(story.lacks).incidents().first { $0.kind == story.kind })
        #expect(!found.cause.text.contains(story.cause), "\(found.cause.text)")
    }

    /// Attempts of 30 s and of 3 s that the host cancels, with and without a connection in the capture.
    @Test(arguments: [
        (30_000, "", Incident.Weight.broke), (30_000, "connect\ndisconnect", .noted), (3_000, "", .noted),
    ])
    func anAttemptThatLeadsToNothing(time: Int, after: String, weight: Incident.Weight) throws {
        let conversation = Conversation(attempt + "wait \(time)\n\(failed("02"))" + after)
        let found = try #require(conversation.incidents().first { $0.kind == .attemptCancelled })
        expect(found.weight, equals: weight)
        expect(found.title, equals: weight == .broke ? "never connected" : "connection attempt cancelled")
    }

    /// The host calls a resolvable private address, gives up, and connects to the device: LE Enhanced Connection Complete has its identity,
    /// too. Core Specification, Vol 4, Part E, 7.7.65.10.
    @Test func anAttemptToAnAddressOfTheMoment() throws {
        let address = "C0FFEE33224A"
        let story = """
            command 0D 20 19 6000 3000 00 01 \(address) 00 1800 2800 0000 2A00 0000 0000
            event 0F 04 00 01 0D 20
            wait 30000
            event 3E 13 01 02 0000 00 01 \(address) 0000 0000 0000 00
            event 3E 1F 0A 00 4000 00 02 665544332211 000000000000 \(address) 1800 0000 C800 00
            > 0A 1500
            < 0B 01
            disconnect
            """
        let found = try #require(Conversation(story).incidents().first { $0.kind == .attemptCancelled })
        expect(found.weight, equals: .noted)
    }

    /// Values of 20 octets that end within a JSON text, before the client unsubscribes, and no more than two of them.
    @Test(arguments: [(4, true), (2, false)]) func valuesThatWereCutBeforeTheClientUnsubscribed(
        count: Int, isFound: Bool
    ) {
        let value = "7B2274656D70223A32312E352C2268756D692223"
        let story =
            heartRate + subscribe + repeated("wait 100\n< 1B 1200 \(value)", count)
            + "\n> 12 1300 0000\n< 13\ndisconnect"
        expect(Conversation(story).incidents().contains { $0.kind == .valuesCut }, equals: isFound)
    }

    /// `{"command":"set_mode`: three writes of it, and its parts.
    @Test(arguments: [
        ("7B22636F6D6D616E64223A227365745F6D6F6465", true), ("222C2276616C7565223A31323334353637383930", false),
    ])
    func writesThatWereCut(other: String, isFound: Bool) {
        let value = "> 12 1200 7B22636F6D6D616E64223A227365745F6D6F6465\n< 13\n"
        let others = repeated("> 12 1200 \(other)\n< 13", 2)
        let found = Conversation(declared("08") + value + others + "\ndisconnect").incidents().first {
            $0.kind == .valuesCut
        }
        expect(found != nil, equals: isFound)
        expect(found?.cause.text, equals: isFound ? "The client cuts values to the length of a PDU." : nil)
    }

    /// The side that gets an indication closes the connection at once, without a confirmation.
    @Test func anIndicationThatEndsTheConnection() throws {
        let found = Conversation(heartRate + "> 12 1300 0200\n< 13\n< 1D 1200 0048\nwait 200\ndisconnect 16")
            .incidents()
        expect(found.map(\.kind), equals: [.indicationUnconfirmed])
    }

    /// A write that is refused with Insufficient Authentication, and pairing, after which it is repeated or not.
    @Test(arguments: [
        ("wait 10000\n", true), ("wait 100\n> 12 1300 0100\n< 13\nwait 10000\n", false), ("wait 2000\n", false),
        ("> 12 1300 0100\n< 01 12 1300 05\nwait 10000\n", false), ("lose\nwait 10000\n> 0A 1500\n< 0B 01\n", false),
    ])
    func aRequestThatIsNotRepeated(after: String, isSaid: Bool) throws {
        let refused = heartRate + "> 12 1300 0100\n< 01 12 1300 05\n" + pairing + confirm + "encrypt\n"
        let found = Conversation(refused + after + "disconnect").incidents()
        let steps = found.filter { $0.kind == .subscriptionRefused }.flatMap(\.steps).map(\.text)
        expect(steps.contains("the request was not repeated after that"), equals: isSaid)
    }

    /// A stream of ten values a second before the reconnection, encrypted both times.
    @Test func aBondThatForgetsItsSubscriptions() throws {
        let before = heartRate + "encrypt\n" + subscribe + repeated("wait 100\n< 1B 1200 0048", 20) + "\ndisconnect\n"
        let silent = Conversation(before + "✗ connect\nencrypt\nwait 20000\n\(read)disconnect")
        let found = try #require(silent.incidents().first { $0.kind == .subscriptionNotRenewed })
        #expect(found.occurrences == silent.marked && found.cause.text.contains("does not keep"))
        // A value, a subscription, or a short time proves nothing.
        for other in ["< 1B 1200 0048\nwait 20000\n", "\(subscribe)wait 20000\n", "wait 5000\n"] {
            let incidents = Conversation(before + "connect\nencrypt\n\(other)\(read)disconnect").incidents()
            #expect(!incidents.contains { $0.kind == .subscriptionNotRenewed })
        }
    }

    /// The Client Characteristic Configuration was read after the reconnection: 0x0001, and 0x0000.
    @Test(arguments: [("0100", "kept the subscription"), ("0000", "did not keep")]) func aConfigurationThatWasRead(
        setting: String, cause: String
    ) throws {
        let before = heartRate + "encrypt\n" + subscribe + repeated("wait 100\n< 1B 1200 0048", 20) + "\ndisconnect\n"
        let after = "connect\nencrypt\n> 0A 1300\n< 0B \(setting)\nwait 20000\n\(read)disconnect"
        let found = try #require(
            Conversation(before + after).incidents().first { $0.kind == .subscriptionNotRenewed })
        #expect(found.cause.text.contains(cause), "\(found.cause.text)")
    }

    /// The timeout of 40 s (Core Specification, Vol 6, Part B, 5.2) cannot have passed in a shorter connection.
    @Test(arguments: [(1_300, "in the 1.3 s of the connection"), (40_000, "for 40 s")]) func aResponseTimeout(
        milliseconds: Int, time: String
    ) throws {
        let story = Conversation("connect\nwait \(milliseconds)\ndisconnect 22")
        let found = try #require(story.incidents().first { $0.kind == .noLinkLayerResponse })
        #expect(found.what.contains("was not answered \(time): "), "\(found.what)")
    }

    /// The peer closes the connection 50 ms after the request; and after a notification.
    @Test func aConnectionThatIsClosedAtARequest() {
        func closed(_ script: String) -> [Incident] {
            Conversation(script).incidents().filter { $0.title == "connection closed at Exchange MTU Request" }
        }
        expect(closed("connect\n> 02 0001\nwait 50\ndisconnect 13").map(\.frame), equals: [2])
        #expect(closed("connect\n> 02 0001\n< 1B 0300 01\nwait 50\ndisconnect 13").isEmpty)
        #expect(closed("connect\n> 02 0001\nwait 50\ndisconnect 16").isEmpty)
    }

    /// What the controller sent, of a discovery and two reads; and what the host sent.
    @Test(arguments: [
        "connect\n< 11 06 1000 1500 0D18\n< 01 10 1600 0A\n< 01 0A 1500 05\n< 0B 01\ndisconnect",
        "> 02 F700\n> 10 0100 FFFF 0028\n> 0A 1500\nwait 40000\n> 12 1300 0100",
    ]) func aLogOfOneDirection(script: String) {
        expect(Conversation(script).incidents().map(\.kind), equals: [.oneDirection])
    }

    /// A Write Request may ask the peer to leave; a Read Request does not.
    @Test(arguments: [("12 1500 01", Incident.Weight.noted), ("0A 1500", .hindered)])
    func aGoodbye(request: String, weight: Incident.Weight) throws {
        let found = Conversation("connect\n\(read)> \(request)\nwait 40\ndisconnect 13").incidents()
        #expect(found.map(\.kind) == [.requestUnanswered] && found[0].weight == weight)
    }

    /// The peer closes three connections after the same Write Command. The host connects again at once, or later.
    @Test(arguments: [(10, Incident.Weight.hindered), (5_000, .noted)])
    func aGoodbyeCommand(pause: Int, weight: Incident.Weight) {
        let found = Conversation(repeated("connect\n\(read)> 52 1500 01\nwait 40\ndisconnect 13\nwait \(pause)", 3))
            .incidents().filter { $0.kind == .closedByTimer }
        expect(found.map(\.weight), equals: [weight])
    }

    /// Bluetooth is switched off and on in half a second. The host closes the connection before HCI_Reset; and it does not.
    @Test(arguments: ["", "command 06 04 03 4000 15\nevent 0F 04 00 01 06 04\n", "wait 2000\n"])
    func bluetoothOffAndOn(before: String) {
        let reset = "command 03 0C 00\nevent 0E 04 01 03 0C 00\nwait 500\n"
        let found = Conversation(heartRate + before + reset + attempt + "connect\ndisconnect 16").incidents()
        #expect(found.map(\.kind) == [.controllerGone] && found[0].weight == .noted)
    }

    /// The capture ends during the pairing that a refusal began, or right after it; 10 s later; and without a pairing.
    @Test(arguments: [
        ("\(pairing)\(confirm)", Incident.Weight.noted), ("\(pairing)\(confirm)encrypt\nwait 1000\n", .noted),
        ("\(pairing)\(confirm)encrypt\nwait 10000\n", .broke), ("", .broke),
    ])
    func aCaptureThatEndsDuringPairing(after: String, weight: Incident.Weight) throws {
        let script = "\(heartRate)> 0A 1500\n< 01 0A 1500 05\n\(after)advertise 112233445566"
        let found = try #require(Conversation(script).incidents().first { $0.kind == .requestRefused })
        expect(found.weight, equals: weight)
        expect(found.next == "Record for longer.", equals: weight == .noted)
    }

    /// Connection Parameter Update Response: rejected; and accepted later. LE Connection Update Complete with an error; and with success.
    @Test func anUpdateThatIsAcceptedLater() throws {
        let request = "l2cap 5 < 12 01 0800 5000 A000 0000 9001\n"
        let refused = "connect\n\(request)l2cap 5 > 13 01 0200 0100\nwait 1000\n"
        let failed = "connect\n\(update)event 3E 0A 03 3B 4000 1800 0000 C800\n"
        for (script, weight) in [
            (refused, Incident.Weight.hindered), (failed, .hindered),
            (refused + request + "l2cap 5 > 13 02 0200 0000\nevent 3E 0A 03 00 4000 A000 0000 9001\n", .noted),
            // Parameters of the host's choice.
            (refused + "event 3E 0A 03 00 4000 1800 0000 C800\n", .hindered),
            (failed + "\(update)event 3E 0A 03 00 4000 0C00 0000 C800\n", .noted),
        ] {
            let found = Conversation(script + read + "disconnect").incidents()
            #expect(found.map(\.kind) == [.updateRefused] && found[0].weight == weight, "\(script)")
            expect(found.first?.title.hasSuffix("accepted later"), equals: weight == .noted)
        }
    }

    /// LE Create Connection, and LE Connection Complete that was cut.
    @Test func anEventThatWasCutMayHaveBeenTheEndOfAnAttempt() {
        let pending = Conversation("\(attempt(timeout: "D007"))wait 20000\nadvertise 112233445566").incidents()
        expect(pending.map(\.kind), equals: [.attemptPending])
        let cut = "\(attempt(timeout: "D007"))event 3E 13 01 00 4000 00\nwait 20000\nadvertise 112233445566"
        #expect(Conversation(cut).incidents().isEmpty)
    }

    /// A part is refused, and the queue is left as it is.
    @Test func aQueueThatWasNotCancelled() throws {
        let parts = "> 16 1500 0000 0102\n< 17 1500 0000 0102\n> 16 1500 0200 0102\n< 01 16 1500 09\ndisconnect 16"
        let found = try #require(
            Conversation(heartRate + parts).incidents().first { $0.kind == .longWriteNotExecuted })
        #expect(found.next.contains("flag 0x00"))
    }

    /// Links lost one after the other, in milliseconds after the first.
    ///
    /// - Parameter isLeft: The devices advertise before.
    private func lost(_ times: [Int], isLeft: Bool = false) -> [Incident] {
        var packets: [Packet] = []
        for index in times.indices {
            packets.append(.connected("F2F2F2F2F20\(index)", handle: 0x40 + index).at(microseconds: index))
        }
        for index in times.indices where isLeft {
            packets.append(.advertisement(of: "F2F2F2F2F20\(index)").at(microseconds: 35_000_000 + index))
        }
        for (index, time) in times.enumerated() {
            packets.append(
                .disconnected(handle: 0x40 + index, reason: 0x08).at(microseconds: 40_000_000 + time * 1_000))
        }
        return document(of: packets) { IncidentCollector(values: $0) }.incidents.filter { $0.kind == .linkLost }
    }

    /// Three devices that are lost soon after each other are one story of this host; two, or later ones, are not.
    @Test func severalDevicesAreOneStory() throws {
        for times in [[0, 50, 100], [0, 100_000, 200_000, 300_000]] {
            let found = lost(times)
            let story = try #require(found.first)
            #expect(found.count == 1 && story.headline == "connection lost with \(times.count) devices")
            #expect(story.count == times.count && story.occurrences == Array(times.count + 1...2 * times.count))
            try #require(story.steps.count == times.count && story.place.peer == nil)
            #expect(story.steps[0].text.hasPrefix("00:F2:F2:F2:F2:F2: Connection lost"))
            #expect(story.cause.certainty == .likely && story.cause.text.contains("this host"))
            expect(story.cause.text.hasPrefix("All at once"), equals: times[1] == 50)
        }
        expect(lost([0, 50]).count, equals: 2)
        // They left the connections themselves.
        let left = lost([0, 50, 100], isLeft: true)
        #expect(left.count == 3 && left.allSatisfy { $0.cause.text.contains("it had left the connection") })
        expect(lost([0, 121_000, 242_000]).count, equals: 3)
    }

    /// The same failure of encryption ends the procedure and the link.
    @Test func oneFailureIsOneIncident() {
        let incidents = Conversation("connect\n\(enable(ownKey))event 08 04 3D 4000 00\ndisconnect 3D").incidents()
        expect(incidents.filter { $0.weight == .broke }.map(\.kind), equals: [.integrityFailed])
        let other = Conversation("connect\n\(enable(ownKey))event 08 04 05 4000 00\ndisconnect 3D").incidents()
        expect(other.filter { $0.weight == .broke }.map(\.kind), equals: [.integrityFailed])
    }

    /// Read Request and its refusal for lack of authentication, and Pairing Failed: what to look at comes first.
    @Test func aFailedPairingComesBeforeWhatItRefuses() {
        let refused = "> 0A 1500\n< 01 0A 1500 05\n"
        let incidents = Conversation("\(heartRate)\(refused)\(pairing)\(confirm)smp < 05 04\n\(refused)disconnect")
            .incidents()
        expect(incidents.map(\.kind), equals: [.pairingFailed, .requestRefused])
        expect(incidents.map(\.weight), equals: [.broke, .hindered])
        expect(incidents[1].count, equals: 2)
    }

    /// After a Write Request the values of Heart Rate Measurement come under another handle, and then stop.
    @Test func aStreamThatMovedAndStoppedIsOneIncident() {
        let moved =
            heartRate + subscribe + repeated("wait 999\n< 1B 1200 0048", 10) + "\n> 12 1500 01\n< 13\n"
            + repeated("wait 999\n< 1B 1500 0048", 10) + "\nwait 30000\n\(read)disconnect"
        expect(Conversation(moved).incidents().map(\.kind), equals: [.notifiedOnAnotherHandle])
    }

    /// Characteristic declarations of another table, with Battery Level at the handle of an indication of before.
    @Test func anAttributeHasTheNameOfItsTime() throws {
        let incidents = Conversation(
            heartRate + "< 1D 1200 0048\n> 08 0100 FFFF 0328\n< 09 07 1100 12 1200 192A\nwait 31000\ndisconnect"
        ).incidents()
        let unconfirmed = try #require(incidents.first { $0.kind == .indicationUnconfirmed })
        #expect(unconfirmed.title.contains("Heart Rate Measurement"))
    }

    /// Client Characteristic Configuration: 0x0100 in a Write Request, 0x0001 in a Write Command, and 0x0001 in a Write Request.
    @Test(arguments: [
        ("> 12 1300 0001\n< 13\n", "subscribed to with 0x0100", "its octets are swapped"),
        ("> 52 1300 0100\n", "subscribed to with Write Command", "may ignore the command"),
        ("> 12 1300 0100\n< 13\n", nil, ""),
    ])
    func aSubscriptionThatSubscribesNobody(_ written: String, _ title: String?, _ cause: String) throws {
        let found = Conversation("\(heartRate)\(written)wait 12000\n\(read)disconnect").incidents()
            .filter { $0.kind == .subscriptionMissing }
        expect(found.map(\.title), equals: title.map { ["Heart Rate Measurement \($0)"] } ?? [])
        #expect(found.allSatisfy { $0.cause.text.contains(cause) })
        let heard = Conversation("\(heartRate)\(written)wait 12000\n< 1B 1200 0048\ndisconnect").incidents()
        #expect(!heard.contains { $0.kind == .subscriptionMissing })
    }

    /// A request of the peer that the host does not answer, until the peer closes the connection; and the host does.
    @Test(arguments: [("13", 8000, Incident.Weight.broke), ("13", 2000, .hindered), ("16", 8000, .hindered)])
    func aSideThatGivesUp(_ reason: String, _ time: Int, _ weight: Incident.Weight) throws {
        let script = heartRate + "< 02 F700\nwait \(time)\n\(read)disconnect \(reason)"
        let found = try #require(Conversation(script).incidents().first { $0.kind == .requestUnanswered })
        expect(found.weight, equals: weight)
    }

    /// A channel that is refused, and accepted after pairing.
    @Test func aChannelThatIsAcceptedLater() {
        let again = "l2cap 5 > 14 02 0A00 2500 4000 0002 0002 0A00\nl2cap 5 < 15 02 0A00 4000 0002 0002 0A00 0000\n"
        let found = Conversation("connect\n\(channel)\(refused("0500"))\(again)disconnect").incidents()
        expect(found.map(\.kind), equals: [.channelRefused])
        expect(
            found.map(\.title), equals: ["channel of PSM 0x0025 refused: insufficient authentication, accepted later"])
        expect(found.map(\.weight), equals: [.hindered])
    }

    /// The first part of a value is refused after a refused Execute Write Request, and before any.
    @Test func aQueueThatIsNotEmptied() {
        let execution = "> 16 1500 0000 0102\n< 17 1500 0000 0102\n> 18 01\n< 01 18 1500 80\n"
        let part = "> 16 1500 0000 0102\n< 01 16 1500 09\n"
        func causes(_ script: String) -> [String] {
            Conversation(heartRate + script + "disconnect").incidents().map(\.cause.text)
        }
        let cause = "although it refused Execute Write Request in frame 11"
        #expect(causes(execution + part).contains { $0.contains(cause) })
        #expect(!causes(part + execution).contains { $0.contains(cause) })
    }

    /// A part of a long write that is refused: the same part is accepted later, and then the whole is written or cancelled.
    @Test(arguments: [("01", true), ("00", false)])
    func aLongWriteThatSucceedsLater(_ flags: String, _ isAccepted: Bool) throws {
        let script =
            heartRate
            + "> 16 1500 0000 0102\n< 17 1500 0000 0102\n> 16 1500 0200 0304\n< 01 16 1500 11\n> 18 00\n< 19\n"
            + "> 16 1500 0000 0102\n< 17 1500 0000 0102\n> 16 1500 0200 0304\n< 17 1500 0200 0304\n> 18 \(flags)\n< 19\ndisconnect"
        let refused = try #require(Conversation(script).incidents().first { $0.kind == .requestRefused })
        expect(refused.title.hasSuffix("accepted later"), equals: isAccepted)
        expect(refused.weight, equals: isAccepted ? .hindered : .broke)
    }

    /// LE Advertising Report of a public address with Flags of 0x02 and 0x06, and Page Timeout for it.
    @Test(arguments: [("02", Incident.Weight.hindered), ("06", .noted)])
    func aDeviceOfLEThatIsPaged(_ flags: String, _ weight: Incident.Weight) throws {
        let script =
            "event 3E 0F 02 01 00 00 665544332211 03 0201\(flags) C8\ncommand 05 04 0D 665544332211 18CC 01 00 0000 01\n"
            + "event 0F 04 00 01 05 04\nevent 03 0B 04 0000 665544332211 01 00"
        let found = try #require(Conversation(script).incidents().first { $0.kind == .attemptFailed })
        expect(found.weight, equals: weight)
        expect(found.cause.text.contains("BR/EDR (0x04)"), equals: weight == .hindered)
    }

    /// Pairing Failed by both sides; on a BR/EDR connection, Simple Pairing Complete and Authentication Complete.
    @Test(arguments: [
        "connect\n\(pairing)\(confirm)smp < 05 04\nsmp > 05 08\ndisconnect",
        "event 03 0B 00 0B00 F2F2F2F2F2F2 01 00\nevent 36 07 05 F2F2F2F2F2F2\nevent 06 03 05 0B00",
    ]) func oneFailedPairingIsOneIncident(script: String) {
        let failed = Conversation(script).incidents().filter { $0.kind == .pairingFailed }
        #expect(failed.count == 1 && failed[0].count == 1)
    }

    /// Each value answers a write, and the client writes no more.
    @Test func answersDoNotStop() {
        let asked = repeated("wait 999\n> 52 1500 01\n< 1B 1200 0048", 12)
        let incidents = Conversation(heartRate + subscribe + asked + "\nwait 60000\n> 52 1500 01\ndisconnect")
            .incidents()
        #expect(!incidents.contains { $0.kind == .valuesStopped })
    }

    /// Without HCI events: the last PDU of a connection is a request, and the host continues with another handle.
    @Test func aRequestBeforeTheNextConnection() throws {
        let first = Conversation("> 0A 1500\n< 0B 01\n> 02 0001").packets
        var second = Conversation("wait 36000\n> 0A 1500\n< 0B 01").packets
        // Connection_Handle.
        for index in second.indices { second[index].octets[0] = 0x41 }
        let incidents = document(of: first + second) { IncidentCollector(values: $0) }.incidents
        let found = try #require(incidents.first { $0.kind == .requestUnanswered })
        #expect(found.occurrences == [3] && found.weight == .broke)
        let alone = Conversation("> 0A 1500\n< 0B 01\n> 02 0001\nwait 36000\nadvertise 112233445566").incidents()
        #expect(!alone.contains { $0.kind == .requestUnanswered })
    }

    /// A log without HCI events shows no lost connection.
    @Test func whatALogCannotShow() {
        func model(_ script: String) -> IncidentsModel {
            document(of: Conversation(script).packets) { IncidentCollector(values: $0) }
        }
        let bare = model("> 0A 1500\n< 0B 01")
        #expect(bare.headline == "Nothing broke that this log can show" && bare.hidden.count == 1)
        let whole = model("connect\n> 0A 1500\n< 0B 01\ndisconnect")
        #expect(whole.headline == "Nothing broke" && whole.hidden.isEmpty)
        // Without events nothing is said about updates that were accepted and do not come.
        let accepted =
            "l2cap 5 < 12 01 0800 5000 A000 0000 9001\nl2cap 5 > 13 01 0200 0000\nwait 40000\n> 0A 1500\n< 0B 01"
        #expect(!model(accepted).incidents.contains { $0.kind == .updateNotMade })
    }

    /// Nothing is denied of a connection that the sniffer did not hear.
    @Test func aConnectionThatWasNotHeardIsNotJudged() {
        let air = Air()
        func model(_ packets: [Packet]) -> IncidentsModel { document(of: packets) { IncidentCollector(values: $0) } }
        let silent = model([air.connect(time: 1_000_000)])
        expect(silent.headline, equals: "Nothing broke that this log can show")
        #expect(silent.hidden.first?.hasPrefix("1 connection was not heard after CONNECT_IND: ") == true)
        let heard = model([air.connect(time: 1_000_000), air.empty(.tx, sn: 0, nesn: 0, time: 1_010_000)])
        #expect(heard.headline == "Nothing broke" && heard.hidden.isEmpty)
    }

    /// They are no incidents, and are said all the same. Those that the host asked for are not.
    @Test func endsByThePeripheral() {
        func sentence(_ script: String) -> String? {
            let packets = Conversation(script).packets
            return document(of: packets) { IncidentCollector(values: $0) }.closings.sentence
        }
        expect(
            sentence("connect\ndisconnect 13"),
            equals: "The peer closed the connection in frame 2; this host had not asked for it.")
        expect(
            sentence(repeated("connect\ndisconnect 13", 4)),
            equals:
                "4 connections were closed by the peer, in frames 2, 4, 6 and others; this host had not asked for it."
        )
        #expect(sentence("connect\ndisconnect 16") == nil && sentence("connect\ndisconnect 08") == nil)
    }

    /// A log that begins in the middle of a connection has its end.
    @Test func theEndOfAConnectionFromBeforeTheCapture() {
        // Disconnection Complete of the handle 0x0040. Vol 4, Part E, 7.7.5.
        func found(_ reason: String) -> [Incident.Kind] {
            Conversation("event 05 04 00 40 00 \(reason)").incidents().map(\.kind)
        }
        #expect(found("08") == [.linkLost] && found("3D") == [.integrityFailed])
        #expect(found("13") == [] && found("16") == [])
        // It may be a synchronous link of the first.
        let two = "connect\ndisconnect 08\nevent 05 04 00 80 00 08"
        expect(Conversation(two).incidents().map(\.count), equals: [1])
    }

    /// What shows the system: a command of Android's host, and a note of the Linux kernel.
    @Test(arguments: [
        ("command 53 FD 00", "createBond()"), ("", ""),
    ]) func adviceIsForThePlatform(_ sign: String, _ way: String) throws {
        let refused = "connect\n> 0A 1500\n< 01 0A 1500 05\nwait 1000\ndisconnect"
        let next = try #require(Conversation("\(sign)\n\(refused)").incidents().first).next
        #expect(next.hasPrefix("Pair first, then repeat the request."))
        #expect(way.isEmpty ? !next.contains(":") : next.contains(way))
    }

    /// Hosts differ in what they do; a log whose host is unknown gets advice that is true of all.
    @Test func everyPlatformAdviceIsGiven() {
        for advice in PlatformAdvice.allCases {
            #expect([.android, .apple, .linux, .windows, .zephyr].contains { advice.way(on: $0) != nil })
            #expect(advice.way(on: .app) == nil)
        }
    }
}

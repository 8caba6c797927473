import AttlasIncidents
import AttlasTestSupport
import Testing

/// One conversation that has an incident, where `✗` marks its records, and one that looks like it and has none.
struct IncidentStory: Sendable, CustomTestStringConvertible {
    let kind: Incident.Kind
    let weight: Incident.Weight
    let has: String
    let lacks: String
    let certainty: Incident.Cause.Certainty

    init(
        _ kind: Incident.Kind, _ weight: Incident.Weight, _ certainty: Incident.Cause.Certainty, _ has: String,
        _ lacks: String
    ) {
        self.kind = kind
        self.weight = weight
        self.certainty = certainty
        self.has = has
        self.lacks = lacks
    }

    var testDescription: String { kind.rawValue }
}

/// LE Advertising Report of F2:F2:F2:F2:F2:F2 with an address type: connectable, no data, −60 dBm. Vol 4, Part E, 7.7.65.2.
private func advertised(_ type: String) -> String { "3E 0C 02 01 00 \(type) F2F2F2F2F2F2 00 C4" }

/// LE Create Connection to a device of the Filter Accept List, and its Command Status. Vol 4, Part E, 7.8.12.
private let listed =
    "command 0D 20 19 6000 3000 01 00 000000000000 01 1800 2800 0000 4800 0000 0000\nevent 0F 04 00 01 0D 20\n"

/// LE Connection Complete with Unknown Connection Identifier, without an address. Vol 4, Part E, 7.7.65.1.
private let cancelled = "event 3E 13 01 02 0000 00 00 000000000000 0000 0000 0000 00\n"

/// 19 letters.
private let letters = String(repeating: "41", count: 19)

/// Read Local Name: a packet of the host, without which the log may have one direction only.
private let ofHost = "command 14 0C 00"

let linkStories: [IncidentStory] = [
    // Connection Timeout, and Remote User Terminated Connection.
    IncidentStory(
        .linkLost, .broke, .unknown, heartRate + "wait 800\n✗ disconnect 08", heartRate + "wait 800\ndisconnect 13"),
    // Disconnect, and its end 6 s later, a supervision timeout of 6 s; and 200 ms later.
    IncidentStory(
        .linkLost, .hindered, .proved, "connect\n\(sixSeconds)command 06 04 03 4000 13\nwait 6000\n✗ disconnect 16",
        "connect\n\(sixSeconds)command 06 04 03 4000 13\nwait 200\ndisconnect 16"),
    IncidentStory(.instantPassed, .broke, .proved, "connect\n✗ disconnect 28", "connect\ndisconnect 16"),
    IncidentStory(.noLinkLayerResponse, .broke, .unknown, "connect\n✗ disconnect 22", "connect\ndisconnect 16"),
    // Authenticated Payload Timeout Expired.
    IncidentStory(
        .payloadTimeout, .broke, .likely, "connect\nencrypt\nwait 31000\n✗ event 57 02 4000\ndisconnect 16",
        "connect\nencrypt\nwait 31000\ndisconnect 16"),
    // Called as random where it advertises as public; and heard under both types, which two devices may do.
    IncidentStory(
        .wrongAddressType, .broke, .likely,
        "event \(advertised("00"))\n✗ \(attempt)wait 20000\n\(failed("02"))event \(advertised("00"))",
        "event \(advertised("00"))\nevent \(advertised("01"))\n\(attempt)wait 4000\n\(failed("02"))event \(advertised("00"))"
    ),
    IncidentStory(
        .integrityFailed, .broke, .likely, "connect\nencrypt\n✗ disconnect 3D", "connect\nencrypt\ndisconnect"),
    // The second failure ends a connection that was reported.
    IncidentStory(
        .neverEstablished, .broke, .proved, attempt + "✗ \(failed("3E"))" + attempt + "connect\n✗ disconnect 3E",
        attempt + "connect\ndisconnect"),
    // Connection Limit Exceeded; and the host cancels.
    IncidentStory(
        .attemptFailed, .broke, .proved, attempt + "✗ \(failed("09"))", attempt + failed("02") + attempt + "connect"),
    IncidentStory(
        .attemptCancelled, .noted, .proved, attempt + "wait 3000\n✗ \(failed("02"))", attempt + "wait 3000\nconnect"),
    // Pending for 10 s, after an attempt that was cancelled; and for half a second.
    IncidentStory(
        .attemptPending, .broke, .unknown,
        attempt + "wait 30000\n\(failed("02"))✗ \(attempt)wait 10000\nadvertise 112233445566",
        attempt + "wait 500\nadvertise 112233445566"),
    // Authentication Failure, with nothing before it that says so.
    IncidentStory(.endedWithError, .broke, .proved, "connect\n✗ disconnect 05", "connect\ndisconnect 13"),
    // In the Filter Accept List as random, heard as public; and as public. LE Create Connection by the list, cancelled after 20 s.
    IncidentStory(
        .wrongAddressType, .broke, .likely,
        "command 11 20 07 01 F2F2F2F2F2F2\nevent \(advertised("00"))\n\(listed)wait 20000\n✗ \(cancelled)",
        "command 11 20 07 00 F2F2F2F2F2F2\nevent \(advertised("00"))\n\(listed)wait 20000\n\(cancelled)"),
    // It advertises for 20 s after the link was lost; and the host connects again.
    IncidentStory(
        .notReconnected, .hindered, .proved,
        "connect\ndisconnect 08\n✗ advertise F2F2F2F2F2F2\nwait 20000\nadvertise F2F2F2F2F2F2",
        "connect\ndisconnect 08\nadvertise F2F2F2F2F2F2\nwait 20000\nadvertise F2F2F2F2F2F2\nconnect"),
    // Activate and Reset is written, and the supervision timeout passes; and Validate.
    IncidentStory(
        .deviceRestarted, .noted, .likely, legacyUpdate + "✗ > 52 1200 05\nwait 4000\ndisconnect 08",
        legacyUpdate + "> 52 1200 04\nwait 4000\ndisconnect 08"),
    // Six connections in a second, and five.
    IncidentStory(
        .reconnectStorm, .hindered, .proved, repeated("connect\ndisconnect 16", 5) + "\n✗ connect\ndisconnect",
        repeated("connect\ndisconnect", 5)),
    // The host closes three connections, each after 5 s; and after other times.
    IncidentStory(
        .closedByTimer, .hindered, .likely,
        closedAfterWrite("✗ disconnect 13", waits: 60)
            + repeated(closedAfterWrite("disconnect 13", waits: 60), 2),
        closedAfterWrite("disconnect 13", waits: 60) + closedAfterWrite("disconnect 13", waits: 700)
            + closedAfterWrite("disconnect 13", waits: 2_000)),
    IncidentStory(
        .closedByTimer, .noted, .likely,
        "connect\nwait 5000\n✗ disconnect 16\n" + repeated("connect\nwait 5000\ndisconnect 16", 2),
        repeated("connect\nwait 5000\ndisconnect 16", 2) + "\nconnect\nwait 7000\ndisconnect 16"),
]

/// LE Set Advertising Parameters with type 0x01, and LE Set Advertising Enable, with their ends. Vol 4, Part E, 7.8.5 and 7.8.9.
private let directed = """
    command 06 20 0F 0008 0008 01 00 00 665544332211 07 00
    event 0E 04 01 06 20 00
    command 0A 20 01 01
    ✗ event 0E 04 01 0A 20 00

    """
private let advertisingOff = "command 0A 20 01 00\nevent 0E 04 01 0A 20 00\n"
private let twentyThree = "000102030405060708090A0B0C0D0E0F10111213141516"

/// Write Request of 0x0012, its response, and the end of the connection.
private func closedAfterWrite(_ end: String, waits time: Int) -> String {
    "connect\n> 12 1200 01\n< 13\nwait \(time)\n\(end)\n"
}

/// LE Connection Update Complete: 30 ms, a supervision timeout of 6 s. Vol 4, Part E, 7.7.65.3.
private let sixSeconds = "event 3E 0A 03 00 4000 1800 0000 5802\n"

let securityStories: [IncidentStory] = [
    IncidentStory(
        .pairingFailed, .broke, .likely, "connect\n" + pairing + confirm + "✗ smp < 05 04",
        "connect\n" + pairing + confirm + "smp < 04 202122232425262728292A2B2C2D2E2F\nencrypt\ndisconnect"),
    // The peer does not answer the Pairing Random, and the host gives up; or the capture ends.
    IncidentStory(
        .pairingUnfinished, .broke, .likely, "connect\n" + pairing + confirm + "wait 9000\n✗ disconnect 16",
        "connect\n" + pairing + confirm),
    // Encryption Change with PIN or Key Missing.
    IncidentStory(
        .encryptionFailed, .broke, .proved,
        "connect\ncommand 19 20 1C 4000 0000000000000000 0000 00000000000000000000000000000000\n✗ event 08 04 06 4000 00",
        "connect\ncommand 19 20 1C 4000 0000000000000000 0000 00000000000000000000000000000000\nencrypt"),
    // LE Long Term Key Request Negative Reply, and LE Long Term Key Request Reply.
    IncidentStory(
        .keyMissing, .broke, .proved, "connect peripheral\n✗ command 1B 20 02 4000",
        "connect peripheral\ncommand 1A 20 12 4000 00000000000000000000000000000000\nencrypt"),
    IncidentStory(
        .pairedAgain, .noted, .unknown,
        "connect\n\(pairing)encrypt\ndisconnect\nconnect\n✗ smp > 01 04 00 05 10 07 07\nencrypt\ndisconnect",
        "connect\n\(pairing)encrypt\ndisconnect\nconnect\nencrypt\ndisconnect"),
    // Security Request, and 9 s without anything; and the central encrypts.
    IncidentStory(
        .securityRequestIgnored, .broke, .likely,
        "connect\nsmp < 0B 01\nwait 30\ndisconnect 16\nconnect\n✗ smp < 0B 01\nwait 30\ndisconnect 16\n\(ofHost)",
        "connect\nsmp < 0B 01\nwait 30\ndisconnect 16\nconnect\nsmp < 0B 01\nencrypt\nwait 30\ndisconnect 16"),
    // The central reads a value before it closes the connection.
    IncidentStory(
        .securityRequestIgnored, .broke, .likely,
        "connect\nsmp < 0B 01\nwait 30\ndisconnect 16\nconnect\n✗ smp < 0B 01\nwait 30\ndisconnect 16\n\(ofHost)",
        repeated("connect\nsmp < 0B 01\n> 0A 1500\n< 0B 41\nwait 30\ndisconnect 16", 2)),
    IncidentStory(
        .securityRequestIgnored, .hindered, .unknown, "connect\n✗ smp < 0B 01\nwait 9000\ndisconnect 16\n\(ofHost)",
        "connect\nsmp < 0B 01\nencrypt\nwait 9000\ndisconnect"),
    IncidentStory(
        .sentDuringEncryptionSetup, .noted, .proved,
        heartRate
            + "command 19 20 1C 4000 0000000000000000 0000 00000000000000000000000000000000\n✗ > 0A 1500\nencrypt\n< 0B 01\ndisconnect",
        heartRate
            + "command 19 20 1C 4000 0000000000000000 0000 00000000000000000000000000000000\nencrypt\n> 0A 1500\n< 0B 01\ndisconnect"
    ),
]

let requestStories: [IncidentStory] = [
    // Read Not Permitted; and Attribute Not Found, which ends a discovery.
    IncidentStory(
        .requestRefused, .broke, .proved, heartRate + "> 0A 1500\n✗ < 01 0A 1500 02\ndisconnect",
        heartRate + "> 10 1600 FFFF 0028\n< 01 10 1600 0A\ndisconnect"),
    // 30 s; and the capture ends after one.
    IncidentStory(
        .requestUnanswered, .broke, .unknown, heartRate + "✗ > 0A 1500\nwait 31000\ndisconnect 16",
        heartRate + "> 0A 1500\nwait 1000\nadvertise 112233445566"),
    // One request; and several, as in a log of what the host sent.
    IncidentStory(
        .requestUnanswered, .broke, .unknown, "connect\n✗ > 0A 1500\nwait 31000\ndisconnect 16",
        "> 02 F700\n> 10 0100 FFFF 0028\n> 0A 1500\nwait 31000\n> 12 1300 0100"),
    // A Read Response for nobody's request; and one for a request before the capture.
    IncidentStory(
        .unrequestedResponse, .noted, .unknown, heartRate + "> 0A 1500\n< 0B 01\n✗ < 0B 01\ndisconnect",
        "lose\n< 0B 01\n> 0A 1500\n< 0B 01"),
    // A value of exactly MTU − 1 octets, in reply to Read Blob Request; and the empty answer that the specification wants.
    IncidentStory(
        .readPastEnd, .noted, .likely,
        heartRate
            + "> 0A 1500\n< 0B 00112233445566778899AABBCCDDEEFF001122334455\n> 0C 1500 1600\n✗ < 01 0C 1500 07\ndisconnect",
        heartRate + "> 0A 1500\n< 0B 00112233445566778899AABBCCDDEEFF001122334455\n> 0C 1500 1600\n< 0D\ndisconnect"),
    IncidentStory(
        .longWriteNotExecuted, .broke, .proved, heartRate + "> 16 1500 0000 0102\n< 17 1500 0000 0102\n✗ disconnect 16",
        heartRate + "> 16 1500 0000 0102\n< 17 1500 0000 0102\n> 18 00\n< 19\ndisconnect 16"),
    // Set Target Power is refused with Control Not Permitted; and succeeds after Request Control.
    IncidentStory(
        .procedureFailed, .broke, .proved,
        fitnessMachine + "> 12 1200 059600\n< 13\n✗ < 1D 1200 800505\n> 1E\ndisconnect",
        fitnessMachine + requestControl + "> 12 1200 059600\n< 13\n< 1D 1200 800501\n> 1E\ndisconnect"),
    IncidentStory(
        .databaseOutOfSync, .hindered, .proved, heartRate + "> 0A 1500\n✗ < 01 0A 1500 12\ndisconnect",
        heartRate + "> 0A 1500\n< 0B 01\ndisconnect"),
]

let valueStories: [IncidentStory] = [
    IncidentStory(
        .subscriptionRefused, .broke, .proved, heartRate + "> 12 1300 0100\n✗ < 01 12 1300 03\ndisconnect",
        heartRate + subscribe + "disconnect"),
    // Connected again for 20 s; and subscribed again.
    IncidentStory(
        .subscriptionNotRenewed, .broke, .proved,
        heartRate + subscribe + "< 1B 1200 0048\ndisconnect\n✗ connect\nwait 20000\ndisconnect 16",
        heartRate + subscribe + "< 1B 1200 0048\ndisconnect\nconnect\n" + subscribe
            + "< 1B 1200 0048\nwait 20000\ndisconnect 16"),
    IncidentStory(
        .noValues, .broke, .unknown, heartRate + "> 12 1300 0100\n✗ < 13\nwait 20000\ndisconnect 16",
        heartRate + subscribe + "wait 1000\n< 1B 1200 0048\nwait 20000\ndisconnect 16"),
    // Treadmill Data after Start or Resume; and the machine is not started.
    IncidentStory(
        .noValues, .broke, .unknown,
        treadmill + "✗ > 12 1600 07\n< 13\n< 1D 1600 800701\n> 1E\nwait 20000\ndisconnect 16",
        treadmill + "wait 20000\ndisconnect 16"),
    // Eleven values, then 30 s without; the last one is marked. And in flight when the client ends the subscription.
    IncidentStory(
        .valuesStopped, .broke, .unknown,
        heartRate + subscribe + repeated("wait 999\n< 1B 1200 0048", 10)
            + "\nwait 999\n✗ < 1B 1200 0048\nwait 30000\ndisconnect 16",
        heartRate + subscribe + repeated("wait 999\n< 1B 1200 0048", 10)
            + "\n> 12 1300 0000\n< 1B 1200 0048\n< 13\nwait 30000\ndisconnect 16"),
    IncidentStory(
        .indicationUnconfirmed, .broke, .unknown, heartRate + "✗ < 1D 1200 0048\nwait 31000\ndisconnect 16",
        heartRate + "< 1D 1200 0048\n> 1E\nwait 31000\ndisconnect 16"),
    // Service Changed at 0x0022, 0x0023.
    IncidentStory(
        .changeNotDiscovered, .hindered, .proved,
        heartRate
            + "> 08 1600 FFFF 0328\n< 09 07 2100 20 2200 052A\n✗ < 1D 2200 0100 FFFF\n> 1E\nwait 12000\ndisconnect 16",
        heartRate
            + "> 08 1600 FFFF 0328\n< 09 07 2100 20 2200 052A\n< 1D 2200 0100 FFFF\n> 1E\n> 10 0100 FFFF 0028\n< 11 06 1000 1500 0D18\nwait 12000\ndisconnect 16"
    ),
    // The client reads a handle of before; and it discovers the service again first.
    IncidentStory(
        .changeNotDiscovered, .hindered, .proved,
        heartRate
            + "> 08 1600 FFFF 0328\n< 09 07 2100 20 2200 052A\n< 1D 2200 0100 FFFF\n> 1E\n✗ > 0A 1200\n< 0B 00\ndisconnect 16",
        heartRate
            + "> 08 1600 FFFF 0328\n< 09 07 2100 20 2200 052A\n< 1D 2200 0100 FFFF\n> 1E\n> 10 0100 FFFF 0028\n< 11 06 1000 1500 0D18\n"
            + "> 08 1000 1500 0328\n< 09 07 1100 12 1200 372A\n> 0A 1200\n< 0B 00\ndisconnect 16"
    ),
    // The client writes to the service for 12 s, and does not subscribe; and it does.
    IncidentStory(
        .subscriptionMissing, .hindered, .proved, "✗ \(heartRate)> 12 1500 01\n< 13\nwait 12000\ndisconnect 16",
        heartRate + subscribe + "< 1B 1200 0048\n> 12 1500 01\n< 13\nwait 12000\ndisconnect 16"),
    // Every second 0x0012, then 0x0015 after it was written; and both are subscribed to.
    IncidentStory(
        .notifiedOnAnotherHandle, .broke, .likely,
        heartRate + subscribe + repeated("wait 999\n< 1B 1200 0048", 10) + "\n> 12 1500 01\n< 13\n"
            + "wait 997\n✗ < 1B 1500 0048\n" + repeated("wait 999\n< 1B 1500 0048", 9) + "\ndisconnect 16",
        heartRate + subscribe + repeated("wait 999\n< 1B 1200 0048", 10) + "\n> 12 1500 01\n< 13\n"
            + repeated("wait 999\n< 1B 1200 0048\n< 1B 1500 0048", 9) + "\ndisconnect 16"),
    // Energy Expended and RR-Intervals in 20 octets, of which the last RR-Interval has one; and all of them.
    IncidentStory(
        .valuesCut, .hindered, .likely,
        heartRate + subscribe + "✗ < 1B 1200 194800 0A00 010203040506070809101112131415\n"
            + repeated("< 1B 1200 194800 0A00 010203040506070809101112131415", 3) + "\ndisconnect",
        heartRate + subscribe + repeated("< 1B 1200 1048 010203040506070809101112131415161718", 4) + "\ndisconnect"),
    // 19 letters and the first octet of U+00B0; and its second octet in the next value.
    IncidentStory(
        .valuesCut, .hindered, .likely,
        "connect\n✗ < 1B 2100 \(letters)C2\n" + repeated("< 1B 2100 \(letters)C2", 3) + "\ndisconnect",
        "connect\n< 1B 2100 \(letters)C2\n< 1B 2100 B0\(letters)\n" + repeated("< 1B 2100 \(letters)41", 3)
            + "\ndisconnect"),
    // First segment, continuation, then a complete message; and a last segment before it. Mesh Protocol, 6.3.1.
    IncidentStory(
        .valuesCut, .hindered, .likely,
        meshProxy + "< 1B 1500 4001020304\n< 1B 1500 800506\n✗ < 1B 1500 000102\ndisconnect",
        meshProxy + "< 1B 1500 4001020304\n< 1B 1500 C00506\n< 1B 1500 000102\ndisconnect"),
    // 22 octets of a Report Map with an MTU of 247, within a collection; with its end; and with a Read Blob Request for the rest.
    IncidentStory(
        .valuesCut, .hindered, .likely, reportMap + "✗ < 0B \(keyboard)\ndisconnect",
        reportMap + "< 0B A4 05010906A1018501050719E029E715002501 8102 C0\ndisconnect"),
    IncidentStory(
        .valuesCut, .hindered, .likely, reportMap + "✗ < 0B \(keyboard)\ndisconnect",
        reportMap + "< 0B \(keyboard)\n> 0C 1200 1600\n< 0D 8102 C0\ndisconnect"),
    // Five values that the client wrote just before; and one more that it did not.
    IncidentStory(
        .noValues, .noted, .unknown,
        heartRate + "> 52 1500 00\n✗ < 1B 1200 00\n" + repeated("> 52 1500 4142\n< 1B 1200 4142", 4) + "\ndisconnect",
        heartRate + repeated("> 52 1500 4142\n< 1B 1200 4142", 5) + "\n< 1B 1200 0048\ndisconnect"),
]

/// A connection, and Fitness Machine with Treadmill Data (notify, 0x0012), subscribed to, and its control point (0x0016).
private let treadmill = """
    connect
    > 10 0100 FFFF 0028
    < 11 06 1000 1700 2618
    > 08 1000 1700 0328
    < 09 07 1100 10 1200 CD2A 1500 28 1600 D92A
    > 04 1300 1400
    < 05 01 1300 0229
    > 12 1300 0100
    < 13

    """

/// A connection, and Mesh Proxy with Mesh Proxy Data In (0x0012) and Mesh Proxy Data Out (0x0015).
private let meshProxy = """
    connect
    > 10 0100 FFFF 0028
    < 11 06 1000 1600 2818
    > 08 1000 1600 0328
    < 09 07 1100 04 1200 DD2A 1400 10 1500 DE2A

    """

/// A connection with an MTU of 247, and a Read Request of Report Map (0x0012) of the Human Interface Device.
private let reportMap = """
    connect
    > 02 F700
    < 03 F700
    > 10 0100 FFFF 0028
    < 11 06 1000 1500 1218
    > 08 1000 1500 0328
    < 09 07 1100 02 1200 4B2A
    > 0A 1200

    """
/// The first 22 octets of the Report Map of a keyboard. Device Class Definition for HID 1.11, E.6.
private let keyboard = "05010906A1018501050719E029E71500250175019508"

/// Firmware updates: the images of MCUmgr's SMP, and the objects of Nordic's Secure DFU.
let firmwareStories: [IncidentStory] = [
    // 0A runs and is confirmed; 0B runs, and is not; 0A runs again. And 0B is confirmed; is chosen no more; was never there before.
    IncidentStory(
        .procedureFailed, .broke, .proved,
        managed + images("0A", "F5", "0B") + again + images("0B", "F4", "0A") + again + "✗ " + images("0A", "F5", "0B"),
        managed + images("0A", "F5", "0B") + again + images("0B", "F4", "0A") + images("0B", "F5", "0A") + again
            + images("0A", "F5", "0B")),
    IncidentStory(
        .procedureFailed, .broke, .proved, managed + images("0B", "F4", "0A") + again + "✗ " + images("0A", "F5", "0B"),
        managed + images("0B", "F4", "0A") + again + images("0C", "F5", "0B")),
    IncidentStory(
        .procedureFailed, .broke, .proved, managed + images("0B", "F4", "0A") + again + "✗ " + images("0A", "F5", "0B"),
        managed + images("0B", "F4", "0A") + images("0B", "F4", "0A", pending: "F5") + again + images("0A", "F5", "0B")),
    // 60 octets, of which the device counts 40; 60; and 40 while a packet is on its way.
    IncidentStory(
        .procedureFailed, .broke, .likely, objects + packets + counted("✗ ", "28000000") + "disconnect",
        objects + packets + counted("", "3C000000") + "disconnect"),
    IncidentStory(
        .procedureFailed, .broke, .likely, objects + packets + counted("✗ ", "28000000") + "disconnect",
        objects + packets + counted("", "28000000") + packets + counted("", "78000000") + "disconnect"),
]

/// A connection, and the SMP of MCUmgr (notify and write without response, 0x0012).
private let managed = """
    connect
    > 02 F700
    < 03 F700
    > 10 0100 FFFF 0028
    < 11 14 1000 1300 84AA6074528A8B86D34CB71D1DDC538D
    > 08 1000 1300 0328
    < 09 15 1100 14 1200 487C997411269EAE014ECEFB28782EDA

    """
private let again = "disconnect\nconnect\n> 02 F700\n< 03 F700\n"

/// Image State: one image that is active, and another one. Keys "hash", "active", "confirmed" and "pending". RFC 8949.
private func images(_ active: String, _ isConfirmed: String, _ other: String, pending: String = "F4") -> String {
    func image(_ hash: String, _ isActive: String, _ isConfirmed: String, _ isPending: String) -> String {
        "A4 6468617368 41\(hash) 66616374697665\(isActive) 69636F6E6669726D6564\(isConfirmed) 6770656E64696E67\(isPending)"
    }
    let body =
        "A1 66696D61676573 82 " + image(active, "F5", isConfirmed, "F4") + image(other, "F4", "F4", pending)
    let length = String(body.filter { $0 != " " }.count / 2, radix: 16)
    return "< 1B 1200 01 00 00\(length) 0001 00 00 \(body)\n"
}

/// A connection, and Secure DFU with its control point (write, notify, 0x0012) and its packets (write without response, 0x0015). Select and
/// Create Object: data, 4,096 octets.
let objects = """
    connect
    > 10 0100 FFFF 0028
    < 11 06 1000 1500 59FE
    > 08 1000 1500 0328
    < 09 15 1100 18 1200 50EADA308883B89F604F15F30100C98E
    > 08 1300 1500 0328
    < 09 15 1400 04 1500 50EADA308883B89F604F15F30200C98E
    > 12 1200 0602
    < 13
    < 1B 1200 600601 00100000 00000000 00000000
    > 12 1200 0102 00100000
    < 13
    < 1B 1200 600101

    """
private let packets = repeated("> 52 1500 000102030405060708090A0B0C0D0E0F10111213", 3) + "\n"
/// Calculate Checksum and its response.
private func counted(_ mark: String, _ offset: String) -> String {
    "> 12 1200 03\n< 13\n\(mark)< 1B 1200 600301 \(offset) 00000000\n"
}

/// LE Read Buffer Size: two buffers of 27 octets; and a packet that went through one. Vol 4, Part E, 7.8.2 and 7.7.19.
private let twoBuffers = """
    event 0E 07 01 02 20 00 1B00 02
    connect
    > 0A 1500
    event 13 05 01 4000 0100

    """

/// 50 Write Requests of 20 octets with their responses, 198 ms apart.
private let bulk =
    repeated(
        "> 12 1500 000102030405060708090A0B0C0D0E0F10111213\nwait 98\n< 13\nwait 98", 49) + "\n"

/// Connection Parameter Update Request for 100 ms to 200 ms and a timeout of 4 s, and responses. Vol 3, Part A, 4.20 and 4.21.
private let wanted = "l2cap 5 < 12 01 0800 5000 A000 0000 9001\n"

let qualityStories: [IncidentStory] = [
    IncidentStory(
        .updateRefused, .hindered, .likely, "connect peripheral\n" + wanted + "✗ l2cap 5 > 13 01 0200 0100\ndisconnect",
        "connect\n" + wanted + "l2cap 5 > 13 01 0200 0000\nwait 100\ndisconnect"),
    // Accepted, and nothing for 40 s; and LE Connection Update Complete with 200 ms.
    IncidentStory(
        .updateNotMade, .hindered, .likely,
        "connect\n" + wanted + "✗ l2cap 5 > 13 01 0200 0000\nwait 40000\ndisconnect",
        "connect\n" + wanted
            + "l2cap 5 > 13 01 0200 0000\nevent 3E 0A 03 00 4000 A000 0000 9001\nwait 40000\ndisconnect"),
    // No answer in 32 s; and in 29 s.
    IncidentStory(
        .updateUnanswered, .hindered, .unknown, "connect\n✗ \(wanted)wait 32000\ndisconnect\n\(ofHost)",
        "connect\n\(wanted)wait 29000\ndisconnect"),
    IncidentStory(
        .updateRepeated, .hindered, .unknown, "connect\n\(wanted)\(wanted)✗ \(wanted)disconnect",
        "connect\n\(wanted)\(wanted)disconnect"),
    // LE Connection Update Complete: 100 ms, so that a request and its response take 200 ms; and 15 ms.
    IncidentStory(
        .slowTransfer, .hindered, .likely,
        "connect\nevent 3E 0A 03 00 4000 5000 0000 9001\n✗ > 12 1500 000102030405060708090A0B0C0D0E0F10111213\nwait 98\n< 13\nwait 98\n"
            + bulk + "disconnect",
        "connect\nevent 3E 0A 03 00 4000 0C00 0000 9001\n> 12 1500 00\n< 13\n" + bulk + "disconnect"),
    // No report for 5 s, and for half a second.
    IncidentStory(
        .buffersFull, .hindered, .likely,
        twoBuffers + "✗ > 52 1500 01\n> 52 1500 02\nwait 5000\nevent 13 05 01 4000 0200\ndisconnect",
        twoBuffers + "> 52 1500 01\n> 52 1500 02\nwait 500\nevent 13 05 01 4000 0200\ndisconnect"),
    // 100 reports of one packet each, 30 ms apart, while another one waits; and of two packets.
    IncidentStory(
        .slowTransfer, .hindered, .likely,
        twoBuffers + "> 52 1500 01\n> 52 1500 01\nwait 28\n✗ event 13 05 01 4000 0100\n"
            + repeated("> 52 1500 01\nwait 28\nevent 13 05 01 4000 0100", 99) + "\ndisconnect",
        twoBuffers
            + repeated("> 52 1500 01\n> 52 1500 01\nwait 28\nevent 13 05 01 4000 0200", 100) + "\ndisconnect"),
    // The first frame of an SDU takes the only credit, and another one comes after 3 s, and after half a second. A whole SDU is
    // followed by nothing, or by the next one as soon as there is a credit.
    IncidentStory(
        .creditsExhausted, .hindered, .likely, channel + "✗ l2cap 64 > 0800 01020304\nwait 3000\n" + credit + rest,
        channel + "l2cap 64 > 0800 01020304\nwait 500\n" + credit + rest),
    IncidentStory(
        .creditsExhausted, .hindered, .likely,
        channel + "✗ l2cap 64 > 0400 01020304\nwait 3000\n" + credit + "l2cap 64 > 0400 05060708\ndisconnect",
        channel + "l2cap 64 > 0400 01020304\nwait 3000\n" + credit
            + "wait 1000\nl2cap 64 > 0400 05060708\ndisconnect"),
    // The SDU that follows the credit may answer one of the peer.
    IncidentStory(
        .creditsExhausted, .hindered, .likely,
        channel + "✗ l2cap 64 > 0400 01020304\nwait 3000\n" + credit + "l2cap 64 > 0400 05060708\ndisconnect",
        channel + "l2cap 64 > 0400 01020304\nwait 3000\n" + credit
            + "l2cap 65 < 0200 0102\nl2cap 64 > 0400 05060708\ndisconnect"),
    IncidentStory(
        .creditsExhausted, .hindered, .likely, channel + "✗ l2cap 64 > 0800 01020304\nwait 3000\ndisconnect 08",
        channel + "l2cap 64 > 0400 01020304\nwait 3000\ndisconnect 08"),
    IncidentStory(
        .creditsExhausted, .broke, .likely, channel + "✗ l2cap 64 > 0800 01020304\nwait 20000\ndisconnect 16",
        channel + "l2cap 64 > 0400 01020304\nwait 20000\ndisconnect 16"),
    // RFCOMM: the only credit, and the next one after 3 s, and after half a second.
    IncidentStory(
        .creditsExhausted, .hindered, .likely,
        rfcomm + accepted + "✗ l2cap 64 > 53 EF 05 4142 31\nwait 3000\n" + rfcommCredit
            + "l2cap 64 > 53 EF 05 4344 31\ndisconnect",
        rfcomm + accepted + "l2cap 64 > 53 EF 05 4142 31\nwait 500\n" + rfcommCredit
            + "l2cap 64 > 53 EF 05 4344 31\ndisconnect"),
    // The same; and a session that ended without DISC, and another one in which nobody waits.
    IncidentStory(
        .creditsExhausted, .hindered, .likely,
        rfcomm + accepted + "✗ l2cap 64 > 53 EF 05 4142 31\nwait 3000\n" + rfcommCredit
            + "l2cap 64 > 53 EF 05 4344 31\ndisconnect",
        rfcomm + accepted + "l2cap 64 > 53 EF 05 4142 31\nwait 3000\nl2cap 64 > 03 3F 01 1C\nl2cap 65 < 03 73 01 D7\n"
            + rfcommChannel + accepted + rfcommCredit + "l2cap 64 > 53 EF 05 4344 31\ndisconnect"),
    // DM, and UA.
    IncidentStory(
        .channelRefused, .broke, .likely, rfcomm + "✗ l2cap 65 < 53 1F 01 D7\ndisconnect",
        rfcomm + accepted + "disconnect"),
    // The peer ends the channel, and 10 s later the link; and both at once.
    IncidentStory(
        .channelClosed, .noted, .unknown, rfcomm + accepted + "✗ l2cap 65 < 51 53 01 7D\nwait 10000\ndisconnect",
        rfcomm + accepted + "l2cap 65 < 51 53 01 7D\nwait 500\ndisconnect"),
    // A frame of 24 octets where the peer takes 23, 500 ms before it closes the channel; and of 23.
    IncidentStory(
        .channelClosed, .broke, .proved,
        channel + "l2cap 64 > 1600 \(hex(22))\nwait 500\n✗ l2cap 5 < 06 05 0400 4100 4000\nwait 5000\ndisconnect",
        channel + "l2cap 64 > 1500 \(hex(21))\nwait 500\nl2cap 5 < 06 05 0400 4100 4000\nwait 5000\ndisconnect"),
    // The peer sends an SDU after the breach.
    IncidentStory(
        .channelClosed, .broke, .proved,
        channel + "l2cap 64 > 1600 \(hex(22))\nwait 500\n✗ l2cap 5 < 06 05 0400 4100 4000\nwait 5000\ndisconnect",
        channel
            + "l2cap 64 > 1600 \(hex(22))\nl2cap 65 < 0200 0102\nwait 500\nl2cap 5 < 06 05 0400 4100 4000\nwait 5000\n"
            + "disconnect"),
    // An SDU of two octets with three; with an MTU of 23, one of 24; and the channel closed 10 s later. Closed by the host.
    IncidentStory(
        .channelClosed, .broke, .proved,
        channel + "l2cap 64 > 0200 010203\nwait 500\n✗ l2cap 5 < 06 05 0400 4100 4000\ndisconnect",
        channel + "l2cap 64 > 0200 010203\nwait 10000\nl2cap 5 < 06 05 0400 4100 4000\ndisconnect"),
    IncidentStory(
        .channelClosed, .broke, .proved,
        smallChannel + "l2cap 65 < 1800 \(hex(21))\nl2cap 65 < 010203\n✗ l2cap 5 > 06 05 0400 4000 4100\ndisconnect",
        smallChannel + "l2cap 65 < 1700 \(hex(21))\nl2cap 65 < 0102\nl2cap 5 > 06 05 0400 4000 4100\ndisconnect"),
    // The first four of eight octets; and the host closes it then.
    IncidentStory(
        .channelClosed, .hindered, .unknown,
        channel + "l2cap 64 > 0800 01020304\n✗ l2cap 5 < 06 05 0400 4100 4000\nwait 5000\ndisconnect",
        channel + "l2cap 64 > 0800 01020304\nl2cap 5 > 06 05 0400 4000 4100\nwait 5000\ndisconnect"),
    // One more credit with the identifier 0, which the host leaves; with the identifier 2; and one that it takes.
    IncidentStory(
        .creditsExhausted, .broke, .likely,
        channel + "✗ l2cap 64 > 0400 01020304\nl2cap 5 < 16 00 0400 4000 0100\nwait 12000\ndisconnect",
        channel + "l2cap 64 > 0400 01020304\n\(credit)wait 12000\ndisconnect"),
    IncidentStory(
        .creditsExhausted, .broke, .likely,
        channel + "✗ l2cap 64 > 0400 01020304\nl2cap 5 < 16 00 0400 4000 0100\nwait 12000\ndisconnect",
        channel
            + "l2cap 64 > 0400 01020304\nl2cap 5 < 16 00 0400 4000 0100\nl2cap 64 > 0400 01020304\nwait 12000\ndisconnect"
    ),
    // Set Event Mask without bit 18 and LE Read Buffer Size: two buffers, which are used once; with the bit; and one more packet.
    IncidentStory(
        .buffersFull, .broke, .likely, masked + "> 0A 1500\n< 0B 01\n✗ > 0A 1500\nwait 8000\ndisconnect",
        masked.replacing("FFFFFBFFFF1F0000", with: "FFFFFFFFFF1F0000")
            + "> 0A 1500\n< 0B 01\n> 0A 1500\n< 0B 01\nwait 8000\ndisconnect"),
    IncidentStory(
        .buffersFull, .broke, .likely, masked + "> 0A 1500\n< 0B 01\n> 0A 1500\n✗ < 0B 01\nwait 8000\ndisconnect",
        masked + repeated("> 0A 1500\n< 0B 01", 3) + "\nwait 8000\ndisconnect"),
    // Connection Failed to be Established, and success.
    IncidentStory(
        .streamNotEstablished, .broke, .unknown, "\(cisRequest)✗ \(cisEstablished("3E"))disconnect",
        "\(cisRequest)\(cisEstablished("00"))disconnect"),
    // Connection Timeout, and the link continues, or is closed by the host, which no longer hears it; and the link is lost with it.
    IncidentStory(
        .streamLost, .broke, .unknown,
        "\(cisRequest)\(cisEstablished("00"))wait 1000\n✗ event 05 04 00 4100 08\nwait 3000\ndisconnect",
        "\(cisRequest)\(cisEstablished("00"))wait 1000\nevent 05 04 00 4100 08\nwait 100\ndisconnect 08"),
    IncidentStory(
        .streamLost, .broke, .unknown,
        "\(cisRequest)\(cisEstablished("00"))wait 1000\n✗ event 05 04 00 4100 08\nwait 100\ndisconnect",
        "\(cisRequest)\(cisEstablished("00"))wait 1000\nevent 05 04 00 4100 16\nwait 100\ndisconnect"),
]

/// LE CIS Request of CIS 2 of CIG 1 with the handle 0x0041, and LE CIS Established. Core Specification, Vol 4, Part E, 7.7.65.26 and 7.7.65.25.
private let cisRequest = "connect peripheral\nevent 3E 07 1A 4000 4100 01 02\n"
private func cisEstablished(_ status: String) -> String {
    "event 3E 1D 19 \(status) 4100 000000 000000 000000 000000 02 02 01 01 01 01 01 2800 2800 0800\n"
}

/// A link of BR/EDR with a session of RFCOMM: PN with one credit each way, and SABM for Server Channel 10. RFCOMM, 5.5.3; TS 07.10, 5.4.1.
private let rfcomm =
    "event 03 0B 00 4000 1371DA7D1A00 01 00\nl2cap 1 > 02 01 0400 0300 4100\nl2cap 1 < 03 01 0800 4000 4100 0000 0000\n"
    + rfcommChannel
private let rfcommChannel =
    "l2cap 64 > 03 EF 15 83 11 14 F0 00 00 DE 03 00 01 70\nl2cap 65 < 01 EF 15 81 11 14 E0 00 00 DE 03 00 01 AA\n"
    + "l2cap 64 > 53 3F 01 FD\n"
private let accepted = "l2cap 65 < 53 73 01 36\n"
private let rfcommCredit = "l2cap 65 < 51 FF 01 01 F7\n"

/// An LE credit-based channel of PSM 0x0080 between 0x0041 of the host and 0x0040 of the peer, who gives one credit; one more; and
/// the rest of an SDU of eight octets. Vol 3, Part A, 4.22 to 4.24.
private let channel =
    "connect\nl2cap 5 > 14 01 0A00 8000 4100 0002 1700 0000\nl2cap 5 < 15 01 0A00 4000 0002 1700 0100 0000\n"
private let credit = "l2cap 5 < 16 02 0400 4000 0100\n"
/// The same channel with an MTU of 23 octets of the host, who gives ten credits.
private let smallChannel = channel.replacing("4100 0002 1700 0000", with: "4100 1700 1700 0A00")
private func hex(_ count: Int) -> String { String(repeating: "5A", count: count) }

/// Set Event Mask with all events but bit 18, and LE Read Buffer Size with two buffers. Vol 4, Part E, 7.3.1 and 7.8.2.
private let masked =
    "command 01 0C 08 FFFFFBFFFF1F0000\nevent 0E 04 01 01 0C 00\nevent 0E 07 01 02 20 00 1B00 02\nconnect\n"
private let rest = "l2cap 64 > 05060708\ndisconnect"

/// LE Set Advertising Enable (Vol 4, Part E, 7.8.9); and Read Local Name, later.
private let advertising = "command 0A 20 01 01\nevent 0E 04 01 0A 20 00\n"
private let later = "wait 20000\ncommand 14 0C 00\nevent 0E 04 01 14 0C 00"

let hostStories: [IncidentStory] = [
    // Advertising led to a connection that the peer ended, and is not switched on again; and is.
    IncidentStory(
        .advertisingNotStarted, .hindered, .proved, "\(advertising)connect peripheral\n✗ disconnect 13\n\(later)",
        "\(advertising)connect peripheral\ndisconnect 13\n\(advertising)\(later)"),
    // The link was lost; and the host ended it.
    IncidentStory(
        .advertisingNotStarted, .hindered, .proved, "\(advertising)connect peripheral\n✗ disconnect 08\n\(later)",
        "\(advertising)connect peripheral\ndisconnect 16\n\(later)"),
    // Command Complete of LE Set Random Address: Command Disallowed; and of LE Create Connection Cancel, which came too late.
    IncidentStory(
        .commandFailed, .hindered, .proved, "command 05 20 06 F2F2F2F2F2F2\n✗ event 0E 04 01 05 20 0C",
        "command 05 20 06 F2F2F2F2F2F2\nevent 0E 04 01 05 20 00"),
    // A Read Local Name that is not answered in 12 s, where others are.
    IncidentStory(
        .commandUnanswered, .hindered, .unknown,
        "command 03 0C 00\nevent 0E 04 01 03 0C 00\n✗ command 14 0C 00\nwait 12000\nadvertise 112233445566",
        "command 14 0C 00\nwait 12000\nadvertise 112233445566"),
    // LE Set Scan Enable and LE Set Advertising Enable: on, and off.
    IncidentStory(
        .scanNotStarted, .broke, .proved, "command 0C 20 02 01 00\n✗ event 0E 04 01 0C 20 0C",
        "command 0C 20 02 00 00\nevent 0E 04 01 0C 20 0C"),
    IncidentStory(
        .advertisingNotStarted, .broke, .proved, "command 0A 20 01 01\n✗ event 0E 04 01 0A 20 0C",
        "command 0A 20 01 00\nevent 0E 04 01 0A 20 0C"),
    // LE Advertising Set Terminated: Advertising Timeout; and because of a connection.
    IncidentStory(
        .advertisingEnded, .noted, .proved, "✗ event 3E 06 12 3C 00 0000 00", "event 3E 06 12 00 00 4000 00"),
    IncidentStory(.hardwareError, .broke, .unknown, "✗ event 10 01 42", "event 13 05 01 4000 0100"),
    IncidentStory(.bufferOverflow, .hindered, .proved, "✗ event 1A 01 01", "event 13 05 01 4000 0100"),
    // Read Local Name without an answer, and HCI_Reset, after which the host connects again; and after the end of the connection.
    IncidentStory(
        .controllerGone, .broke, .likely,
        heartRate + "\(advertising)command 14 0C 00\nwait 2000\ncommand 03 0C 00\n✗ event 0E 04 01 03 0C 00\nwait 500\n"
            + attempt,
        heartRate + "disconnect 16\ncommand 03 0C 00\nevent 0E 04 01 03 0C 00\nwait 500\n" + attempt),
    // Directed advertising with a high duty cycle: nothing comes in 20 s, and Advertising Timeout after 1.28 s. Vol 4, Part E, 7.8.9.
    IncidentStory(
        .advertisingEnded, .hindered, .likely, directed + "wait 20000\n" + advertisingOff,
        directed.replacingOccurrences(of: "✗ ", with: "") + "wait 1280\n" + failed("3C") + "wait 20000\n"
            + advertisingOff),
    // The same; and an event that cannot be read.
    IncidentStory(
        .advertisingEnded, .hindered, .likely, directed + "wait 20000\n" + advertisingOff,
        directed.replacing("✗ ", with: "") + "wait 1280\nevent 3E 13 01 3C 0000\nwait 20000\n" + advertisingOff),
    // A Write Command of 26 octets where the MTU is 23, right before the end and long before it.
    IncidentStory(
        .endedWithError, .broke, .likely,
        "connect\n> 52 1200 \(twentyThree)\nwait 2000\n✗ disconnect 13",
        "connect\n> 52 1200 \(twentyThree)\nwait 20000\ndisconnect 13"),
    // HCI_Reset with an open connection, and without one.
    IncidentStory(
        .controllerGone, .noted, .proved, "connect\ncommand 03 0C 00\n✗ event 0E 04 01 03 0C 00",
        "connect\ndisconnect\ncommand 03 0C 00\nevent 0E 04 01 03 0C 00"),
    IncidentStory(.recordsLost, .noted, .proved, "connect\nlose\n✗ > 0A 1500", "connect\n> 0A 1500"),
    // 25 hours, and 23.
    IncidentStory(
        .clockStep, .noted, .proved, "connect\nwait 90000000\n✗ > 0A 1500\n< 0B 01\ndisconnect",
        "connect\nwait 82800000\n> 0A 1500\n< 0B 01\ndisconnect"),
    IncidentStory(
        .oneDirection, .noted, .proved, "✗ connect\n" + repeated("> 0A 1500", 20) + "\ndisconnect",
        "connect\n" + repeated("> 0A 1500\n< 0B 01", 20) + "\ndisconnect"),
    IncidentStory(
        .endsInTheMiddle, .noted, .unknown, "connect\n✗ > 0A 1500\nwait 500\nadvertise 112233445566",
        "connect\n> 0A 1500\n< 0B 01\nadvertise 112233445566"),
]

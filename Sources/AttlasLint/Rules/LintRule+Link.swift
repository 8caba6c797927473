import AttlasIncidents

/// Causes of a slow or power-hungry link.
extension LintRule {
    static let link = [
        parametersRefused, preferredParameters, smallMTU, lateMTU, noDataLengthExtension, slowPHY,
        latencyInStream, writeRequestsInBulk, shortDataTime, buffersExceeded, longSDU, zeroIdentifier,
    ]

    static let parametersRefused = LintRule(
        "link/parameters-refused", .info, title: "the central rejected the peripheral's connection parameters",
        explanation:
            "The request changes nothing: the central's parameters may be faster or slower than the peripheral "
            + "needs.",
        section: "Core Specification, Vol 3, Part A, 4.20 and 4.21",
        advice:
            "Peripheral: request a range that the central accepts; manufacturers of phones publish theirs. Central: "
            + "accept the request if it can be met.",
        needs: "the Connection Parameter Update Response",
        requires: [.requests])

    static let preferredParameters = LintRule(
        "link/preferred-parameters", .info,
        title: "the connection interval is outside the range that the peripheral prefers",
        explanation: "The peripheral states its range in Peripheral Preferred Connection Parameters.",
        section: "Core Specification, Vol 3, Part C, 12.3",
        advice: "Central: use the range. Peripheral: state the range that it needs, and request it if the central"
            + " does not use it.",
        needs: "the characteristic's value, the parameters, and 30 seconds after the value",
        requires: [.preferred])

    static let smallMTU = LintRule(
        "link/small-mtu", .info, title: "a bulk transfer with the smallest MTU",
        explanation: "At least 100 PDUs filled an MTU of 23 octets. A third of each packet is headers.",
        section: "Core Specification, Vol 3, Part F, 3.4.2",
        advice: "Client: exchange the MTU before the transfer. Server: offer more than 23.",
        needs: "the connection from its start without loss, or an MTU exchange",
        requires: [.pdus, .directions, .knownMTU, .absence], needsNoGap: true)

    static let lateMTU = LintRule(
        "link/mtu-exchanged-late", .info, title: "an MTU exchange in the middle of a transfer",
        explanation:
            "At least 20 PDUs filled the MTU of 23 octets before it was exchanged. A value that did not fit was cut or "
            + "divided until then.",
        section: "Core Specification, Vol 3, Part F, 3.4.2; Part G, 4.3.1",
        advice: "Client: exchange the MTU first, before discovery and subscriptions.",
        needs: "the connection from its start without loss, and the exchange",
        requires: [.pdus, .directions, .whole, .exchangedMTU, .absence], needsNoGap: true)

    static let noDataLengthExtension = LintRule(
        "link/no-data-length-extension", .info, title: "a bulk transfer in packets of 27 octets",
        explanation: "At least 100 PDUs with a value did not fit into one packet of the link, and the controllers "
            + "never agreed on longer packets. Each fragment costs a header and a pause.",
        section: "Core Specification, Vol 6, Part B, 4.5.10",
        advice: "Central and peripheral: request 251 octets with LE Set Data Length, or suggest it as the "
            + "default.",
        needs:
            "the connection from its start without loss, and an LE Set Event Mask that enables reports of data length "
            + "changes; or a connection from the air",
        requires: [.pdus, .directions, .whole, .dataLength], needsNoGap: true)

    static let slowPHY = LintRule(
        "link/phy-not-updated", .info, title: "a bulk transfer on LE 1M, although both controllers have LE 2M",
        explanation:
            "At least 100 000 octets of values were moved. LE 2M needs half of the time on the air, and half of the "
            + "energy.",
        section: "Core Specification, Vol 6, Part B, 5.1.10; Vol 4, Part E, 7.8.49",
        advice: "Central or peripheral: ask for LE 2M with LE Set PHY when the connection is made.",
        needs: "both controllers' features, and the connection from its start without loss",
        requires: [.pdus, .whole, .features], needsNoGap: true)

    static let latencyInStream = LintRule(
        "link/latency-in-stream", .info, title: "peripheral latency during a stream of notifications",
        explanation:
            "The peripheral sends in nearly each connection event, so that latency saves it no energy; but what the "
            + "central sends may wait for the whole latency.",
        section: "Core Specification, Vol 6, Part B, 4.5.1",
        advice: "Peripheral: ask for a latency of 0 while it streams.",
        needs: "200 successive notifications, and the parameters", requires: [.pdus, .directions, .parameters],
        needsNoGap: true)

    static let writeRequestsInBulk = LintRule(
        "link/write-requests-in-bulk", .info, title: "a bulk transfer that waits for a response to each write",
        explanation: "At least 50 Write Requests in a row filled the MTU, on a characteristic that supports writes "
            + "without response. Each request costs at least one connection interval, in most stacks two.",
        section: "Core Specification, Vol 3, Part G, 4.9.1 and 4.9.3",
        advice: "Client: write without response, and verify the data at the end.",
        needs: "the characteristic's declaration, the MTU, and the writes without loss",
        requires: [.pdus, .directions, .declared, .knownMTU],
        needsNoGap: true)

    static let shortDataTime = LintRule(
        "link/short-data-time", .warning, title: "a maximum time that the data length does not fit into",
        explanation:
            "The lower of the two maxima counts, that of octets and that of microseconds. Values go in many short packets, although the data "
            + "length promises long ones.",
        section: "Core Specification, Vol 6, Part B, 4.5.10",
        advice:
            "Controller: take a time of 2,120 µs with 251 octets on LE 1M (LE Set Data Length). Host: look at its TX_Time.",
        needs: "LE Data Length Change, and the connection from its start without loss",
        requires: [.whole, .dataLengths], needsNoGap: true)

    static let buffersExceeded = LintRule(
        "link/buffers-exceeded", .error, title: "more packets given to the controller than it can hold",
        explanation:
            "The host counts the ACL packets that it gave to the controller and that no Number Of Completed Packets event "
            + "has reported. Packets beyond the controller's buffers may be lost, and with them part of an ATT PDU.",
        section: "Core Specification, Vol 4, Part E, 4.1.1 and 7.7.19",
        advice:
            "Host: wait for Number Of Completed Packets. Also look whether the log has all of these events.",
        needs: "LE Read Buffer Size or Read Buffer Size, and the connection from its start without loss, with all "
            + "packets reported at its end",
        requires: [.whole, .buffers], needsNoGap: true)

    static let longSDU = LintRule(
        "link/sdu-too-long", .error, title: "an SDU that is longer than it says, or than its receiver takes",
        explanation:
            "Both sides of a credit based channel state the longest SDU and the longest frame that they take, their MTU and their MPS, and "
            + "each SDU begins with its length. The receiver of a longer one closes the channel; some drop it and return no credits.",
        section: "Core Specification, Vol 3, Part A, 3.4.3, 4.22 and 10.1",
        advice:
            "Sender: send SDUs up to the MTU in the other side's request or response, in frames up to its MPS.",
        needs: "the request for the channel and its response, and the SDU",
        requires: [.channels])

    static let zeroIdentifier = LintRule(
        "link/signal-identifier-zero", .error, title: "a signalling command with the identifier 0x00",
        explanation:
            "Identifiers are 0x01 to 0xFF. A receiver may ignore the command: credits are lost, and requests are not answered.",
        section: "Core Specification, Vol 3, Part A, 4",
        advice: "Host: after 0xFF continue with 0x01.",
        needs: "the signalling command", requires: [.signals])
}

import AttlasIncidents

/// Why a connection is not made, is lost, or is slower than it need be.
extension LintRule {
    static let connecting = [
        notEstablished, supervisionTimeouts, cancelledEarly, attemptPending, parametersOutOfRange, appleGuidelines,
        updateUnanswered, updateRepeated, updateFailed, parametersUnsteady, scanningWhileConnected, commandDisallowed,
    ]

    static let notEstablished = LintRule(
        "link/not-established", .warning, title: "connections that fail to be established, again and again",
        explanation: "The controller sent the connection request, and heard nothing in six connection events "
            + "(Connection Failed to be Established, 0x3E). Android apps see status 133 or 62.",
        section: "Core Specification, Vol 1, Part F, 2; Vol 6, Part B, 4.5.2",
        advice: "Bring the devices nearer, and look at the RSSI. Peripheral: look whether it still listens after the "
            + "request (another connection, an advertiser that was stopped). Central: wait before the next attempt.",
        needs: "three successive attempts with one device", requires: [.attempts], needsNoGap: true)

    static let supervisionTimeouts = LintRule(
        "link/supervision-timeouts", .warning,
        title: "connections that are lost by supervision timeout, again and again",
        explanation:
            "Nothing was heard for the whole supervision timeout (Connection Timeout, 0x08): the other side was out "
            + "of range, was switched off, or missed too many connection events.",
        section: "Core Specification, Vol 6, Part B, 4.5.2",
        advice:
            "Look at distance and antenna. Peripheral: look whether interrupts or a wrong clock accuracy make it miss events, and "
            + "whether it restarts. Ask for a longer time-out or less latency.",
        needs: "three successive connections with one device, with their ends", requires: [.ended, .reconnected],
        needsNoGap: true)

    static let cancelledEarly = LintRule(
        "link/attempt-cancelled-early", .info, title: "an attempt to connect that was cancelled within 100 ms",
        explanation: "A device that advertises once in 100 ms or more seldom had hardly a chance to be heard.",
        section: "Core Specification, Vol 4, Part E, 7.8.12 and 7.8.13",
        advice:
            "Application: look whether it closes the connection object, or connects a second time, right after the first call.",
        needs: "the command to connect to a named device, and its outcome", requires: [.attempts], needsNoGap: true)

    static let attemptPending = LintRule(
        "link/attempt-pending", .info, title: "an attempt to connect that was still pending at the end",
        explanation: "The controller waited for an advertisement of the device until the capture ended.",
        section: "Core Specification, Vol 4, Part E, 7.8.12",
        advice:
            "Look whether the device advertises, is connectable, and uses this address: a private address may have changed "
            + "since it was found. Record for longer.",
        needs: "the command to connect to a named device, and five seconds after it",
        requires: [.attempts, .linkEvents], needsNoGap: true)

    static let parametersOutOfRange = LintRule(
        "link/parameters-out-of-range", .error, title: "connection parameters outside the permitted ranges",
        explanation: "The other side has to reject them, or the link is lost whenever the peripheral uses its latency.",
        section: "Core Specification, Vol 3, Part A, 4.20; Vol 6, Part B, 4.5.1 and 4.5.2",
        advice:
            "Choose a supervision timeout of at least (1 + latency) × interval × subrate factor × 6, and an interval of 7.5 ms to 4 s.",
        needs: "the request, the command or the parameters", requires: [.parameters])

    static let appleGuidelines = LintRule(
        "link/apple-guidelines", .info, title: "a parameter request that iPhones and iPads may reject",
        explanation:
            "Apple's guidelines for accessories allow less than the specification. A request outside them may be "
            + "rejected as a whole.",
        section:
            "Accessory Design Guidelines for Apple Devices, Connection Parameters (the generation that allows 15 ms; the one "
            + "before it demanded 20 ms and a latency of 4 at most)",
        advice:
            "Peripheral: ask for 15 ms exactly, or for a minimum that is a multiple of 15 ms and a maximum 15 ms above it, with "
            + "a supervision timeout of 2 to 6 s.",
        needs: "a Connection Parameter Update Request", requires: [.requests])

    static let updateUnanswered = LintRule(
        "link/update-unanswered", .warning, title: "a Connection Parameter Update Request that was not answered",
        explanation:
            "The central has to accept or to reject it. The peripheral does not know which parameters will hold.",
        section: "Core Specification, Vol 3, Part A, 4.20 and 4.21; Part C, 9.3.9",
        advice: "Central: answer each request. Peripheral: do not repeat it before 30 seconds have passed.",
        needs: "the request, and 30 seconds after it without loss or clock jump", requires: [.requests, .absence],
        needsNoGap: true)

    static let updateRepeated = LintRule(
        "link/update-repeated", .warning, title: "the same parameter request again and again",
        explanation:
            "At least three equal requests in one connection: the central does not give what is asked for, or changes "
            + "it back.",
        section: "Core Specification, Vol 3, Part A, 4.20; Part C, 9.3.9",
        advice: "Peripheral: after a rejection ask for other parameters, or accept those in force.",
        needs: "three Connection Parameter Update Requests of one connection", requires: [.requests])

    static let updateFailed = LintRule(
        "link/update-failed", .info, title: "a change of the connection parameters that failed",
        explanation: "The parameters of before stay in force.",
        section: "Core Specification, Vol 4, Part E, 7.7.65.3",
        advice:
            "Look at the error: Unacceptable Connection Parameters says that the other side refused them; Unsupported "
            + "Remote Feature, that a peripheral has to ask over L2CAP.",
        needs: "the LE Connection Update Complete event", requires: [.parameters])

    static let parametersUnsteady = LintRule(
        "link/parameters-unsteady", .info, title: "connection parameters that change again and again",
        explanation: "Six changes or more within 30 seconds. Each one takes six connection events or more, and "
            + "throughput and delay change with it.",
        section: "Core Specification, Vol 6, Part B, 5.1.1 and 5.5",
        advice:
            "Look who asks: an application that sets the connection priority for each transfer, or a peripheral that undoes "
            + "what the central chose.",
        needs: "the changes, without clock jump", requires: [.parameters], needsNoGap: true)

    static let scanningWhileConnected = LintRule(
        "link/scanning-while-connected", .info, title: "a scan that continues during a connection",
        explanation:
            "The controller scanned for half of the time or more. It has one radio: connection events are missed, "
            + "and transfers are slow.",
        section: "Core Specification, Vol 4, Part E, 7.8.10 and 7.8.11",
        advice: "Application: stop the scan when the device is found, before connecting; or scan with less power.",
        needs: "the scan commands, and ten seconds of scan during the connection", requires: [.scans, .whole],
        needsNoGap: true)

    static let commandDisallowed = LintRule(
        "link/command-disallowed", .warning, title: "a command that the controller refused: Command Disallowed",
        explanation:
            "The controller is in a state that does not allow it: already advertising, scanning or connecting, with a connection that it "
            + "cannot have at the same time, used with commands of legacy and extended advertising mixed, not reset or not powered.",
        section: "Core Specification, Vol 1, Part F, 2; Vol 4, Part E, 3.1.1",
        advice:
            "Look at what the commands before it switched on, and end that first. A program next to the operating system's stack "
            + "must stop the stack first.",
        needs: "the event with the status of the command", requires: [.commandResults])
}

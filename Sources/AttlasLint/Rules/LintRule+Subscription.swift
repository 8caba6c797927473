import AttlasIncidents

/// Why a characteristic does not notify.
extension LintRule {
    static let subscription = [
        configurationMissing, subscriptionRefused, subscribedBeforeEncryption, subscribedToUnknown, neverSubscribed,
        subscribedInSilence, subscriptionLost, polledValue,
    ]

    static let configurationMissing = LintRule(
        "gatt/configuration-missing", .error,
        title: "a characteristic that notifies or indicates, without a Client Characteristic Configuration",
        explanation: "No client can subscribe to it: the descriptor that it would write does not exist.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1",
        advice: "Server: add a Client Characteristic Configuration (2902), or do not declare Notify and Indicate.",
        needs: "the complete discovery of services, and of all handles after the characteristic's value",
        requires: [.pdus, .directions, .discovered])

    static let subscriptionRefused = LintRule(
        "gatt/subscription-refused", .warning, title: "a subscription that the server refused",
        explanation:
            "The client wrote the Client Characteristic Configuration, and the server answered with an error: it "
            + "sends no values. Applications often do not look at this answer.",
        section: "Core Specification, Vol 3, Part G, 3.3.3.3 and 4.12.3",
        advice:
            "Insufficient Authentication or Encryption: pair, then write again. Write Not Permitted: the server must make "
            + "the descriptor writable. Any other error: the server's application refuses.",
        needs: "the write and its Error Response without loss, and the descriptor's type",
        requires: [.pdus, .directions, .configured], needsNoGap: true)

    static let subscribedBeforeEncryption = LintRule(
        "gatt/subscription-before-encryption", .warning,
        title: "a subscription that was refused before encryption, and not repeated after it",
        explanation:
            "The server demands encryption for the subscription. It refused the first write, then the link was "
            + "encrypted, but the client did not write again. The server sends no values.",
        section: "Core Specification, Vol 3, Part F, 3.4.1.1; Part G, 3.3.3.3",
        advice: "Client: subscribe when encryption has started, or repeat the write then.",
        needs: "the write, its Error Response, the descriptor's type and the start of encryption",
        requires: [.pdus, .directions, .configured, .encryptionTried], needsNoGap: true
    )

    static let subscribedToUnknown = LintRule(
        "gatt/subscription-to-unknown-handle", .warning,
        title: "a subscription written to a handle that the server does not have",
        explanation: "The client wrote what looks like a Client Characteristic Configuration to a handle that was not "
            + "discovered here, and the server does not know it. The handle is a guess, or of an older table.",
        section: "Core Specification, Vol 3, Part F, 3.4.1.1; Part G, 4.7.1",
        advice:
            "Client: discover the descriptors of the characteristic, and write to the handle of type 2902. Delete a "
            + "table that was stored for another version of the device.",
        needs: "the write and its Error Response, without loss",
        requires: [.pdus, .directions], needsNoGap: true)

    static let neverSubscribed = LintRule(
        "gatt/never-subscribed", .info, title: "a characteristic that is in use, notifies, and was never subscribed to",
        explanation: "The client reads the value again and again, or writes to its service and could have the value by "
            + "subscription only. The server sends nothing without a subscription.",
        section: "Core Specification, Vol 3, Part G, 3.3.3.3",
        advice:
            "Client: write 0x0001 (notifications) or 0x0002 (indications) to the Client Characteristic Configuration of the "
            + "characteristic. On Android, setCharacteristicNotification only enables the callback; the app must also write "
            + "the descriptor.",
        needs: "the connection from its start without loss, no earlier bond, and the characteristic's declaration",
        requires: [.pdus, .directions, .declared, .whole], needsNoGap: true)

    static let subscribedInSilence = LintRule(
        "gatt/subscription-silent", .info, title: "a subscription to which no value ever came",
        explanation:
            "The server took the subscription, and then sent nothing: a measurement that is sent all the time did not "
            + "come, or a command to the same service had no answer.",
        section: "Core Specification, Vol 3, Part G, 3.3.3.3 and 4.10",
        advice:
            "Server: look whether it sends to this connection, and what it needs first (a command, a sensor that is worn). "
            + "Client: look whether the command is right.",
        needs: "the accepted write, and 10 seconds of connection after it without loss",
        requires: [.pdus, .directions, .configured, .absence], needsNoGap: true)

    static let subscriptionLost = LintRule(
        "gatt/subscription-lost", .warning, title: "a subscription not renewed after a reconnection",
        explanation:
            "Without a bond the server forgets subscriptions with the connection. In an earlier connection values "
            + "came; in this one the client did not subscribe, and none came.",
        section: "Core Specification, Vol 3, Part G, 3.3.3.3",
        advice: "Client: subscribe after each connection, or bond.",
        needs: "two connections with a device that is not bonded, from their start without loss",
        requires: [.pdus, .directions, .configured, .whole, .reconnected, .absence],
        needsNoGap: true)

    static let polledValue = LintRule(
        "gatt/polled-value", .info, title: "a value that is read again and again, and notified as well",
        explanation:
            "The client has subscribed and gets the values. Each read costs two packets and brings nothing new.",
        section: "Core Specification, Vol 3, Part G, 4.8.1 and 4.10",
        advice: "Client: use the values that are notified, and read once at the start.",
        needs: "the accepted subscription, a value from it, and the reads, without loss",
        requires: [.pdus, .directions, .declared, .configured, .absence],
        needsNoGap: true)
}

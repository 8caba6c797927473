/// What a client or a server does against the declarations of the server. Core Specification, Vol 3, Part G.
extension LintRule {
    static let gatt = [
        readNotPermitted, writeNotPermitted, writeNeedsCommand, writeNeedsRequest, notifyNotPermitted,
        indicateNotPermitted, sentFromNoValue, notSubscribed, configurationNotPermitted, serviceChangedIgnored,
        hashChangedIgnored, discoveryRepeated,
    ]

    private static let needsDeclaration =
        "the declaration of the characteristic: discovered here, in an earlier connection, or given with --gatt-db"

    static let readNotPermitted = LintRule(
        "gatt/read-not-permitted", .warning, title: "a read that the characteristic's properties do not allow",
        explanation: "The server may refuse it; a server that answers has declared less than it does.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1 and 4.8",
        advice: "Client: look at the properties first. Server: declare Read, or refuse.",
        needs: needsDeclaration)

    static let writeNotPermitted = LintRule(
        "gatt/write-not-permitted", .warning, title: "a write that the characteristic's properties do not allow",
        explanation: "The characteristic declares no kind of write at all.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1 and 4.9",
        advice: "Client: look at the properties first. Server: declare Write, or refuse.",
        needs: needsDeclaration)

    static let writeNeedsCommand = LintRule(
        "gatt/write-needs-command", .warning, title: "a Write Request where only Write Without Response is declared",
        explanation: "The server may refuse it with Write Not Permitted, or never answer.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1, 4.9.1 and 4.9.3",
        advice: "Client: write without response. Server: declare Write as well if it takes both.",
        needs: needsDeclaration)

    static let writeNeedsRequest = LintRule(
        "gatt/write-needs-request", .warning, title: "a Write Command where only Write is declared",
        explanation: "The server may ignore it without a word.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1, 4.9.1 and 4.9.3",
        advice: "Client: write with response. Server: declare Write Without Response as well if it takes both.",
        needs: needsDeclaration)

    static let notifyNotPermitted = LintRule(
        "gatt/notify-not-permitted", .error, title: "a notification from a characteristic that declares none",
        explanation: "Clients that go by the declaration never subscribe to it, and may drop the value.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1 and 4.10.1",
        advice: "Server: declare Notify.",
        needs: needsDeclaration)

    static let indicateNotPermitted = LintRule(
        "gatt/indicate-not-permitted", .error, title: "an indication from a characteristic that declares none",
        explanation: "Clients that go by the declaration never subscribe to it, and may drop the value.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1 and 4.11.1",
        advice: "Server: declare Indicate.",
        needs: needsDeclaration)

    static let sentFromNoValue = LintRule(
        "gatt/sent-from-no-value", .error,
        title: "a notification or an indication from a handle that is no characteristic value",
        explanation: "Only values of characteristics are notified or indicated; a client has nobody to hand this one "
            + "to.",
        section: "Core Specification, Vol 3, Part F, 3.4.7.1; Part G, 4.10.1 and 4.11.1",
        advice: "Server: send from the handle of the characteristic's value.",
        needs: "the declaration of the characteristic, and the types of all handles behind its value up to this one")

    static let notSubscribed = LintRule(
        "gatt/not-subscribed", .error, title: "a value that the client did not subscribe to",
        explanation: "A server sends notifications and indications only to clients that asked for them in the Client "
            + "Characteristic Configuration.",
        section: "Core Specification, Vol 3, Part G, 3.3.3.3",
        advice: "Server: keep the configuration for each client, and start with 0x0000 for one that is not bonded.",
        needs: "the connection from its start without a loss and never encrypted (a bonded client's configuration "
            + "lasts over connections), and the declaration of the characteristic")

    static let configurationNotPermitted = LintRule(
        "gatt/configuration-not-permitted", .warning,
        title: "a Client Characteristic Configuration that the properties do not allow",
        explanation: "Notifications or indications were asked for that the characteristic does not declare: they "
            + "will not come.",
        section: "Core Specification, Vol 3, Part G, 3.3.3.3",
        advice: "Client: write 0x0001 where Notify is declared and 0x0002 where Indicate is.",
        needs: needsDeclaration)

    static let serviceChangedIgnored = LintRule(
        "gatt/service-changed-ignored", .warning, title: "a handle used after Service Changed said that it may be gone",
        explanation: "The handle may now be another attribute.",
        section: "Core Specification, Vol 3, Part G, 2.5.2 and 7.1",
        advice: "Client: discover the range anew, or compare the Database Hash, before using its handles.",
        needs: "the indication, its confirmation and the request behind it, without a loss")

    static let hashChangedIgnored = LintRule(
        "gatt/hash-changed-ignored", .warning, title: "a handle used after the Database Hash turned out to be another",
        explanation: "The server has changed since the client learned its handles: each may now be another attribute.",
        section: "Core Specification, Vol 3, Part G, 2.5.2.1 and 7.3",
        advice: "Client: discover the server anew before using a handle.",
        needs: "both hashes, and the request behind the second one, without a loss")

    static let discoveryRepeated = LintRule(
        "gatt/discovery-repeated", .info, title: "services discovered again in full on a bonded device",
        explanation: "A bonded client may keep the table until Service Changed or another Database Hash tells "
            + "otherwise. Each discovery costs time before the first useful value.",
        section: "Core Specification, Vol 3, Part G, 2.5.2 and 7.3",
        advice: "Client: keep the table of bonded devices. Server: offer Service Changed and the Database Hash.",
        needs: "two connections with the device, the first one discovered to its end and bonded, and no Database "
            + "Hash asked for in the second one")
}

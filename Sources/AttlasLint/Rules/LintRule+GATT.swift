import AttlasIncidents

/// Violations of a server's declarations, by a client or the server. Core Specification, Vol 3, Part G.
extension LintRule {
    static let gatt = [
        readNotPermitted, writeNotPermitted, writeNeedsCommand, writeNeedsRequest, descriptorByCommand,
        notifyNotPermitted, indicateNotPermitted, sentFromNoValue, notSubscribed, configurationNotPermitted,
        serviceChangedIgnored,
        hashChangedIgnored, outOfSyncIgnored, discoveryRepeated, serviceChangedUnsubscribed,
        assignedUUIDReused, unassignedUUID, mandatoryMissing, serviceSkipped, descriptorMissing, valueSentTwice,
        longReadLeft, preparedLongValue,
    ]

    private static let needsDeclaration =
        "the characteristic's declaration (discovered, or from --gatt-db)"

    static let serviceSkipped = LintRule(
        "gatt/service-skipped", .warning, title: "a service that the list of services leaves out",
        explanation:
            "Read By Group Type Response lists services in the order of their handles and ends before one that does not fit into it. A client "
            + "continues after the last one, and never finds a service in between.",
        section: "Core Specification, Vol 3, Part F, 3.4.4.10; Part G, 4.4.1",
        advice: "Server: end the response before a service whose UUID has another length.",
        needs: "the list of services and its request, and the discovery of the service by another request",
        requires: [.pdus, .directions, .listed], needsNoGap: true)

    static let valueSentTwice = LintRule(
        "gatt/value-sent-twice", .warning, title: "each value sent by two kinds of notifications",
        explanation:
            "Each Multiple Handle Value Notification is followed by a Handle Value Notification with the same value: five or more, and none alone. "
            + "Clients count each value twice.",
        section: "Core Specification, Vol 3, Part G, 4.10",
        advice: "Server: send a value once, to clients with Multiple Handle Value Notifications in either PDU.",
        needs: "the notifications, without loss", requires: [.pdus, .directions], needsNoGap: true)

    static let readNotPermitted = LintRule(
        "gatt/read-not-permitted", .warning, title: "a read that the characteristic's properties do not allow",
        explanation: "The server may reject it. A server that answers declares less than it supports.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1 and 4.8",
        advice: "Client: check the properties first. Server: declare Read, or reject the request.",
        needs: needsDeclaration,
        requires: [.pdus, .directions, .declared])

    static let writeNotPermitted = LintRule(
        "gatt/write-not-permitted", .warning, title: "a write that the characteristic's properties do not allow",
        explanation: "The characteristic declares no kind of write.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1 and 4.9",
        advice: "Client: check the properties first. Server: declare Write, or reject the request.",
        needs: needsDeclaration,
        requires: [.pdus, .directions, .declared])

    static let writeNeedsCommand = LintRule(
        "gatt/write-needs-command", .warning, title: "a Write Request where only Write Without Response is declared",
        explanation: "The server may reject it with Write Not Permitted, or never answer.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1, 4.9.1 and 4.9.3",
        advice: "Client: write without response. Server: declare Write too if it supports both.",
        needs: needsDeclaration,
        requires: [.pdus, .directions, .declared])

    static let writeNeedsRequest = LintRule(
        "gatt/write-needs-request", .warning, title: "a Write Command where only Write is declared",
        explanation: "The server may ignore it without an error.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1, 4.9.1 and 4.9.3",
        advice: "Client: write with response. Server: declare Write Without Response too if it supports both.",
        needs: needsDeclaration,
        requires: [.pdus, .directions, .declared])

    static let descriptorByCommand = LintRule(
        "gatt/descriptor-by-command", .warning, title: "a descriptor written with a Write Command",
        explanation: "Descriptors are written with a request. A server ignores the command, and reports no error.",
        section: "Core Specification, Vol 3, Part G, 4.12.3 and 4.12.4",
        advice: "Client: write with response; in gatttool, char-write-req.",
        needs: "the type of the descriptor",
        requires: [.pdus, .directions])

    static let notifyNotPermitted = LintRule(
        "gatt/notify-not-permitted", .error, title: "a notification from a characteristic that does not declare Notify",
        explanation: "Clients that rely on the declaration never subscribe to it, and may drop the value.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1 and 4.10.1",
        advice: "Server: declare Notify.",
        needs: needsDeclaration,
        requires: [.pdus, .directions, .declared])

    static let indicateNotPermitted = LintRule(
        "gatt/indicate-not-permitted", .error,
        title: "an indication from a characteristic that does not declare Indicate",
        explanation: "Clients that rely on the declaration never subscribe to it, and may drop the value.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1 and 4.11.1",
        advice: "Server: declare Indicate.",
        needs: needsDeclaration,
        requires: [.pdus, .directions, .declared])

    static let sentFromNoValue = LintRule(
        "gatt/sent-from-no-value", .error,
        title: "a notification or an indication from a handle that is not a characteristic value",
        explanation: "Only characteristic values are notified or indicated. A client cannot assign this value.",
        section: "Core Specification, Vol 3, Part F, 3.4.7.1; Part G, 4.10.1 and 4.11.1",
        advice: "Server: send from the handle of the characteristic's value.",
        needs: "the characteristic's declaration, and the types of all handles from its value to this one",
        requires: [.pdus, .directions, .declared])

    static let notSubscribed = LintRule(
        "gatt/not-subscribed", .error, title: "a value that the client did not subscribe to",
        explanation: "A server sends notifications and indications only to clients that enabled them in the Client "
            + "Characteristic Configuration.",
        section: "Core Specification, Vol 3, Part G, 3.3.3.3",
        advice: "Server: keep the configuration for each client. Start with 0x0000 for a client that is not "
            + "bonded.",
        needs: "the connection from its start, never encrypted (bonded clients keep their configuration), without loss "
            + "after the configuration, and the characteristic's declaration",
        requires: [.pdus, .directions, .declared, .whole, .absence],
        needsNoGap: true)

    static let configurationNotPermitted = LintRule(
        "gatt/configuration-not-permitted", .error,
        title: "a Client Characteristic Configuration that the properties do not allow",
        explanation: "The client enabled notifications or indications that the characteristic does not declare. The "
            + "server will not send them.",
        section: "Core Specification, Vol 3, Part G, 3.3.3.3",
        advice: "Client: write 0x0001 where Notify is declared and 0x0002 where Indicate is.",
        needs: needsDeclaration,
        requires: [.pdus, .directions, .declared, .configured])

    static let serviceChangedIgnored = LintRule(
        "gatt/service-changed-ignored", .error, title: "a handle used after Service Changed reported its range",
        explanation: "The handle may now be another attribute.",
        section: "Core Specification, Vol 3, Part G, 2.5.2 and 7.1",
        advice: "Client: discover the range again, or compare the Database Hash, before using its handles.",
        needs: "the indication, its confirmation and the later request, without loss",
        requires: [.pdus, .directions, .indications, .absence], needsNoGap: true)

    static let hashChangedIgnored = LintRule(
        "gatt/hash-changed-ignored", .error, title: "a handle used after the Database Hash changed",
        explanation: "The server has changed since the client learned its handles. Each handle may now be another "
            + "attribute.",
        section: "Core Specification, Vol 3, Part G, 2.5.2 and 7.3",
        advice: "Client: discover the server again before using a handle.",
        needs: "both hashes and the later request, without loss",
        requires: [.pdus, .directions, .databaseHash, .absence], needsNoGap: true)

    static let outOfSyncIgnored = LintRule(
        "gatt/out-of-sync-ignored", .error, title: "a handle used after Database Out Of Sync",
        explanation: "The server said that the client's table is of an older version (error 0x12). It answers the next "
            + "request as if the client knew the new table: the handle may now be another attribute.",
        section: "Core Specification, Vol 3, Part G, 2.5.2.1",
        advice: "Client: discover the server again, or read the Database Hash, before using a handle.",
        needs: "the Error Response and the later request, without loss",
        requires: [.pdus, .directions, .errors, .absence],
        needsNoGap: true)

    static let serviceChangedUnsubscribed = LintRule(
        "gatt/service-changed-not-subscribed", .info,
        title: "a client that bonded, and did not subscribe to Service Changed",
        explanation:
            "It will not hear of a new table, after an update of the firmware for example, and will continue to use old "
            + "handles.",
        section: "Core Specification, Vol 3, Part G, 2.5.2 and 7.1",
        advice:
            "Client: write 0x0002 to the configuration of Service Changed, or read the Database Hash on each connection.",
        needs: "the pairing, the discovery of Service Changed, and ten seconds after encryption without loss",
        requires: [.pdus, .directions, .paired, .listed], needsNoGap: true)

    static let mandatoryMissing = LintRule(
        "gatt/mandatory-missing", .warning, title: "a service without a characteristic that it must have",
        explanation: "Clients that know the service expect the characteristic, and may refuse the device.",
        section: "the specification of the service, Service Characteristics",
        advice: "Server: add the characteristic, or use a service of your own with a 128-bit UUID.",
        needs: "the complete discovery of the service's characteristics",
        requires: [.pdus, .directions, .listed],
        needsNoGap: true)

    static let descriptorMissing = LintRule(
        "gatt/descriptor-missing", .error, title: "a declared property without the descriptor that it needs",
        explanation:
            "Broadcast needs a Server Characteristic Configuration (2903), Extended Properties needs their descriptor "
            + "(2900). Without it nobody can use the property.",
        section: "Core Specification, Vol 3, Part G, 3.3.1.1",
        advice: "Server: add the descriptor, or do not declare the property.",
        needs: "the complete discovery of services, and of all handles after the characteristic's value",
        requires: [.pdus, .directions, .discovered])

    static let longReadLeft = LintRule(
        "gatt/long-read-left", .info, title: "a read whose value fills the response, and was not continued",
        explanation:
            "A Read Response has room for MTU − 1 octets. This one is full: the value may be longer, and the client "
            + "did not ask for the rest.",
        section: "Core Specification, Vol 3, Part G, 4.8.1 and 4.8.3",
        advice: "Client: send Read Blob Requests until a response is not full, or exchange a larger MTU first.",
        needs: "the response, the MTU, and the next request, without loss",
        requires: [.pdus, .directions, .knownMTU], needsNoGap: true)

    static let preparedLongValue = LintRule(
        "gatt/prepared-long-value", .info, title: "a long value that became prepared writes",
        explanation:
            "The value did not fit into one request, so that the client's stack divided it. Each part waits for its "
            + "response, and many devices do not support prepared writes.",
        section: "Core Specification, Vol 3, Part G, 4.9.4",
        advice: "Client: exchange a larger MTU before the write, or divide the data over several values.",
        needs: "the prepared writes and their execution", requires: [.pdus, .directions, .preparedWrites],
        needsNoGap: true)

    static let discoveryRepeated = LintRule(
        "gatt/discovery-repeated", .info, title: "a repeated full discovery of a bonded device",
        explanation: "A bonded client may keep the table until Service Changed or a different Database Hash. Each "
            + "discovery delays the first useful value.",
        section: "Core Specification, Vol 3, Part G, 2.5.2 and 7.3",
        advice: "Client: keep the table of bonded devices. Server: offer Service Changed and the Database Hash.",
        needs: "two connections with the device: the first bonded and discovered without loss, the second without a "
            + "request for the Database Hash and without pairing",
        requires: [.pdus, .directions, .discovered, .reconnected, .absence], needsNoGap: true)

    static let assignedUUIDReused = LintRule(
        "gatt/assigned-uuid-reused", .warning,
        title: "a value without the format of its characteristic, in a service that does not define it",
        explanation:
            "Its UUID is assigned to a characteristic of another service, and the value does not have that format. "
            + "Clients that know the UUID misread the value.",
        section: "Core Specification, Vol 3, Part B, 2.5.1; Assigned Numbers, 3.8",
        advice: "Server: generate a 128-bit UUID for a characteristic of your own.",
        needs: "the declarations of service and characteristic, and the whole value",
        requires: [.pdus, .declared])

    static let unassignedUUID = LintRule(
        "gatt/unassigned-uuid", .info, title: "a 16-bit UUID that is not assigned",
        explanation: "The Bluetooth SIG does not list it: it is reserved, or its assignment was withdrawn. "
            + "Unrelated devices use it for different things.",
        section: "Core Specification, Vol 3, Part B, 2.5.1; Assigned Numbers, 3",
        advice: "Server: generate a 128-bit UUID, or use a 16-bit UUID that the Bluetooth SIG assigned to you.",
        needs: "the discovery of the attribute",
        requires: [.pdus, .listed])
}

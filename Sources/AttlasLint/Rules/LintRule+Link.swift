/// What makes a link slower or hungrier than it need be.
extension LintRule {
    static let link = [
        parametersRefused, preferredParameters, smallMTU, noDataLengthExtension, writeRequestsInBulk,
    ]

    static let parametersRefused = LintRule(
        "link/parameters-refused", .info, title: "the central refused the peripheral's connection parameters",
        explanation: "The connection goes on with the parameters of the central: faster or slower than the "
            + "peripheral was made for.",
        section: "Core Specification, Vol 3, Part A, 4.20 and 4.21",
        advice: "Ask for a range that phones accept; their makers publish what they take.",
        needs: "the Connection Parameter Update Response")

    static let preferredParameters = LintRule(
        "link/preferred-parameters", .info, title: "the connection interval is not one that the peripheral prefers",
        explanation: "The peripheral states its range in Peripheral Preferred Connection Parameters.",
        section: "Core Specification, Vol 3, Part C, 12.3",
        advice: "Central: use the range. Peripheral: state what it needs, and ask for it when it does not come.",
        needs: "that characteristic's value, the parameters in force, and 30 seconds behind the value")

    static let smallMTU = LintRule(
        "link/small-mtu", .info, title: "a bulk transfer with the smallest MTU",
        explanation: "At least 100 PDUs filled an MTU of 23 octets. Of each packet a third is headers.",
        section: "Core Specification, Vol 3, Part F, 3.4.2",
        advice: "Client: exchange the MTU before the transfer. Server: offer more than 23.",
        needs: "the connection from its start, or an exchange of the MTU")

    static let noDataLengthExtension = LintRule(
        "link/no-data-length-extension", .info, title: "a bulk transfer in packets of 27 octets",
        explanation: "At least 100 PDUs with a value did not fit one packet of the link, and the controllers never "
            + "agreed on longer ones. Each piece costs a header and a pause of its own.",
        section: "Core Specification, Vol 6, Part B, 4.5.10",
        advice: "Central and peripheral: ask for 251 octets with LE Set Data Length, or suggest it as the default.",
        needs: "the connection from its start, and the controller told with LE Set Event Mask to report changes of the "
            + "data length")

    static let writeRequestsInBulk = LintRule(
        "link/write-requests-in-bulk", .info, title: "a bulk transfer that waits for an answer to each write",
        explanation: "At least 50 Write Requests in a row filled the MTU, on a characteristic that takes writes "
            + "without response. Each of them costs at least a connection interval, in most stacks two.",
        section: "Core Specification, Vol 3, Part G, 4.9.1 and 4.9.3",
        advice: "Write without response, and check the whole at its end.",
        needs: "the declaration of the characteristic and the MTU in force")
}

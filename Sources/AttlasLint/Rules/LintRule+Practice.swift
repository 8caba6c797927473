import AttlasIncidents

/// Good practice that the specification leaves to devices.
extension LintRule {
    static let practice = [noDeviceInformation, noUserDescription]

    static let noDeviceInformation = LintRule(
        "practice/no-device-information", .info, title: "no Device Information service",
        explanation: "The model and the firmware in a log or a ticket cannot be identified.",
        section: "none: a recommendation",
        advice: "Server: offer at least the model and the firmware revision.",
        needs: "the complete discovery of primary services",
        requires: [.pdus, .directions, .discovered])

    static let noUserDescription = LintRule(
        "practice/no-user-description", .info, title: "vendor characteristics without a user description",
        explanation: "A 128-bit UUID has no meaning for a person who sees it in a tool.",
        section: "Core Specification, Vol 3, Part G, 3.3.3.2",
        advice: "Server: give each of them a Characteristic User Description.",
        needs: "the discovery of all handles after the characteristic's value",
        requires: [.pdus, .directions, .discovered])
}

/// The sources of facts that a log has. Without them incidents that need them do not appear, which says nothing about the conversation.
struct Visibility: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// Events of a controller.
    static let events = Visibility(rawValue: 1 << 0)
    /// A connection captured from the air.
    static let air = Visibility(rawValue: 1 << 1)
    /// PDUs of both sides.
    static let directions = Visibility(rawValue: 1 << 2)

    /// What does not appear in a log, and why.
    ///
    /// - Parameter isText: Of a log of an app there is none with more.
    func hidden(isText: Bool) -> [String] {
        var hidden: [String] = []
        if isDisjoint(with: [.events, .air]) {
            hidden.append(
                "This log has no HCI events: lost connections, failed attempts to connect, failed encryption and refused updates do not appear in it."
                    + (isText ? "" : " Android writes them if the snoop log is set to Enabled, not Filtered."))
        }
        if !contains(.directions) {
            hidden.append("This log has one direction only: refusals and missing answers do not appear in it.")
        }
        return hidden
    }
}

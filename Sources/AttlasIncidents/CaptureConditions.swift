/// The data of a capture that rules of `lint` and kinds of incidents need.
///
/// A new condition has a bit, a reason, and a place that meets it (`met.insert`).
package struct CaptureConditions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let pdus = CaptureConditions(rawValue: 1 << 0)
    package static let directions = CaptureConditions(rawValue: 1 << 1)
    package static let whole = CaptureConditions(rawValue: 1 << 2)
    package static let ended = CaptureConditions(rawValue: 1 << 3)
    package static let knownMTU = CaptureConditions(rawValue: 1 << 4)
    package static let exchangedMTU = CaptureConditions(rawValue: 1 << 5)
    package static let errors = CaptureConditions(rawValue: 1 << 6)
    package static let indications = CaptureConditions(rawValue: 1 << 7)
    package static let preparedWrites = CaptureConditions(rawValue: 1 << 8)
    package static let enhancedBearers = CaptureConditions(rawValue: 1 << 9)
    package static let listed = CaptureConditions(rawValue: 1 << 10)
    package static let declared = CaptureConditions(rawValue: 1 << 11)
    package static let discovered = CaptureConditions(rawValue: 1 << 12)
    package static let databaseHash = CaptureConditions(rawValue: 1 << 13)
    package static let configured = CaptureConditions(rawValue: 1 << 14)
    package static let reconnected = CaptureConditions(rawValue: 1 << 15)
    package static let values = CaptureConditions(rawValue: 1 << 16)
    package static let preferred = CaptureConditions(rawValue: 1 << 18)
    package static let dataLength = CaptureConditions(rawValue: 1 << 19)
    package static let paired = CaptureConditions(rawValue: 1 << 21)
    package static let publicKeys = CaptureConditions(rawValue: 1 << 22)
    package static let privateAddresses = CaptureConditions(rawValue: 1 << 23)
    package static let encryptionTried = CaptureConditions(rawValue: 1 << 29)
    package static let features = CaptureConditions(rawValue: 1 << 30)
    package static let privacy = CaptureConditions(rawValue: 1 << 17)
    package static let attempts = CaptureConditions(rawValue: 1 << 24)
    package static let parameters = CaptureConditions(rawValue: 1 << 25)
    package static let requests = CaptureConditions(rawValue: 1 << 26)
    package static let scans = CaptureConditions(rawValue: 1 << 27)
    package static let commandResults = CaptureConditions(rawValue: 1 << 28)
    package static let passkeys = CaptureConditions(rawValue: 1 << 20)
    package static let buffers = CaptureConditions(rawValue: 1 << 31)
    /// PDUs of both sides.
    package static let bothSides = CaptureConditions(rawValue: 1 << 32)
    /// Events of a controller, or a connection captured from the air.
    package static let linkEvents = CaptureConditions(rawValue: 1 << 33)
    /// Events of a controller.
    package static let hciEvents = CaptureConditions(rawValue: 1 << 34)

    /// Why each may be missing. Of several the first is given.
    package static let reasons: [(condition: CaptureConditions, reason: String)] = [
        (.bothSides, "the log holds one direction only"),
        (.linkEvents, "the log has no HCI events"),
        (.hciEvents, "the log has no HCI events"),
        (.pdus, "there is no ATT PDU"),
        (.directions, "the capture does not say who sent a packet"),
        (.whole, "no connection was captured from its start"),
        (.ended, "no connection ended in the capture"),
        (.reconnected, "no device connected twice"),
        (.listed, "nothing was discovered"),
        (.declared, "no attribute in use has its declaration in the capture (--gatt-db gives a table)"),
        (.discovered, "no discovery of all services to its end"),
        (.knownMTU, "the MTU is not known"),
        (.exchangedMTU, "no MTU exchange"),
        (.errors, "no Error Response"),
        (.indications, "no indication"),
        (.preparedWrites, "no prepared write"),
        (.enhancedBearers, "no Enhanced ATT bearer"),
        (.databaseHash, "no Database Hash was read"),
        (.configured, "no Client Characteristic Configuration was written"),
        (.values, "no value has a definition of confidence A"),
        (.attempts, "no command to connect"),
        (.parameters, "no connection parameters"),
        (.requests, "no Connection Parameter Update Request"),
        (.features, "the features of the two controllers are not in the capture"),
        (.scans, "no scan command"),
        (.commandResults, "no result of an HCI command"),
        (.preferred, "no Peripheral Preferred Connection Parameters were read"),
        (.dataLength, "the controller was not asked to report changes of the data length"),
        (.paired, "no pairing led to encryption"),
        (.publicKeys, "no Pairing Public Key"),
        (.passkeys, "no pairing by Passkey Entry with LE Secure Connections"),
        (.buffers, "the controller did not say how many packets it holds, or which of them it has sent"),
        (.encryptionTried, "no encryption was started"),
        (.privacy, "the host did not switch address resolution on"),
        (.privateAddresses, "no advertising with a resolvable private address"),
    ]

    /// Why something that requires this cannot be judged; nil if all is met.
    package func missing(_ required: CaptureConditions) -> String? {
        Self.reasons.first { required.contains($0.condition) && !contains($0.condition) }?.reason
    }
}

import AttlasTrace

/// The data of a capture that rules of `lint` and kinds of incidents need.
///
/// Inlinable, because `lint` notes them for each PDU. A new condition has a bit, a reason, and a place that meets it (`met.insert`).
package struct CaptureConditions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    @inlinable package init(rawValue: UInt64) { self.rawValue = rawValue }

    @inlinable package static var pdus: Self { Self(rawValue: 1 << 0) }
    @inlinable package static var directions: Self { Self(rawValue: 1 << 1) }
    @inlinable package static var whole: Self { Self(rawValue: 1 << 2) }
    @inlinable package static var ended: Self { Self(rawValue: 1 << 3) }
    @inlinable package static var knownMTU: Self { Self(rawValue: 1 << 4) }
    @inlinable package static var exchangedMTU: Self { Self(rawValue: 1 << 5) }
    @inlinable package static var errors: Self { Self(rawValue: 1 << 6) }
    @inlinable package static var indications: Self { Self(rawValue: 1 << 7) }
    @inlinable package static var preparedWrites: Self { Self(rawValue: 1 << 8) }
    @inlinable package static var enhancedBearers: Self { Self(rawValue: 1 << 9) }
    @inlinable package static var listed: Self { Self(rawValue: 1 << 10) }
    @inlinable package static var declared: Self { Self(rawValue: 1 << 11) }
    @inlinable package static var discovered: Self { Self(rawValue: 1 << 12) }
    @inlinable package static var databaseHash: Self { Self(rawValue: 1 << 13) }
    @inlinable package static var configured: Self { Self(rawValue: 1 << 14) }
    @inlinable package static var reconnected: Self { Self(rawValue: 1 << 15) }
    @inlinable package static var values: Self { Self(rawValue: 1 << 16) }
    @inlinable package static var preferred: Self { Self(rawValue: 1 << 18) }
    @inlinable package static var dataLength: Self { Self(rawValue: 1 << 19) }
    @inlinable package static var paired: Self { Self(rawValue: 1 << 21) }
    @inlinable package static var publicKeys: Self { Self(rawValue: 1 << 22) }
    @inlinable package static var privateAddresses: Self { Self(rawValue: 1 << 23) }
    @inlinable package static var encryptionTried: Self { Self(rawValue: 1 << 29) }
    @inlinable package static var features: Self { Self(rawValue: 1 << 30) }
    @inlinable package static var privacy: Self { Self(rawValue: 1 << 17) }
    @inlinable package static var attempts: Self { Self(rawValue: 1 << 24) }
    @inlinable package static var parameters: Self { Self(rawValue: 1 << 25) }
    @inlinable package static var requests: Self { Self(rawValue: 1 << 26) }
    @inlinable package static var scans: Self { Self(rawValue: 1 << 27) }
    @inlinable package static var commandResults: Self { Self(rawValue: 1 << 28) }
    @inlinable package static var passkeys: Self { Self(rawValue: 1 << 20) }
    @inlinable package static var buffers: Self { Self(rawValue: 1 << 31) }
    /// PDUs of both sides.
    @inlinable package static var bothSides: Self { Self(rawValue: 1 << 32) }
    /// Events of a controller, or a connection captured from the air.
    @inlinable package static var linkEvents: Self { Self(rawValue: 1 << 33) }
    /// Events of a controller.
    @inlinable package static var hciEvents: Self { Self(rawValue: 1 << 34) }
    @inlinable package static var endpoints: Self { Self(rawValue: 1 << 35) }
    @inlinable package static var everyPacket: Self { Self(rawValue: 1 << 36) }
    @inlinable package static var identityKeys: Self { Self(rawValue: 1 << 37) }
    @inlinable package static var channels: Self { Self(rawValue: 1 << 38) }
    @inlinable package static var broadcastGroups: Self { Self(rawValue: 1 << 39) }
    @inlinable package static var timedSDUs: Self { Self(rawValue: 1 << 40) }
    @inlinable package static var signals: Self { Self(rawValue: 1 << 41) }
    @inlinable package static var dataLengths: Self { Self(rawValue: 1 << 42) }
    /// Needed by claims that follow from the absence of a packet.
    @inlinable package static var absence: Self { [.bothSides, .everyPacket] }

    /// The reason why each may be missing. The first of several is given.
    package static let reasons: [(condition: CaptureConditions, reason: String)] = [
        (.bothSides, "the log holds one direction only"),
        (.everyPacket, "an app does not log every packet"),
        (.pdus, "there is no ATT PDU"),
        (.attempts, "no command to connect"),
        (.linkEvents, "the log has no HCI events that attlas can read"),
        (.hciEvents, "the log has no HCI events that attlas can read"),
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
        (.identityKeys, "no peer distributed an Identity Resolving Key"),
        (.signals, "no signalling command of L2CAP"),
        (.dataLengths, "no LE Data Length Change"),
        (.channels, "no data on a credit based channel"),
        (.buffers, "the controller did not say how many packets it holds, or which of them it has sent"),
        (.broadcastGroups, "no BASE with its BIGInfo"),
        (.timedSDUs, "no sent stream with its SDU_Interval, latency and completed packets"),
        (.encryptionTried, "no encryption was started"),
        (.privacy, "the host did not switch address resolution on"),
        (.endpoints, "no Audio Stream Endpoint in use"),
        (.privateAddresses, "no advertising with a resolvable private address"),
    ]

    /// Those that a trace meets as a whole.
    package init(of trace: borrowing Trace) {
        self = []
        if trace.hasBothSides { insert(.bothSides) }
        if !trace.isOfApp { insert(.everyPacket) }
    }

    /// Whether this can be claimed of a log that meets these: false if it follows from an absence that proves nothing here.
    package func allow(_ required: CaptureConditions) -> Bool {
        isSuperset(of: required.intersection(.absence))
    }

    /// Why something that requires this cannot be judged; nil if all is met.
    package func missing(_ required: CaptureConditions) -> String? {
        Self.reasons.first { required.contains($0.condition) && !contains($0.condition) }?.reason
    }
}

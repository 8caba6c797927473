import AttlasCapture
import AttlasTrace
import AttlasWire

/// Something that broke, slowed down or stopped, with its evidence, its cause and what to do. Equal ones are one, with a count.
public struct Incident: Sendable {
    package let kind: Kind
    package internal(set) var weight: Weight
    /// Where it became true first.
    package let frame: Int
    package let time: Timestamp
    package internal(set) var place: Place
    /// `connection lost`, `System ID cannot be read`
    package internal(set) var title: String
    /// What happened the first time, in a sentence with its numbers.
    package internal(set) var what: String
    /// What preceded it.
    package internal(set) var before: String?
    package internal(set) var cause: Cause
    /// One thing to do.
    package internal(set) var next: String
    /// The course of the first one, in order of time.
    package internal(set) var steps: [Step] = []
    /// A frame of the incident that this one is a consequence of.
    package internal(set) var follows: Int?
    package internal(set) var count = 1
    /// How many devices it is about.
    var devices = 1
    /// The device connected again after the link was lost.
    var isOver = false
    /// Whether the cause is something that the device did.
    var isOfDevice = false
    /// When it and the equal ones became true, in order: at most `frameLimit`.
    package internal(set) var moments: [Moment]
    /// Frames of the steps of all of them.
    var evidence: [Int] = []
    /// A code that distinguishes incidents of one kind and place.
    let detail: Int
    /// The value whose write was refused. Only compared: it may be a secret.
    var written: [UInt8]?
    /// The part of a long write that was refused.
    var part: Range<Int>?
    /// What its texts say, until they are made.
    var refusal: Refusal?

    /// Frames that are kept of one incident.
    static let frameLimit = 256
    static let stepLimit = 16

    /// Who it is about, as far as it is known.
    package struct Place: Sendable {
        package var peer: BluetoothAddress?
        /// The number of the connection of the first.
        package var connection: Int?
        package var server: ServerSide?
        package var handle: AttributeHandle?
        package var attribute: AttributeUUIDs?

        init() {}
    }

    /// Why it happened.
    public struct Cause: Sendable, Equatable {
        package let certainty: Certainty
        package let text: String

        /// How well the capture supports the cause.
        public enum Certainty: String, Sendable, CaseIterable {
            /// A packet says it.
            case proved
            /// A named pattern.
            case likely
            /// The capture does not show it.
            case unknown
        }

        static func proved(_ text: String) -> Cause { Cause(certainty: .proved, text: text) }
        static func likely(_ text: String) -> Cause { Cause(certainty: .likely, text: text) }
        static func unknown(_ text: String) -> Cause { Cause(certainty: .unknown, text: text) }
    }

    package struct Step: Sendable, Equatable {
        /// nil of something that did not happen.
        package let frame: Int?
        package let text: String
    }

    /// How bad it is.
    public enum Weight: String, Sendable, CaseIterable, Comparable {
        /// Worth knowing.
        case noted
        /// Slow, repeated, or with other parameters than wanted.
        case hindered
        /// Something failed.
        case broke

        public static func < (first: Weight, second: Weight) -> Bool { first.rank < second.rank }

        private var rank: Int {
            switch self {
            case .noted: 0
            case .hindered: 1
            case .broke: 2
            }
        }
    }

    /// A request that was refused.
    struct Refusal {
        let opcode: ATTOpcode
        let code: ATTErrorCode
        let request: Int?
        /// What was looked for.
        let type: UUIDIndex?
        let attribute: AttributeInfo?
        let isDiscovery: Bool
        let asker: Direction
        let isEncrypted: Bool
        /// Whether it is known if the link was encrypted.
        let isKnown: Bool
        /// What an app's log has instead of the code.
        let reported: ApplicationStatus?
        /// Where the last part of a long write begins and ends.
        let part: Range<Int>?
        /// The frame in which Execute Write Request was refused before.
        let executionRefused: Int?
        /// The first part of an earlier long write that the client neither executed nor cancelled.
        let partsLeft: Int?
    }

    /// Frames where it and the equal ones became true, in order.
    package var occurrences: [Int] { moments.map(\.frame) }

    /// All frames of its evidence, in order.
    package var frames: [Int] { Set(occurrences + evidence).sorted() }

    /// Whether the frame is a part of its evidence.
    package func includes(_ frame: Int) -> Bool {
        moments.contains { $0.frame == frame } || evidence.contains(frame)
    }

    /// `connection lost 6 times`
    package var headline: String { count == devices ? title : "\(title) \(count) times" }

    mutating func add(_ frame: Int?, _ text: String) {
        if let frame { note(frame) }
        guard steps.count < Self.stepLimit else { return }
        steps.append(Step(frame: frame, text: text))
    }

    /// A frame that is a part of the evidence.
    mutating func note(_ frame: Int) {
        if evidence.count < Self.frameLimit, evidence.last != frame { evidence.append(frame) }
    }

    /// Adds how the platform does what is advised.
    mutating func addWay(on platform: Platform) {
        guard let way = PlatformAdvice(rawValue: next)?.way(on: platform) else { return }
        next += " \(way)"
    }

    /// An equal one of which no more is known.
    mutating func happenAgain(_ moment: Moment) {
        count += 1
        isOver = false
        if moments.count < Self.frameLimit { moments.append(moment) }
    }

    /// An equal one that came later.
    mutating func merge(_ other: Incident) {
        count += other.count
        isOver = false
        weight = max(weight, other.weight)
        for moment in other.moments where moments.count < Self.frameLimit { moments.append(moment) }
        for frame in other.evidence { note(frame) }
    }
}

extension Incident {
    /// The words of filters, documents and expectations: part of the contract. Documentation/what-broke.md describes each.
    public enum Kind: String, Sendable, CaseIterable {
        // Links.
        case linkLost = "link lost"
        case instantPassed = "instant passed"
        case noLinkLayerResponse = "no link layer response"
        case integrityFailed = "integrity check failed"
        case neverEstablished = "never established"
        case attemptFailed = "attempt failed"
        case attemptCancelled = "attempt cancelled"
        case attemptPending = "attempt pending"
        case endedWithError = "ended with an error"
        case wrongAddressType = "wrong address type"
        case payloadTimeout = "authenticated payload timeout"
        case notReconnected = "not reconnected"
        case deviceRestarted = "device restarted"
        case reconnectStorm = "reconnect storm"
        case closedByTimer = "closed by a timer"
        // Security.
        case pairingFailed = "pairing failed"
        case pairingUnfinished = "pairing unfinished"
        case encryptionFailed = "encryption failed"
        case keyMissing = "key missing"
        case pairedAgain = "paired again"
        case securityRequestIgnored = "security request ignored"
        case sentDuringEncryptionSetup = "sent during encryption setup"
        // Requests.
        case requestRefused = "request refused"
        case requestUnanswered = "request unanswered"
        case unrequestedResponse = "unrequested response"
        case readPastEnd = "read past the end"
        case longWriteNotExecuted = "long write not executed"
        case databaseOutOfSync = "database out of sync"
        case procedureFailed = "procedure failed"
        // Values.
        case subscriptionRefused = "subscription refused"
        case subscriptionNotRenewed = "subscription not renewed"
        case noValues = "no values"
        case valuesStopped = "values stopped"
        case indicationUnconfirmed = "indication unconfirmed"
        case changeNotDiscovered = "change not discovered"
        case subscriptionMissing = "subscription missing"
        case valuesCut = "values cut"
        case notifiedOnAnotherHandle = "notified on another handle"
        // The quality of a link.
        case updateRefused = "update refused"
        case updateNotMade = "update not made"
        case updateRepeated = "update repeated"
        case updateUnanswered = "update unanswered"
        case slowTransfer = "slow transfer"
        case buffersFull = "buffers full"
        case creditsExhausted = "credits exhausted"
        // Channels of RFCOMM.
        case channelRefused = "channel refused"
        case channelClosed = "channel closed"
        case streamNotEstablished = "stream not established"
        case streamLost = "stream lost"
        // Host and controller.
        case commandFailed = "command failed"
        case commandUnanswered = "command unanswered"
        case scanNotStarted = "scan not started"
        case advertisingNotStarted = "advertising not started"
        case advertisingEnded = "advertising ended"
        case hardwareError = "hardware error"
        case bufferOverflow = "data buffer overflow"
        case controllerGone = "controller gone"
        // The capture.
        case recordsLost = "records lost"
        case clockStep = "clock step"
        case oneDirection = "one direction only"
        case endsInTheMiddle = "ends in the middle"
    }
}

extension Incident.Kind {
    /// The end of a link, or of an attempt to make one.
    var endsLink: Bool {
        switch self {
        case .linkLost, .instantPassed, .noLinkLayerResponse, .integrityFailed, .neverEstablished, .attemptFailed: true
        default: false
        }
    }
}

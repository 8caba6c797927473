/// The data that kinds of incidents need: without it they do not appear, which does not mean that they did not happen.
extension Incident.Kind {
    package var requires: CaptureConditions {
        switch self {
        case .notReconnected: [.linkEvents, .bothSides]
        case .linkLost, .instantPassed, .noLinkLayerResponse, .integrityFailed, .neverEstablished, .attemptFailed,
            .endedWithError, .payloadTimeout, .deviceRestarted, .reconnectStorm, .closedByTimer,
            .encryptionFailed,
            .keyMissing, .updateRefused, .updateNotMade:
            .linkEvents
        case .attemptCancelled, .attemptPending, .wrongAddressType, .sentDuringEncryptionSetup, .buffersFull,
            .commandFailed, .commandUnanswered, .scanNotStarted, .advertisingNotStarted, .advertisingEnded,
            .hardwareError, .bufferOverflow, .controllerGone, .streamNotEstablished, .streamLost:
            .hciEvents
        case .requestRefused, .readPastEnd, .databaseOutOfSync, .subscriptionRefused, .slowTransfer, .creditsExhausted,
            .valuesStopped:
            .bothSides
        case .pairingUnfinished, .securityRequestIgnored, .requestUnanswered, .unrequestedResponse,
            .longWriteNotExecuted, .subscriptionNotRenewed, .noValues, .indicationUnconfirmed, .changeNotDiscovered,
            .subscriptionMissing, .updateUnanswered, .endsInTheMiddle:
            .absence
        case .pairingFailed, .pairedAgain, .procedureFailed, .valuesCut, .notifiedOnAnotherHandle,
            .updateRepeated, .channelRefused, .channelClosed, .recordsLost, .clockStep, .oneDirection:
            []
        }
    }

    /// The plural that names what a log cannot show, most kinds together.
    private var plural: String? {
        switch self {
        case .linkLost, .instantPassed, .noLinkLayerResponse, .integrityFailed: "lost connections"
        case .neverEstablished, .attemptFailed, .attemptCancelled, .attemptPending: "failed attempts to connect"
        case .encryptionFailed, .keyMissing: "failed encryption"
        case .updateRefused, .updateNotMade: "refused updates"
        case .commandFailed, .scanNotStarted, .advertisingNotStarted: "failed commands"
        case .requestRefused, .subscriptionRefused: "refusals"
        case .requestUnanswered, .indicationUnconfirmed: "missing answers"
        default: nil
        }
    }

    /// Incidents that the log cannot show, and why: a sentence for each reason.
    ///
    /// - Parameters:
    ///   - met: the conditions that the log meets.
    ///   - isOfAir: whether it has no host, whose commands could fail.
    ///   - shown: kinds that are in it nevertheless, because an app reported them.
    ///   - isText: whether the log is a text.
    static func hidden(
        from met: CaptureConditions, isOfAir: Bool, shown: Set<Self>, on platform: Platform?, isText: Bool
    ) -> [String] {
        var groups: [(reason: String, kinds: [String])] = []
        for kind in allCases where !shown.contains(kind) && !(isOfAir && kind.requires == .hciEvents) {
            guard let reason = met.missing(kind.requires), let plural = kind.plural else { continue }
            let index = groups.firstIndex { $0.reason == reason } ?? groups.count
            if index == groups.count { groups.append((reason, [])) }
            if !groups[index].kinds.contains(plural) { groups[index].kinds.append(plural) }
        }
        return groups.map { group in
            let kinds = [group.kinds.dropLast().joined(separator: ", "), group.kinds.last ?? ""]
                .filter { !$0.isEmpty }.joined(separator: " and ")
            let sentence = "\(group.reason.capitalizedFirst): \(kinds)"
            guard [.linkEvents, .hciEvents].contains(where: { met.missing($0) == group.reason }) else {
                return "\(sentence) do not appear in it."
            }
            // An app may have logged the end of a connection.
            if platform == .app { return "\(sentence) appear only if the app logged them." }
            let advice = Platform.recordingEvents(on: platform, isText: isText).map { " \($0)" }
            return "\(sentence) do not appear in it.\(advice ?? "")"
        }
    }
}

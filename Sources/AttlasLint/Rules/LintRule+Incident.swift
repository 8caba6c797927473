import AttlasIncidents

/// Rules and incidents about the same fact.
extension LintRule {
    /// The kinds of incidents that the finding may be a part of.
    var incidents: [Incident.Kind] {
        switch id {
        case "att/unanswered-request", "att/transaction-timeout": [.requestUnanswered]
        case "att/unexpected-response": [.unrequestedResponse]
        case "att/unconfirmed-indication": [.indicationUnconfirmed]
        case "att/prepared-write-left": [.longWriteNotExecuted]
        case "gatt/out-of-sync-ignored": [.databaseOutOfSync]
        case "gatt/service-changed-ignored", "gatt/hash-changed-ignored": [.changeNotDiscovered]
        case "gatt/subscription-refused", "gatt/subscription-before-encryption": [.subscriptionRefused]
        case "gatt/subscription-to-unknown-handle": [.subscriptionRefused, .requestRefused]
        case "gatt/subscription-silent": [.noValues]
        case "gatt/subscription-lost": [.subscriptionNotRenewed]
        case "gatt/never-subscribed": [.subscriptionMissing]
        case "gatt/read-not-permitted", "gatt/write-not-permitted", "security/never-paired": [.requestRefused]
        case "link/not-established": [.neverEstablished]
        case "link/supervision-timeouts": [.linkLost]
        case "link/attempt-cancelled-early": [.attemptCancelled]
        case "link/attempt-pending": [.attemptPending]
        case "link/update-unanswered": [.updateUnanswered, .updateNotMade]
        case "link/update-repeated": [.updateRepeated]
        case "link/update-failed", "link/parameters-refused": [.updateRefused]
        case "link/command-disallowed": [.commandFailed, .scanNotStarted, .advertisingNotStarted]
        case "link/write-requests-in-bulk": [.slowTransfer]
        case "link/buffers-exceeded": [.bufferOverflow, .buffersFull]
        case "link/sdu-too-long": [.channelClosed]
        case "link/signal-identifier-zero": [.creditsExhausted]
        case "security/key-missing": [.keyMissing, .encryptionFailed]
        case "security/pairing-repeated": [.pairedAgain]
        default: []
        }
    }
}

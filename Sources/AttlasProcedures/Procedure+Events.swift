import AttlasTrace
import AttlasWire

extension Procedure.Kind {
    /// The procedure that the event belongs to, judged by the event alone; nil for notifications, commands without an answer, and events
    /// that begin or end no procedure.
    package init?(_ event: borrowing Event, in trace: borrowing Trace) {
        switch event.detail {
        case .att(let operation):
            guard let kind = Self(operation, in: trace) else { return nil }
            self = kind
        case .exchange(let end): self = Self(end.asked.opcode, type: nil, in: trace)
        case .mtu: self = .mtuExchange
        case .subscription: self = .subscription
        case .assembled(let value): self = value.kind == .longRead ? .longRead : .longWrite
        case .smp: self = .pairing
        case .updateUnanswered: self = .parameterUpdate
        case .signal(let signal):
            guard let step = SignalStep(signal) else { return nil }
            self = step.kind
        case .connection(let change):
            guard let kind = Self(change) else { return nil }
            self = kind
        case .command(let command):
            guard let kind = command.opcode.attempted == nil ? Self(command.opcode) : .connectionAttempt else {
                return nil
            }
            self = kind
        case .hciEvent(let hci):
            guard let ended = LinkProcedureEvent(hci), let kind = Self(ended.command) else { return nil }
            self = kind
        case .loss, .clockStep, .fault, .limit, .data, .monitor, .packetLogger, .advertising, .periodic, .stream, .air,
            .missed, .l2cap, .sdu, .importedTable, .identified:
            return nil
        }
    }

    /// The procedure that a host begins with a command about a link.
    init?(_ command: HCIOpcode) {
        switch command {
        case .readRemoteVersionInformation: self = .versionExchange
        case .leReadRemoteFeatures: self = .featureExchange
        case .leConnectionUpdate: self = .parameterUpdate
        case .leSetPHY: self = .phyUpdate
        case .leEnableEncryption, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply: self = .encryption
        default: return nil
        }
    }

    private init?(_ change: ConnectionChange) {
        switch change {
        case .made, .failed: self = .connectionAttempt
        case .parametersUpdated: self = .parameterUpdate
        case .phyUpdated: self = .phyUpdate
        case .dataLengthUpdated: self = .dataLengthUpdate
        case .encryption: self = .encryption
        case .features: self = .featureExchange
        case .version: self = .versionExchange
        case .announced(let update), .notReached(let update):
            switch update.change {
            case .parameters: self = .parameterUpdate
            case .phy: self = .phyUpdate
            case .channelMap: return nil
            }
        case .presumed, .decryption, .constantNumbers, .unheard, .channelMapUpdated, .rejected, .ended: return nil
        }
    }

    private init?(_ operation: borrowing ATTOperation, in trace: borrowing Trace) {
        switch operation.opcode.definition?.kind {
        case .request, .indication:
            if case .readByTypeRequest(let pdu) = operation.pdu {
                self = pdu.attributeType.isOfDiscovery ? .discovery : .exchange
            } else {
                self = Self(operation.opcode, type: operation.attribute?.type, in: trace)
            }
        case .response, .confirmation:
            guard let request = operation.request else { return nil }
            self = Self(request, operation.attribute, in: trace)
        case .notification, .command, nil: return nil
        }
    }

    /// The exchange that an answer belongs to.
    init(_ request: AnsweredRequest, _ attribute: AttributeInfo?, in trace: borrowing Trace) {
        self = Self(request.opcode, type: request.attributeType ?? attribute?.type, in: trace)
    }

    /// - Parameter type: that of Read By Type Request, or of the attribute that is named; nil if it is unknown.
    init(_ opcode: ATTOpcode, type: UUIDIndex?, in trace: borrowing Trace) {
        switch opcode {
        case .exchangeMTURequest: self = .mtuExchange
        case .findInformationRequest, .findByTypeValueRequest, .readByGroupTypeRequest: self = .discovery
        case .readByTypeRequest: self = type.map { trace.uuids[$0].isOfDiscovery } ?? false ? .discovery : .exchange
        case .readBlobRequest: self = .longRead
        case .prepareWriteRequest, .executeWriteRequest: self = .longWrite
        case .writeRequest:
            let isSubscription = type.map { trace.uuids[$0] == .clientCharacteristicConfiguration } ?? false
            self = isSubscription ? .subscription : .exchange
        default: self = .exchange
        }
    }
}

extension Procedure.Outcome {
    /// How the event ends a procedure; nil if it ends none.
    package init?(_ event: borrowing Event) {
        switch event.detail {
        case .att(let operation):
            guard let request = operation.request else { return nil }
            self = Self(operation, request)
        case .exchange(let end): self = Self(end)
        case .updateUnanswered: self = .unanswered
        case .smp(let pdu):
            guard case .pairingFailed(let failed) = pdu else { return nil }
            self = .refused(.smp(failed.reason))
        case .signal(let signal):
            guard let outcome = SignalStep(signal)?.outcome else { return nil }
            self = outcome
        case .connection(let change):
            guard let outcome = Self(change) else { return nil }
            self = outcome
        case .hciEvent(let hci):
            guard let ended = LinkProcedureEvent(hci) else { return nil }
            self = Self(ended.status)
        default: return nil
        }
    }

    /// An answer, in time or not.
    init(_ operation: borrowing ATTOperation, _ request: AnsweredRequest) {
        if request.isLate {
            self = .late
        } else if case .errorResponse(let pdu) = operation.pdu, !operation.endsDiscovery {
            self = .refused(.att(pdu.errorCode))
        } else {
            self = .done
        }
    }

    init(_ end: ExchangeEnd) {
        switch end.outcome {
        case .unanswered: self = .unanswered
        case .open: self = .open
        case .overlapped, .doubtful: self = .doubtful
        }
    }

    init(_ status: HCIErrorCode) { self = status.isSuccess ? .done : .refused(.hci(status)) }

    private init?(_ change: ConnectionChange) {
        switch change {
        case .failed(let attempt): self = attempt.isCancelled ? .cancelled : .refused(.hci(attempt.status))
        case .encryption(_, let status): self = Self(status)
        case .made, .parametersUpdated, .phyUpdated, .dataLengthUpdated, .features, .version: self = .done
        case .notReached: self = .interrupted
        case .presumed, .announced, .decryption, .constantNumbers, .unheard, .channelMapUpdated, .rejected, .ended:
            return nil
        }
    }
}

/// The step in its procedure of a command on an L2CAP signaling channel.
struct SignalStep {
    let kind: Procedure.Kind
    /// It begins the procedure.
    let isRequest: Bool
    /// nil if it does not end it.
    let outcome: Procedure.Outcome?

    /// nil for a command without a procedure.
    init?(_ signal: L2CAPSignal) {
        guard let parameters = try? L2CAPSignalParameters(signal) else { return nil }
        switch parameters {
        case .connectionParameterUpdateRequest: (kind, isRequest, outcome) = (.parameterUpdate, true, nil)
        case .connectionParameterUpdateResponse(let response):
            (kind, isRequest) = (.parameterUpdate, false)
            // One that is accepted ends with the update.
            outcome = response.result == 0 ? nil : .refused(.l2cap(response.result, response.resultName))
        case .connectionRequest, .leCreditBasedConnectionRequest, .creditBasedConnectionRequest:
            (kind, isRequest, outcome) = (.channel, true, nil)
        case .connectionResponse(let response):
            // 0x0001: pending.
            let outcome = response.result == 1 ? nil : Procedure.Outcome(response.result, response.resultName)
            (kind, isRequest, self.outcome) = (.channel, false, outcome)
        case .leCreditBasedConnectionResponse(let response):
            let result = response.result
            (kind, isRequest, outcome) = (.channel, false, Procedure.Outcome(result.rawValue, result.name))
        case .creditBasedConnectionResponse(let response):
            let result = response.result
            (kind, isRequest, outcome) = (.channel, false, Procedure.Outcome(result.rawValue, result.name))
        default: return nil
        }
    }
}

extension Procedure.Outcome {
    fileprivate init(_ result: UInt16, _ name: String?) {
        self = result == 0 ? .done : .refused(.l2cap(result, name))
    }
}

extension BluetoothUUID {
    /// Include and characteristic declarations, which a client discovers by type.
    var isOfDiscovery: Bool { self == .include || self == .characteristic }
}

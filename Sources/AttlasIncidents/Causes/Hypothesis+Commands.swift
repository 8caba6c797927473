import AttlasTrace
import AttlasWire

/// Why a command fails, by what the controller was told before.
extension Hypothesis {
    /// nil if nothing in the capture explains it.
    static func account(of opcode: HCIOpcode, _ status: HCIErrorCode, on controller: ControllerState) -> Account? {
        switch (status, opcode) {
        case (.commandDisallowed, .leCreateConnection) where controller.asked ?? 0 > controller.connecting ?? .max:
            // Vol 4, Part E, 7.8.12.
            return controller.connecting.map { frame in
                Account(
                    text:
                        "An attempt to connect was pending (frame \(frame)), and a controller has one at a time (Vol 4, Part E, 7.8.12).",
                    next:
                        "Wait for the end of the attempt before, or cancel it; if another program began it, let one of them connect.",
                    steps: [Incident.Step(frame: frame, text: "the pending attempt began")])
            }
        case (.commandDisallowed, _) where opcode.hasExtendedForm && controller.extended != nil:
            // Core Specification, Vol 4, Part E, 3.1.1.
            return controller.extended.map { frame in
                Account(
                    text:
                        "The host used an extended command before (frame \(frame)): until a reset the legacy ones are not allowed "
                        + "(Vol 4, Part E, 3.1.1).",
                    next: "Use the extended commands only, or reset the controller first.",
                    steps: [Incident.Step(frame: frame, text: "an extended command was used")])
            }
        case (.commandDisallowed, .leSetScanParameters), (.commandDisallowed, .leSetExtendedScanParameters):
            return controller.scanning.map { isOn("Scanning", since: $0, "7.8.10") }
        case (.commandDisallowed, .leSetAdvertisingParameters):
            return controller.advertising.map { isOn("Advertising", since: $0, "7.8.5") }
        case (.commandDisallowed, .leSetExtendedAdvertisingParameters),
            (.commandDisallowed, .leSetExtendedAdvertisingParametersV2),
            (.commandDisallowed, .leSetAdvertisingSetRandomAddress), (.commandDisallowed, .leRemoveAdvertisingSet):
            return controller.commandedSet.flatMap { set in
                controller.enabledSets[set].map {
                    isOn(
                        "Advertising of set \(set)", since: $0,
                        opcode == .leRemoveAdvertisingSet
                            ? "7.8.59" : opcode == .leSetAdvertisingSetRandomAddress ? "7.8.52" : "7.8.53",
                        isRemoved: opcode == .leRemoveAdvertisingSet)
                }
            }
        case (.invalidHCICommandParameters, .leAddDeviceToResolvingList):
            // Vol 4, Part E, 7.8.38.
            guard let added = controller.added, let frame = controller.resolving[added] else { return nil }
            return Account(
                text:
                    "The resolving list has \(added) already (frame \(frame)), with the key of that time: the new key is not in use, and the "
                    + "device will not be recognized by it.",
                next: "Remove the old entry first (LE Remove Device From Resolving List).",
                steps: [Incident.Step(frame: frame, text: "the identity was added")])
        case (.unknownConnectionIdentifier, .leReadPeerResolvableAddress),
            (.unknownConnectionIdentifier, .leReadLocalResolvableAddress),
            (.unknownConnectionIdentifier, .leRemoveDeviceFromResolvingList),
            (.unknownConnectionIdentifier, .leSetPrivacyMode):
            // Vol 4, Part E, 7.8.39, 7.8.41, 7.8.42 and 7.8.77.
            return Account(
                text: "The device of the command is not in the resolving list.",
                next:
                    "Add the device first (LE Add Device To Resolving List), or leave the command out for devices without a key."
            )
        case (.invalidHCICommandParameters, .leSetAdvertisingEnable):
            // Vol 4, Part E, 7.8.9.
            return controller.lacksAddress.map { frame in
                Account(
                    text:
                        "The own address is to be a random one (frame \(frame)), and the host has set none since the reset of the controller "
                        + "(Vol 4, Part E, 7.8.9).",
                    next: "Send LE Set Random Address first.",
                    steps: [Incident.Step(frame: frame, text: "a random own address was chosen")])
            }
        case (.commandDisallowed, .leCreateCIS):
            // Vol 4, Part E, 7.8.99.
            return controller.creating.map {
                Account(
                    text:
                        "LE Create CIS of frame \($0.frame) was pending, and one is at a time (Vol 4, Part E, 7.8.99).",
                    next: "Name all streams in one command, or wait for LE CIS Established before the next.",
                    steps: [Incident.Step(frame: $0.frame, text: "the pending LE Create CIS")])
            }
        case (.encryptionModeNotAcceptable, .leBIGCreateSync): return controller.broadcasts.lastWanted?.wrongEncryption
        case (.invalidHCICommandParameters, _), (.unsupportedFeatureOrParameterValue, _),
            (.parameterOutOfMandatoryRange, _):
            guard let mistake = controller.mistake, mistake.opcode == opcode else { return nil }
            return Account(
                text: "The command of frame \(mistake.frame) is outside the specification: \(mistake.words).",
                next: "Correct the parameters of the host.")
        default: return nil
        }
    }

    private static func isOn(
        _ what: String, since frame: Int, _ section: String, isRemoved: Bool = false
    ) -> Account {
        Account(
            text:
                "\(what) is on since frame \(frame): \(isRemoved ? "the set cannot be removed" : "its parameters cannot be changed") meanwhile "
                + "(Vol 4, Part E, \(section)).",
            next: "Switch it off first.",
            steps: [Incident.Step(frame: frame, text: "\(what.lowercased()) was switched on")])
    }
}

extension BroadcastStates.Wanted {
    static let advice =
        "Ask the broadcaster for the Broadcast_Code: 16 octets, a shorter text is filled with zeros at its end."

    var words: String { "LE BIG Create Sync\(hasCode ? " with a Broadcast_Code" : "")" }

    /// Connection Terminated due to MIC Failure.
    func wrongCode(isProved: Bool) -> Incident.Cause {
        guard hasCode else {
            return .likely("The broadcast is encrypted, and LE BIG Create Sync has no Broadcast_Code.")
        }
        let text = "The Broadcast_Code of frame \(frame) does not open the broadcast."
        return isProved ? .proved(text) : .likely(text)
    }

    /// Encryption Mode Not Acceptable: Encryption is not that of BIGInfo. Core Specification, Vol 4, Part E, 7.8.106.
    var wrongEncryption: Hypothesis.Account {
        Hypothesis.Account(
            text: hasCode
                ? "The broadcast is not encrypted, and LE BIG Create Sync has a Broadcast_Code."
                : "The broadcast is encrypted, and LE BIG Create Sync has no Broadcast_Code.",
            next: hasCode ? "Set Encryption to 0x00, as BIGInfo reports it." : Self.advice)
    }
}

import AttlasWire

/// Results caused by a missing earlier procedure.
struct ProcedureCause {
    /// The control point.
    let characteristic: BluetoothUUID
    /// The result that it gives.
    let result: Int64
    /// The procedure that has to come first.
    let procedure: (number: Int64, name: String)
    /// The specification's rule.
    let rule: String

    static let all = [
        ProcedureCause(
            characteristic: BluetoothUUID(0x2AD9 as UInt16), result: 5, procedure: (0, "Request Control"),
            rule: "A fitness machine obeys only the client that has its control."),
        ProcedureCause(
            characteristic: BluetoothUUID(0x2A9F as UInt16), result: 5, procedure: (2, "Consent"),
            rule: "A user's data are open only after that user's consent."),
        ProcedureCause(
            characteristic: BluetoothUUID(0x0000_1531_1212_EFDE_1523_785F_EABC_D123 as UInt128), result: 2,
            procedure: (1, "Start"), rule: "The other procedures of the update follow Start."),
    ]
}

extension BluetoothUUID {
    /// The SMP of MCUmgr.
    static let simpleManagementProtocol = BluetoothUUID(0xDA2E_7828_FBCE_4E01_AE9E_2611_7499_7C48 as UInt128)
    /// The control point of Nordic's Secure DFU.
    static let secureDFUControlPoint = BluetoothUUID(0x8EC9_0001_F315_4F60_9FB8_8388_30DA_EA50 as UInt128)
}

/// The meaning of a result, by the words of its name.
struct ResultMeaning {
    /// In lower case.
    private let words: [String]
    let meaning: String
    let advice: String

    private static let all = [
        // Results in Broadcast Receive State.
        ResultMeaning(
            words: ["no past"],
            meaning: "The device asked for SyncInfo, and it did not come in time.",
            advice:
                "Synchronize with the broadcast, and send LE Periodic Advertising Sync Transfer when the device asks; or add the source with PA_Sync 2, "
                + "without a transfer."),
        ResultMeaning(
            words: ["failed to synchronize"],
            meaning: "The device did not hear the periodic advertising of the source.",
            advice:
                "Compare the address, its type, the advertising SID and the interval with those of the source, which has to be near the device."
        ),
        ResultMeaning(
            words: ["bad code"], meaning: "The Broadcast_Code that was set does not open the broadcast.",
            advice: "Set the Broadcast_Code of the source again."),
        ResultMeaning(
            words: [
                "not supported", "unsupported", "unknown command", "invalid op code", "invalid opcode",
                "not recognized",
            ],
            meaning: "The server does not have this procedure or option.",
            advice: "Read the features of the service first, and leave out what the server does not have."),
        ResultMeaning(
            words: ["permitted", "authoriz", "authentic", "not bonded", "rejected"],
            meaning: "The server does not allow it to this client now.",
            advice: "Look at which procedure, pairing or user has to give permission first."),
        ResultMeaning(
            words: ["no records", "no object", "not found", "no such"],
            meaning: "The server has nothing that fits the request.",
            advice: "Nothing, unless the server should have it."),
        ResultMeaning(
            words: ["crc", "hash", "signature", "not valid", "verification", "version", "compatible", "firmware"],
            meaning: "The image does not fit the device, or was damaged on the way.",
            advice: "Compare the image with the device: its hardware, its signature, its checksum."),
        ResultMeaning(
            words: ["resource", "memory", "space", "battery", "capacity"],
            meaning: "The server has too little memory, space or energy.",
            advice: "Free memory or charge the device, then ask again."),
        ResultMeaning(
            words: ["busy", "retry", "already"], meaning: "The server was busy with another procedure.",
            advice: "Wait for the end of the procedure before, then ask again."),
        ResultMeaning(
            words: ["state", "order", "sequence", "not started", "inactive", "not applicable"],
            meaning: "The server does not expect the request in its present state.",
            advice: "Compare the order of the requests with the one that the specification wants."),
        ResultMeaning(
            words: [
                "parameter", "operand", "operator", "length", "range", "argument", "bounds", "size", "format",
                "invalid",
            ],
            meaning: "The server does not accept a parameter of the request.",
            advice: "Compare the parameters of the request with the ranges that the server declares."),
    ]

    /// The server names a parameter of the request.
    var isAboutParameter: Bool { words.contains("parameter") }

    /// nil if the name gives no reason: `Operation Failed`.
    ///
    /// - Parameters:
    ///   - result: its name.
    ///   - raw: its number.
    ///   - procedure: the number of the procedure.
    ///   - characteristic: the control point.
    init?(of result: String, _ raw: Int64, _ procedure: Int64?, _ characteristic: BluetoothUUID) {
        // Nordic's Secure DFU: Execute, Invalid Object.
        if characteristic == .secureDFUControlPoint, (procedure, raw) == (4, 5) {
            self.init(
                words: [],
                meaning:
                    "The bootloader does not accept the object that it received: the signature of the init packet, its hardware version, its "
                    + "firmware version or its SoftDevice.",
                advice:
                    "Compare the package with the device: its signing key and these versions."
            )
            return
        }
        // The SMP of mcumgr: Upload without a free slot is answered with it, too.
        if characteristic == .simpleManagementProtocol, (procedure, raw) == (1, 2) {
            self.init(
                words: [],
                meaning: "The server has no room: no slot is free for the image, or it is out of memory.",
                advice: "Read the state of the images: confirm or erase the image in the other slot, then upload again."
            )
            return
        }
        let name = result.lowercased()
        guard let known = Self.all.first(where: { $0.words.contains { name.contains($0) } }) else { return nil }
        self = known
    }

    private init(words: [String], meaning: String, advice: String) {
        (self.words, self.meaning, self.advice) = (words, meaning, advice)
    }
}

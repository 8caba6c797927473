import AttlasIncidents
import AttlasValues

/// Audio streams. Audio Stream Control Service.
extension LintRule {
    static let audio = [
        endpointTransition, endpointNotStreaming, codecNotSupported, qosNotSupported, baseNotInGroup, lateSDU,
    ]

    static let endpointTransition = LintRule(
        "audio/endpoint-transition", .error, title: "an ASE state that may not follow the one before",
        explanation:
            "A client that keeps to the specification does not expect it: the stream stays silent, or is released.",
        section: "Audio Stream Control Service, 3",
        advice: "Change the state in the order of the specification, and notify each change.",
        needs: "two states of the endpoint in a row, the second of them notified, without loss",
        requires: [.pdus, .endpoints], needsNoGap: true)

    static let endpointNotStreaming = LintRule(
        "audio/endpoint-not-streaming", .warning, title: "an enabled ASE that does not start",
        explanation:
            "It stays in Enabling for 5 s or longer, and there is no audio. The receiver of the audio starts it once "
            + "the CIS is established: the client writes Receiver Start Ready for a Source ASE; the server starts a Sink ASE by itself.",
        section: "Audio Stream Control Service, 5.4",
        advice:
            "As a client, establish the CIS, and write Receiver Start Ready for a Source ASE. As a server, start a Sink ASE "
            + "as soon as its CIS and its data path are set up.",
        needs: "the endpoint's states, from Enabling on, without loss", requires: [.pdus, .endpoints], needsNoGap: true)

    static let codecNotSupported = LintRule(
        "audio/codec-not-supported", .error, title: "Config Codec beyond the published capabilities",
        explanation: "The server refuses it, or cannot decode the stream.",
        section: "Audio Stream Control Service, 5.1; Published Audio Capabilities Service, 3",
        advice: AudioServers.Conflict.Kind.codec.advice,
        needs: "the PAC records and the state of the endpoint, read or notified before, without loss",
        requires: [.pdus, .endpoints], needsNoGap: true)

    static let qosNotSupported = LintRule(
        "audio/qos-not-supported", .error, title: "Config QoS that the endpoint or its codec does not allow",
        explanation:
            "The framing, the presentation delay or the size of the SDUs does not fit what Codec Configured says: the server refuses it, or audio is cut.",
        section: "Audio Stream Control Service, 4.1 and 5.2",
        advice: AudioServers.Conflict.Kind.quality.advice,
        needs: "the endpoint's state Codec Configured, without loss", requires: [.pdus, .endpoints],
        needsNoGap: true)

    static let baseNotInGroup = LintRule(
        "audio/base-not-in-group", .error, title: "a BASE that does not fit its BIG",
        explanation:
            "Receivers choose streams and decode SDUs by the BASE. They fail to synchronize, or there is no sound.",
        section: "Basic Audio Profile, 3.7.2.2; Core Specification, Vol 4, Part E, 7.7.65.34 and 7.8.103",
        advice: "Make the BASE and the parameters of LE Create BIG from the same configuration.",
        needs: "the whole BASE and, after it, BIGInfo or LE Create BIG, without loss", requires: .broadcastGroups,
        needsNoGap: true)

    static let lateSDU = LintRule(
        "audio/sdu-late", .warning, title: "SDUs given to the controller later than the transport latency allows",
        explanation: "The controller has no SDU to send in time, and the sound stutters.",
        section: "Core Specification, Vol 4, Part E, 5.4.5; Vol 6, Part G, 3",
        advice: "Give the controller one SDU in every SDU_Interval, from a thread that nothing blocks.",
        needs:
            "three late SDUs of a stream with its SDU_Interval, its transport latency and Number Of Completed Packets, without loss",
        requires: .timedSDUs, needsNoGap: true)
}

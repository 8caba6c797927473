import AttlasIncidents
import AttlasValues

/// Audio streams. Audio Stream Control Service.
extension LintRule {
    static let audio = [endpointTransition, endpointNotStreaming, codecNotSupported, qosNotSupported]

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
}

import AttlasIncidents

/// Audio streams. Audio Stream Control Service.
extension LintRule {
    static let audio = [endpointTransition, endpointNotStreaming]

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
}

import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct EndpointStateTests {
    /// The states that each may come to, a digit each. Audio Stream Control Service, 3: a Sink ASE has no state Disabling (5), and a
    /// Source ASE that is disabled comes to it first. Without its CIS, an endpoint comes back to QoS Configured (2).
    @Test(arguments: [
        (0, "01", "01"), (1, "126", "126"), (2, "1236", "1236"), (3, "2346", "23456"), (4, "246", "2456"),
        (5, "56", "256"), (6, "016", "016"),
    ])
    func transitions(state: UInt8, sink: String, source: String) throws {
        let before = try #require(AudioStreamEndpoint.State(rawValue: state))
        for (isSource, expected) in [(false, sink), (true, source)] {
            let found = (0...6).filter {
                AudioStreamEndpoint.State(rawValue: $0)?.mayFollow(before, isSource: isSource) == true
            }
            expect(found.map(String.init).joined(), equals: expected)
        }
    }
}

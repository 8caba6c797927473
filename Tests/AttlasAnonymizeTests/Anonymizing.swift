import AttlasCapture
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire

@testable import AttlasAnonymize

/// A conversation after it was anonymized.
struct Anonymized {
    /// Octets of each record.
    var octets: [[UInt8]] = []
    var outcome = AnonymizationOutcome()
    /// Frames in which something was left.
    var leaks: [Int] = []

    /// - Parameter key: A Long Term Key of a link captured from the air.
    init(_ packets: [Packet], _ choice: Anonymizer.Choice = .init(), seed: UInt8 = 7, key: UInt128? = nil) {
        let pseudonyms = Pseudonyms(seed: [UInt8](repeating: seed, count: 32))!
        let first = Self.read(packets, key) {
            Anonymizer(collecting: pseudonyms, choice, values: $0)
        } release: { _ in
        }
        var octets: [[UInt8]] = []
        let second = Self.read(packets, key) {
            Anonymizer(replacing: first.secrets, choice, values: $0)
        } release: {
            octets.append($0.bytes.copy())
        }
        self.octets = octets
        outcome = second.outcome

        var trace = Trace()
        var proof = AnonymizationProof(first.secrets.originals)
        var maker = RecordMaker()
        for (packet, octets) in zip(packets, octets) {
            var packet = packet
            packet.octets = octets
            maker.make(packet) {
                proof.note($0)
                trace.decode($0, into: &proof)
            }
        }
        leaks = proof.found
    }

    init(_ text: String, _ choice: Anonymizer.Choice = .init()) {
        self.init(Conversation(text).packets, choice)
    }

    private static func read(
        _ packets: [Packet], _ key: UInt128?, _ makeAnonymizer: (ValueInterpreter) -> Anonymizer,
        release: (Record) -> Void
    ) -> Anonymizer {
        var trace = Trace()
        if let key { trace.addLongTermKey(key) }
        var sink = Interpreted(library: .shipped, makeAnonymizer)
        var maker = RecordMaker()
        for packet in packets {
            maker.make(packet) { sink.anonymize($0, &trace, release) }
        }
        sink.finish(&trace, release)
        return sink.sink
    }
}

extension [UInt8] {
    func contains(_ octets: [UInt8]) -> Bool {
        guard count >= octets.count else { return false }
        return (0...count - octets.count).contains { Array(self[$0..<$0 + octets.count]) == octets }
    }
}

import AttlasAnonymize
import AttlasCapture
import AttlasTrace
import AttlasValues

extension Fuzzer {
    /// Anonymizes records, and searches the output for the original secrets. Bit 3 keeps values.
    func anonymize(_ list: RecordList, _ bits: UInt8) {
        var choice = Anonymizer.Choice()
        choice.keepsValues = bits & 0x08 != 0
        guard let pseudonyms = Pseudonyms(seed: [UInt8](repeating: 1, count: Pseudonyms.seedLength)) else { return }
        var collector = Interpreted(library: library) {
            Anonymizer(collecting: pseudonyms, choice, values: $0)
        }
        anonymize(list, &collector) { _ in }
        let secrets = collector.sink.secrets
        var lengths: [Int] = []
        list.forEachRecord { lengths.append($0.bytes.count) }
        var proof = AnonymizationProof(secrets.originals)
        var trace = makeTrace()
        var replacer = Interpreted(library: library) { Anonymizer(replacing: secrets, choice, values: $0) }
        var count = 0
        anonymize(list, &replacer) { record in
            precondition(record.bytes.count == lengths[count], "a record of another length")
            count += 1
            proof.note(record)
            trace.decode(record, into: &proof)
        }
        trace.finish(into: &proof)
        precondition(count == lengths.count, "a record is missing")
        precondition(proof.found.isEmpty, "a secret is left in frame \(proof.found[0])")
    }

    private func anonymize(
        _ list: RecordList, _ sink: inout Interpreted<Anonymizer>, _ release: (Record) -> Void
    ) {
        var trace = makeTrace()
        list.forEachRecord { sink.anonymize($0, &trace, release) }
        sink.finish(&trace, release)
    }
}

import AttlasDissection
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Testing

/// Fields by their names, in whatever describes the values.
@Suite struct FieldFinderTests {
    private struct Finding: Equatable {
        let frame: Int
        let slot: Int
        let raw: Int64
        /// Of the bits that have the name.
        let bits: String?
    }

    private struct Collector: EventSink {
        let names: [String]
        var finder: FieldFinder
        var findings: [Finding] = []
        var faults: [Int] = []

        init(_ names: [String], _ values: ValueInterpreter) {
            self.names = names
            finder = FieldFinder(names: names, values: values)
        }

        mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
            finder.beginEvent()
            let frame = event.frame
            event.forEachAttribute(in: trace) { value in
                for slot in names.indices {
                    finder.forEach(slot, value, in: trace) { field, target, _, _ in
                        findings.append(Finding(frame: frame, slot: slot, raw: field.raw, bits: target.bits?.name))
                        return true
                    }
                }
                if finder.hasFault(value, in: trace) { faults.append(frame) }
                return true
            }
        }
    }

    /// Heart Rate Measurement at 0x0003 and Battery Level at 0x0005; frames 1 to 5.
    private static let discovery: [Packet] = [
        .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0500 0D18"),
        .att(.tx, "08 0100 0500 0328"), .att(.rx, "09 07 0200 10 0300 372A 0400 12 0500 192A"),
    ]

    private func find(_ names: String..., in packets: [Packet]) -> (findings: [Finding], faults: [Int]) {
        let collector = decoded(Self.discovery + packets) { Collector(names, $0) }
        return (collector.findings, collector.faults)
    }

    @Test func namesAreFoundInAnyLetterCase() {
        let found = find("heart rate MEASUREMENT value", "Battery Level", in: [.att(.rx, "1B 0300 00 48")])
        expect(found.findings, equals: [Finding(frame: 6, slot: 0, raw: 72, bits: nil)])
        #expect(found.faults.isEmpty)
    }

    @Test func aRepeatedFieldIsFoundEachTime() {
        // RR-Intervals of 512 and 1024.
        let found = find("RR-Interval", in: [.att(.rx, "1B 0300 10 48 0002 0004")])
        expect(found.findings.map(\.raw), equals: [512, 1024])
    }

    @Test func bitsAreFields() {
        // Sensor contact supported and detected.
        let found = find("Sensor Contact Detected", in: [.att(.rx, "1B 0300 06 48")])
        expect(found.findings, equals: [Finding(frame: 6, slot: 0, raw: 6, bits: "Sensor Contact Detected")])
    }

    @Test func eachOfSeveralValuesIsRead() {
        let found = find(
            "Battery Level", "Heart Rate Measurement Value", in: [.att(.rx, "23 0300 0200 00 48 0500 0100 5A")])
        expect(
            found.findings,
            equals: [
                Finding(frame: 6, slot: 1, raw: 72, bits: nil), Finding(frame: 6, slot: 0, raw: 90, bits: nil),
            ])
    }

    @Test func whatIsNotThereIsNotFound() {
        let found = find(
            "Energy Expended", "Nothing Like It", in: [.att(.rx, "1B 0300 00 48"), .att(.rx, "1B 2A00 00")])
        #expect(found.findings.isEmpty)
    }

    @Test func aValueThatEndsInAFieldHasAFault() {
        // Heart rate of 16 bits, of which 8 are present; then the same, cut by the capture.
        let found = find("Flags", in: [.att(.rx, "1B 0300 01 48"), .att(.rx, "1B 0300 01 48", missing: 1)])
        expect(found.faults, equals: [6])
        expect(found.findings.map(\.frame), equals: [6, 7])
    }

    /// Mesh Proxy Data Out: what the last part completes is read.
    @Test func aMessageInPartsIsReadWhenItIsWhole() {
        let packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 2818"),
            .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 10 0300 DE2A"),
            .att(.rx, "1B 0300 40 10 11 12"), .att(.rx, "1B 0300 C0 13 14"),
        ]
        let collector = decoded(packets) { Collector(["Data"], $0) }
        expect(collector.findings.map(\.frame), equals: [7])
    }
}

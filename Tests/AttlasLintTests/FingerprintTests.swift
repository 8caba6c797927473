import AttlasTestSupport
import Testing

@testable import AttlasLint

/// A second recording of a fault has its fingerprint; another attribute, another rule or another peer has another one.
@Suite struct FingerprintTests {
    /// Battery Level in two services, of the same UUIDs, at the given handles; their values are answered by errors of a reserved code.
    private func packets(
        first: Int = 3, second: Int = 6, peer: [UInt8] = [0xF2, 0xF2, 0xF2, 0xF2, 0xF2, 0xF2], name: String? = nil,
        before: Int = 0, handles: [Int]? = nil
    ) -> [Packet] {
        func hex(_ octets: [UInt8]) -> String { octets.map { String($0, radix: 16).leftPadded }.joined() }
        let made = "3E 13 01 00 4000 00 01 \(hex(peer)) 1800 0000 4800 00"
        var packets: [Packet] = (0..<before).map { _ in .event("FF 01 00") } + [.event(made)]
        if let name {
            // Device Name, read by its type.
            let value = Array(name.utf8)
            packets += [
                .att(.tx, "08 0100 FFFF 002A"),
                .frame(.rx, channel: 4, [0x09, UInt8(value.count + 2), 0x20, 0x00] + value),
            ]
        }
        packets += [
            .att(.tx, "10 0100 FFFF 0028"),
            .att(
                .rx,
                "11 06 \(hex(little(first - 2))) \(hex(little(first))) 0F18 \(hex(little(second - 2))) \(hex(little(second))) 0F18"
            ),
            .att(.tx, "08 0100 FFFF 0328"),
            .att(
                .rx,
                "09 07 \(hex(little(first - 1))) 02 \(hex(little(first))) 192A \(hex(little(second - 1))) 02 \(hex(little(second))) 192A"
            ),
        ]
        for handle in handles ?? [first, second] {
            packets += [.att(.tx, "0A \(hex(little(handle)))"), .att(.rx, "01 0A \(hex(little(handle))) 20")]
        }
        return packets
    }

    private func fingerprints(_ packets: [Packet]) -> [String] {
        document(of: packets) { LintCollector(values: $0) }.findings.filter { $0.rule.id == "att/reserved-error-code" }
            .map(\.fingerprint)
    }

    @Test func aSecondRecordingHasTheSame() {
        let first = fingerprints(packets())
        expect(first.count, equals: 2)
        expect(Set(first).count, equals: 2)
        #expect(first.allSatisfy { $0.count == 32 })
        // Later frames, other handles with the same order, the other one first, once more on the same connection.
        expect(fingerprints(packets(before: 9)), equals: first)
        expect(fingerprints(packets(first: 13, second: 16)), equals: first)
        expect(fingerprints(packets(handles: [6, 3, 6])), equals: first.reversed())
        expect(fingerprints(packets() + [.disconnected()] + packets()), equals: first + first)
    }

    /// A resolvable private address changes, the name stays; a static one is what tells two devices of one name apart.
    @Test func ofAPeer() {
        let (one, other): ([UInt8], [UInt8]) = ([1, 2, 3, 4, 5, 0x45], [6, 7, 8, 9, 10, 0x4A])
        let named = fingerprints(packets(peer: one, name: "HRM"))
        expect(fingerprints(packets(peer: other, name: "HRM")), equals: named)
        #expect(fingerprints(packets(peer: one, name: "Scale")) != named)
        expect(fingerprints(packets(peer: one)), equals: fingerprints(packets(peer: other)))
        #expect(
            fingerprints(packets(peer: [1, 2, 3, 4, 5, 0xC5])) != fingerprints(packets(peer: [6, 7, 8, 9, 10, 0xCA])))
        // Two devices in one capture of which neither is known.
        let both = fingerprints(packets(peer: one) + [.disconnected()] + packets(peer: other))
        expect(Set(both).count, equals: 4)
    }

    @Test func ofTwoFields() {
        // Error codes of one attribute: separate findings.
        let codes = document(
            of: packets(handles: []) + [
                .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 20"), .att(.tx, "0A 0300"), .att(.rx, "01 0A 0300 21"),
            ]
        ) { LintCollector(values: $0) }.findings.map(\.fingerprint)
        expect(Set(codes).count, equals: codes.count)
    }
}

extension String {
    fileprivate var leftPadded: String { count < 2 ? "0\(self)" : self }
}

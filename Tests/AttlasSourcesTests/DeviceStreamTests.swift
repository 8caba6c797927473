import AttlasCapture
import AttlasTestSupport
import Testing

@testable import AttlasInput
@testable import AttlasSources

/// pcapng, draft-ietf-opsawg-pcapng, 4.1 to 4.3 and 4.6.
@Suite struct DeviceStreamTests {
    private func take(_ stream: inout DeviceStream) -> [UInt8] {
        [UInt8](capacity: 65_536) { stream.pending.take(into: &$0) }
    }

    @Test func packetsAndTheirLossesOctetByOctet() {
        var stream = DeviceStream(linkType: 254, snapLength: 0x40000)
        #expect(
            take(&stream)
                == hex(
                    """
                    0A0D0D0A 1C000000 4D3C2B1A 0100 0000 FFFFFFFFFFFFFFFF 1C000000
                    01000000 14000000 FE00 0000 00000400 14000000
                    """))
        // A packet of 9 octets, of which 5 were captured, 0x500000001 microseconds after 1970.
        stream.append(microseconds: 0x5_0000_0001, length: 9, [1, 2, 3, 4, 5], lost: 0)
        #expect(
            take(&stream)
                == hex(
                    """
                    06000000 28000000 00000000 05000000 01000000 05000000 09000000 0102030405 000000 28000000
                    """))
        stream.append(microseconds: 1, length: 0, [], lost: 7)
        #expect(
            take(&stream)
                == hex(
                    """
                    06000000 30000000 00000000 00000000 01000000 00000000 00000000
                    0400 0800 0700000000000000 00000000 30000000
                    """))
        stream.appendStatistics(lost: 7)
        #expect(stream.pending.isEmpty)
        stream.appendStatistics(lost: 9)
        expect(
            take(&stream),
            equals: hex(
                "05000000 28000000 00000000 00000000 00000000 0500 0800 0900000000000000 00000000 28000000"))
    }

    /// Each loss belongs to the packet that follows it; the last ones to the end.
    @Test func theReaderHasTheSameLosses() throws {
        var stream = DeviceStream(linkType: 254, snapLength: 0x40000)
        for (number, lost) in [0, 3, 3, 10].enumerated() {
            stream.append(
                microseconds: Int64(number), length: 7, [0, 0, 0, 2, 3, 0x0C, 0] as [UInt8], lost: UInt64(lost))
        }
        stream.appendStatistics(lost: 12)
        let reading = Reading(take(&stream))
        #expect(reading.error == nil)
        expect(reading.records.map(\.lost), equals: [0, 3, 0, 7])
        expect(reading.info?.lostAtEnd, equals: 2)
    }
}

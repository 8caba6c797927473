import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// The Three-wire UART. Core Specification, Vol 4, Part D.
@Suite struct H5StreamTests {
    /// Link control: SYNC and CONFIG. 8.2 and 8.4.
    private static let link = "C0 00 2F 00 D0 01 7E C0 C0 00 2F 00 D0 02 7D C0"
    /// HCI_Reset, reliable, with the sequence number 0, and an acknowledgement of it.
    private static let reset = "C0 80 31 00 4E 03 0C 00 C0"
    private static let acknowledgement = "C0 08 00 00 F7 C0"
    /// Its Command Complete.
    private static let complete = "C0 88 64 00 13 0E 04 01 03 0C 00 C0"
    /// A Read Request of handle 0x00C0, and HCI_Reset with the sequence number 2.
    private static let read = "C0 81 B2 00 CC 40 00 07 00 03 00 04 00 0A DB DC 00 C0"
    private static let second = "C0 82 31 00 4C 03 0C 00 C0"

    private func reading(_ frames: String...) -> Reading { Reading(hex(frames.joined())) }

    @Test func framesBecomePackets() {
        let reading = reading(Self.link, Self.reset, Self.acknowledgement, Self.complete, Self.read)
        expect(reading.info?.format, equals: "H5 stream")
        expect(
            reading.records.map(\.bytes), equals: [hex("030C00"), hex("0E0401030C00"), hex("4000070003000400 0AC000")])
        expect(reading.records.map(\.direction), equals: [.tx, .rx, .tx])
        expect(reading.records.map(\.frame), equals: [3, 5, 6])
        #expect(reading.error == nil && reading.info?.lacksTimes == true)
    }

    /// The same sequence number: sent again. The next one: two equal commands. After link control the numbers begin again.
    @Test func aPacketThatIsSentAgainIsOne() {
        expect(reading(Self.link, Self.reset, Self.reset, Self.complete).records.map(\.frame), equals: [3, 5])
        let read = Self.read
        expect(reading(Self.reset, read, Self.second, Self.complete).records.map(\.frame), equals: [1, 2, 3, 4])
        expect(reading(Self.link, Self.reset, Self.link, Self.reset).records.map(\.frame), equals: [3, 6])
    }

    /// A wrong checksum, a packet that is longer than its frame, and an escape that means nothing.
    @Test(arguments: ["80 31 00 4F 03 0C 00", "80 31 00 4E 03 0C 01", "80 31 00 4E DB 0C 00"])
    func aFrameThatMakesNoSenseIsReported(frame: String) {
        let reading = reading(Self.link, Self.reset, "C0", frame, "C0", Self.complete)
        expect(reading.records.map(\.fault), equals: [nil, "7 octets that are no packet", nil])
        #expect(reading.error == nil)
    }

    /// A CRC of two octets after the packet: bit 6 of the header.
    @Test func aFrameMayHaveACRC() {
        let reading = reading(Self.link, Self.reset, "C0 C8 64 00 D3 0E 04 01 03 0C 00 12 34 C0")
        expect(reading.records.map(\.bytes), equals: [hex("030C00"), hex("0E0401030C00")])
    }

    @Test func aStreamMayBeginAndEndWithinAFrame() {
        let reading = reading("03 0C 00 C0", Self.link, Self.reset, "C0 88 64 00 13 0E 04")
        expect(reading.records.map(\.fault), equals: ["3 octets that are no packet", nil])
        expect(reading.error?.kind.isCutShort, equals: true)
    }
}

extension CaptureError.Kind {
    fileprivate var isCutShort: Bool { if case .cutShort = self { true } else { false } }
}

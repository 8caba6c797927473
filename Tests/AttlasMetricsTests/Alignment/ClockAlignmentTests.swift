import AttlasCapture
import AttlasTestSupport
import AttlasTrace
import AttlasWire
import Testing

@testable import AttlasMetrics

/// One session in a host's log and in a sniffer's capture, with two clocks.
@Suite struct ClockAlignmentTests {
    private static let count = 200
    private static let interval = 300_000

    /// By the host's clock, in µs: a value of the peer, and a write of the host that has to wait on its way to the air.
    private func host(repeating: Bool = false) -> [Packet] {
        [Packet.connected().at(microseconds: 1_000)]
            + (0..<Self.count).flatMap { index in
                [
                    Packet.frame(.rx, channel: 4, hex("1B 0300") + value(index, repeating))
                        .at(microseconds: index * Self.interval + 100_200),
                    Packet.frame(.tx, channel: 4, hex("52 0500") + value(index, repeating))
                        .at(microseconds: index * Self.interval + 150_000),
                ]
            }
    }

    /// - Parameters:
    ///   - ppm: by which its clock is fast.
    ///   - missed: Whether a PDU was not heard.
    private func air(
        ahead: Int, ppm: Double, repeating: Bool = false, missed: (Int) -> Bool = { _ in false }
    ) -> [Packet] {
        let air = Air()
        func time(_ microseconds: Int) -> Int {
            Int((Double(microseconds) * (1 + ppm / 1e6)).rounded()) + ahead
        }
        var packets = [air.connect(time: time(900))]
        for index in 0..<Self.count where !missed(index) {
            let parity = index % 2
            packets.append(
                air.data(
                    .rx, 2, sn: parity, nesn: parity, frame(hex("1B 0300") + value(index, repeating)),
                    time: time(index * Self.interval + 100_000)))
            packets.append(
                air.data(
                    .tx, 2, sn: parity, nesn: parity, frame(hex("52 0500") + value(index, repeating)),
                    time: time(index * Self.interval + 150_000 + index * 7_919 % 30_000)))
        }
        return packets
    }

    private func value(_ index: Int, _ repeating: Bool) -> [UInt8] { repeating ? [7] : little(index) }
    private func frame(_ pdu: [UInt8]) -> [UInt8] { little(pdu.count) + little(4) + pdu }
    private func heard(_ packets: [Packet]) -> HeardPDUs { decoded(packets) { _ in HeardPDUs() } }

    /// Less than 1 ms apart afterwards, over a minute in which the clock gains 3 ms.
    @Test(arguments: [50.0, -50, 0])
    func offsetAndDriftAreFound(_ ppm: Double) throws {
        let alignment = try #require(
            ClockAlignment(heard(host()), heard(air(ahead: 1_500_000, ppm: ppm) { $0 % 17 == 5 })))
        #expect(alignment.hasDrift && abs(alignment.correction.drift / 1_000 - ppm) < 0.5)
        #expect(alignment.residual < 1_000_000 && alignment.count > 150)
        // 200 µs from the air to the host's log.
        let offset = Double(alignment.correction.offset) / 1_000
        #expect(abs(offset - 1_500_000 + 200) < 20, "\(offset)")
        #expect(alignment.sentence.contains("PDUs") && alignment.sentence.hasPrefix("clock offset +1.49"))
    }

    @Test func anOffsetMayBeNegative() throws {
        let alignment = try #require(ClockAlignment(heard(host()), heard(air(ahead: -90_000, ppm: 0))))
        #expect(alignment.sentence.hasPrefix("clock offset -0.0902"))
    }

    /// The difference is the largest number of nanoseconds, and as a Double one more.
    @Test func clocksThatAreCenturiesApart() throws {
        let alignment = try #require(ClockAlignment(heard(host()), heard(air(ahead: 9_300_000_000_000_000, ppm: 0))))
        #expect(alignment.correction.offset == .max && alignment.sentence.hasPrefix("clock offset +9223372036"))
    }

    /// Equal values are ambiguous when one of them is missing.
    @Test func nothingInCommon() {
        #expect(
            ClockAlignment(heard(host(repeating: true)), heard(air(ahead: 0, ppm: 0, repeating: true) { $0 == 9 }))
                == nil)
        #expect(ClockAlignment(heard(host()), heard([])) == nil)
    }

    @Test func aShortSessionHasNoDrift() throws {
        let alignment = try #require(
            ClockAlignment(heard(Array(host().prefix(9))), heard(Array(air(ahead: 5_000, ppm: 0).prefix(9)))))
        #expect(!alignment.hasDrift && alignment.correction.drift == 0)
        #expect(alignment.sentence.contains("drift not measured"))
    }
}

import AttlasTestSupport
import Testing

@testable import AttlasWire

/// TS 07.10, 5.2.1: the address has EA, C/R and the DLCI in six bits; the length has EA and 7 or 15 bits. RFCOMM, 6.5.2: credits.
@Suite struct RFCOMMFrameTests {
    private func text(_ octets: String) -> String {
        let bytes = hex(octets)
        guard let frame = RFCOMMFrame(Bytes(bytes.span)) else { return "none" }
        let credits = frame.credits.map { "\($0)" } ?? "-"
        return "dlci \(frame.dlci) type \(frame.type) credits \(credits) "
            + frame.information.copy().map { "\($0)" }.joined(separator: ",")
    }

    @Test func headers() {
        // The last octet is the check.
        expect(text("0B EF 05 41 42 9A"), equals: "dlci 2 type 239 credits - 65,66")
        expect(text("53 FF 05 07 41 42 9A"), equals: "dlci 20 type 239 credits 7 65,66")
        expect(text("53 FF 01 07 9A"), equals: "dlci 20 type 239 credits 7 ")
        // On the control channel, P/F asks for an answer.
        expect(text("03 FF 05 41 42 9A"), equals: "dlci 0 type 239 credits - 65,66")
        expect(text("03 3F 01 1C"), equals: "dlci 0 type 47 credits - ")
        // 256 octets, of which three were captured.
        expect(text("0B EF 00 02 01 02 03"), equals: "dlci 2 type 239 credits - 1,2,3")
    }

    @Test func whatEndsWithinTheHeader() {
        for octets in ["", "0B", "0B EF", "0B EF 00", "0B FF 01"] { expect(text(octets), equals: "none") }
    }

    /// PN for DLCI 20: convergence layer 0xF asks for credits, 7 of them; 0x0 does without. Frame size 990.
    @Test func initialCredits() {
        func grant(_ octets: String) -> RFCOMMInitialCredits? {
            let bytes = hex(octets)
            return RFCOMMInitialCredits(Bytes(bytes.span))
        }
        let asked = grant("83 11 14 F0 00 00 DE 03 00 07")
        expect(asked?.dlci, equals: 20)
        expect(asked?.credits, equals: 7)
        expect(grant("81 11 14 E0 00 00 DE 03 00 05")?.credits, equals: 5)
        expect(grant("83 11 14 00 00 00 DE 03 00 00")?.credits, equals: nil)
        // Modem Status Command.
        expect(grant("E3 05 53 8D")?.credits, equals: nil)
    }
}

import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

@Suite struct PasskeyCommitmentsTests {
    /// Core Specification, Vol 3, Part H, D.2.
    @Test func sampleData() {
        let code = PasskeyCommitments.f4(
            (0x20B0_03D2_F297_BE2C_5E2C_83A7_E9F9_A5B9, 0xEFF4_9111_ACF4_FDDB_CC03_0148_0E35_9DE6),
            (0x5518_8B3D_32F6_BB9A_900A_FCFB_EED4_E72A, 0x59CB_9AC2_F19D_7CFB_6B4F_DD49_F47F_C5FD),
            0xD5CB_8454_D177_733E_FFFF_B2EC_712B_AEAB, 0x00)
        expect(code, equals: 0xF2C9_16F1_07A9_BD1C_F1ED_A1BE_A974_872D)
    }

    /// What bumble said, with 271828 as the passkey: see the recording's story.
    @Test func aRecordedPairing() throws {
        var trace = Trace()
        var sink = Passkeys()
        var maker = RecordMaker()
        for packet in try Repository.packets(of: "fixed-passkey.btsnoop") {
            maker.make(packet) { trace.decode($0, into: &sink) }
        }
        expect(sink.passkeys, equals: [271_828, 271_828])
    }
}

private struct Passkeys: EventSink {
    private var commitments = PasskeyCommitments()
    private(set) var passkeys: [UInt32] = []

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        guard case .smp(let pdu) = event.detail else { return }
        if let passkey = commitments.note(pdu, from: event.direction) { passkeys.append(passkey) }
    }
}

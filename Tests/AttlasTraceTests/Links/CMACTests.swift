import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

@Suite struct CMACTests {
    /// RFC 4493, 4.
    @Test(
        arguments: [
            (0, 0xBB1D_6929_E959_3728_7FA3_7D12_9B75_6746), (16, 0x070A_16B4_6B4D_4144_F79B_DD9D_D04A_287C),
            (40, 0xDFA6_6747_DE9A_E630_30CA_3261_1497_C827), (64, 0x51F0_BEBF_7E3B_9D92_FC49_7417_7936_3CFE),
        ] as [(Int, UInt128)])
    func published(length: Int, code: UInt128) {
        let message = hex(
            """
            6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 \
            30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
            """)
        let cmac = CMAC(key: 0x2B7E_1516_28AE_D2A6_ABF7_1588_09CF_4F3C)
        let part = Array(message.prefix(length))
        let made = cmac.code(of: Bytes(part.span))
        expect(made, equals: code)
    }
}

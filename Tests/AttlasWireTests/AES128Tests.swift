import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct AES128Tests {
    /// FIPS 197, Appendix B; NIST SP 800-38A, F.1.1. Both with the key of FIPS 197, Appendix A.1.
    @Test(
        arguments: [
            (0x3243_F6A8_885A_308D_3131_98A2_E037_0734, 0x3925_841D_02DC_09FB_DC11_8597_196A_0B32),
            (0x6BC1_BEE2_2E40_9F96_E93D_7E11_7393_172A, 0x3AD7_7BB4_0D7A_3660_A89E_CAF3_2466_EF97),
            (0xAE2D_8A57_1E03_AC9C_9EB7_6FAC_45AF_8E51, 0xF5D3_D585_03B9_699D_E785_895A_96FD_BAAF),
            (0x30C8_1C46_A35C_E411_E5FB_C119_1A0A_52EF, 0x43B1_CD7F_598E_CE23_881B_00E3_ED03_0688),
            (0xF69F_2445_DF4F_9B17_AD2B_417B_E66C_3710, 0x7B0C_785E_27E8_AD3F_8223_2071_0472_5DD4),
        ] as [(UInt128, UInt128)])
    func published(block: UInt128, encrypted: UInt128) {
        let cipher = AES128(key: 0x2B7E_1516_28AE_D2A6_ABF7_1588_09CF_4F3C)
        expect(cipher.encrypt(block), equals: encrypted)
        expect(cipher.encryptInSoftware(block), equals: encrypted)
        expect(cipher.decrypt(encrypted), equals: block)
    }

    /// Whatever instructions this processor has.
    @Test func bothWaysEncryptAlike() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
            let (key, block) = (
                UInt128.random(in: 0...(.max), using: &random), UInt128.random(in: 0...(.max), using: &random)
            )
            let cipher = AES128(key: key)
            expect(cipher.encrypt(block), equals: cipher.encryptInSoftware(block))
            expect(cipher.decrypt(cipher.encrypt(block)), equals: block)
        }
    }

    /// FIPS 197, 5.1.1: the multiplicative inverse in the field, then the affine transformation.
    @Test func theTableIsWhatItsDefinitionSays() {
        func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
            var product: UInt8 = 0
            for bit in (0..<8).reversed() {
                product = product << 1 ^ (product >> 7) &* 0x1B
                if other >> UInt8(bit) & 1 == 1 { product ^= one }
            }
            return product
        }
        for octet in UInt8.min...UInt8.max {
            // Zero has none, and stands for itself.
            let inverse = (UInt8.min...UInt8.max).first { product(octet, $0) == 1 } ?? 0
            let rotations = (0..<5 as Range<UInt8>).map { count -> UInt8 in inverse << count | inverse >> (8 - count) }
            expect(AES128.sBox[Int(octet)], equals: rotations.reduce(0x63, ^))
        }
    }
}

import AttlasDissection

/// The parameters of the CRCs that devices use, by their names in the public catalogue of parametrised CRC algorithms.
package struct CatalogueCRC: Sendable {
    package let name: String
    package let algorithm: Checksum.Algorithm
    /// Its result for the ASCII digits 1 to 9.
    package let check: UInt32

    private init(
        _ name: String, _ width: Int, _ polynomial: UInt32, _ initial: UInt32, _ isReflected: Bool, _ final: UInt32,
        _ check: UInt32
    ) {
        self.name = "CRC-\(width)/\(name)"
        algorithm = .crc(
            width: width, polynomial: polynomial, initial: initial, isReflected: isReflected, final: final)
        self.check = check
    }

    /// The frequent ones first: where several fit, the first is proposed.
    package static let all: [CatalogueCRC] = [
        CatalogueCRC("MODBUS", 16, 0x8005, 0xFFFF, true, 0, 0x4B37),
        CatalogueCRC("IBM-3740", 16, 0x1021, 0xFFFF, false, 0, 0x29B1),
        CatalogueCRC("XMODEM", 16, 0x1021, 0, false, 0, 0x31C3),
        CatalogueCRC("MCRF4XX", 16, 0x1021, 0xFFFF, true, 0, 0x6F91),
        CatalogueCRC("KERMIT", 16, 0x1021, 0, true, 0, 0x2189),
        CatalogueCRC("ARC", 16, 0x8005, 0, true, 0, 0xBB3D),
        CatalogueCRC("IBM-SDLC", 16, 0x1021, 0xFFFF, true, 0xFFFF, 0x906E),
        CatalogueCRC("USB", 16, 0x8005, 0xFFFF, true, 0xFFFF, 0xB4C8),
        CatalogueCRC("GENIBUS", 16, 0x1021, 0xFFFF, false, 0xFFFF, 0xD64E),
        CatalogueCRC("GSM", 16, 0x1021, 0, false, 0xFFFF, 0xCE3C),
        CatalogueCRC("SPI-FUJITSU", 16, 0x1021, 0x1D0F, false, 0, 0xE5CC),
        CatalogueCRC("MAXIM-DOW", 16, 0x8005, 0, true, 0xFFFF, 0x44C2),
        CatalogueCRC("UMTS", 16, 0x8005, 0, false, 0, 0xFEE8),
        CatalogueCRC("CMS", 16, 0x8005, 0xFFFF, false, 0, 0xAEE7),
        CatalogueCRC("DDS-110", 16, 0x8005, 0x800D, false, 0, 0x9ECF),
        CatalogueCRC("CDMA2000", 16, 0xC867, 0xFFFF, false, 0, 0x4C06),
        CatalogueCRC("DECT-R", 16, 0x0589, 0, false, 0x0001, 0x007E),
        CatalogueCRC("DECT-X", 16, 0x0589, 0, false, 0, 0x007F),
        CatalogueCRC("DNP", 16, 0x3D65, 0, true, 0xFFFF, 0xEA82),
        CatalogueCRC("EN-13757", 16, 0x3D65, 0, false, 0xFFFF, 0xC2B7),
        CatalogueCRC("ISO-IEC-14443-3-A", 16, 0x1021, 0xC6C6, true, 0, 0xBF05),
        CatalogueCRC("LJ1200", 16, 0x6F63, 0, false, 0, 0xBDF4),
        CatalogueCRC("M17", 16, 0x5935, 0xFFFF, false, 0, 0x772B),
        CatalogueCRC("NRSC-5", 16, 0x080B, 0xFFFF, true, 0, 0xA066),
        CatalogueCRC("OPENSAFETY-A", 16, 0x5935, 0, false, 0, 0x5D38),
        CatalogueCRC("OPENSAFETY-B", 16, 0x755B, 0, false, 0, 0x20FE),
        CatalogueCRC("PROFIBUS", 16, 0x1DCF, 0xFFFF, false, 0xFFFF, 0xA819),
        CatalogueCRC("RIELLO", 16, 0x1021, 0xB2AA, true, 0, 0x63D0),
        CatalogueCRC("T10-DIF", 16, 0x8BB7, 0, false, 0, 0xD0DB),
        CatalogueCRC("TELEDISK", 16, 0xA097, 0, false, 0, 0x0FB3),
        CatalogueCRC("TMS37157", 16, 0x1021, 0x89EC, true, 0, 0x26B1),
        CatalogueCRC("SMBUS", 8, 0x07, 0, false, 0, 0xF4),
        CatalogueCRC("MAXIM-DOW", 8, 0x31, 0, true, 0, 0xA1),
        CatalogueCRC("NRSC-5", 8, 0x31, 0xFF, false, 0, 0xF7),
        CatalogueCRC("ROHC", 8, 0x07, 0xFF, true, 0, 0xD0),
        CatalogueCRC("I-432-1", 8, 0x07, 0, false, 0x55, 0xA1),
        CatalogueCRC("SAE-J1850", 8, 0x1D, 0xFF, false, 0xFF, 0x4B),
        CatalogueCRC("AUTOSAR", 8, 0x2F, 0xFF, false, 0xFF, 0xDF),
        CatalogueCRC("BLUETOOTH", 8, 0xA7, 0, true, 0, 0x26),
        CatalogueCRC("CDMA2000", 8, 0x9B, 0xFF, false, 0, 0xDA),
        CatalogueCRC("DARC", 8, 0x39, 0, true, 0, 0x15),
        CatalogueCRC("DVB-S2", 8, 0xD5, 0, false, 0, 0xBC),
        CatalogueCRC("GSM-A", 8, 0x1D, 0, false, 0, 0x37),
        CatalogueCRC("GSM-B", 8, 0x49, 0, false, 0xFF, 0x94),
        CatalogueCRC("HITAG", 8, 0x1D, 0xFF, false, 0, 0xB4),
        CatalogueCRC("I-CODE", 8, 0x1D, 0xFD, false, 0, 0x7E),
        CatalogueCRC("LTE", 8, 0x9B, 0, false, 0, 0xEA),
        CatalogueCRC("MIFARE-MAD", 8, 0x1D, 0xC7, false, 0, 0x99),
        CatalogueCRC("OPENSAFETY", 8, 0x2F, 0, false, 0, 0x3E),
        CatalogueCRC("TECH-3250", 8, 0x1D, 0xFF, true, 0, 0x97),
        CatalogueCRC("WCDMA", 8, 0x9B, 0, true, 0, 0x25),
        CatalogueCRC("ISO-HDLC", 32, 0x04C1_1DB7, 0xFFFF_FFFF, true, 0xFFFF_FFFF, 0xCBF4_3926),
        CatalogueCRC("MPEG-2", 32, 0x04C1_1DB7, 0xFFFF_FFFF, false, 0, 0x0376_E6E7),
        CatalogueCRC("BZIP2", 32, 0x04C1_1DB7, 0xFFFF_FFFF, false, 0xFFFF_FFFF, 0xFC89_1918),
        CatalogueCRC("JAMCRC", 32, 0x04C1_1DB7, 0xFFFF_FFFF, true, 0, 0x340B_C6D9),
        CatalogueCRC("ISCSI", 32, 0x1EDC_6F41, 0xFFFF_FFFF, true, 0xFFFF_FFFF, 0xE306_9283),
        CatalogueCRC("CKSUM", 32, 0x04C1_1DB7, 0, false, 0xFFFF_FFFF, 0x765E_7680),
        CatalogueCRC("AIXM", 32, 0x8141_41AB, 0, false, 0, 0x3010_BF7F),
        CatalogueCRC("AUTOSAR", 32, 0xF4AC_FB13, 0xFFFF_FFFF, true, 0xFFFF_FFFF, 0x1697_D06A),
        CatalogueCRC("BASE91-D", 32, 0xA833_982B, 0xFFFF_FFFF, true, 0xFFFF_FFFF, 0x8731_5576),
        CatalogueCRC("CD-ROM-EDC", 32, 0x8001_801B, 0, true, 0, 0x6EC2_EDC4),
        CatalogueCRC("MEF", 32, 0x741B_8CD7, 0xFFFF_FFFF, true, 0, 0xD2C2_2F51),
        CatalogueCRC("XFER", 32, 0x0000_00AF, 0, false, 0, 0xBD0B_E338),
    ]
}

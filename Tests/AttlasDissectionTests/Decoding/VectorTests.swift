import AttlasDissection
import AttlasTestSupport
import Testing

/// Values and what they mean, as independent implementations and test suites have published them.
@Suite struct VectorTests {
    @Test(
        arguments: [
            (0x2A37, "1F 01 01 32 01 01 00 02 01 FF FF", [31, 257, 306, 1, 258, 65535]),
            (0x2A37, "1E 55 32 00 21 00", [30, 85, 50, 33]),
            (0x2A37, "0E 4B 80 00", [14, 75, 128]),
            (0x2A37, "14 4A 0D 03", [20, 74, 781]),
            (0x2A04, "06 00 06 00 00 00 64 00", [6, 6, 0, 100]),
            (0x2A04, "40 00 50 00 00 00 14 00", [64, 80, 0, 20]),
            (0x2A21, "10 0E", [3600]),
            (0x2BEA, "0F 50 E8 03 19 05 00", [15, 80, 1000, 25, 5]),
            (0x2BEB, "01 D0 07", [1, 2000]),
            (0x2BEB, "03 E8 03 EC 3C", [3, 1000, -20, 60]),
            (0x2BEC, "20 00 02 06", [32, 2, 6]),
            (0x2BED, "00 01 00", [0, 1]),
            (0x2BED, "05 CA 28 CD AB 04", [5, 10442, 43981, 4]),
            (0x2BED, "07 01 00 12 34 64 05", [7, 1, 13330, 100, 5]),
            (0x2904, "17 00 AC 27 01 00 00", [23, 0, 0x27AC, 1, 0]),
            (0x2908, "BB 03", [187, 3]),
        ] as [(UInt16, String, [Int64])])
    func rawValues(uuid: UInt16, value: String, raws: [Int64]) throws {
        let dissected = try Dissected(uuid, hex(value))
        expect(dissected.raws, equals: raws)
        #expect(dissected.dissection.fault == nil)
        #expect(dissected.dissection.unexplained.isEmpty)
    }

    @Test(
        arguments: [
            (0x2A37, "10 5A 00 08 00 10", "90 bpm · RR 2 s, 4 s"),
            (0x2A37, "14 4A 0D 03", "74 bpm · no contact · RR 0.763 s"),
            (0x2A1C, "06 B0 0E 00 FE DC 07 0C 05 0B 32 1B 04", "37.6 °C · Finger · 2012-12-05 11:50:27"),
            (0x2A1C, "01 DE 26 00 FE", "99.5 °F"),
            (0x2A1C, "00 FF FF 7F 00", "NaN"),
            (0x2A1E, "00 6D 01 00 FF", "36.5 °C"),
            (0x2A1D, "03", "Ear (usually earlobe)"),
            (0x2A38, "05", "Ear Lobe"),
            (0x2A02, "00", "disabled"),
            (0x2AA6, "00", "not supported"),
            (0x2A29, "47 6F 6F 67 6C 65 20 4C 4C 43", "\"Google LLC\""),
            (0x2A24, "69 50 68 6F 6E 65 20 31 35 20 50 72 6F", "\"iPhone 15 Pro\""),
            (0x2B29, "07", "Robust Caching, Enhanced ATT Bearer, Multiple Handle Value Notifications"),
            (0x2B3A, "01", "EATT Supported"),
            (0x2BF5, "02 01", "mode 2 level 1"),
            (0x2908, "00 01", "Report ID 0 · Report Type Input Report"),
        ] as [(UInt16, String, String)])
    func shown(uuid: UInt16, value: String, text: String) throws {
        try expect(Dissected(uuid, hex(value)).text, equals: text)
    }

    /// What must not decode cleanly.
    @Test(
        arguments: [
            (0x2A37, "17 01 01"), (0x2A1C, "06 B0 0E 00 FE DC 07 0C 05 0B 32 1B"), (0x2A1D, "03 00"), (0x2A21, "3C"),
        ] as [(UInt16, String)])
    func neverClean(uuid: UInt16, value: String) throws {
        let dissection = try Dissected(uuid, hex(value)).dissection
        #expect(dissection.fault != nil || !dissection.unexplained.isEmpty)
    }
}

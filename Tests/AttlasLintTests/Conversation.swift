import AttlasLint
import AttlasTestSupport

extension Conversation {
    /// - Parameter undirected: as a capture does that does not record who sent a packet.
    func lint(disabled: Set<String> = [], undirected: Bool = false) -> LintModel {
        document(of: packets, as: RecordMaker(undirected: undirected)) { LintCollector(values: $0, disabled: disabled) }
    }
}

/// A connection and the discovery of one table, nine records.
///
/// | value  | UUID | properties | |
/// |---|---|---|---|
/// | 0x0012 | 2A6E Temperature | notify | configuration in 0x0013 |
/// | 0x0015 | 2A38 Body Sensor Location | read | |
/// | 0x0017 | 2A39 Heart Rate Control Point | write | |
/// | 0x0019 | 2A05 Service Changed | indicate | configuration in 0x001A |
/// | 0x001C | 2A06 Alert Level | write without response | |
/// | 0x001E | FFF1 | read, write, write without response | |
let table = """
    connect
    > 08 1000 FFFF 0328
    < 09 07 1100 10 1200 6E2A 1400 02 1500 382A 1600 08 1700 392A
    > 08 1700 FFFF 0328
    < 09 07 1800 20 1900 052A 1B00 04 1C00 062A 1D00 0E 1E00 F1FF
    > 04 1300 1300
    < 05 01 1300 0229
    > 04 1A00 1A00
    < 05 01 1A00 0229

    """

/// A connection and the discovery of two services: of a member, FEE0, and Battery.
///
/// | value  | UUID | properties |
/// |---|---|---|
/// | 0x0012 | 2A19 Battery Level, in FEE0 | read |
/// | 0x0015 | 2AE2 Boolean, in FEE0 | read |
/// | 0x0022 | 2A19 Battery Level, in Battery | read |
let vendorTable = """
    connect
    > 10 0100 FFFF 0028
    < 11 06 1000 1F00 E0FE 2000 2F00 0F18
    > 08 1000 2F00 0328
    < 09 07 1100 02 1200 192A 1400 02 1500 E22A 2100 02 2200 192A

    """

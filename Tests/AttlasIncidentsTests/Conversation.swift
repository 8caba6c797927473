import AttlasIncidents
import AttlasTestSupport

extension Conversation {
    /// - Parameter undirected: as a capture does that does not record who sent a packet.
    func incidents(undirected: Bool = false) -> [Incident] {
        document(of: packets, as: RecordMaker(undirected: undirected)) { IncidentCollector(values: $0) }.incidents
    }
}

/// A connection, and Heart Rate with Heart Rate Measurement (notify, 0x0012), its configuration (0x0013) and Body Sensor Location
/// (read, 0x0015): seven records.
let heartRate = """
    connect
    > 10 0100 FFFF 0028
    < 11 06 1000 1500 0D18
    > 08 1000 1500 0328
    < 09 07 1100 10 1200 372A 1400 02 1500 382A
    > 04 1300 1300
    < 05 01 1300 0229

    """

/// A connection, and Fitness Machine with Fitness Machine Control Point (write, indicate, 0x0012): five records.
let fitnessMachine = """
    connect
    > 10 0100 FFFF 0028
    < 11 06 1000 1200 2618
    > 08 1000 1200 0328
    < 09 07 1100 28 1200 D92A

    """

/// Request Control and its success. Fitness Machine Service, 4.16.1.
let requestControl = "> 12 1200 00\n< 13\n< 1D 1200 800001\n> 1E\n"

/// A connection, and the Legacy DFU Service of Nordic's nRF5 SDK with its control point (write, notify, 0x0012): five records.
let legacyUpdate = """
    connect
    > 10 0100 FFFF 0028
    < 11 14 1000 1200 23D1BCEA5F782315DEEF121230150000
    > 08 1000 1200 0328
    < 09 15 1100 18 1200 23D1BCEA5F782315DEEF121231150000

    """

let subscribe = """
    > 12 1300 0100
    < 13

    """

/// LE Create Connection to F2:F2:F2:F2:F2:F2, random, and its Command Status. Vol 4, Part E, 7.8.12.
let attempt = """
    command 0D 20 19 6000 3000 00 01 F2F2F2F2F2F2 01 1800 2800 0000 4800 0000 0000
    event 0F 04 00 01 0D 20

    """

/// LE Connection Complete with a status, of which the other parameters mean nothing. Vol 4, Part E, 7.7.65.1.
func failed(_ status: String) -> String { "event 3E 13 01 \(status) 0000 00 01 F2F2F2F2F2F2 0000 0000 0000 00\n" }

/// Pairing Request and Response: KeyboardDisplay and DisplayOnly, bonding with MITM. Vol 3, Part H, 3.5.1 and 3.5.2.
let pairing = """
    smp > 01 04 00 05 10 07 07
    smp < 02 00 00 05 10 07 07

    """

/// Pairing Confirm and the host's Pairing Random. Vol 3, Part H, 3.5.3 and 3.5.4.
let confirm = """
    smp > 03 000102030405060708090A0B0C0D0E0F
    smp < 03 0F0E0D0C0B0A09080706050403020100
    smp > 04 101112131415161718191A1B1C1D1E1F

    """

import AttlasDissection

extension DissectorLibrary {
    /// The definitions and names that come with attlas. Reading the index costs microseconds; a definition is decoded when
    /// it is first looked up.
    public static let shipped = DissectorLibrary(
        archive: shippedArchive, packets: shippedPackets, tables: shippedTables)
}

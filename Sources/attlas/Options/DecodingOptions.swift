import ArgumentParser
import AttlasDissection

/// Options for decoding that most commands share: definitions, GATT tables, keys and limits.
struct DecodingOptions: ParsableArguments {
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions
    @OptionGroup var logs: ReaderOptions

    func withLibrary(_ body: (DissectorLibrary) throws -> Void) throws { try dissectors.withLibrary(body) }

    func loadDatabases() -> ImportedDatabases { gattDatabase.load(identity) }

    /// Whether a file, a key or a reader is given.
    var areGiven: Bool {
        [dissectors.dissectors, gattDatabase.paths, identity.keys, identity.longTermKeys, identity.temporaryKeys]
            .joined()
            .first != nil || !identity.netKeys.isEmpty || !identity.files.isEmpty || !logs.readers.isEmpty
            || logs.reader != nil
    }
}

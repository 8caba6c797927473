import ArgumentParser
import AttlasDissection

/// What most commands decode with: definitions, GATT tables, keys and limits.
struct DecodingOptions: ParsableArguments {
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var gattDatabase: GATTDatabaseOptions
    @OptionGroup var identity: IdentityOptions
    @OptionGroup var logs: ReaderOptions

    func withLibrary(_ body: (DissectorLibrary) throws -> Void) throws { try dissectors.withLibrary(body) }

    func loadDatabases() -> ImportedDatabases { gattDatabase.load(identity) }
}

import ArgumentParser
import AttlasCapture
import AttlasConversation
import AttlasDissection
import AttlasImport
import AttlasText
import AttlasValues

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the conversation: a line for each GATT operation, decoded, and a summary at the end.",
        discussion: """
            FILE is a path, or - for standard input. The format is detected from the first octets. Several files are \
            independent captures.
            """)

    @OptionGroup var input: CaptureOptions
    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var around: ContextOptions

    @Flag(help: "Print one JSON object per line (NDJSON) instead of text.")
    var json = false

    @Flag(help: "Print a table (CSV) instead of text, with a row for each ATT operation.")
    var csv = false

    @Option(
        name: .customLong("field"),
        help: ArgumentHelp(
            "With --csv: print a row for each value with this field instead. May be repeated.", valueName: "name"))
    var fields: [String] = []

    @Flag(help: "Also show HCI commands and events, packets from the air, L2CAP frames and advertising.")
    var hci = false

    @Flag(help: "Show the octets of every packet below its line. Keys are withheld without --show-keys.")
    var hex = false

    @Flag(
        inversion: .prefixedNo,
        help: "Begin each line of text with its frame number. (default: if lines have 128 columns)")
    var frameNumbers: Bool?

    @Option(
        help: """
            Time format: absolute (UTC), local (the time zone of this machine), clock (its time of day), relative to the \
            first record, delta to the previous line. JSON and CSV use UTC.
            """)
    var time = ConversationText.Options.Time.relative

    @Flag(
        help: """
            Also show lint findings, each below the line of its record; with --json also incidents, at the end. Reads the file \
            twice.
            """)
    var findings = false

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    func validate() throws {
        if findings && (csv || input.reading.join == true) {
            throw ValidationError("--findings works with text and --json, not with --csv or --join.")
        }
        if json && csv { throw ValidationError("--json and --csv exclude each other.") }
        if hex && (json || csv) {
            throw ValidationError("--hex works with text only; --json and --csv have every value in hexadecimal.")
        }
        if hci && csv {
            throw ValidationError("--hci works with text and --json; a table contains ATT operations only.")
        }
        if csv && around.context != nil { throw ValidationError("-C works with text and --json, not with --csv.") }
        if !fields.isEmpty && !csv { throw ValidationError("--field needs --csv.") }
    }

    func run() throws {
        try decoding.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let databases = decoding.loadDatabases()
        var selection = try selection.selection(library)
        selection.context = around.context
        let hci = hci || selection.findsPackets
        let fields = try knownFields(library)
        let format: ShownConversation.Format =
            json
            ? .json(showsHCI: hci) : !csv ? .text(options(showsHCI: hci)) : fields.isEmpty ? .table : .fields(fields)
        let conversation = ShownConversation(
            format: format, library: library, selection: selection, databases: databases, showsFindings: findings,
            isJoined: input.reading.join == true, threads: input.reading.threads)
        try input.forEachCapture(hasFailed: databases.hasFailed, joinsPieces: !findings) {
            reader, file, turn throws(CaptureError) in
            try conversation.show(&reader, file, turn)
        }
    }

    /// The fields as their definitions spell them.
    private func knownFields(_ library: DissectorLibrary) throws -> [String] {
        guard !fields.isEmpty else { return [] }
        let known = library.fieldNames
        return try fields.map { field in
            if let name = known.first(where: { $0.lowercased() == field.lowercased() }) { return name }
            if ValueShape.mayName(field, in: library.assignedNumbers) { return field }
            throw ValidationError(
                "There is no definition with a field \"\(field)\"\(NearestWord.suggestion(for: field, among: known))")
        }
    }

    private func options(showsHCI: Bool) -> ConversationText.Options {
        var options = ConversationText.Options()
        options.time = time
        options.showsHCI = showsHCI
        options.showsHex = hex
        options.width = Output.terminalWidth
        options.showsFrames = frameNumbers ?? ConversationText.Options.hasRoomForFrames(width: options.width)
        options.isColoured = color.isColoured
        return options
    }
}

extension ConversationText.Options.Time: ExpressibleByArgument {}

import ArgumentParser
import AttlasCapture
import AttlasLocks
import AttlasText
import AttlasValues

/// How a command that reads one capture takes a rotated log.
struct PieceOptions: ParsableArguments {
    @Flag(help: "Read each piece of a rotated log alone.")
    var noJoin = false
}

/// How `why`, `infer` and `values` decode one capture or one folder, and print their answers.
struct AnswerOptions: ParsableArguments {
    static let captureHelp = ArgumentHelp(
        "A capture, or a folder with captures; - is standard input.", valueName: "file")

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    @Flag(help: "Print one JSON document for each capture instead of text.")
    var json = false

    @OptionGroup(title: ShortHelp.title) var color: ColorOptions

    @OptionGroup(title: ShortHelp.title) var pieces: PieceOptions

    func captures(_ capture: String) throws -> CaptureOptions {
        try CaptureOptions.parse((pieces.noJoin ? ["--no-join"] : []) + ["--", capture])
    }

    /// Prints the document of each capture.
    ///
    /// - Parameters:
    ///   - hasAnswer: whether a document has the requested data; it may give a reason if not.
    ///   - printText: gets the capture's name where there are several, and whether the text is coloured.
    /// - Returns: whether one of them has.
    func print<Collector: DocumentCollector & SendableMetatype>(
        _ capture: String, _ makeCollector: @escaping @Sendable (ValueInterpreter) -> Collector,
        hasAnswer: @escaping @Sendable (Collector.Document, CaptureInfo) -> Bool,
        json printJSON: @escaping @Sendable (Collector.Document, String, inout Output) -> Void,
        text printText: @escaping @Sendable (Collector.Document, String?, Bool, inout Output) -> Void
    ) throws -> Bool {
        let isAnswered = Locked(false)
        try decoding.withLibrary { library in
            let (json, isColoured) = (json, color.isColoured)
            try captures(capture).forEachDocument(decoding.loadDatabases()) { _ in
                Interpreted(library: library, makeCollector)
            } print: { model, info, file, _, output in
                if hasAnswer(model, info) { isAnswered.withLock { $0 = true } }
                if json {
                    printJSON(model, info.file, &output)
                } else {
                    printText(model, file, isColoured, &output)
                }
            }
        }
        return isAnswered.withLock { $0 }
    }
}

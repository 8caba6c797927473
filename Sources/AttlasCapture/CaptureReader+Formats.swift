extension CaptureReader {
    /// The supported formats. Those without a signature come after those with one.
    ///
    /// To add one: a `ResumableReader` in Formats/ (a `FormatReader` if no record can be found after a broken one), a
    /// `FaultReason` for a new fault, a line here, its name in the message of `InputKind`, a writer in
    /// AttlasTestSupport/Files/, and a file of it in `SampleFile.all`. The tests then name the documents, samples and
    /// lengths that are missing. They do not report:
    /// - What a header that is cut short needs, in `InputKind`.
    /// - The program that recorded it, in `ReportSummary`, and its entry in `ForeignFormat` if it was refused by
    ///   name.
    /// - Its line in `EveryFormat`, if it has directions and the time in microseconds since 1970.
    /// - Octet tests, and a file in Captures/malformed/ for each fault, named after the reader (make.py, the README
    ///   there, `MalformedFilesTests`).
    package static let formats: [any FormatReader.Type] = [
        BTSnoop.self,
        PCAP.self,
        PCAPNG.self,
        HCIDump.self,
        PacketLogger.self,
    ]
}

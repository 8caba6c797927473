import ArgumentParser
import AttlasAnonymize
import AttlasCapture
import AttlasDissection
import AttlasIncidents
import AttlasInput
import AttlasRecords
import AttlasTrace
import AttlasValues

/// A capture that is written without data that identifies devices and people, and searched for such data afterwards.
struct AnonymizedCapture {
    let decoding: CaptureDecoding
    let choice: Anonymizer.Choice
    let pseudonyms: Pseudonyms

    /// The result, if all of it succeeded.
    struct Result {
        var secrets: Secrets
        var outcome: AnonymizationOutcome
        var records: Int
        /// Why the capture could not be read to its end.
        var failures: [CaptureError]
        /// Sentences about data that the format cannot hold.
        var losses: [String]
    }

    static let seedHelp = ArgumentHelp(
        "Derive the replacements from this file (at least 32 secret random octets), to get the same ones in several captures.",
        valueName: "file")

    /// The octets of `path`, or of the system's source of random numbers.
    static func pseudonyms(seedFile path: String?) throws(CaptureError) -> Pseudonyms {
        guard let path else {
            var random = SystemRandomNumberGenerator()
            let seed = (0..<Pseudonyms.seedLength).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            if let pseudonyms = Pseudonyms(seed: seed) { return pseudonyms }
            throw CaptureError(.unsupported, file: "the system", "it has no random numbers")
        }
        let seed = try [UInt8](contentsOf: path, limit: 1 << 16)
        guard let pseudonyms = Pseudonyms(seed: seed) else {
            throw CaptureError(
                .unsupported, file: path, "a seed has at least \(Pseudonyms.seedLength) octets",
                advice: "Make one: head -c 32 /dev/urandom > \(path)")
        }
        return pseudonyms
    }

    /// Writes to `path`, which appears when it is complete and nothing was found in it.
    func write(
        to output: OutputPath, _ format: RecordFormat, isStrict: Bool = false
    ) throws(CaptureError) -> Result {
        let source = decoding.paths[0]
        let first = try read {
            Anonymizer(collecting: pseudonyms, choice, values: $0)
        } release: { _, _, _ in
        }
        let secrets = first.anonymizer.secrets

        var writer: RecordWriter?
        var losses = ConversionLosses(format)
        var failure: CaptureError?
        var described: [CaptureInterface] = []
        let second = try read {
            Anonymizer(replacing: secrets, choice, values: $0)
        } release: { record, about, interfaces in
            if writer == nil, failure == nil {
                do throws(CaptureError) {
                    writer = try RecordWriter(whole: output, format, about: about.withoutDescriptions)
                } catch {
                    failure = error
                }
            }
            guard let writer, writer.failure == nil else { return }
            if described.count != interfaces.count { described = interfaces.map(\.withoutDescription) }
            let isWritten = writer.write(record, of: described)
            losses.note(record, of: described, isWritten: isWritten)
        }
        if let failure { throw failure }
        guard let writer, losses.packets > 0 else {
            try writer?.complete(isKept: false)
            throw CaptureError(.empty, file: source, "it has no packets: nothing was written")
        }
        for notice in writer.takeNotices() { printError(notice.detailedDescription) }
        var leak: CaptureError?
        do throws(CaptureError) {
            if let file = writer.unfinishedFile { leak = try search(file, for: secrets, named: output.path) }
        } catch {
            leak = error
        }
        let outcome = second.anonymizer.outcome
        try writer.complete(isKept: leak == nil && !(isStrict && outcome.unknownPlaces > 0))
        if let leak { throw leak }
        return Result(
            secrets: secrets, outcome: outcome, records: losses.packets, failures: second.failures,
            losses: losses.sentences(
                second.infos.map(\.withoutDescriptions), hasRoundedTime: writer.hasRoundedTime))
    }

    /// The state after reading a capture, and the anonymizer at its end.
    private struct Reading {
        var anonymizer: Anonymizer
        var infos: [CaptureInfo]
        var failures: [CaptureError]
    }

    /// Reads the capture through an anonymizer.
    private func read(
        _ makeAnonymizer: (ValueInterpreter) -> Anonymizer,
        release: (Record, CaptureInfo, [CaptureInterface]) -> Void
    ) throws(CaptureError) -> Reading {
        try decoding.requireRereading()
        var trace = decoding.databases.makeTrace()
        var input = try ConvertedCaptures(decoding.paths, as: decoding.kind, settling: &trace)
        var sink = Interpreted(library: decoding.library, makeAnonymizer)
        let about = input.about
        let interfaces = input.merge.interfaces
        while let record = input.merge.next() {
            sink.anonymize(record, &trace) { release($0, about, interfaces.list) }
        }
        sink.finish(&trace) { release($0, about, interfaces.list) }
        if !sink.sink.isCollecting { input.reportOthers() }
        return Reading(anonymizer: sink.sink, infos: input.infos, failures: input.failures)
    }

    /// Why the file cannot be kept; nil if nothing was found.
    private func search(
        _ file: CInt, for secrets: Secrets, named path: String
    ) throws(CaptureError) -> CaptureError? {
        var trace = Trace()
        var proof = AnonymizationProof(secrets.originals)
        var reader = try CaptureReader(ByteSource(descriptor: file, name: path))
        while let record = try reader.next() {
            proof.note(record)
            trace.decodeUnspecialized(record, into: &proof)
        }
        trace.finish(into: &proof)
        guard !proof.found.isEmpty else { return nil }
        let frames = proof.found.map(String.init).joined(separator: ", ")
        return CaptureError(
            .unsupported, file: path,
            "something that was to be replaced is still there, in frame \(frames): nothing was written",
            advice: "This is a mistake of attlas; please report it.")
    }
}

/// Anonymized captures that are read in place of the given ones, and removed.
struct AnonymizedFiles {
    private(set) var paths: [String] = []
    /// Whether one of them could not be anonymized to its end.
    private(set) var hasFailed = false

    init(
        _ files: [String], in folder: String, seedFile: String?, _ library: DissectorLibrary,
        _ databases: ImportedDatabases
    ) throws {
        let pseudonyms = try orExit { () throws(CaptureError) in
            try AnonymizedCapture.pseudonyms(seedFile: seedFile)
        }
        let (files, lacksFolder) = expandFolders(files)
        hasFailed = lacksFolder || databases.hasFailed
        for (index, file) in files.enumerated() {
            do throws(CaptureError) {
                let decoding = CaptureDecoding(paths: [file], kind: nil, library: library, databases: databases)
                let path = "\(folder)/\(index).pcapng"
                let capture = AnonymizedCapture(decoding: decoding, choice: .init(), pseudonyms: pseudonyms)
                let result = try capture.write(to: OutputPath(path, .searched), .pcapng)
                paths.append(path)
                for failure in result.failures { printError(failure.detailedDescription) }
                hasFailed = hasFailed || !result.failures.isEmpty
            } catch {
                printError(error.detailedDescription)
                hasFailed = true
            }
        }
        if paths.isEmpty { throw ExitCode(1) }
    }
}

extension CaptureInfo {
    /// A copy without the names of recorder and place of recording.
    fileprivate var withoutDescriptions: CaptureInfo {
        var info = self
        info.comments = []
        info.recorder = []
        info.recorderOptions = []
        info.interfaces = interfaces.map(\.withoutDescription)
        return info
    }
}

extension CaptureInterface {
    fileprivate var withoutDescription: CaptureInterface {
        var interface = self
        interface.name = nil
        interface.description = nil
        interface.comments = []
        return interface
    }
}

extension AnonymizedCapture.Result {
    /// Counts of replacements, of parts that were not understood, and of secrets that were searched for.
    var lines: [String] {
        let counts = secrets.counts
        var lines = ["\(counted(records, "record")) written"]
        func add(_ count: Int, _ noun: String, plural: String? = nil, _ what: String) {
            if count > 0 { lines.append("\(counted(count, noun, plural: plural)) \(what)") }
        }
        func places(_ count: Int) -> String { "replaced, in \(counted(count, "place"))" }
        add(counts.addresses, "address", plural: "addresses", places(outcome.addresses))
        add(counts.keys + counts.others, "key or other secret", plural: "keys and other secrets", places(outcome.keys))
        add(counts.texts, "name or serial number", plural: "names and serial numbers", places(outcome.texts))
        if outcome.elsewhere > 0 {
            lines.append("replaced in \(counted(outcome.elsewhere, "other place")), too")
        }
        add(outcome.values, "personal value", "replaced")
        add(
            outcome.zeroed, "payload of a vendor or another protocol",
            plural: "payloads of vendors and other protocols", "set to 0")
        add(outcome.decrypted, "encrypted packet", "written decrypted")
        add(outcome.encrypted, "encrypted packet", "without a key replaced by random octets")
        add(outcome.comments, "comment", "left out")
        lines += unknownLines
        let search = secrets.originals
        lines.append(
            "searched for \(counted(search.count, "original")), in both octet orders, as text and across fragments: none is left"
        )
        if search.undistinctive > 0 {
            lines.append(
                "not searched for: \(counted(search.undistinctive, "original")) of fewer than \(SecretSearch.leastLength) octets, or of fewer than \(SecretSearch.leastDistinctive) other than 00 and FF, which occur by chance"
            )
        }
        let beyond = secrets.beyondLimit + search.beyondLimit
        if beyond > 0 {
            lines.append("not searched for: \(counted(beyond, "original")) beyond the limit, see attlas help limits.md")
        }
        return lines
    }

    /// Where octets are that were not understood.
    var unknownLines: [String] {
        guard outcome.unknownPlaces > 0 else { return [] }
        let octets = counted(outcome.unknownOctets, "octet")
        let listed = outcome.unknown.prefix(Self.listed).map {
            "  frame \($0.frame), octets \($0.range.lowerBound) to \($0.range.upperBound - 1)"
        }
        let rest = outcome.unknownPlaces - listed.count
        return ["\(octets) not understood and set to 0, in \(counted(outcome.unknownPlaces, "place")):"] + listed
            + (rest > 0 ? ["  and \(rest) more"] : [])
    }

    private static let listed = 20
}

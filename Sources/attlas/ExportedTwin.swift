import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasDocuments
import AttlasInference
import AttlasInput
import AttlasLocks
import AttlasRecords
import AttlasText
import AttlasValues

/// The devices of one capture, for twins of them.
struct RecordedDevices {
    let model: TwinModel
    let file: String
    let devices: [TwinDevice]
    /// The error, if not all could be read. The part before it makes a twin.
    let failure: (any Error)?

    /// - Parameter peer: text of the name or the address.
    init(_ input: CaptureOptions, _ decoding: DecodingOptions, _ library: DissectorLibrary, peer: String?) throws {
        let databases = decoding.loadDatabases()
        let models = Locked<[(model: TwinModel, file: String)]>([])
        var status: (any Error)?
        do {
            try input.forEachDocument(databases) { _ in
                Interpreted(library: library) { TwinCollector(values: $0) }
            } print: { model, info, _, _, _ in
                models.withLock { $0.append((model, info.file)) }
            }
        } catch {
            status = error
        }
        let all = models.withLock { $0 }
        guard all.count == 1, let (model, file) = all.first else {
            if all.count > 1 { printError("a twin is of one capture; these are \(all.count)") }
            throw status ?? ExitCode(1)
        }
        (self.model, self.file, failure) = (model, file, status)
        devices = model.devices(named: peer)
    }

    func complain(_ peer: String?) -> ExitCode {
        printError(TextBuffer("\(display: file): \({ Self.complain(devices, model, peer, &$0) })").text)
        return ExitCode(1)
    }

    private static func complain(
        _ found: [TwinDevice], _ model: TwinModel, _ peer: String?, _ text: inout TextBuffer
    ) {
        if model.devices.isEmpty { return text.append("no device has a table, operations or connectable advertising") }
        if let peer, found.isEmpty {
            text.append("no device has \"\(display: peer)\" in its name or address; the devices are ")
        } else {
            text.append("a twin is of one device; choose one with --peer: ")
        }
        let listed = (found.isEmpty ? model.devices : found)
        for (index, device) in listed.prefix(8).enumerated() {
            if index > 0 { text.append(", ") }
            text.append(display: device.label)
            if device.name != nil, let address = device.address { text.append(" (\(address))") }
        }
        if listed.count > 8 { text.append(" and \(listed.count - 8) more") }
    }
}

extension Export {
    func export(toTwin path: OutputPath, _ library: DissectorLibrary) throws {
        let recorded = try RecordedDevices(input, decoding, library, peer: peer)
        guard recorded.devices.count == 1 else { throw recorded.complain(peer) }
        let written = try orExit { () throws(CaptureError) in try OutputFile(path) }
        var output = written.output
        var yaml = TwinYAML(recorded.devices[0], recorded.model.names)
        yaml.write(
            file: recorded.file, leftOut: recorded.model.leftOut, recorded.model.integrity, into: &output)
        try written.finish(output)
        if let failure = recorded.failure { throw failure }
    }
}

import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasReport
import AttlasTrace

struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Show who was seen: every address that advertised or connected, and what it said of itself.")

    @OptionGroup var input: CaptureOptions
    @OptionGroup var dissectors: DissectorOptions
    @OptionGroup var identity: IdentityOptions

    @Flag(help: "One JSON document for each capture instead of text.")
    var json = false

    @OptionGroup var color: ColorOptions

    func run() throws {
        try dissectors.withLibrary(run)
    }

    private func run(_ library: DissectorLibrary) throws {
        let (identity, json, isColoured) = (identity, json, color.isColoured)
        try input.forEachCapture { reader, _, turn throws(CaptureError) in
            let values = ValueReader(library: library)
            var collector = DeviceCollector()
            var trace = identity.makeTrace()
            var start: Timestamp?
            // What was decoded before an error is shown all the same.
            defer {
                collector.finish(in: trace)
                turn.write { output, _ in
                    reportLimits(of: trace, reader.info.file)
                    if json {
                        var devices = DevicesJSON(values: values)
                        devices.write(collector, file: reader.info.file, into: &output)
                    } else {
                        var devices = DevicesText(values: values, width: Output.terminalWidth, isColoured: isColoured)
                        devices.write(collector, start: start, into: &output)
                    }
                }
            }
            while let record = try reader.next() {
                if start == nil { start = record.time }
                trace.decode(record, into: &collector)
            }
        }
    }
}

import ArgumentParser
import AttlasCapture
import AttlasFuzz
import Foundation

/// Makes a fuzzer's first inputs.
struct Seeds: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn files into inputs for a target: captures into lists of records, everything else as it is.")

    @Argument var target: FuzzTarget

    @Argument(help: "Captures, definition files, GATT tables or lists of filter expressions.", completion: .file())
    var files: [String]

    @Option(help: "The folder for the inputs.")
    var into: String

    func run() throws {
        let folder = URL(filePath: into)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (index, file) in files.enumerated() {
            let contents = [UInt8](try Data(contentsOf: URL(filePath: file)))
            for (part, input) in target.seeds(from: contents, name: file).enumerated() {
                try Data(input).write(to: folder.appending(path: "seed-\(index)-\(part)"))
            }
        }
    }
}

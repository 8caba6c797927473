import ArgumentParser
import AttlasFuzz
import Foundation

/// Runs a finding of libFuzzer once more, without it.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run one target over files, such as a fuzzer left.")

    @Argument var target: FuzzTarget

    @Argument(help: "Inputs.", completion: .file())
    var files: [String]

    func run() throws {
        let fuzzer = Fuzzer()
        for file in files {
            print(file)
            fuzzer.run(target, [UInt8](try Data(contentsOf: URL(filePath: file))))
        }
        print("\(fuzzer.inputs) inputs, \(fuzzer.records) records")
    }
}

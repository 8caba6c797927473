import AttlasInput
import Foundation

@testable import AttlasCapture

/// All captures of a file, and what was refused between them.
struct CaptureSetReading {
    var readings: [Reading] = []
    var errors: [CaptureError] = []

    init(_ bytes: [UInt8], name: String = "test") {
        self.init(CaptureSet(bytes: bytes, name: name))
    }

    init(path: String) {
        self.init(CaptureSet(path: path))
    }

    init(_ captures: consuming CaptureSet) {
        var isAtEnd = false
        while !isAtEnd {
            do throws(CaptureError) {
                if let reader = try captures.next() { readings.append(Reading(reader)) } else { isAtEnd = true }
            } catch {
                errors.append(error)
            }
        }
    }

    var names: [String] { readings.compactMap { $0.info?.file } }
    /// Captures that were refused, and such as could not be read to their end.
    var failures: [CaptureError] { errors + readings.compactMap(\.error) }
    var records: [[PlainRecord]] { readings.map(\.records) }
}

/// A program of the system, which gets octets on its standard input.
struct Tool {
    let path: String

    init?(_ name: String) {
        let paths = ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            print("skipped: there is no \(name) here")
            return nil
        }
        self.path = path
    }

    func run(_ arguments: [String], in folder: URL? = nil, input: [UInt8] = []) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: Data(input))
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Array(output)
    }
}

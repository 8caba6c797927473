import Foundation

/// A program of the system, which gets octets on its standard input.
public struct Tool: Sendable {
    public let path: String

    public init?(_ name: String) {
        let paths = ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            print("skipped: there is no \(name) here")
            return nil
        }
        self.path = path
    }

    public func run(_ arguments: [String], in folder: URL? = nil, input: [UInt8] = []) throws -> [UInt8] {
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

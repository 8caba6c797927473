import Foundation

/// A folder that is gone when the test is done.
public final class TemporaryFolder {
    public let url = FileManager.default.temporaryDirectory.appending(path: "attlas-\(UUID().uuidString)")

    public init(_ files: [(path: String, bytes: [UInt8])] = []) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for file in files { try write(file.bytes, to: file.path) }
    }

    public func path(_ name: String) -> String { url.appending(path: name).path }

    /// - Returns: the path of the file.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String = "in") throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}

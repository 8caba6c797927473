import Foundation

/// Files of this repository.
public enum Repository {
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    public static let captures = root.appending(path: "Captures")

    /// The modules that print what is from the air.
    public static let printers = [
        "AttlasText", "AttlasConversation", "AttlasDocuments", "AttlasTables", "AttlasPage", "AttlasScreen",
        "AttlasColumns",
    ]

    /// The recorded conversations, in the order of their names.
    public static let captureNames: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: captures.path)) ?? []
        return names.filter { $0.hasSuffix(".btsnoop") || $0.hasSuffix(".pcap") || $0.hasSuffix(".pcapng") }.sorted()
    }()

    /// Those that have what the others have: both roles, several connections and bearers, pairing, two controllers, and nothing but advertising.
    public static let someCaptureNames = [
        "both-roles.btsnoop", "broadcast.btsnoop", "eatt.btsnoop", "pairing.btsnoop", "two-controllers.pcap",
    ]

    /// The path of a recorded conversation, or of another file in Captures/.
    public static func capture(_ name: String) -> String { captures.appending(path: name).path }

    /// The packets of a recorded conversation: a log of datalink 1002.
    public static func packets(of name: String) throws -> [Packet] {
        [Packet](btsnoop: [UInt8](try Data(contentsOf: captures.appending(path: name))))
    }

    /// - Parameter path: from the root on, such as `Documentation/lint.md`.
    public static func path(_ path: String) -> String { root.appending(path: path).path }

    /// A file as text.
    public static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

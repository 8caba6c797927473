import ArgumentParser
import Glibc

/// `attlas-bench make`: long captures from recorded ones.
struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: """
            Write a long capture as PATH.pcap, PATH.btsnoop and, as a sniffer would have heard it, PATH.air.pcap: the \
            recorded conversations over and over.
            """)

    @Argument(help: ArgumentHelp("Where to write, without an extension.", valueName: "path"))
    var path: String

    @Option(help: "Records.")
    var records = 1_000_000

    @Option(help: "The folder of the recorded captures.")
    var captures = "Captures"

    @Option(
        help: ArgumentHelp(
            "Instead of the recorded conversations, N connections that all notify from 20 characteristics.",
            valueName: "number"))
    var crowd: Int?

    func validate() throws {
        if records < 1 { throw ValidationError("--records is at least 1.") }
        if let crowd, !(1...3_839).contains(crowd) { throw ValidationError("--crowd is 1 to 3839.") }
    }

    func run() throws {
        var writer = try CaptureWriter(pcap: path + ".pcap", btsnoop: path + ".btsnoop", air: path + ".air.pcap")
        if let crowd {
            try writer.write(CrowdedCapture(connections: crowd, characteristics: 20), count: records)
        } else {
            try writer.write(LongCapture(Conversation.recorded(in: captures)), count: records)
        }
    }
}

extension Conversation {
    /// The sources of the long captures: a conversation of each kind.
    private static let names = [
        "heart-rate", "bluez-central", "ice-cream", "indications", "led-strip", "long-read", "pairing",
        "prepared-write",
        "two-peripherals", "eatt",
    ]

    static func recorded(in folder: String) throws -> [Conversation] {
        var conversations: [Conversation] = []
        for name in names {
            guard let conversation = try Conversation(path: "\(folder)/\(name).btsnoop") else { continue }
            conversations.append(conversation)
        }
        guard !conversations.isEmpty else { throw ValidationError("No capture in \(folder) has values to repeat.") }
        return conversations
    }
}

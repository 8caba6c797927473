import ArgumentParser
import AttlasBench
import AttlasDefinitions
import AttlasInput
import AttlasText
import Glibc

/// `attlas-bench compare`: the table.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare attlas with libpcap, tshark and btmon on a long generated capture.",
        discussion: """
            The runs of one round follow each other, and the rounds are repeated; the table has the medians. A peer that is \
            not installed, or that does not survive, is named and left out.
            """)

    @Option(help: "Records of a capture. Several of them: a table for each.")
    var records = [66_000, 1_000_000]

    @Option(help: "The folder of the recorded captures.")
    var captures = "Captures"

    @Option(help: "The attlas to measure.")
    var attlas = ".build/release/attlas"

    @Option(help: "How often everything is measured.")
    var rounds = 5

    @Option(help: "Where the capture and the outputs are written, and removed afterwards.")
    var folder = "/tmp"

    func validate() throws {
        if records.contains(where: { $0 < 1 }) || rounds < 1 {
            throw ValidationError("--records and --rounds are at least 1.")
        }
    }

    func run() throws {
        for count in records { try compare(count) }
    }

    private func compare(_ records: Int) throws {
        let path = "\(folder)/attlas-bench-\(getpid())"
        let (pcap, btsnoop, output) = ("\(path).pcap", "\(path).btsnoop", "\(path).out")
        let air = "\(path).air.pcap"
        defer { for file in [pcap, btsnoop, air, output] { SystemCalls.remove(file) } }
        var writer = try CaptureWriter(pcap: pcap, btsnoop: btsnoop, air: air)
        let heard = try writer.write(LongCapture(Conversation.recorded(in: captures)), count: records)

        var table = ComparisonTable(records: records, heard: heard)
        var packets = 0
        var sum: UInt64 = 0
        do {
            // Not held while the others run, whose memory is measured.
            let bytes = try [UInt8](contentsOf: pcap)
            for _ in 0..<rounds { table.add(.memoryFloor, Sample.repeating { sum &+= MemoryFloor.run(bytes) }) }
        }
        for _ in 0..<rounds {
            // The loops are short: each is the median of many runs.
            table.add(.libpcap, try Sample.repeating { () throws(SystemFailure) in packets = try PcapLoop.run(pcap) })
            table.add(
                .decode,
                try Sample.repeating { () throws(CaptureError) in
                    _ = try DecodeRun(CaptureReader(path: pcap), library: .shipped)
                })
            table.add(
                .decodeAir,
                try Sample.repeating { () throws(CaptureError) in
                    _ = try DecodeRun(CaptureReader(path: air), library: .shipped)
                })
            for program in Program.all(attlas: attlas, pcap: pcap, btsnoop: btsnoop) {
                // Removes the previous output, gigabytes, so that freeing it and writing it back is not counted here.
                SystemCalls.remove(output)
                sync()
                let file = program.isDiscarded ? "/dev/null" : output
                table.add(program, try? ChildProcess(program.arguments, output: file))
            }
        }
        guard packets == records, sum != 1 else {
            throw ValidationError("libpcap read \(packets) of \(records) packets.")
        }
        var text = TextBuffer()
        table.write(to: &text)
        var standardOutput = Output()
        standardOutput.write(&text)
    }
}

/// A program that is run as a whole, its output going to a file.
struct Program {
    let title: String
    let arguments: [String]
    /// The `title` of the attlas measurement that it is compared with.
    let rival: String?
    /// Its output goes to /dev/null instead: how long a new file takes is the kernel's affair, and that of a virtual machine's host.
    var isDiscarded = false

    static func all(attlas: String, pcap: String, btsnoop: String) -> [Program] {
        let (show, json, discarded) = ("attlas show", "attlas show --json", "attlas show --json, to /dev/null")
        let jsonArguments = [attlas, "show", "--json", pcap]
        let ekArguments = ["tshark", "-n", "-T", "ek", "-r", pcap]
        let summaries = ["devices", "tree", "stats", "lint", "show"].map {
            Program(title: "attlas \($0), to /dev/null", arguments: [attlas, $0, pcap], rival: nil, isDiscarded: true)
        }
        return summaries + [
            Program(title: show, arguments: [attlas, "show", pcap], rival: nil),
            Program(title: "tshark", arguments: ["tshark", "-n", "-r", pcap], rival: show),
            Program(title: "tshark -V", arguments: ["tshark", "-n", "-V", "-r", pcap], rival: show),
            Program(title: "btmon", arguments: ["btmon", "-r", btsnoop], rival: show),
            Program(title: json, arguments: jsonArguments, rival: nil),
            Program(title: "tshark -T ek", arguments: ekArguments, rival: json),
            Program(title: discarded, arguments: jsonArguments, rival: nil, isDiscarded: true),
            Program(title: "tshark -T ek, to /dev/null", arguments: ekArguments, rival: discarded, isDiscarded: true),
        ]
    }
}

import AttlasTestSupport
import Foundation
import Testing

/// Text of strangers leaves the command through Printing.swift and `Output` only, where nothing in it can steer a terminal.
@Suite struct PrintingTests {
    /// One of these is in each line that prints.
    private static let words = ["print", "dump(", "put", "perror", "FileHandle", "TextOutputStream"]

    @Test func onlyPrintingPrints() throws {
        let sources = Repository.root.appending(path: "Sources")
        let names = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
        // Programs of the developers, which print what they count, and what these are made of; the build's tool; and what makes programs
        // that print.
        let tools = ["attlas-bench/", "attlas-fuzz/", "AttlasFuzz/", "embed-dissectors/", "AttlasGenerate/"]
        for name in names where name.hasSuffix(".swift") && !tools.contains(where: name.hasPrefix) {
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            for line in text.split(separator: "\n") where Self.words.contains(where: line.contains) {
                let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                // Those of Printing.swift throw, and printers write to an `Output`; Swift's own does neither.
                let isPrint =
                    code.contains(/\b(print|debugPrint|dump)\(/)
                    && !["try print(", "func print(", "&output)"].contains(where: code.contains)
                let isCall = code.contains(/\b(fputs|puts|printf|fprintf|perror|putchar|FileHandle|TextOutputStream)\(/)
                #expect(!isPrint && !isCall, "\(name): \(line)")
            }
        }
    }
}

import AttlasTestSupport
import Foundation
import Testing

/// The way that Documentation/your-own-device.md describes, walked.
@Suite struct GuideTests {
    private static let page: String = {
        let url = Repository.root.appending(path: "Documentation/your-own-device.md")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }()

    private static func blocks(_ fence: String) -> [String] {
        page.components(separatedBy: "```\(fence)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    /// Each command, with the lines the page shows of its output; "…" stands for others.
    @Test func theCommandsPrintWhatThePageShows() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(try #require(Self.blocks("yaml").first).utf8, to: "led.yaml")
        var commands = 0
        for block in Self.blocks("").filter({ $0.hasPrefix("$ attlas ") }) {
            var lines = block.split(separator: "\n").map(String.init)
            let command = lines.removeFirst().dropFirst("$ attlas ".count)
            let words = command.components(separatedBy: " > ")[0].split(separator: " ").map { word in
                switch word {
                case "led.yaml": file
                case "Captures/led-strip.btsnoop": Repository.capture("led-strip.btsnoop")
                default: String(word)
                }
            }
            let result = try Command.attlas(words)
            #expect(result.status == 0)
            for line in lines where line != "…" {
                let wanted = line.hasSuffix("…") ? String(line.dropLast()) : line
                #expect(result.output.contains(wanted), "\(command)")
            }
            commands += 1
        }
        #expect(commands == 5)
    }
}

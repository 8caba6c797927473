import AttlasTestSupport
import Foundation
import Testing

/// A page of the documentation, and its blocks of code.
///
/// The info string of a block says what happens to it here:
/// - `console`: what follows `$ ` is run in a folder with Captures/ and Dissectors/, and prints the lines below it. A line "…" means
///   any lines, a "…" at the end of a line for the rest of it. With `columns=72` the commands run in a terminal of this width.
/// - `yaml title="NAME"`: a file for the commands of the page.
/// - Anything with `no-run` after it needs a device, a network, another system or a person.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
    struct Block: Sendable {
        let info: [Substring]
        /// Indices of the lines between the fences.
        let lines: Range<Int>

        var isRun: Bool { !info.contains("no-run") }
        var columns: Substring? { info.first { $0.hasPrefix("columns=") }?.dropFirst(8) }
        var title: Substring? { info.first { $0.hasPrefix("title=") }?.dropFirst(7).dropLast() }
    }

    struct Step {
        let command: String
        /// Indices of the lines that it prints.
        let output: Range<Int>
    }

    static let all: [DocumentationPage] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Repository.path("Documentation"))) ?? []
        let paths = names.filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/\($0)" }
        return (["README.md", "SECURITY.md"] + paths).compactMap { try? DocumentationPage($0) }
    }()

    let path: String
    let lines: [String]
    let blocks: [Block]
    /// Lines of code that are in no block.
    let indented: [String]

    var testDescription: String { path }

    init(_ path: String) throws {
        self.path = path
        lines = try Repository.text(path).components(separatedBy: "\n")
        var blocks: [Block] = []
        var indented: [String] = []
        var opening: Int?
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                if let start = opening {
                    blocks.append(
                        Block(info: lines[start].dropFirst(3).split(separator: " "), lines: start + 1..<index))
                }
                opening = opening == nil ? index : nil
            } else if opening == nil, line.hasPrefix("    "), index > 0, lines[index - 1].isEmpty {
                indented.append(line)
            }
        }
        self.blocks = blocks
        self.indented = indented
    }

    /// The commands of a transcript, each with the lines below it.
    func steps(_ block: Block) -> [Step] {
        let starts = block.lines.filter { lines[$0].hasPrefix("$ ") }
        return starts.enumerated().map { number, start in
            let end = number + 1 < starts.count ? starts[number + 1] : block.lines.upperBound
            var first = start + 1
            while lines[first - 1].hasSuffix("\\") { first += 1 }
            let command = lines[start..<first].joined(separator: "\n").dropFirst(2)
            return Step(command: String(command), output: first..<end)
        }
    }

    /// What the commands of the page print, one after another in one shell.
    func run(_ steps: [(block: Block, step: Step?)], in folder: URL) throws -> [String] {
        for name in ["Captures", "Dissectors"] {
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: name), withDestinationURL: Repository.root.appending(path: name))
        }
        // `attlas lint` would take one of the folders above, which belong to others.
        try Data("limits: []\n".utf8).write(to: folder.appending(path: "attlas.yaml"))
        var script = "exec 2>&1\n"
        for (block, step) in steps {
            if let title = block.title {
                script +=
                    "cat > '\(title)' << 'END OF FILE'\n\(lines[block.lines].joined(separator: "\n"))\nEND OF FILE\n"
            } else if let step, let columns = block.columns {
                script += "cat > terminal.sh << 'END OF FILE'\nstty cols \(columns)\n\(step.command)\nEND OF FILE\n"
                script +=
                    "NO_COLOR=1 script -qec 'bash terminal.sh' /dev/null < /dev/null | tr -d '\\r'; printf '\\036'\n"
            } else if let step {
                // `$?` is that of the command before.
                script += "\(step.command)\nstatus=$?; printf '\\036'; (exit $status)\n"
            }
        }
        let file = folder.appending(path: "script.sh")
        try script.write(to: file, atomically: true, encoding: .utf8)
        let binaries = URL(fileURLWithPath: Command.binary).deletingLastPathComponent().path
        let result = try Command.run(
            "/usr/bin/env",
            [
                "-i", "-C", folder.path, "PATH=\(binaries):/usr/bin:/bin", "HOME=\(folder.path)", "LC_ALL=C.UTF-8",
                "TZ=UTC", "bash", file.path,
            ])
        return result.output.components(separatedBy: "\u{1E}").dropLast().map {
            $0.hasSuffix("\n") ? String($0.dropLast()) : $0
        }
    }

    /// Whether a text is what the page shows of it.
    static func shows(_ wanted: ArraySlice<String>, _ text: String) -> Bool {
        let lines = text.isEmpty ? [] : text.components(separatedBy: "\n")
        var rest = lines[...]
        var isFree = false
        func matches(_ wanted: String, _ line: String) -> Bool {
            wanted == line || wanted.hasSuffix("…") && line.hasPrefix(wanted.dropLast())
        }
        for line in wanted {
            if line.trimmingCharacters(in: .whitespaces) == "…" {
                isFree = true
                continue
            }
            guard let index = isFree ? rest.firstIndex(where: { matches(line, $0) }) : rest.indices.first,
                matches(line, rest[index])
            else { return false }
            rest = rest[(index + 1)...]
            isFree = false
        }
        return isFree || rest.isEmpty
    }
}

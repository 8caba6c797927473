import ArgumentParser
import AttlasRecords

/// A command that writes files.
protocol WritingCommand: ParsableCommand {
    /// All that it may write. What it reads is noted in `FilesRead` when they are asked for.
    var outputs: [OutputPath] { get }
}

import ArgumentParser
import AttlasRecords

/// A command that writes files.
protocol WritingCommand: ParsableCommand {
    /// All files that it may write. `FilesRead` notes those that it reads when they are requested.
    var outputs: [OutputPath] { get }
}

import AttlasIncidents
import AttlasLint
import AttlasText
import AttlasTrace

/// A sink that turns events into lines.
public protocol LineSink: EventSink, SendableMetatype {
    /// Finished lines that wait to be written.
    var lines: TextBuffer { get set }
    /// Writes the mark between lines that were not neighbours.
    mutating func separateGroups()
    /// Takes the comments of a record. Called before its events; some of them may come with a later record,
    /// which completes a PDU. A sink that has no place for it need not do anything.
    mutating func note(_ comments: [String], of frame: Int)
    /// Notes facts for later lines from an event without a line.
    mutating func pass(_ event: borrowing Event)
    /// Writes a finding of lint.
    /// - Parameter frame: of the lines before it.
    mutating func write(_ finding: LintFinding, after frame: Int, in trace: borrowing Trace)
    /// Writes an incident of an unfinished conversation.
    /// - Parameter frame: of the lines before it.
    mutating func write(_ incident: Incident, after frame: Int, in trace: borrowing Trace)
}

extension LineSink {
    /// Hands over the finished lines when they are worth a write, or when the reader would wait for them.
    public mutating func drain(into output: inout Output, isForced: Bool) {
        if isForced || lines.count >= Output.chunk { output.write(&lines) }
    }

    /// Ignores comments.
    public mutating func note(_ comments: [String], of frame: Int) {}

    /// Remembers nothing.
    public mutating func pass(_ event: borrowing Event) {}

    /// Ignores findings.
    public mutating func write(_ finding: LintFinding, after frame: Int, in trace: borrowing Trace) {}

    /// Ignores incidents.
    public mutating func write(_ incident: Incident, after frame: Int, in trace: borrowing Trace) {}
}

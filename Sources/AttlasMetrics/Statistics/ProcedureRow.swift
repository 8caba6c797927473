import AttlasProcedures
import AttlasTrace

/// The procedures of one kind, of one connection or of several.
package struct ProcedureRow: Sendable {
    package let kind: Procedure.Kind
    /// The first that ended.
    package let first: First
    package private(set) var count = 0
    /// Microseconds from the first record to the last of those that are done.
    package private(set) var durations = Distribution()
    /// By `Procedure.Outcome.Word`.
    private var outcomes = InlineArray<8, UInt32>(repeating: 0)

    package struct First: Sendable {
        package let steps: Int
        package let beganFrame: Int?
        package let ended: Moment?
        /// Nanoseconds.
        package let duration: Int64?
        package let waited: Int64?
        package let isDone: Bool
    }

    init(_ procedure: Procedure) {
        kind = procedure.kind
        first = First(
            steps: procedure.steps, beganFrame: procedure.beganFrame, ended: procedure.ended,
            duration: procedure.duration, waited: procedure.waited, isDone: procedure.outcome == .done)
        add(procedure)
    }

    /// Those with an unwanted end.
    package var failures: Int { Procedure.Outcome.Word.allCases.reduce(0) { $0 + ($1.isFailure ? count(of: $1) : 0) } }

    package func count(of outcome: Procedure.Outcome.Word) -> Int { Int(outcomes[outcome.rawValue]) }

    mutating func add(_ procedure: Procedure) {
        count += 1
        outcomes[procedure.outcome.word.rawValue] += 1
        guard procedure.outcome == .done, let duration = procedure.duration else { return }
        durations.record(duration / 1_000, isTight: true)
    }

    /// Nothing that the other side would have shown is known.
    mutating func excuseAnswers() {
        for word in Procedure.Outcome.Word.allCases where word.needsEveryPacket {
            outcomes[Procedure.Outcome.Word.doubtful.rawValue] += outcomes[word.rawValue]
            outcomes[word.rawValue] = 0
        }
    }

    mutating func merge(_ other: ProcedureRow) {
        count += other.count
        for outcome in outcomes.indices { outcomes[outcome] += other.outcomes[outcome] }
        durations.merge(other.durations)
    }

    mutating func sort() { durations.sort() }
}

extension [ProcedureRow] {
    mutating func add(_ procedure: Procedure) {
        if let place = firstIndex(where: { $0.kind == procedure.kind }) {
            self[place].add(procedure)
        } else {
            append(ProcedureRow(procedure))
        }
    }

    /// One row of each kind, in the order of the kinds.
    func merged() -> [ProcedureRow] {
        Procedure.Kind.allCases.compactMap { kind in
            var sum: ProcedureRow?
            for row in self where row.kind == kind {
                if sum == nil { sum = row } else { sum?.merge(row) }
            }
            sum?.sort()
            return sum
        }
    }
}

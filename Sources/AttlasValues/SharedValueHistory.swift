/// The history that the interpreters of one capture share.
///
/// Exclusive access is not checked at run time, which saves 60 instructions for a record: its methods call no code that has this object.
final class SharedValueHistory {
    @exclusivity(unchecked) private var unchecked: ValueHistory

    init(_ history: ValueHistory) {
        unsafe unchecked = history
    }

    var history: ValueHistory {
        @inline(__always) _read { yield unsafe unchecked }
        @inline(__always) _modify { yield unsafe &unchecked }
    }

    func message(of value: borrowing AttributeValue) -> MessageState? {
        guard value.attribute?.role == .value else { return nil }
        return history.finding(value.index)?.message
    }
}

/// An octet that depends on something outside of its value.
package struct InferredRelation: Sendable {
    package enum Kind: Sendable {
        /// It repeats an octet of the value that was written before, with `inverted` bits.
        case request(place: Int, inverted: UInt8)
        /// It says which layout the values after it have, without being in them.
        case requestSelects(layouts: Int)
        /// It changes when the user does something. For each note the new octet, if it is always the same.
        case marks([(note: String, octet: UInt8?)])
    }

    package let kind: Kind
    /// Of the value, or of the request if that selects.
    package let place: Int
    /// The values that it is an octet of.
    let selector: GroupSelector
    package let evidence: Evidence

    /// `octet 1 repeats octet 0 of the value written before`
    package var sentence: String {
        switch kind {
        case .request(let request, let inverted):
            let how =
                inverted == 0
                ? "repeats octet \(request)" : "is octet \(request) exclusive or 0x\(InferredField.hex([inverted])),"
            return "octet \(place) \(how) of the value written before"
        case .requestSelects(let layouts):
            return "octet \(place) of the value written before selects one of \(layouts) layouts"
        case .marks(let notes):
            let values = if case .opcode = selector { " of \(selector.sentence)" } else { "" }
            let states = notes.map { note in
                "\(note.note.isEmpty ? "no note" : note.note) → \(note.octet.map { InferredField.hex([$0]) } ?? "several")"
            }
            return "octet \(place)\(values) changes at the marks: \(states.joined(separator: ", "))"
        }
    }

    /// The kind as one word, for programs.
    package var word: String {
        switch kind {
        case .request: "request"
        case .requestSelects: "request_selects"
        case .marks: "marks"
        }
    }
}

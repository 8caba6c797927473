/// Presses of the mouse.
extension RecordingView {
    /// The pane at a place of the screen, and the row of its content; -1 for its heading.
    func pane(at row: Int, _ column: Int) -> (pane: Pane, row: Int)? {
        for (pane, area) in areas where area.columns.contains(column) {
            if area.heading...area.heading + area.height ~= row { return (pane, row - area.heading - 1) }
        }
        return nil
    }

    /// Selects the clicked item. A double click is enter.
    mutating func click(_ row: Int, _ column: Int, isDouble: Bool, _ recording: Recording) {
        guard let (pane, row) = pane(at: row, column) else { return }
        go(to: pane)
        held = row < 0 ? pane : nil
        guard row >= 0 else { return }
        switch pane {
        case .overview:
            if overview.select(row: row), isDouble { _ = perform(.enter, recording) }
        case .conversation:
            var (line, rest) = (top, row)
            while let rows = recording.line(line)?.rows.count, rest >= rows {
                rest -= rows
                line += 1
            }
            select(line, recording)
            if isDouble { go(to: .layers) }
        case .layers: selectField(fields.top + row)
        case .octets:
            guard let start = areas[.octets]?.columns.lowerBound, column >= start + 6 else { return }
            let place = column - start - 6
            let text = place - 3 * octetsPerRow
            selectOctet((octetTop + row) * octetsPerRow + (text >= 0 ? text : place / 3))
        case .tree: tree.rows.move(by: tree.rows.top + row - tree.rows.index)
        case .values: break
        case .plot:
            plot?.select(column: column)
            if isDouble { _ = perform(.enter, recording) }
        }
    }

    /// The heading that was pressed comes to the row where the button comes up.
    mutating func drop(_ row: Int) {
        defer { held = nil }
        guard let held, let area = areas[held], row != area.heading else { return }
        shares.move(area.heading, to: row, areas)
    }

    /// The pane with the keys, or the conversation at its cost.
    mutating func resize(by rows: Int) {
        guard let lower = areas.filter({ $0.key != .conversation }).map(\.value.heading).min(),
            areas[.conversation] != nil
        else { return say("there is one pane alone", isBad: true) }
        let isLast = pane == .tree || pane == .plot || pane == .values
        let heading = isLast ? areas[pane]?.heading ?? lower : lower
        shares.move(heading, to: heading + (pane == .conversation ? rows : -rows), areas)
    }
}

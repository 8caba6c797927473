import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

extension RecordingView {
    /// Columns of a line's frame number, which a narrow screen leaves out: the heading of the layers has it.
    private static let frameColumns = 8

    /// The picture of the state that `layOut` found.
    package func paint(_ recording: Recording, _ size: Grid.Size) -> Grid {
        var grid = Grid(size: size, isASCII: isASCII)
        guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else {
            grid.paintTooSmall(Self.smallest)
            return grid
        }
        let layout = layout(size)
        paintTitle(&grid, recording)
        if let area = layout.areas[.overview] {
            overview.paint(&grid, area, recording.overview, progress: recording.overviewProgress)
        }
        if let area = layout.areas[.conversation] { paintConversation(&grid, area, recording) }
        if let area = layout.areas[.layers] { paintLayers(&grid, area) }
        if let area = layout.areas[.octets] { paintOctets(&grid, area, layout) }
        if let area = layout.areas[.tree], let moment { paintTree(&grid, area, moment) }
        if let area = layout.areas[.values] { values?.paint(&grid, area, isFocused: pane == .values) }
        if let area = layout.areas[.plot] {
            plot?.paint(
                &grid, heading: area.heading, height: area.height, isFocused: pane == .plot, isASCII: isASCII)
        }
        if !search.isEmpty, let area = layout.areas[.conversation] {
            for row in area.heading + 1..<area.heading + 1 + area.height { grid.mark(search, row: row) }
        }
        paintLastLine(&grid, recording)
        if let help {
            let bindings = ScreenBinding.recording.filter { $0.panes.isEmpty || $0.panes.contains(pane) }
            grid.paintHelp(bindings, "Keys of \(pane.name)", from: help)
        }
        return grid
    }

    private func paintTitle(_ grid: inout Grid, _ recording: Recording) {
        var text = TextBuffer()
        if recording.failure != nil { text.append("✗ not to its end · ") }
        text.append(decimal: recording.recordCount)
        text.append(recording.recordCount == 1 ? " record " : " records ")
        let right = text
        text.removeAll()
        // Only the delay changes.
        text.append(string: isOfLive ? " attlas live · \(place) · " : " attlas open · ")
        text.append("\(display: recording.info.file) · ")
        if !place.isEmpty, !isOfLive { text.append(string: "\(place) · ") }
        text.append(display: [recording.info.format, recording.info.linkType].joined(separator: " "))
        grid.put(
            text, row: 0, column: 0, end: grid.size.columns.room(without: right.columns + 1), style: Grid.Style(.name))
        grid.put(right, row: 0, before: grid.size.columns, from: 0, style: Grid.Style(.name))
        grid.reverse(row: 0)
    }

    // MARK: Panes

    private func paintConversation(_ grid: inout Grid, _ area: Area, _ recording: Recording) {
        let isFocused = pane == .conversation
        grid.paintHeading(row: area.heading, isFocused: isFocused)
        var title = TextBuffer()
        title.append(" Conversation · ")
        if recording.lineCount == 0 {
            title.append(recording.isComplete ? "no line" : "no line yet")
        } else {
            title.append("line \(selected + 1) of \(recording.lineCount)")
        }
        if !recording.filterExpression.isEmpty {
            title.append(" · filter \(display: recording.filterExpression)")
        }
        if let scope = recording.scopeOptions {
            title.append(" · only \(display: scope)")
        }
        if let note = moment.flatMap({ marks.notes[$0.line.frame] }) {
            title.append(note.isEmpty ? " · marked" : " · marked: ")
            title.append(display: note)
        }
        title.append(" ")
        grid.put(title, row: area.heading, column: 1, style: Grid.headingStyle(isFocused: isFocused))

        let skipped = left + (grid.size.columns < 100 ? Self.frameColumns : 0)
        var row = area.heading + 1
        let end = row + area.height
        if let hidden = recording.hiddenLines, row < end {
            var text = TextBuffer()
            text.append(
                "No line matches the filter. Without it: \(hidden, "line"). f and an empty filter remove it.")
            grid.put(text, row: row, column: 2)
        }
        var number = top
        while row < end, let line = recording.line(number) {
            for entry in line.rows where row < end {
                grid.put(entry, row: row, column: 2, skipping: skipped)
                if recording.findings[line.frame] != nil {
                    grid.put("!", row: row, column: 1, style: Grid.Style(.bad))
                }
                if marks.notes[line.frame] != nil { grid.put("*", row: row, column: 0, style: Grid.Style(.good)) }
                if let anchor, min(anchor, selected)...max(anchor, selected) ~= number, number != selected {
                    grid.put("│", row: row, column: 0, style: Grid.Style(.name))
                }
                if number == selected { grid.markCursor(row: row, isFocused: isFocused) }
                row += 1
            }
            number += 1
        }
    }

    private func paintLayers(_ grid: inout Grid, _ area: Area) {
        let (start, end) = (area.columns.lowerBound, area.columns.upperBound)
        let isFocused = pane == .layers
        grid.paintHeading(row: area.heading, from: start, to: end, isFocused: isFocused)
        var title = TextBuffer()
        title.append(" Layers")
        if let moment {
            title.append(" of frame \(moment.line.frame)")
        }
        title.append(" ")
        grid.put(title, row: area.heading, column: start + 1, end: end, style: Grid.headingStyle(isFocused: isFocused))
        guard let layers = moment?.layers else { return }
        for offset in 0..<area.height {
            let index = fields.top + offset
            guard index < layers.fields.count else { break }
            let field = layers.fields[index]
            let row = area.heading + 1 + offset
            let column = start + 1 + 2 * min(field.depth, 8)
            let next = grid.put(
                field.name.utf8, row: row, column: column, end: end - 1, style: Grid.Style(field.style))
            grid.put(field.value.utf8, row: row, column: next + 2, end: end - 1, style: Grid.Style(.plain))
            if index == fields.index { grid.markCursor(row: row, from: start, to: end, isFocused: isFocused) }
        }
    }

    private func paintOctets(_ grid: inout Grid, _ area: Area, _ layout: Layout) {
        let (start, end) = (area.columns.lowerBound, area.columns.upperBound)
        let isFocused = pane == .octets
        grid.paintHeading(row: area.heading, from: start, to: end, isFocused: isFocused)
        guard let layers = moment?.layers, layers.fields.indices.contains(fields.index) else { return }
        let field = layers.fields[fields.index]
        let octets = layers.octets(of: field.source)
        var title = TextBuffer()
        switch field.source {
        case .record: title.append(" Octets ")
        case .pdu: title.append(" Octets of the PDU ")
        case .message: title.append(" Octets of the message ")
        }
        grid.put(title, row: area.heading, column: start + 1, end: end, style: Grid.headingStyle(isFocused: isFocused))
        if layers.isWithheld {
            grid.put(
                PacketLayers.withheldReason.utf8, row: area.heading + 1, column: start + 1, end: end,
                style: Grid.Style(.faint))
        }
        let width = layout.octetsPerRow
        for offset in 0..<area.height {
            let first = (octetTop + offset) * width
            guard first < octets.count else { break }
            let row = area.heading + 1 + offset
            var text = TextBuffer()
            text.append(hex: UInt16(truncatingIfNeeded: first), digits: 4)
            grid.put(text, row: row, column: start, style: Grid.Style(.faint))
            for place in first..<min(first + width, octets.count) {
                let isMarked = field.range?.contains(place) ?? false
                let style = Grid.Style(
                    isMarked ? .good : .plain, isReversed: isMarked != (isFocused && place == octet))
                text.removeAll()
                text.append(hex: UInt16(octets[place]), digits: 2)
                let column = start + 6 + 3 * (place - first)
                grid.put(text, row: row, column: column, style: style)
                // The blank between two marked octets.
                if isMarked, place + 1 < min(first + width, octets.count), field.range?.contains(place + 1) ?? false {
                    grid.put(" ", row: row, column: column + 2, style: Grid.Style(.good, isReversed: true))
                }
                guard layout.showsText else { continue }
                text.removeAll()
                let isPrintable = 0x20..<0x7F ~= octets[place]
                text.append(byte: isPrintable ? octets[place] : UInt8(ascii: "."))
                grid.put(text, row: row, column: start + 6 + 3 * width + place - first, style: style)
            }
        }
    }

    private func paintTree(_ grid: inout Grid, _ area: Area, _ moment: Moment) {
        let model = moment.playback.sink.sink.model
        var title: String?
        if case .peer(let index) = tree.owner {
            title = moment.playback.trace.title(ofPeer: index)
        } else if tree.owner != nil {
            title = "this host"
        }
        tree.paintTitles(&grid, area.heading, title, isFocused: pane == .tree)
        let lines = area.heading + 1..<area.heading + 1 + area.height
        tree.paint(
            &grid, lines: lines, isFocused: pane == .tree, followed: moment.line.place, model,
            model.time(moment.line.time))
    }

    // MARK: The last line

    private func paintLastLine(_ grid: inout Grid, _ recording: Recording) {
        let row = grid.size.rows.room(without: 1)
        if let prompt {
            let title: StaticString =
                switch prompt.kind {
                case .search: "/"
                case .filter: "filter: "
                case .jump: ":"
                case .note: "note: "
                case .export: "export to: "
                }
            grid.paintPrompt(title, prompt.text, mistake: prompt.mistake)
            return paintChoices(&grid, prompt)
        }
        var progress = TextBuffer()
        if let exportProgress {
            progress.append("exporting \(Int(exportProgress * 100)) % ")
        } else if !recording.isComplete || recording.isPlotting {
            progress.append(
                recording.isComplete ? "plotting " : recording.filterExpression.isEmpty ? "indexing " : "filtering ")
            progress.append("\(Int(recording.progress * 100)) % ")
        } else if recording.isBusy {
            progress.append("looking for incidents and findings ")
        }
        let end = grid.size.columns.room(without: progress.columns)
        grid.put(progress, row: row, before: grid.size.columns, from: 0, style: Grid.Style(.good))
        var text = TextBuffer()
        if let hunt {
            text.append("looking for \(display: hunt.what), at line \(hunt.search.next + 1) (any key ends it)")
            grid.put(text, row: row, column: 0, end: end, style: Grid.Style(.name))
        } else if let message {
            text.append(display: message.text)
            grid.put(text, row: row, column: 0, end: end, style: Grid.Style(message.style))
        } else {
            let hints = ScreenBinding.hints(ScreenBinding.recording, columns: end.room(without: isOfLive ? 3 : 0))
            text.append(string: isOfLive ? hints.replacing("q quit", with: "q resume") : hints)
            grid.put(text, row: row, column: 0, end: end, style: Grid.Style(.faint))
        }
    }

    /// The actions, or completions of the filter.
    private func paintChoices(_ grid: inout Grid, _ prompt: Prompt) {
        let choices =
            prompt.completions.isEmpty
            ? Self.actions(prompt).map { (label: $0.keys, text: $0.command.rawValue) }
            : prompt.completions.map { (label: "", text: $0) }
        guard !choices.isEmpty, prompt.mistake == nil else { return }
        let count = min(choices.count, grid.size.rows.room(without: 5))
        let first = min(prompt.chosen.room(without: count / 2), choices.count.room(without: count))
        grid.paintList(
            Array(choices[first..<first + count]),
            prompt.completions.isEmpty ? "Actions: tab chooses" : "tab completes",
            row: grid.size.rows.room(without: 3 + count), selected: prompt.chosen - first)
    }
}

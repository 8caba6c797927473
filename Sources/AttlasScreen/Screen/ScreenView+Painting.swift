import AttlasConversation
import AttlasIncidents
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues

extension ScreenView {
    /// The smallest screen that has room for everything.
    static let smallest = Grid.Size(columns: 60, rows: 16)

    /// Where the panes are: the row of each heading, with its content below it.
    struct Layout {
        var heading: [Pane: Int] = [:]
        var height: [Pane: Int] = [:]

        /// - Parameter links: rows that the first pane has use for.
        init(_ size: Grid.Size, links: Int) {
            // Without the title, the meters and the last line.
            let rows = size.rows.room(without: 4)
            let peers = min(max(links, 1), max(4, rows / 5))
            let tree = rows.room(without: peers + 3) * 45 / 100
            let log = rows.room(without: peers + tree + 3)
            var row = 3
            for (pane, content) in [(Pane.peers, peers), (.tree, tree), (.log, log)] {
                heading[pane] = row
                height[pane] = content
                row += content + 1
            }
        }
    }

    /// Finds everything its place on a screen of this size. To be called before `paint`, and before `handle` when the size
    /// has changed.
    package mutating func layOut(_ model: inout ScreenModel, _ size: Grid.Size, in trace: borrowing Trace) {
        guard Self.fits(size) else { return }
        tableRows = tables(model, in: trace)
        heights = Layout(size, links: tableRows.count).height
        tables.settle(tableRows, height: heights[.peers] ?? 0, isPinned: hasChosen)
        let owner = tableRows.indices.contains(tables.index) ? tableRows[tables.index].owner : nil
        tree.layOut(owner, height: heights[.tree] ?? 0, &model, in: trace)
    }

    private static func fits(_ size: Grid.Size) -> Bool {
        size.columns >= smallest.columns && size.rows >= smallest.rows
    }

    /// The picture of the state that `layOut` found.
    package func paint(
        _ model: ScreenModel, _ status: ScreenStatus, _ size: Grid.Size, in trace: borrowing Trace
    ) -> Grid {
        var grid = Grid(size: size, isASCII: isASCII)
        guard Self.fits(size) else {
            grid.paintTooSmall(Self.smallest)
            return grid
        }
        let now = now(model, status)
        let layout = Layout(size, links: tableRows.count)
        paintTitle(&grid, model, status)
        paintMeters(&grid, model, status, now)
        paintPeers(&grid, layout, model, now, in: trace)
        if let heading = layout.heading[.tree], let height = layout.height[.tree] {
            let table = tableRows.indices.contains(tables.index) ? tableRows[tables.index] : nil
            let isFocused = pane == .tree
            tree.paintTitles(&grid, heading, table.map { title(of: $0, in: trace) }, isFocused: isFocused)
            let lines = heading + 1..<heading + 1 + height
            tree.paint(&grid, lines: lines, isFocused: isFocused, followed: followed, model, now)
        }
        paintLog(&grid, layout, model)
        paintLastLine(&grid, model)
        if !search.isEmpty {
            for row in 3..<3 + size.rows.room(without: 4) { grid.mark(search, row: row) }
        }
        if let help { grid.paintHelp(ScreenBinding.all, from: help) }
        return grid
    }

    /// Nanoseconds since the first record: the capture's clock, which runs on without records.
    private func now(_ model: ScreenModel, _ status: ScreenStatus) -> Int64 {
        guard let last = model.extent.last else { return 0 }
        return model.time(last).addingReportingOverflow(status.idle).partialValue
    }

    // MARK: Above the panes

    private func paintTitle(_ grid: inout Grid, _ model: ScreenModel, _ status: ScreenStatus) {
        var text = TextBuffer()
        text.append(" attlas live · \(display: status.source)")
        if !status.format.isEmpty {
            text.append(" · \(display: status.format)")
        }
        if let recording = status.recording {
            text.append(" · recording \(display: recording)")
        }
        let left = text
        text.removeAll()
        if status.isEnded { text.append("ENDED · ") }
        text.append("\(model.extent.records, "record")")
        if let duration = model.extent.duration {
            text.append(" in \(duration: duration)")
        }
        text.append(" ")
        grid.put(
            left, row: 0, column: 0, end: grid.size.columns.room(without: text.columns + 1), style: Grid.Style(.name))
        grid.put(text, row: 0, before: grid.size.columns, from: 0, style: Grid.Style(.name))
        grid.reverse(row: 0)
    }

    private func paintMeters(_ grid: inout Grid, _ model: ScreenModel, _ status: ScreenStatus, _ now: Int64) {
        let totals = model.totals
        var column = 1
        func put(_ style: TextStyle = .plain, _ write: (inout TextBuffer) -> Void) {
            var text = TextBuffer()
            write(&text)
            column = grid.put(text, row: 1, column: column, style: Grid.Style(style))
        }
        let values = model.valueOctets.perSecond(at: now)
        let all = model.hciOctets.perSecond(at: now)
        put {
            $0.append("values ")
            $0.append(octetRate: values)
            $0.append(" of HCI ")
            $0.append(octetRate: all)
            $0.append("  round trip ")
            if let median = totals.roundTrips.percentile(50), let high = totals.roundTrips.percentile(99) {
                $0.append("p50 \(duration: Int64(median) * 1_000) p99 \(duration: Int64(high) * 1_000)")
            } else {
                $0.append("none yet")
            }
        }
        column = 1
        func putCount(_ count: Int, _ one: StaticString, _ many: StaticString) {
            var text = TextBuffer()
            text.append(decimal: count)
            text.append(count == 1 ? one : many)
            column = grid.put(text, row: 2, column: column, style: Grid.Style(count > 0 ? .bad : .plain))
            column = grid.put("  ", row: 2, column: column)
        }
        putCount(totals.errors, " error", " errors")
        putCount(Int(clamping: model.extent.lost), " lost", " lost")
        putCount(totals.malformed + model.extent.unreadable, " malformed", " malformed")
        if totals.cutShort > 0 { putCount(totals.cutShort, " cut", " cut") }
        if let incidents = model.incidents.sink {
            var text = TextBuffer()
            text.append(decimal: incidents.found)
            text.append(incidents.found == 1 ? " incident  " : " incidents  ")
            column = grid.put(
                text, row: 2, column: column, style: Grid.Style(incidents.hasBroken ? .bad : .plain))
        }
        if model.findings.isShown {
            let style = Grid.Style(model.findings.hasTrouble ? .bad : .plain)
            var text = TextBuffer()
            text.append(decimal: model.findings.lines.count)
            text.append(model.findings.lines.count == 1 ? " finding  " : " findings  ")
            column = grid.put(text, row: 2, column: column, style: style)
        }
        paintCost(&grid, status, from: column)
    }

    /// Paints attlas's own use of processor and memory.
    private func paintCost(_ grid: inout Grid, _ status: ScreenStatus, from start: Int) {
        var text = TextBuffer()
        text.append("attlas ")
        if let cost = status.recordCost {
            text.append("\(tenths: UInt64(max(0, cost / 100 + 0.5))) µs/record · ")
        }
        text.append("\(status.recordsPerSecond)/s · \(status.processorPercent) % CPU · \(status.memory / 1_000_000)")
        text.append(" MB ")
        if let lag = status.lag {
            var longer = TextBuffer()
            longer.append("delay after the kernel p50 \(duration: Int64(lag.median) * 1_000) p99 ")
            longer.append("\(duration: Int64(lag.high) * 1_000) · ")
            longer.append(contentsOf: text)
            if longer.columns < grid.size.columns.room(without: start) { text = longer }
        }
        grid.put(text, row: 2, before: grid.size.columns, from: start, style: Grid.Style(.faint))
    }

    // MARK: Below the panes

    private func paintLastLine(_ grid: inout Grid, _ model: ScreenModel) {
        let row = grid.size.rows.room(without: 1)
        if let prompt {
            grid.paintPrompt(prompt.kind.label, prompt.text, mistake: prompt.mistake)
        } else if let message {
            var text = TextBuffer()
            text.append(display: message.text)
            grid.put(text, row: row, column: 0, style: Grid.Style(message.style))
        } else if pane == .tree, let place = tree.selected?.place, let known = model.findings[place] {
            var text = TextBuffer()
            if known.count > 1 {
                text.append("\(known.count) findings, the last: ")
            }
            text.append(known.last)
            grid.put(text, row: row, column: 0, style: Grid.Style(known.last.rule.severity.style))
        } else {
            var text = TextBuffer()
            text.append(string: ScreenBinding.hints(ScreenBinding.all, columns: grid.size.columns))
            grid.put(text, row: row, column: 0, style: Grid.Style(.faint))
        }
    }
}

extension TextBuffer {
    /// Thousands: `12.3 kB/s`.
    mutating func append(octetRate rate: Int) {
        switch rate {
        case ..<1_000:
            append("\(rate) B/s")
        case ..<1_000_000:
            append("\(tenths: UInt64(rate) / 100) kB/s")
        default:
            append("\(tenths: UInt64(rate) / 100_000) MB/s")
        }
    }
}

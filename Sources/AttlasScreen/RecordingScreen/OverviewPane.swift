import AttlasConversation
import AttlasDocuments
import AttlasIncidents
import AttlasLint
import AttlasText

/// Incidents on one screen: connections along time, the ranked incidents and then the findings, and all of the selected one.
struct OverviewPane {
    /// The selected entry: incidents, then findings.
    private var rows = ScreenView.Cursor<Int>()
    private var parts = Parts()
    /// All that is known about the selected entry, and its first row that is shown.
    private var detail: [ScreenLog.Entry] = []
    private var detailTop = 0
    private static let detailRows = 4

    /// Rows of the pane, from its first.
    private struct Parts {
        var lanes = 0
        /// The heading of the list, after the lanes and the axis of time.
        var heading: Int?
        var list = 0..<0
        var detail = 0..<0

        init() {}

        init(height: Int, lanes laneCount: Int, entries: Int) {
            // Without the summary.
            let room = height.room(without: 1)
            if room >= 6, laneCount > 0 { lanes = min(laneCount, max(1, room / 4)) }
            var row = 1 + (lanes > 0 ? lanes + 1 : 0)
            guard entries > 0, row < height else { return }
            if room >= 4 {
                heading = row
                row += 1
            }
            let rest = height.room(without: row)
            let hasDetail = rest >= 2 * OverviewPane.detailRows
            list = row..<row + min(entries, hasDetail ? rest / 2 : rest)
            if hasDetail { detail = list.upperBound + 1..<height }
        }
    }

    /// The index of the selected incident; nil if a finding is selected.
    func incident(of overview: RecordingOverview) -> Int? {
        overview.incidents.incidents.indices.contains(rows.index) ? rows.index : nil
    }

    func finding(of overview: RecordingOverview) -> LintFinding? { finding(rows.index, of: overview) }

    private func finding(_ entry: Int, of overview: RecordingOverview) -> LintFinding? {
        let index = entry - overview.incidents.incidents.count
        return overview.findings.indices.contains(index) ? overview.findings[index] : nil
    }

    /// Rows of the list.
    var height: Int { parts.list.count }

    mutating func move(by steps: Int) {
        rows.move(by: steps)
        detailTop = 0
    }

    /// Scrolls the details of the selected entry.
    mutating func scroll(by steps: Int) { detailTop = max(0, detailTop + steps) }

    /// - Returns: whether there is an entry in this row of the pane.
    mutating func select(row: Int) -> Bool {
        guard parts.list.contains(row) else { return false }
        rows.index = rows.top + row - parts.list.lowerBound
        detailTop = 0
        return true
    }

    mutating func layOut(_ overview: RecordingOverview?, height: Int, columns: Int) {
        let count = overview.map { $0.incidents.incidents.count + $0.findings.count } ?? 0
        parts = Parts(height: height, lanes: overview?.connectionLanes.count ?? 0, entries: count)
        rows.settle(Array(0..<count), height: max(1, parts.list.count), isPinned: false)
        detail = overview.map { entries(of: $0, width: columns.room(without: 1)) } ?? []
        detailTop = min(detailTop, detail.count.room(without: parts.detail.count))
    }

    /// Device, event and place, for the clipboard.
    func appendSelected(of overview: RecordingOverview, to text: inout TextBuffer) {
        if let index = incident(of: overview) {
            let incident = overview.incidents.incidents[index]
            text.append(headOf: incident, overview.incidents)
            text.append(display: ". \(incident.what) Frame \(incident.frame).")
        } else if let finding = finding(of: overview) {
            text.append(finding)
            text.append(display: " Frame \(finding.frame).")
        }
    }

    // MARK: Painting

    /// - Parameters:
    ///   - area: below its heading.
    ///   - progress: the share of the capture that was read.
    func paint(_ grid: inout Grid, _ area: RecordingView.Area, _ overview: RecordingOverview?, progress: Double) {
        grid.paintHeading(row: area.heading, isFocused: true)
        grid.put(" What broke ", row: area.heading, column: 1, style: Grid.headingStyle(isFocused: true))
        guard area.height > 0 else { return }
        let first = area.heading + 1
        var text = TextBuffer()
        guard let overview else {
            text.append("Looking for incidents: \(Int(progress * 100)) %. Enter shows the conversation.")
            grid.put(text, row: first, column: 1)
            return
        }
        let hasBroken = overview.incidents.incidents.first?.weight == .broke
        text.append(summaryOf: overview)
        grid.put(text, row: first, column: 1, style: Grid.Style(hasBroken ? .bad : .good))
        paintLanes(&grid, first + 1, overview)
        if let heading = parts.heading { paintHeading(&grid, first + heading, overview) }
        let peers = Set(overview.incidents.incidents.map(\.place.peer))
        for row in parts.list {
            let index = rows.top + row - parts.list.lowerBound
            if let finding = finding(index, of: overview) {
                paint(&grid, first + row, finding)
            } else {
                guard index < overview.incidents.incidents.count else { break }
                paint(&grid, first + row, index, overview.incidents, showsPeer: peers.count > 1)
            }
            if index == rows.index { grid.markCursor(row: first + row, isFocused: true) }
        }
        paintDetail(&grid, first)
    }

    private func paintHeading(_ grid: inout Grid, _ row: Int, _ overview: RecordingOverview) {
        grid.paintHeading(row: row, isFocused: false)
        var text = TextBuffer()
        let incidents = overview.incidents.incidents.count
        let isIncident = rows.index < incidents
        text.append(isIncident ? " Incident " : " Finding ")
        text.append("\(rows.index + 1 - (isIncident ? 0 : incidents)) of ")
        text.append("\(isIncident ? incidents : overview.findings.count) ")
        if isIncident, !overview.findings.isEmpty {
            text.append("· below: \(own: overview.lint.counts) ")
        }
        if overview.incidents.leftOut > 0 {
            text.append("· \(overview.incidents.leftOut) more only counted ")
        }
        grid.put(text, row: row, column: 1, style: Grid.headingStyle(isFocused: false))
    }

    /// Its frame, the event, the number of occurrences, and the device.
    private func paint(_ grid: inout Grid, _ row: Int, _ index: Int, _ model: IncidentsModel, showsPeer: Bool) {
        let incident = model.incidents[index]
        let columns = grid.size.columns
        let peerColumn = showsPeer && columns >= 60 ? columns.room(without: max(18, columns / 4)) : columns
        var text = TextBuffer()
        text.append(decimal: incident.frame)
        grid.put(text, row: row, before: 9, from: 1, style: Grid.Style(.faint))
        grid.put(incident.weight.mark, row: row, column: 10, style: Grid.Style(incident.weight.style))
        text.removeAll()
        text.append(display: incident.headline)
        grid.put(text, row: row, column: 12, end: peerColumn.room(without: 1), style: Grid.Style(incident.weight.style))
        guard peerColumn < columns, let peer = incident.place.peer else { return }
        text.removeAll()
        text.append(display: model.peerName(peer) ?? "\(peer)")
        grid.put(text, row: row, column: peerColumn)
    }

    /// Its frame, the rule and the finding.
    private func paint(_ grid: inout Grid, _ row: Int, _ finding: LintFinding) {
        let severity = finding.rule.severity
        var text = TextBuffer()
        text.append(decimal: finding.frame)
        grid.put(text, row: row, before: 9, from: 1, style: Grid.Style(.faint))
        grid.put(severity.mark, row: row, column: 10, style: Grid.Style(severity.style))
        text.removeAll()
        text.append(finding)
        grid.put(text, row: row, column: 12, style: Grid.Style(severity == .error ? .bad : .plain))
    }

    private func paintDetail(_ grid: inout Grid, _ first: Int) {
        for (row, entry) in zip(parts.detail, detail.dropFirst(detailTop)) {
            grid.put(entry, row: first + row, column: 1)
        }
        guard parts.detail.count < detail.count, !parts.detail.isEmpty else { return }
        var text = TextBuffer()
        text.append("← → rows \(detailTop + 1)–\(detailTop + parts.detail.count) of \(detail.count)")
        grid.put(text, row: first + parts.detail.lowerBound - 1, column: 1, style: Grid.Style(.faint))
    }

    /// The selected incident or finding, in rows.
    private func entries(of overview: RecordingOverview, width: Int) -> [ScreenLog.Entry] {
        var line: LineWriter
        if let index = incident(of: overview) {
            line = LineWriter(width: width, isColoured: false)
            line.runs = []
            line.put(overview.incidents.incidents[index], index + 1, overview.incidents)
        } else {
            guard let finding = finding(of: overview) else { return [] }
            var text = LintText(overview.lint, width: width, isColoured: false)
            text.line.runs = []
            text.writeAlone(finding)
            line = text.line
        }
        return ScreenLog.entries(&line, nil)
    }

    // MARK: Lanes

    /// A lane for each connection; where they do not fit, for each device. One with a mark of the selected incident is in sight.
    private func paintLanes(_ grid: inout Grid, _ first: Int, _ overview: RecordingOverview) {
        guard parts.lanes > 0 else { return }
        let lanes = overview.connectionLanes.count <= parts.lanes ? overview.connectionLanes : overview.deviceLanes
        let place = lanes.firstIndex { $0.marks.contains { $0.incident == rows.index } } ?? 0
        let top = min((place + 1).room(without: parts.lanes), lanes.count.room(without: parts.lanes))
        let start = grid.size.columns / 4
        let scale = Scale(start: start, columns: grid.size.columns.room(without: start + 1), overview.span)
        for (row, lane) in lanes[top..<min(lanes.count, top + parts.lanes)].enumerated() {
            paint(lane, &grid, first + row, scale, overview.incidents)
        }
        let axis = first + parts.lanes
        var text = TextBuffer()
        if lanes.count > parts.lanes {
            text.append("lanes \(top + 1)–\(top + parts.lanes) of \(lanes.count)")
            grid.put(text, row: axis, column: 1, end: start.room(without: 1), style: Grid.Style(.faint))
        }
        grid.put("0 s", row: axis, column: start, style: Grid.Style(.faint))
        text.removeAll()
        text.append(duration: max(0, overview.span))
        let end = grid.size.columns.room(without: 1)
        grid.put(text, row: axis, before: end, from: start + 4, style: Grid.Style(.faint))
    }

    private func paint(
        _ lane: RecordingOverview.Lane, _ grid: inout Grid, _ row: Int, _ scale: Scale, _ model: IncidentsModel
    ) {
        var text = TextBuffer()
        text.append(display: lane.label)
        grid.put(text, row: row, column: 1, end: scale.start.room(without: 1))
        for bar in lane.bars {
            let (begin, end) = (scale.column(bar.begin), bar.end.map { scale.column($0) })
            for column in begin..<max(begin, end ?? scale.end) + 1 {
                grid.put("─", row: row, column: column, style: Grid.Style(.faint))
            }
            grid.put("├", row: row, column: begin, style: Grid.Style(.faint))
            if let end, end > begin { grid.put("│", row: row, column: end, style: Grid.Style(.faint)) }
        }
        for mark in lane.marks {
            let incident = model.incidents[mark.incident]
            let style = Grid.Style(incident.weight.style)
            grid.put(incident.weight.mark, row: row, column: scale.column(mark.time), style: style)
        }
        for mark in lane.marks where mark.incident == rows.index {
            let column = scale.column(mark.time)
            grid.reverse(row: row, from: column, to: column + 1)
        }
    }

    /// Columns along time.
    private struct Scale {
        let start: Int
        let columns: Int
        let duration: Int64

        init(start: Int, columns: Int, _ duration: Int64) {
            self.start = start
            self.columns = columns
            self.duration = duration
        }

        /// The last one.
        var end: Int { start + columns.room(without: 1) }

        func column(_ time: Int64) -> Int {
            guard duration > 0 else { return start }
            let share = max(0, min(1, Double(time) / Double(duration)))
            return start + Int(share * Double(columns.room(without: 1)))
        }
    }
}

extension ScreenCommand {
    /// Whether it does something in the overview; any other command is about the conversation.
    var isOfOverview: Bool {
        switch self {
        case .overview, .enter, .release, .help, .quit, .pause, .copy, .nextPane, .previousPane, .nextFile,
            .previousFile, .up, .down, .left, .right, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .start, .end:
            true
        default: false
        }
    }
}

extension Incident.Weight {
    /// On a lane, and in the list.
    fileprivate var mark: StaticString {
        switch self {
        case .broke: "✗"
        case .hindered: "!"
        case .noted: "•"
        }
    }
}

extension TextBuffer {
    /// `Nothing broke · 177 records in 9.5 s · 1 connection · 97 ATT operations`
    fileprivate mutating func append(summaryOf overview: RecordingOverview) {
        append(string: overview.incidents.headline)
        for (count, one, many) in [
            (overview.records, "record", "records"), (overview.totals.connections, "connection", "connections"),
            (overview.totals.operations, "ATT operation", "ATT operations"),
        ] {
            append(" · \(count)")
            append(string: " \(count == 1 ? one : many)")
            if many == "records", let duration = overview.duration {
                append(" in \(duration: duration)")
            }
        }
    }
}

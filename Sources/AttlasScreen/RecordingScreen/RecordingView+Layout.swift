import AttlasConversation
import AttlasMetrics
import AttlasTrace
import AttlasValues

extension RecordingView {
    /// Smaller screens only show a message.
    static let smallest = Grid.Size(columns: 40, rows: 8)

    /// Where a pane is: its heading, and its content below it.
    struct Area {
        let heading: Int
        let height: Int
        let columns: Range<Int>
    }

    /// Panes that have no room are folded: the one that was looked at last stays next to the conversation.
    struct Layout {
        /// Rows of the screen that panes take, if the user has moved a heading.
        struct Shares {
            var conversation: Double?
            var layers: Double?

            /// A heading below the conversation goes to another row.
            mutating func move(_ heading: Int, to row: Int, _ areas: [Pane: Area]) {
                let end = areas.values.map { $0.heading + $0.height + 1 }.max() ?? 0
                guard let first = areas[.conversation], heading > first.heading, end > 0 else { return }
                if heading == first.heading + first.height + 1 {
                    conversation = Double(row - first.heading - 1) / Double(end)
                } else if let above = areas[.layers] {
                    layers = Double(row - above.heading - 1) / Double(end)
                }
            }
        }

        private(set) var areas: [Pane: Area] = [:]
        let octetsPerRow: Int
        let showsText: Bool

        init(_ size: Grid.Size, pane: Pane, lower: Pane, isZoomed: Bool, _ shares: Shares) {
            let all = 0..<size.columns
            octetsPerRow = size.columns >= 140 ? 16 : 8
            showsText = size.columns >= 75
            // Without the title and the last line.
            let rows = size.rows.room(without: 2)
            let isAlone = isZoomed || rows < 10 || pane == .overview
            if isAlone {
                areas[pane == .octets ? .layers : pane] = Area(heading: 1, height: rows.room(without: 1), columns: all)
            } else if rows >= 34 {
                let conversation = Self.height(
                    shares.conversation, rows, rows.room(without: 3) * 45 / 100, rows.room(without: 7))
                let layers = Self.height(
                    shares.layers, rows, rows.room(without: 3) * 30 / 100, rows.room(without: 5 + conversation))
                areas[.conversation] = Area(heading: 1, height: conversation, columns: all)
                areas[.layers] = Area(heading: conversation + 2, height: layers, columns: all)
                let tree = rows.room(without: 3 + conversation + layers)
                areas[lower == .plot || lower == .values ? lower : .tree] = Area(
                    heading: conversation + layers + 3, height: tree, columns: all)
            } else {
                let conversation = Self.height(
                    shares.conversation, rows, rows.room(without: 2) / 2, rows.room(without: 4))
                areas[.conversation] = Area(heading: 1, height: conversation, columns: all)
                areas[lower] = Area(
                    heading: conversation + 2, height: rows.room(without: 2 + conversation), columns: all)
            }
            // Octets are next to their layers, or where there is no room, in their place.
            guard let layers = areas[.layers] else { return }
            guard size.columns >= 56 else {
                if pane == .octets { areas[.octets] = areas.removeValue(forKey: .layers) }
                return
            }
            let edge = size.columns.room(without: 6 + octetsPerRow * 3 + (showsText ? 1 + octetsPerRow : 0))
            areas[.layers] = Area(heading: layers.heading, height: layers.height, columns: 0..<edge.room(without: 1))
            areas[.octets] = Area(heading: layers.heading, height: layers.height, columns: edge..<size.columns)
        }

        /// At least two rows, for this pane and for those below it.
        private static func height(_ share: Double?, _ rows: Int, _ usual: Int, _ most: Int) -> Int {
            guard let share else { return min(usual, most) }
            return max(2, min(most, Int((share * Double(rows + 1)).rounded())))
        }
    }

    func layout(_ size: Grid.Size) -> Layout {
        Layout(size, pane: pane, lower: lowerPane, isZoomed: isZoomed, shares)
    }

    // MARK: Finding the place of everything

    /// To be called before `paint`, and before `handle` when the size has changed.
    package mutating func layOut(_ recording: Recording, _ size: Grid.Size) {
        guard size.columns >= Self.smallest.columns, size.rows >= Self.smallest.rows else { return }
        let layout = layout(size)
        areas = layout.areas
        octetsPerRow = layout.octetsPerRow
        if let wantedFrame, let line = recording.line(atFrame: wantedFrame), let found = recording.line(line) {
            selected = line
            if found.frame >= wantedFrame || recording.isComplete { self.wantedFrame = nil }
        }
        // If the file has grown, the last lines are read again: the selected one stays.
        if recording.isComplete { selected = max(0, min(selected, recording.lineCount.room(without: 1))) }
        keepInSight(recording, height: areas[.conversation]?.height ?? 1)
        look(recording)
        if let area = areas[.overview] {
            overview.layOut(recording.overview, height: area.height, columns: size.columns)
        }
        values?.layOut(
            recording.gatheredValues, gathering: recording.gatherings, columns: size.columns,
            height: areas[.values]?.height ?? 0)
        plot?.layOut(recording.plotted ?? [], columns: 0..<size.columns)
        guard let moment else { return }
        let owner = moment.line.owner ?? tree.owner ?? (moment.playback.trace.peers.isEmpty ? nil : .peer(0))
        moment.playback.layOut(
            &tree, owner, height: areas[.tree]?.height ?? 0, isFollowing: pane != .tree, moment.line.place)
        let fieldCount = moment.layers?.fields.count ?? 0
        fields.settle(Array(0..<fieldCount), height: areas[.layers]?.height ?? 0, isPinned: true)
        let row = octet / octetsPerRow
        let height = areas[.octets]?.height ?? 1
        if row < octetTop { octetTop = row }
        if row >= octetTop + height { octetTop = row - height + 1 }
    }

    /// A line may have several rows.
    private mutating func keepInSight(_ recording: Recording, height: Int) {
        if selected < top { top = selected }
        var rows = 0
        var line = selected
        // The lowest line that can be at the top.
        while line >= top {
            rows += recording.line(line)?.rows.count ?? 1
            if rows > height { break }
            line -= 1
        }
        if line >= top { top = min(selected, line + 1) }
        // No empty rows below the last line, as long as there are lines above.
        rows = 0
        line = recording.lineCount
        while line > 0, rows < height {
            line -= 1
            rows += recording.line(line)?.rows.count ?? 1
            if line < top - height { break }
        }
        if rows >= height, line < top, recording.lineCount - top < height { top = max(0, min(top, line)) }
    }

    /// Decodes the state at the selected line.
    private mutating func look(_ recording: Recording) {
        guard let line = recording.line(selected) else {
            moment = nil
            return
        }
        if let moment, moment.line.record == line.record, moment.line.ordinal == line.ordinal,
            moment.expression == recording.filterExpression, moment.line.number == line.number
        {
            return moment.add(recording.findings[line.frame] ?? [])
        }
        guard let playback = recording.moment(of: line) else {
            moment = nil
            return
        }
        let moment = Moment(playback, line, recording.filterExpression)
        self.moment = moment
        moment.add(recording.findings[line.frame] ?? [])
        fields = ScreenView.Cursor()
        octetTop = 0
        // The line's own subject comes first.
        fields.index = moment.innermost
        fields.key = moment.innermost
        fields.top = moment.innermost
        let field = moment.layers.map { $0.fields.indices.contains(fields.index) ? $0.fields[fields.index] : nil }
        octet = field??.range?.lowerBound ?? 0
    }
}

extension Playback {
    /// The table, and in it the line's attribute.
    mutating func layOut(
        _ tree: inout TreePane, _ owner: TableOwner?, height: Int, isFollowing: Bool, _ place: AttributePlace?
    ) {
        if isFollowing, let place, let row = tree.shown.firstIndex(where: { $0.handle == place.handle }) {
            tree.rows.index = row
            tree.rows.key = place.handle
        }
        tree.layOut(owner, height: height, &sink.sink.model, in: trace)
    }
}

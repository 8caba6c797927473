import AttlasDocuments
import AttlasInference
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues

/// All values of a characteristic: the lines of `attlas values`.
struct ValuesPane {
    private var lines: [Substring] = []
    /// How wide the screen is for which the lines are; 0: there are none yet.
    private var columns = 0
    /// Identifies the subject of the lines.
    private var gathering = 0
    private var height = 0
    private var top = 0
    private let listing: ValuesText.Listing

    init(_ listing: ValuesText.Listing) { self.listing = listing }

    mutating func move(by rows: Int) { top = max(0, min(top.addingReportingOverflow(rows).partialValue, lastTop)) }

    private var lastTop: Int { lines.count.room(without: height) }

    mutating func layOut(_ model: ValuesModel?, gathering: Int, columns: Int, height: Int) {
        self.height = height
        guard let model else {
            (lines, self.columns) = ([], 0)
            return
        }
        if columns != self.columns || gathering != self.gathering {
            (self.columns, self.gathering) = (columns, gathering)
            var text = ValuesText(model, width: columns, isColoured: false)
            text.listing = listing
            lines = model.characteristics.flatMap { text.lines(of: $0) }
            if case .against(let frame) = listing, !model.hasValue(inFrame: frame) {
                lines = [
                    "The selection begins with frame \(frame), which has no whole value of this characteristic that may be shown."
                ]
            }
            if model.leftOut > 0 { lines.append("\(model.leftOut) more values left out") }
        }
        top = max(0, min(top, lastTop))
    }

    func paint(_ grid: inout Grid, _ area: RecordingView.Area, isFocused: Bool) {
        grid.paintHeading(row: area.heading, isFocused: isFocused)
        var title = TextBuffer(columns == 0 ? " Values: reading the capture " : " Values ")
        if columns > 0, case .against(let frame) = listing { title.append("against frame \(frame) ") }
        grid.put(title.text.utf8, row: area.heading, column: 1, style: Grid.headingStyle(isFocused: isFocused))
        for (row, line) in lines.dropFirst(top).prefix(area.height).enumerated() {
            grid.put(line.utf8, row: area.heading + 1 + row, column: 0, style: Grid.Style(.plain))
        }
    }
}

extension RecordingView {
    /// Gathers the values of the selection: a row of the table, or the line's subject. With several lines, the first of which has a value,
    /// they are compared with it.
    mutating func openValues(_ recording: Recording) {
        guard let place = pane == .tree ? tree.selected?.place : moment?.line.place else {
            return say("this line is about no attribute", isBad: true)
        }
        let first = anchor.flatMap { recording.line(min($0, selected)) }
        values = ValuesPane(first.map { .against(frame: $0.frame) } ?? .distinct)
        recording.gatherValues(of: place.handle)
        go(to: .values)
    }

    mutating func closeValues(_ recording: Recording) {
        guard values != nil else { return }
        values = nil
        recording.gatherValues(of: nil)
        if pane == .values { go(to: .conversation) }
        if lowerPane == .values { lowerPane = .layers }
    }
}

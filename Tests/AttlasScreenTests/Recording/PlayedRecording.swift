import AttlasFilter
import AttlasInput
import AttlasTestSupport

@testable import AttlasConversation
@testable import AttlasScreen

/// A recording on a screen that no terminal shows.
final class PlayedRecording {
    let recording: Recording
    var view: RecordingView
    var size: Grid.Size

    init(_ path: String, columns: Int = 80, rows: Int = 23, showsHCI: Bool = false, isASCII: Bool = false) throws {
        recording = try .indexed(path, columns: columns, showsHCI: showsHCI)
        view = RecordingView(isASCII: isASCII)
        size = Grid.Size(columns: columns, rows: rows)
    }

    convenience init(_ capture: String, _ columns: Int, _ rows: Int, showsHCI: Bool = false) throws {
        try self.init(Repository.capture(capture), columns: columns, rows: rows, showsHCI: showsHCI)
    }

    var grid: Grid {
        recording.finishIndex()
        view.layOut(recording, size)
        return view.paint(recording, size)
    }

    /// The screen, row by row.
    var rows: [String] {
        let grid = grid
        return (0..<size.rows).map { grid.text(row: $0) }
    }

    /// Paints in between, and continues with a search, as a screen does.
    @discardableResult
    func press(_ keys: ScreenKey...) -> RecordingAction {
        var action = RecordingAction.none
        for key in keys {
            _ = grid
            action = view.handle(key, recording)
            while view.isBusy { view.advance(recording) }
        }
        return action
    }

    func type(_ text: String) {
        for scalar in text.unicodeScalars { press(.character(scalar)) }
    }

    func resize(_ columns: Int, _ rows: Int) {
        size = Grid.Size(columns: columns, rows: rows)
        recording.resize(columns: columns)
    }

    /// The one that the cursor is on.
    var line: String { recording.line(view.selected)?.texts.first ?? "" }

    var frame: Int? { recording.line(view.selected)?.frame }

    /// The layers of the selected line: `name value [octets]`, deeper ones after more blanks.
    var layers: [String] {
        _ = grid
        guard let layers = view.moment?.layers else { return [] }
        return layers.fields.map { field in
            // None when they are withheld.
            let all = layers.octets(of: field.source)
            let octets = field.range.map { $0.upperBound <= all.count ? all[$0] : [] } ?? []
            let hex = octets.map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return String(repeating: " ", count: 2 * field.depth) + field.name
                + (field.value.isEmpty ? "" : ": " + field.value) + (field.range == nil ? "" : " [\(hex)]")
        }
    }
}

extension [Packet] {
    /// A log of packets that have no times: a millisecond apart.
    var recorded: [UInt8] { enumerated().map { $0.element.at(milliseconds: Double($0.offset)) }.btsnoop }
}

import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Foundation
import Testing

@testable import AttlasConversation
@testable import AttlasScreen

/// A conversation on a screen that no terminal shows.
final class PlayedScreen {
    private var interpreted: Interpreted<ScreenModel>
    var view: ScreenView
    var status = ScreenStatus()
    private(set) var trace = Trace()

    init(
        columns: Int = 80, isASCII: Bool = false, showsFindings: Bool = false,
        library: DissectorLibrary = .withExamples
    ) {
        var options = ConversationText.Options()
        options.width = columns
        interpreted = Interpreted(library: library) {
            ScreenModel(values: $0, selection: Selection(), options: options, showsFindings: showsFindings)
        }
        view = ScreenView(isASCII: isASCII)
    }

    var model: ScreenModel {
        get { interpreted.sink }
        set { interpreted.sink = newValue }
    }

    /// The definitions have changed.
    func use(_ library: DissectorLibrary) {
        let values = interpreted.use(library)
        model.use(values)
    }

    /// - Parameter limit: records of the capture.
    convenience init(
        _ capture: String, columns: Int = 80, isASCII: Bool = false, limit: Int = .max
    ) throws {
        self.init(columns: columns, isASCII: isASCII)
        try play(capture, limit: limit)
    }

    func play(_ capture: String, limit: Int = .max) throws {
        var reader = try CaptureReader(capture: capture)
        var records = 0
        while records < limit, let record = try reader.next() {
            play(record)
            records += 1
        }
    }

    /// A conversation that a test writes down.
    func play(_ packets: [Packet]) {
        var maker = RecordMaker()
        for packet in packets { maker.make(packet) { play($0) } }
    }

    private func play(_ record: borrowing Record) {
        model.note(record)
        trace.decode(record, into: &interpreted)
    }

    /// The screen, row by row.
    func rows(_ columns: Int = 80, _ rows: Int = 24) -> [String] {
        let grid = grid(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }
    }

    func grid(_ columns: Int = 80, _ rows: Int = 24) -> Grid {
        let size = Grid.Size(columns: columns, rows: rows)
        view.layOut(&model, size, in: trace)
        return view.paint(model, status, size, in: trace)
    }

    /// Paints in between, as a screen does.
    @discardableResult
    func press(_ keys: ScreenKey..., columns: Int = 80, rows: Int = 24) -> ScreenAction {
        var action = ScreenAction.none
        for key in keys {
            _ = grid(columns, rows)
            action = view.handle(key, in: trace)
        }
        return action
    }

    func type(_ text: String) {
        for scalar in text.unicodeScalars { press(.character(scalar)) }
    }
}

extension [String] {
    /// The first row with this in it.
    func row(_ text: String) -> String? { first { $0.contains(text) } }
}

extension ScreenBinding {
    /// Compares the table of keys of a page. `ATTLAS_UPDATE_EXPECTED=1 swift test` writes it again.
    static func checkTable(_ bindings: [ScreenBinding], in page: String) throws {
        let table = bindings.map { "| \($0.label) | \($0.documentation) |\n" }.joined()
        var text = try Repository.text(page)
        let head = "| key | |\n|---|---|\n"
        let start = try #require(text.range(of: head)).upperBound
        let end = try #require(text[start...].range(of: "\n", options: .anchored) ?? text[start...].range(of: "\n\n"))
        let rows = start..<(text[start] == "\n" ? start : text.index(after: end.lowerBound))
        if ProcessInfo.processInfo.environment["ATTLAS_UPDATE_EXPECTED"] != nil {
            text.replaceSubrange(rows, with: table)
            try text.write(toFile: Repository.path(page), atomically: true, encoding: .utf8)
        } else {
            #expect(text[rows] == table)
        }
    }
}

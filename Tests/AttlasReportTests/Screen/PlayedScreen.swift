import AttlasDissection
import AttlasFilter
import AttlasInput
import AttlasTrace
import AttlasValues
import AttlasWire
import Foundation

@testable import AttlasReport

/// A conversation on a screen that no terminal shows.
final class PlayedScreen {
    private var interpreted: Interpreted<ScreenModel>
    var view: ScreenView
    var status = ScreenStatus()
    private var trace = Trace()
    private var frame = 0

    init(columns: Int = 80, isASCII: Bool = false, library: DissectorLibrary = .withExamples) {
        var options = ConversationText.Options()
        options.width = columns
        interpreted = Interpreted(library: library) {
            ScreenModel(values: $0, selection: Selection(), options: options)
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
        var reader = try CaptureReader(path: RecordedConversationTests.folder.appendingPathComponent(capture).path)
        var records = 0
        while records < limit, let record = try reader.next() {
            model.note(record)
            trace.decode(record, into: &interpreted)
            records += 1
        }
    }

    /// A conversation that a test writes down.
    func talk(_ pdus: [(Direction, String)]) {
        Talking.forEachRecord(nil, pdus) { record in
            model.note(record)
            trace.decode(record, into: &interpreted)
        }
    }

    /// An HCI event, so many milliseconds after the first.
    func event(_ octets: [UInt8], at milliseconds: Int = 0) {
        frame += 1
        let header = CollectionOfOne(
            RecordHeader(
                frame: frame,
                time: Timestamp(
                    seconds: 1_000 + Int64(milliseconds / 1_000), nanoseconds: UInt32(milliseconds % 1_000) * 1_000_000,
                    precision: 6),
                content: .packet(.event), direction: .rx, controller: 0, length: octets.count, missing: 0,
                lost: 0))
        let record = Record(header, bytes: Bytes(octets.span))
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
            action = view.handle(key, model, in: trace)
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

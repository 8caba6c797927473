import AttlasDissection
import AttlasInput
import AttlasTrace
import AttlasWire
import Foundation

@testable import AttlasReport

/// A conversation on a screen that no terminal shows.
final class PlayedScreen {
    var model: ScreenModel
    var view: ScreenView
    var status = ScreenStatus()
    private var trace = Trace()
    private var frame = 0

    init(columns: Int = 80, isASCII: Bool = false, library: DissectorLibrary = .withExamples) {
        var options = ConversationText.Options()
        options.width = columns
        model = ScreenModel(library: library, selection: Selection(), options: options)
        view = ScreenView(isASCII: isASCII)
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
            trace.decode(record, into: &model)
            records += 1
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
        trace.decode(record, into: &model)
    }

    /// The screen, row by row.
    func rows(_ columns: Int = 80, _ rows: Int = 24) -> [String] {
        let grid = grid(columns, rows)
        return (0..<rows).map { grid.text(row: $0) }
    }

    func grid(_ columns: Int = 80, _ rows: Int = 24) -> Grid {
        view.paint(&model, status, Grid.Size(columns: columns, rows: rows), in: trace)
    }

    /// Paints in between, as a screen does.
    @discardableResult
    func press(_ keys: ScreenKey..., columns: Int = 80, rows: Int = 24) -> ScreenAction {
        var action = ScreenAction.none
        for key in keys {
            _ = grid(columns, rows)
            action = view.handle(key, &model, in: trace)
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

import AttlasFilter
import AttlasInput
import AttlasReport
import AttlasTrace
import AttlasValues

/// Records, keys and sizes to the full screen, which is painted after every fourth record.
extension Fuzzer {
    /// The first octet: bits 0 and 1 choose the width of the log, 2 asks for ASCII. Each other octet of the head is a key, or a
    /// size of the terminal.
    func screen(_ input: [UInt8]) {
        let choice = input.first ?? 0
        let keys = Array(input.prefix(FuzzTarget.screen.headLength).dropFirst())
        let list = RecordList(encoded: input.dropFirst(FuzzTarget.screen.headLength))
        records += list.entries.count
        recordingScreen(list, choice, keys)

        var options = ConversationText.Options()
        options.width = [20, 80, 200, 1_000][Int(choice & 3)]
        options.showsHCI = choice & 8 != 0
        options.time = .clock
        var sink = Interpreted(library: library) {
            ScreenModel(values: $0, selection: Selection(), options: options, showsFindings: true)
        }
        var trace = makeTrace()
        var view = ScreenView(isASCII: choice & 4 != 0)
        var status = ScreenStatus()
        var size = Grid.Size(columns: 80, rows: 24)
        var picture = TextBuffer()
        var number = 0
        list.forEachRecord { record in
            sink.sink.note(record)
            trace.decode(record, into: &sink)
            let octet = keys.isEmpty ? 0 : keys[number % keys.count]
            number += 1
            if octet >= 0x80 {
                size = Grid.Size(columns: Int(octet & 7) * 40, rows: Int(octet >> 3 & 15) * 6)
                sink.sink.resize(columns: size.columns)
                // A machine that slept, and one whose clock was set.
                status.idle = number.isMultiple(of: 2) ? .max : .min
            } else if case .filter(let expression) = view.handle(ScreenKey(octet), in: trace) {
                filter(expression, &sink.sink, &view)
            }
            // As a screen does, which does not paint each record.
            guard number.isMultiple(of: 4) else { return }
            view.layOut(&sink.sink, size, in: trace)
            let grid = view.paint(sink.sink, status, size, in: trace)
            for row in 0..<size.rows { picture.append(string: grid.text(row: row) + "\n") }
            inspector.inspect(.text, &picture)
        }
    }

    /// The same records as a recording that is opened.
    private func recordingScreen(_ list: RecordList, _ choice: UInt8, _ keys: [UInt8]) {
        var stream = BTSnoopStream()
        for entry in list.entries { stream.append(entry) }
        var options = ConversationText.Options()
        options.width = [20, 80, 200, 1_000][Int(choice & 3)]
        options.showsHCI = choice & 8 != 0
        guard let capture = try? SeekableCapture(bytes: stream.octets, name: "fuzz"),
            let recording = try? Recording(capture, makeTrace(), library: library, options: options)
        else { return }
        var view = RecordingView(isASCII: choice & 4 != 0)
        var size = Grid.Size(columns: 80, rows: 24)
        var picture = TextBuffer()
        for octet in keys {
            recording.advance(records: 20)
            view.advance(recording)
            if octet >= 0x80 {
                size = Grid.Size(columns: Int(octet & 7) * 40, rows: Int(octet >> 3 & 15) * 6)
                recording.resize(columns: size.columns)
            } else if case .filter(let expression) = view.handle(ScreenKey(octet), recording) {
                recording.find(try? Filter(expression, library: library), expression)
                view.follow(filterOf: recording)
            }
            view.layOut(recording, size)
            let grid = view.paint(recording, size)
            for row in 0..<size.rows { picture.append(string: grid.text(row: row) + "\n") }
            inspector.inspect(.text, &picture)
        }
    }

    private func filter(_ expression: String, _ model: inout ScreenModel, _ view: inout ScreenView) {
        do throws(FilterMistake) {
            model.find(try Filter(expression, library: library), expression)
            view.accept(filter: expression)
        } catch {
            view.refuse(filter: expression, "\(error)")
        }
    }
}

extension ScreenKey {
    /// The control characters are the keys without a character.
    fileprivate init(_ octet: UInt8) {
        let keys: [ScreenKey] = [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab, .backTab, .enter, .escape, .backspace,
        ]
        self = keys.indices.contains(Int(octet)) ? keys[Int(octet)] : .character(Unicode.Scalar(octet))
    }
}

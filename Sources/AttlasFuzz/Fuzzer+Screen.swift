import AttlasConversation
import AttlasFilter
import AttlasInput
import AttlasScreen
import AttlasText
import AttlasTrace
import AttlasValues

/// The full screens of `open`, `live` and `live --follow`, played with keys, words, clicks and sizes.
extension Fuzzer {
    /// The first octet: bits 0 and 1 choose the width of the log, 2 asks for ASCII, 3 for HCI packets, 4 for records that are all
    /// there at the beginning, as `live --follow` has them, 5 for the overview of `open`. The rest of the head is a script.
    func screen(_ input: [UInt8]) {
        let list = RecordList(encoded: input.dropFirst(FuzzTarget.screen.headLength))
        records += list.entries.count
        var stream = BTSnoopStream()
        for entry in list.entries { stream.append(entry) }
        let session = ScreenSession(input.prefix(FuzzTarget.screen.headLength), self)
        session.open(stream.octets)
        session.live(stream.octets, total: list.entries.count, list.forEachRecord)
    }

    /// A session with each screen over a whole capture.
    package func screens(_ capture: [UInt8], script: [UInt8]) {
        inputs += 1
        let session = ScreenSession(script, self)
        session.open(capture)
        var total = 0
        func forEachRecord(_ body: (borrowing Record) -> Void) {
            guard var reader = try? CaptureReader(bytes: capture, name: "fuzz") else { return }
            while let record = try? reader.next() { body(record) }
        }
        forEachRecord { _ in total += 1 }
        records += total
        session.live(capture, total: total, forEachRecord)
    }
}

/// The effect of one script on each screen.
private struct ScreenSession {
    private let fuzzer: Fuzzer
    private let choice: UInt8
    private let script: ScreenScript
    private var options = ConversationText.Options()
    private var isASCII: Bool { choice & 4 != 0 }

    init(_ head: some Collection<UInt8>, _ fuzzer: Fuzzer) {
        self.fuzzer = fuzzer
        choice = head.first ?? 0
        script = ScreenScript(head.dropFirst())
        options.width = [20, 80, 200, 1_000][Int(choice & 3)]
        options.showsHCI = choice & 8 != 0
    }

    private func inspect(_ grid: Grid) {
        var picture = TextBuffer()
        for row in 0..<grid.size.rows { picture.append(string: grid.text(row: row) + "\n") }
        fuzzer.inspector.inspect(.text, &picture)
    }

    // MARK: A recording

    func open(_ octets: [UInt8]) {
        guard let capture = try? SeekableCapture(bytes: octets, name: "fuzz"),
            let recording = try? Recording(capture, fuzzer.makeTrace(), library: fuzzer.library, options: options)
        else { return }
        var (script, view) = (script, RecordingView(isASCII: isASCII, showsOverview: choice & 32 != 0))
        var size = Grid.Size(columns: 80, rows: 24)
        while let step = script.next() {
            play(step, recording, &view, &size)
        }
    }

    /// - Returns: whether the session continues.
    @discardableResult
    private func play(
        _ step: ScreenScript.Step, _ recording: Recording, _ view: inout RecordingView, _ size: inout Grid.Size
    ) -> Bool {
        switch step {
        case .records(let count): recording.advance(records: count)
        case .size(let new):
            size = new
            recording.resize(columns: size.columns)
        case .keys(let keys):
            for key in keys {
                view.layOut(recording, size)
                switch view.handle(key, recording) {
                case .quit: return false
                case .filter(let expression):
                    do throws(FilterMistake) {
                        recording.find(try Filter(expression, library: fuzzer.library), expression)
                        view.follow(filterOf: recording)
                    } catch {
                        view.refuse(filter: expression, "\(error)")
                    }
                case .export(let name, let format, let frames):
                    if (try? recording.export(format, frames: frames)) == nil { view.refuse(export: name, "refused") }
                default: break
                }
            }
        }
        recording.advance(records: 20)
        view.advance(recording)
        view.layOut(recording, size)
        inspect(view.paint(recording, size))
        return true
    }

    // MARK: What is happening

    /// - Parameters:
    ///   - octets: a capture of these records.
    ///   - forEachRecord: calls its argument with each of them.
    func live(_ octets: [UInt8], total: Int, _ forEachRecord: ((borrowing Record) -> Void) -> Void) {
        guard let info = try? CaptureReader(bytes: octets, name: "fuzz").info else { return }
        var options = options
        options.time = .clock
        var sink = Interpreted(library: fuzzer.library) {
            ScreenModel(values: $0, selection: Selection(), options: options, showsFindings: true)
        }
        var trace = fuzzer.makeTrace()
        var (script, view) = (script, ScreenView(isASCII: isASCII))
        var (recent, batch) = (RecentRecords(), RecordBatch())
        var size = Grid.Size(columns: 80, rows: 24)
        /// A recording of the data so far, while it is browsed.
        var look: (recording: Recording, view: RecordingView)?
        // Records until the user does something.
        var wanted = choice & 16 != 0 ? total - min(total, 5) : 1

        func paint() {
            var status = ScreenStatus()
            // A machine that slept, and one whose clock was set.
            status.idle = [0, .max, .min][size.rows % 3]
            view.layOut(&sink.sink, size, in: trace)
            inspect(view.paint(sink.sink, status, size, in: trace))
        }
        func handle(_ keys: [ScreenKey]) {
            for key in keys {
                view.layOut(&sink.sink, size, in: trace)
                switch view.handle(key, in: trace) {
                case .none, .quit, .marking, .mark: break
                case .follow: recent.follow(view, in: &sink.sink)
                case .filter(let expression):
                    do throws(FilterMistake) {
                        sink.sink.find(try Filter(expression, library: fuzzer.library), expression)
                        view.accept(filter: expression)
                    } catch {
                        view.refuse(filter: expression, "\(error)")
                    }
                case .look(let key):
                    let recording = recent.recording(
                        info, scope: Selection(), isOver: false, library: fuzzer.library, options: options)
                    guard let recording else { continue }
                    let expression = view.expression(in: trace)
                    recording.find(try? Filter(expression, library: fuzzer.library), expression)
                    var looking = RecordingView(isASCII: isASCII, isOfLive: true)
                    if let key { play(.keys([key]), recording, &looking, &size) }
                    look = (recording, looking)
                    return
                }
            }
        }
        /// The records that have arrived, and the user's steps until more do.
        func goOn() {
            recent.add(batch, after: trace, sink)
            batch.visit { record in
                sink.sink.note(record)
                trace.decode(record, into: &sink)
                return true
            }
            batch = RecordBatch()
            paint()
            while let step = script.next() {
                if let (recording, looking) = look {
                    var looking = looking
                    look = play(step, recording, &looking, &size) ? (recording, looking) : nil
                    if look == nil { sink.sink.resize(columns: size.columns) }
                } else if case .keys(let keys) = step {
                    handle(keys)
                } else if case .size(let new) = step {
                    size = new
                    sink.sink.resize(columns: size.columns)
                }
                if case .records(let count) = step {
                    wanted = count
                    return
                }
                if look == nil { paint() }
            }
            wanted = .max
        }
        forEachRecord { record in
            batch.append(record)
            if batch.count >= wanted { goOn() }
        }
        goOn()
    }
}

import AttlasDocuments
import AttlasTables
import AttlasText
import AttlasTrace
import AttlasWire

/// The rows of the tables that a report shows: the operations up to a limit and, beyond it, those around problems; faults and losses.
struct PageRows: TableSink {
    /// Operations that are kept in any case.
    static let limit = 2_000
    /// … of those around problems.
    static let troubleLimit = 1_000
    /// Operations before and after it.
    private static let context = 5
    private static let noteLimit = 500

    struct Operation: Sendable {
        /// Counted from 1, over all selected operations; nil for rows that are not ATT operations.
        let number: Int?
        let frame: Int
        /// Nanoseconds since 1970.
        let time: Int64
        let connection: Int?
        let direction: Direction
        let method: String
        let attribute: String
        let text: String
        let requestFrame: Int?
        /// Nanoseconds.
        let roundTrip: Int64?
        let error: String?
        let isTrouble: Bool
        /// Its layers and octets, a line each; empty if they are not kept.
        var inside = ""
    }

    /// A fault, a loss, a limit or a jump of the clock.
    struct Note: Sendable {
        let frame: Int
        let time: Int64
        let connection: Int?
        let text: String
    }

    private(set) var operations: [Operation] = []
    private(set) var notes: [Note] = []
    private(set) var notesLeftOut = 0
    /// All operations that were selected.
    private(set) var count = 0
    /// Whether the next row is selected.
    var isSelected = true
    /// Whether it is a problem to look for.
    var isTrouble = false
    /// `Operation.inside` of the next operation.
    var inside = ""

    private var table = Table.captures
    private var column = 0
    private var current = Cells()
    /// The last operations that were not kept, the oldest at `oldest`.
    private var waiting: [Cells] = []
    private var oldest = 0
    /// Operations that are still to be kept after the last trouble.
    private var following = 0
    private var isFull: Bool { operations.count >= Self.limit + Self.troubleLimit }

    /// Whether the next row is kept at once.
    var keepsNext: Bool {
        isSelected && !isFull && (operations.count < Self.limit || following > 0 || isTrouble)
    }

    /// A row, by the numbers of the columns. Its buffers are used again.
    private struct Cells {
        var number = 0
        var isTrouble = false
        var numbers = [Int64?](repeating: nil, count: Columns.count)
        var texts = [TextBuffer](repeating: TextBuffer(), count: Columns.count)

        mutating func removeAll(_ columns: UInt64) {
            var rest = columns
            while rest != 0 {
                let index = rest.trailingZeroBitCount
                numbers[index] = nil
                texts[index].removeAll()
                rest &= rest - 1
            }
        }

        func text(_ column: Int) -> String { texts[column].text }
        func integer(_ column: Int) -> Int? { numbers[column].map { Int($0) } }
    }

    private enum Columns {
        static let operations = Table.operations.columns.map(\.name)
        static let faults = Table.faults.columns.map(\.name)
        static let count = max(operations.count, faults.count)

        static func operation(_ name: String) -> Int { operations.firstIndex(of: name) ?? 0 }
        static func fault(_ name: String) -> Int { faults.firstIndex(of: name) ?? 0 }

        static let frame = operation("frame")
        static let time = operation("time")
        static let connection = operation("connection")
        static let direction = operation("direction")
        static let method = operation("method")
        static let handle = operation("handle")
        static let path = ["service", "characteristic", "descriptor"].map { operation($0) }
        static let uuids = ["service_uuid", "characteristic_uuid", "descriptor_uuid"].map { operation($0) }
        static let value = operation("value")
        static let text = operation("text")
        static let requestFrame = operation("request_frame")
        static let roundTrip = operation("round_trip")
        static let error = operation("error")
        static let faultFrame = fault("frame")
        static let faultTime = fault("time")
        static let faultConnection = fault("connection")
        static let kind = fault("kind")
        static let layer = fault("layer")
        static let reason = fault("reason")
        static let need = fault("need")
        static let have = fault("have")
        static let number = fault("number")

        /// Those that are read, of each table: a bit for each.
        static let ofOperations = mask(
            [frame, time, connection, direction, method, handle, value, text, requestFrame, roundTrip, error] + path
                + uuids)
        static let ofFaults = mask([
            faultFrame, faultTime, faultConnection, kind, layer, reason, need, have, number,
        ])

        private static func mask(_ columns: [Int]) -> UInt64 { columns.reduce(0) { $0 | 1 << UInt64($1) } }
    }

    func wants(_ table: Table) -> Bool { table == .operations && isSelected }

    /// Wanted columns of the current table.
    private var columns: UInt64 = 0
    private var isIgnored: Bool { columns >> UInt64(column) & 1 == 0 }

    mutating func begin(_ table: Table) {
        self.table = table
        column = 0
        switch table {
        case .operations: columns = Columns.ofOperations
        case .faults: columns = Columns.ofFaults
        default: columns = 0
        }
        current.removeAll(columns)
    }

    mutating func add(_ number: Int64) {
        if !isIgnored { current.numbers[column] = number }
        column += 1
    }

    mutating func add(_ number: Double) { column += 1 }
    mutating func add(_ isTrue: Bool) { column += 1 }

    mutating func add(text: borrowing TextBuffer) {
        if !isIgnored { current.texts[column].append(contentsOf: text) }
        column += 1
    }

    mutating func add(octets: Bytes) {
        if !isIgnored { current.texts[column].append(octets: octets, limit: 20) }
        column += 1
    }

    mutating func addNull() { column += 1 }

    mutating func end() {
        switch table {
        case .operations: endOperation()
        case .faults: if isSelected { note() }
        default: break
        }
    }

    // MARK: Operations

    private mutating func endOperation() {
        count += 1
        guard !isFull else { return }
        current.number = count
        current.isTrouble = isTrouble
        if isTrouble { following = Self.context + 1 }
        if operations.count < Self.limit {
            keep(current)
        } else if following > 0 {
            for index in waiting.indices { keep(waiting[(oldest + index) % waiting.count]) }
            (waiting, oldest) = ([], 0)
            following -= 1
            keep(current)
        } else if waiting.count < Self.context {
            waiting.append(current)
        } else {
            swap(&current, &waiting[oldest])
            oldest = (oldest + 1) % Self.context
        }
    }

    private mutating func keep(_ row: Cells) {
        guard !isFull else { return }
        let direction: Direction =
            switch row.text(Columns.direction) {
            case "tx": .tx
            case "rx": .rx
            default: .unknown
            }
        let text = row.text(Columns.text)
        let error = row.text(Columns.error)
        operations.append(
            Operation(
                number: row.number, frame: row.integer(Columns.frame) ?? 0, time: row.numbers[Columns.time] ?? 0,
                connection: row.integer(Columns.connection), direction: direction,
                method: row.text(Columns.method), attribute: attribute(row),
                text: text.isEmpty ? row.text(Columns.value) : text, requestFrame: row.integer(Columns.requestFrame),
                roundTrip: row.numbers[Columns.roundTrip], error: error.isEmpty ? nil : error,
                isTrouble: row.isTrouble, inside: row.number == count ? inside : ""))
    }

    /// `Heart Rate › Heart Rate Measurement`
    private func attribute(_ row: Cells) -> String {
        let path = zip(Columns.path, Columns.uuids).map { name, uuid in
            [name, uuid].lazy.map { row.text($0) }.first { !$0.isEmpty }
        }
        let text = attributePath(service: path[0], characteristic: path[1], descriptor: path[2])
        guard text.isEmpty, let handle = row.integer(Columns.handle) else { return text }
        return TextBuffer("handle \(hex: handle)").text
    }

    // MARK: Notes

    private mutating func note() {
        guard notes.count < Self.noteLimit else {
            notesLeftOut += 1
            return
        }
        let kind = current.text(Columns.kind)
        let number = current.integer(Columns.number) ?? 0
        var text = TextBuffer()
        switch kind {
        case "lost":
            text.append("\(number, "record") lost before this one")
        case "missed":
            text.append("\(number, "packet") missed by the sniffer")
        case "clock_step":
            text.append(number < 0 ? "the clock was set back by " : "the clock was set ahead by ")
            text.append(duration: Int64(clamping: number.magnitude))
        default:
            text.append(
                string: [kind, current.text(Columns.layer), current.text(Columns.reason)]
                    .filter { !$0.isEmpty }.joined(separator: ": "))
            if let need = current.integer(Columns.need), let have = current.integer(Columns.have) {
                text.append(", needs \(need) octets, has \(have)")
            }
        }
        notes.append(
            Note(
                frame: current.integer(Columns.faultFrame) ?? 0, time: current.numbers[Columns.faultTime] ?? 0,
                connection: current.integer(Columns.faultConnection), text: text.text))
    }
}

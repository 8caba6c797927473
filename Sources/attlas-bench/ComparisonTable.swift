import AttlasBench
import AttlasText

/// The measurements, as a table in Markdown.
struct ComparisonTable {
    /// A loop inside this process.
    enum Loop: Int, CaseIterable {
        case memoryFloor, libpcap, decode, decodeAir

        var title: StaticString {
            switch self {
            case .memoryFloor: "memory floor: the sum of all octets"
            case .libpcap: "libpcap: `pcap_next_ex`, nothing decoded"
            case .decode: "attlas: everything decoded, nothing printed"
            case .decodeAir: "attlas: the same, as a sniffer would have heard it"
            }
        }
    }

    private struct Row {
        let program: Program
        var wallTimes: [Int64] = []
        var processorTimes: [Int64] = []
        var peakMemory = 0
        var hasFailed = false
    }

    private let records: Int
    /// Packets from the air that the records would have been.
    private let heard: Int
    private var loops = [[Int64]](repeating: [], count: Loop.allCases.count)
    private var rows: [Row] = []

    init(records: Int, heard: Int) {
        self.records = records
        self.heard = heard
    }

    mutating func add(_ loop: Loop, _ sample: Sample) {
        loops[loop.rawValue].append(Int64(sample.median))
    }

    /// - Parameter process: nil when the program is not there.
    mutating func add(_ program: Program, _ process: ChildProcess?) {
        let index = rows.firstIndex { $0.program.title == program.title } ?? rows.endIndex
        if index == rows.endIndex { rows.append(Row(program: program)) }
        guard let process, process.succeeded else {
            rows[index].hasFailed = true
            return
        }
        rows[index].wallTimes.append(process.wallTime)
        rows[index].processorTimes.append(process.processorTime)
        rows[index].peakMemory = max(rows[index].peakMemory, process.peakMemory)
    }

    func write(to text: inout TextBuffer) {
        text.append(
            string:
                "| \(records) records | time, s | processor, s | × libpcap's loop | MB | compared with attlas | spread |\n|---|--:|--:|--:|--:|--:|--:|\n"
        )
        let decode = Sample(loops[Loop.decode.rawValue])
        let libpcap = Sample(loops[Loop.libpcap.rawValue])
        for loop in Loop.allCases {
            let sample = Sample(loops[loop.rawValue])
            text.append("| ")
            text.append(loop.title)
            text.append(" | ")
            text.append(fixed: sample.median / 1e9, decimals: 3)
            text.append(" | | ")
            if loop != .libpcap { append(ratio: sample.median / libpcap.median, to: &text) }
            text.append(" | | ")
            if loop != .decode { append(ratio: sample.median / decode.median, to: &text) }
            append(spread: sample, to: &text)
        }
        for row in rows where !row.hasFailed { write(row, libpcap.median, to: &text) }
        let air = Sample(loops[Loop.decodeAir.rawValue])
        let (each, heardEach) = (decode.median / Double(records), air.median / Double(heard))
        text.append("\nA record took ")
        text.append(fixed: each, decimals: 0)
        text.append(string: " ns, and one of \(heard) packets of the air ")
        text.append(fixed: heardEach, decimals: 0)
        text.append(" ns: ")
        text.append(fixed: heardEach / each, decimals: 2)
        text.append(" ×.\n")
        for row in rows where row.hasFailed {
            text.append(string: "\n\(row.program.title): left out, because it is not installed or did not end well.\n")
        }
        // Before the next table.
        text.append("\n")
    }

    /// - Parameter loop: nanoseconds of libpcap's loop, which needs one processor, and the processor time of a program is compared with it.
    private func write(_ row: Row, _ loop: Double, to text: inout TextBuffer) {
        let sample = Sample(row.wallTimes)
        let processor = Sample(row.processorTimes).median
        text.append(string: "| \(row.program.title) | ")
        text.append(fixed: sample.median / 1e9, decimals: 2)
        text.append(" | ")
        text.append(fixed: processor / 1e9, decimals: 2)
        text.append(" | ")
        append(ratio: processor / loop, to: &text)
        text.append(" | ")
        text.append(fixed: Double(row.peakMemory) / 1e6, decimals: 0)
        text.append(" | ")
        let rival = rows.first { $0.program.title == row.program.rival && !$0.hasFailed }
        if let rival { append(ratio: sample.median / Sample(rival.wallTimes).median, to: &text) }
        append(spread: sample, to: &text)
    }

    private func append(ratio: Double, to text: inout TextBuffer) {
        text.append(fixed: ratio, decimals: ratio < 10 ? 2 : 0)
        text.append(" ×")
    }

    private func append(spread sample: Sample, to text: inout TextBuffer) {
        text.append(" | ")
        text.append(fixed: sample.spread * 100, decimals: 1)
        text.append(" % |\n")
    }
}

import AttlasScreen

/// The actions of a user at a full screen. Every string of octets is a script.
struct ScreenScript {
    enum Step {
        case keys([ScreenKey])
        case size(Grid.Size)
        /// More records arrive.
        case records(Int)
    }

    static let largest = Grid.Size(columns: 300, rows: 100)

    /// Keys that do something on one of the screens.
    static let keys = (0..<13).map { UInt8($0) } + "sic%pozfghjklmnvwGCN+-?[]{}<>:/ \u{4}\u{15}".utf8

    private static let prompts: [ScreenKey] = ":/fMe".unicodeScalars.map { .character($0) }
    private static let texts = [
        "1.5s", "0.001s", "-3s", "120", "1", "-1", "999999999999", "14:03", "23:59:59.9", "2026-11-21 09:55:22", "q",
        "sort the table", "plot the values", "next error", "sm", "heart rate", "0x0010", "✗", "notification", "error",
        "method == notification", "rtt > 1ms", "handle == 0x0010", "value > 60", "frame in 10..20", "peer ==", "",
        "a note", "out.txt", "out.csv", "out.ndjson", "out.pcapng",
    ]

    private var octets: ArraySlice<UInt8>

    init(_ octets: some Collection<UInt8>) { self.octets = Array(octets)[...] }

    mutating func next() -> Step? {
        guard let octet = octets.popFirst() else { return nil }
        switch octet {
        case ..<0x80: return .keys([ScreenKey(octet)])
        case ..<0xC0:
            let text = Self.texts[Int(octets.popFirst() ?? 0) % Self.texts.count]
            // The filter's prompt has the filter in it.
            return .keys(
                [Self.prompts[Int(octet) % Self.prompts.count], .character("\u{15}")]
                    + text.unicodeScalars.map { .character($0) } + [octet & 0x20 == 0 ? .enter : .tab])
        case ..<0xD8:
            let (column, row) = (place(Self.largest.columns), place(Self.largest.rows))
            switch octet & 3 {
            case 0: return .keys([.click(row: row, column: column, isDouble: octet & 4 != 0)])
            case 1: return .keys([.wheel(row: row, column: column, isUp: octet & 4 != 0)])
            case 2: return .keys([.drop(row: row, column: column)])
            // A heading is dragged.
            default:
                return .keys([
                    .click(row: row, column: column, isDouble: false), .drop(row: Int(octet & 4) * 5, column: column),
                ])
            }
        case ..<0xF0:
            return .size(Grid.Size(columns: 1 + place(Self.largest.columns), rows: 1 + place(Self.largest.rows)))
        default: return .records(1 + Int(octet & 15) * Int(octet & 15))
        }
    }

    /// A number below `limit`. Most are in the lower third: the sizes of narrow screens, where little fits.
    private mutating func place(_ limit: Int) -> Int {
        let octet = Int(octets.popFirst() ?? 0)
        return octet < 192 ? octet * limit / 576 : (octet - 192) * limit / 64
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

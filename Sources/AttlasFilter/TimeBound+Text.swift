import AttlasCapture

extension TimeBound {
    /// `12.5`, seconds from the first record, `2026-11-21T09:55:20.5Z`, or `09:55:20.5`.
    package init?(_ text: String) {
        if let moment = Timestamp(utc: text) {
            self = .moment(moment)
        } else if let time = Self.timeOfDay(text) {
            self = .timeOfDay(time)
        } else if let seconds = Self.nanoseconds(text[...]) {
            self = .sinceStart(seconds)
        } else {
            return nil
        }
    }

    private static func timeOfDay(_ text: String) -> Int64? {
        guard let match = text.wholeMatch(of: #/(\d{1,2}):(\d{2}):(\d{2}(?:\.\d{1,9})?)/#.asciiOnlyDigits()),
            let hour = Int64(match.1), let minute = Int64(match.2), let rest = nanoseconds(match.3), hour < 24,
            minute < 60, rest < 60_000_000_000
        else { return nil }
        return (hour * 60 + minute) * 60_000_000_000 + rest
    }

    /// Parses seconds with up to nine decimal places.
    fileprivate static func nanoseconds(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : "0"
        guard (1...2).contains(parts.count), (1...9).contains(decimals.utf8.count), parts[0].utf8.count <= 9,
            !parts[0].isEmpty, (parts[0] + decimals).utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(parts[0] + decimals + String(repeating: "0", count: 9 - decimals.utf8.count))
    }
}

extension Timestamp {
    /// RFC 3339 in UTC, with a space or a T between date and time.
    fileprivate init?(utc text: String) {
        guard
            let match = text.wholeMatch(
                of: #/(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2}(?:\.\d{1,9})?)Z?/#.asciiOnlyDigits()),
            let year = Int64(match.1), let month = Int64(match.2), let day = Int64(match.3), let hour = Int64(match.4),
            let minute = Int64(match.5), let rest = TimeBound.nanoseconds(match.6), 1...12 ~= month, 1...31 ~= day,
            hour < 24, minute < 60, rest < 60_000_000_000
        else { return nil }
        // Years that begin on 1 March, so that the leap day is the last of its year.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        self.init(
            seconds: days * 86_400 + hour * 3_600 + minute * 60 + rest / 1_000_000_000,
            nanoseconds: UInt32(rest % 1_000_000_000), precision: 9)
    }
}

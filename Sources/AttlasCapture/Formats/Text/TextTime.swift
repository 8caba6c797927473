import AttlasWire

/// The timestamp of a log line.
struct TextTime: Equatable {
    /// Days since 1970-01-01, if there is a date.
    var days: Int64?
    /// Seconds of the day, or since a board was started.
    var seconds: Int64
    var nanoseconds: UInt32
    /// Decimal places of a second.
    var precision: UInt8
    /// Whether the log gives its distance from UTC, which is taken into account.
    var isUTC = false
}

/// Makes a moment of each time: those without a date are counted from 1970-01-01.
struct TextClock {
    /// Days that have begun since the first time without a date.
    private var days: Int64 = 0
    private var last: Int64?
    private var hasZone = false
    private(set) var hasTimes = false
    /// Whether the times have an unknown distance from UTC.
    var lacksZone: Bool { hasTimes && !hasZone }

    /// For the times that follow, without a date.
    mutating func begin(on day: Int64) { (days, last) = (day, nil) }

    mutating func moment(_ time: TextTime) -> Timestamp {
        let day: Int64 = 86_400
        hasTimes = true
        if time.isUTC { hasZone = true }
        var start = time.days
        if start == nil {
            // A clock that goes back by most of a day has passed midnight; by less, a board was started again.
            if let last, last - time.seconds > day * 3 / 4, last < day { days += 1 }
            last = time.seconds
            start = days
        }
        return Timestamp(
            seconds: (start ?? 0) * day + time.seconds, nanoseconds: time.nanoseconds, precision: time.precision)
    }
}

extension TextTime {
    /// The first time in the prefix of a line: "2026-11-21 09:55:20.369922", "09:55:20,369", "[00:00:02.130]",
    /// "[00:00:04.028,000]", "[  940.548222]", "D (23688) ".
    ///
    /// - Parameter takesUptime: Whether a number in parentheses is a time. In logs of Android it is a process.
    init?(_ bytes: borrowing Bytes, end: Int, takesUptime: Bool = true) {
        let prefix = bytes.prefix(min(end, 96))
        guard let time = prefix.clockTime ?? (takesUptime ? prefix.uptime : nil) else { return nil }
        self = time
    }

    /// BlueZ 5.66 prints times before 2000 as numbers without a sign, in the year 586,000: 2^64 µs are too many.
    fileprivate mutating func addSign() {
        let (day, wrapped): (Int64, Int64) = (86_400, 18_446_744_073_709)
        let borrow: Int64 = nanoseconds < 551_616_000 ? 1 : 0
        nanoseconds = nanoseconds + (borrow == 1 ? 1_000_000_000 : 0) - 551_616_000
        let moment = (days ?? 0) * day + seconds - wrapped - borrow
        days = moment >= 0 ? moment / day : (moment - day + 1) / day
        seconds = moment - (days ?? 0) * day
    }

    init(seconds: Int64, _ fraction: (value: UInt32, digits: UInt8)) {
        self.seconds = seconds
        nanoseconds = fraction.value
        precision = fraction.digits
    }
}

extension Bytes {
    fileprivate var clockTime: TextTime? {
        var first: TextTime?
        var index = 0
        while index + 8 <= count {
            if let time = clockTime(at: index) {
                if time.days != nil { return time }
                first = first ?? time
            }
            // After the journal's time a program may print its own: "2026-11-21T09:55:20.369Z".
            repeat { index += 1 } while first != nil && index < count && self[index - 1] != UInt8(ascii: "T")
        }
        return first
    }

    private func clockTime(at index: Int) -> TextTime? {
        guard let seconds = timeOfDay(at: index) else { return nil }
        var time = TextTime(seconds: seconds, fraction(at: index + 8))
        if let days = date(at: index - 13, yearDigits: 6), days > 213_000_000 {
            time.days = days
            time.addSign()
        } else {
            time.days = date(at: index - 11)
        }
        if time.days != nil, let offset = zone(at: index + 8 + (time.precision > 0 ? 1 + Int(time.precision) : 0)) {
            time.seconds -= offset
            time.isUTC = true
        }
        return time
    }

    /// Seconds east of UTC after a time: "Z", "+01:00", " -0700"; nil without one.
    private func zone(at index: Int) -> Int64? {
        guard index < count else { return nil }
        if self[index] == UInt8(ascii: "Z") { return 0 }
        let start = endOfBlanks(from: index)
        guard start < count, self[start] == UInt8(ascii: "+") || self[start] == UInt8(ascii: "-"),
            let hours = number(at: start + 1, 2), hours <= 14
        else { return nil }
        let colon = start + 3 < count && self[start + 3] == UInt8(ascii: ":") ? 1 : 0
        guard let minutes = number(at: start + 3 + colon, 2), [0, 15, 30, 45].contains(minutes) else { return nil }
        let end = start + 5 + colon
        if end < count, self[end].isLetterOrDigit || self[end] == UInt8(ascii: "-") { return nil }
        let offset = Int64(hours * 3600 + minutes * 60)
        return self[start] == UInt8(ascii: "-") ? -offset : offset
    }

    /// "hh:mm:ss", and no part of an address.
    private func timeOfDay(at index: Int) -> Int64? {
        guard self[index + 2] == UInt8(ascii: ":"), self[index + 5] == UInt8(ascii: ":"),
            let hours = number(at: index, 2), let minutes = number(at: index + 3, 2),
            let seconds = number(at: index + 6, 2), hours < 24, minutes < 60, seconds <= 60
        else { return nil }
        if index > 0, self[index - 1] == UInt8(ascii: ":") || self[index - 1].isDigit { return nil }
        if index + 8 < count, self[index + 8] == UInt8(ascii: ":") || self[index + 8].isDigit { return nil }
        return Int64(hours * 3600 + minutes * 60 + seconds)
    }

    /// ".369922", ",369", ".004,028": nanoseconds, and how many digits were read.
    func fraction(at start: Int) -> (value: UInt32, digits: UInt8) {
        guard start < count, self[start] == UInt8(ascii: ".") || self[start] == UInt8(ascii: ",") else { return (0, 0) }
        var (value, digits) = (UInt32(0), UInt8(0))
        var index = start + 1
        while index < count, digits < 9 {
            // Zephyr sets milli- and microseconds apart.
            if digits == 3, self[index] == UInt8(ascii: ","), number(at: index + 1, 3) != nil { index += 1 }
            guard self[index].isDigit else { break }
            value = value * 10 + UInt32(self[index] - UInt8(ascii: "0"))
            digits += 1
            index += 1
        }
        for _ in digits..<9 { value *= 10 }
        return (value, digits)
    }

    /// "2026-11-21 " or "2026/11/21T": days since 1970-01-01, in the Gregorian calendar.
    func date(at index: Int, yearDigits: Int = 4) -> Int64? {
        let end = index + yearDigits
        guard end + 4 < count, let year = number(at: index, yearDigits), let month = number(at: end + 1, 2),
            let day = number(at: end + 4, 2), self[end] == self[end + 3], !self[end].isDigit,
            (1...12).contains(month),
            (1...31).contains(day)
        else { return nil }
        // Years that begin in March have their leap day at the end.
        let shifted = Int64(month <= 2 ? year - 1 : year)
        let monthFromMarch = Int64((month + 9) % 12)
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (monthFromMarch * 153 + 2) / 5
            + Int64(day) - 1 - 719_468
    }

    private func number(at index: Int, _ length: Int) -> Int? {
        guard index >= 0, index + length <= count else { return nil }
        var value = 0
        for place in index..<index + length {
            guard self[place].isDigit else { return nil }
            value = value * 10 + Int(self[place] - UInt8(ascii: "0"))
        }
        return value
    }

    /// Since a start: ESP-IDF's "D (23688) " in milliseconds, the Linux kernel's "[  940.548222]" in seconds, and Mynewt's
    /// "[ts=11039060ssb" in microseconds.
    fileprivate var uptime: TextTime? {
        if let mark = offset(of: "[ts=") {
            var (end, value) = (mark + 4, Int64(0))
            while end < count, end - mark < 20, self[end].isDigit {
                value = value * 10 + Int64(self[end] - UInt8(ascii: "0"))
                end += 1
            }
            if end > mark + 4, contains("ssb", at: end) {
                return TextTime(seconds: value / 1_000_000, (UInt32(value % 1_000_000) * 1000, 6))
            }
        }
        var index = 0
        while index < count, self[index] != UInt8(ascii: "("), self[index] != UInt8(ascii: "[") { index += 1 }
        guard index < count else { return nil }
        let isMilliseconds = self[index] == UInt8(ascii: "(")
        // Others have the number of a process, or a decimal number next to a hexadecimal one.
        if isMilliseconds, index > 1, self[index - 2].isLetterOrDigit && index > 2 && self[index - 3].isLetterOrDigit {
            return nil
        }
        index = endOfBlanks(from: index + 1)
        let start = index
        var value: Int64 = 0
        while index < count, index - start < 12, self[index].isDigit {
            value = value * 10 + Int64(self[index] - UInt8(ascii: "0"))
            index += 1
        }
        guard index > start, index < count else { return nil }
        // Arduino-ESP32 begins its lines with "[  5121][D]".
        if isMilliseconds || contains("][", at: index) && self[0] == UInt8(ascii: "[") {
            guard self[index] == UInt8(ascii: isMilliseconds ? ")" : "]") else { return nil }
            return TextTime(seconds: value / 1000, (UInt32(value % 1000) * 1_000_000, 3))
        }
        guard self[index] == UInt8(ascii: ".") else { return nil }
        return TextTime(seconds: value, fraction(at: index))
    }
}

extension Timestamp {
    /// "1795254922.501998000": seconds since 1970-01-01.
    init?(epoch text: borrowing Bytes) {
        var (index, seconds) = (0, Int64(0))
        while index < text.count, index < 11, text[index].isDigit {
            seconds = seconds * 10 + Int64(text[index] - UInt8(ascii: "0"))
            index += 1
        }
        guard index > 0, index < text.count, text[index] == UInt8(ascii: ".") else { return nil }
        let fraction = text.fraction(at: index)
        self.init(seconds: seconds, nanoseconds: fraction.value, precision: fraction.digits)
    }

    init(_ time: TextTime) {
        self.init(
            seconds: (time.days ?? 0) * 86_400 + time.seconds, nanoseconds: time.nanoseconds,
            precision: time.precision)
    }
}

extension TextTime {
    init(_ time: Timestamp) {
        self.init(
            days: time.seconds / 86_400, seconds: time.seconds % 86_400, nanoseconds: time.nanoseconds,
            precision: time.precision, isUTC: true)
    }
}

import AttlasTrace

extension TextBuffer {
    /// "limit of 512 live connections reached: the oldest is treated as ended (--limit connections=NUMBER)"
    mutating func append(_ limit: TraceLimit, _ number: Int) {
        append("limit of ")
        append(decimal: number)
        append(" ")
        append(limit.what)
        append(" reached: ")
        append(limit.consequence)
        guard TraceLimits.settable.contains(where: { $0.limit == limit }) else { return }
        append(" (--limit ")
        append(string: limit.rawValue)
        append("=NUMBER changes it)")
    }
}

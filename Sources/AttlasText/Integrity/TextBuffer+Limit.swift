import AttlasTrace

extension TextBuffer {
    /// "limit of 512 live connections reached: the oldest is treated as ended (--limit connections=NUMBER)"
    package mutating func append(_ limit: TraceLimit, _ number: Int) {
        append("limit of \(number) \(limit.what) reached: \(limit.consequence)")
        guard TraceLimits.settable.contains(where: { $0.limit == limit }) else { return }
        append(" (--limit \(own: limit.rawValue)=NUMBER changes it)")
    }
}

import AttlasWire

/// The result of a search in a text.
package enum TextFinding: Sendable, Equatable {
    /// A log begins after this number of octets.
    case log(Int)
    /// A log of an app.
    case appLog(Int)
    /// Android's btsnooz.
    case snooz
    /// Neither, and the line that is most like a log.
    case nothing(TextMiss?)
}

/// A line that looks like a packet but is not one.
package struct TextMiss: Sendable, Equatable {
    /// Counted from 1.
    package let line: Int
    /// A clause without a full stop.
    package let reason: String
}

extension InputBuffer {
    /// Octets that are looked through for a log.
    private static let searchLimit = 1 << 20

    /// Looks for the first packet of a log, and consumes nothing.
    package mutating func findText() throws(CaptureError) -> TextFinding {
        let readers = LogReaders.inUse
        if readers.isForced { return try fill(1) ? .appLog(0) : .nothing(nil) }
        var assembler = TextAssembler(textKind)
        var miss: TextMiss?
        // Where the packet that is being put together begins, and where the next line does.
        var (begin, distance) = (0, 0)
        var (beginLine, number) = (1, 1)
        // Where lines with facts about the next dump begin.
        var contextBegin: Int?
        var app = AppSearch()
        var clean = TextLine()
        var lines = AppLines(readers)
        var appLine = 0
        while distance < Self.searchLimit {
            guard case .octets(let length) = try self.line(at: distance) else { break }
            let raw = bytes(at: place(distance, length))
            if !assembler.isCollecting, raw.offset(of: "--- BEGIN:BTSNOOP_LOG_SUMMARY") != nil { return .snooz }
            clean.set(raw)
            if !lines.isInCall { appLine = distance }
            if let line = lines.take(clean.bytes), TextPacketStart(clean.bytes) == nil {
                if let begin = app.take(line, at: appLine) { return .appLog(begin) }
                if miss == nil {
                    miss = TextMiss(
                        line: number, reason: "a log of \(readers.all[line.reader].name), but without values")
                }
            }
            if miss == nil, clean.bytes.isOfUnknownApp {
                miss = TextMiss(
                    line: number,
                    reason: "a log of an app, but not in words that attlas knows (the nearest are those of nRF Connect)"
                )
            }
            let step = assembler.take(raw)
            if step == .none, assembler.context.hasBegun { contextBegin = distance }
            if assembler.context.isEmpty { contextBegin = nil }
            if step != .ended { (distance, number) = (distance + length, number + 1) }
            switch step {
            case .collected: continue
            case .boundary:
                if let line = lines.end(), let begin = app.take(line, at: appLine) { return .appLog(begin) }
                app.endText()
            case .none: break
            case .complete, .ended: if assembler.endsLog(&miss, beginLine) { return .log(contextBegin ?? begin) }
            }
            (begin, beginLine) = (distance, number)
        }
        if assembler.isCollecting, assembler.endsLog(&miss, beginLine) { return .log(contextBegin ?? begin) }
        if let line = lines.end(), let begin = app.take(line, at: appLine) { return .appLog(begin) }
        return app.connections.map { .appLog($0) } ?? .nothing(miss)
    }
}

/// The lines of apps that a search has seen.
private struct AppSearch {
    /// Where the first of them is since the last code fence.
    private var first: Int?
    private var isConnecting = false
    /// Connections of named devices.
    private var named = 0
    /// Several of them, one that failed, an MTU or an attribute: a log, if there is no better one in the text.
    private(set) var connections: Int?

    /// - Parameter place: where the line is.
    /// - Returns: where the log begins, if it shows that there is one.
    mutating func take(_ line: AppLine, at place: Int) -> Int? {
        let begin = first ?? place
        first = begin
        isConnecting = isConnecting || line.step == .connecting
        let isLog = line.step.isCertain || isConnecting && line.step.isFailure
        if isLog, !line.isWeak { return begin }
        if line.peer != nil || isConnecting, line.step.isOfConnection { named += 1 }
        let isAlone = line.time == nil && line.peer == nil && begin == place
        // One line is enough if it has a time and a device.
        if line.time != nil, line.peer != nil, case .connected = line.step { named += 1 }
        if named > 1 || isLog || line.step.isFailure || line.step.isOfSetup(isAlone: isAlone) {
            connections = connections ?? begin
        }
        return nil
    }

    /// A code fence.
    mutating func endText() { (first, isConnecting) = (nil, false) }
}

extension TextAssembler {
    /// Whether the packet shows that this is a log.
    fileprivate mutating func endsLog(_ miss: inout TextMiss?, _ line: Int) -> Bool {
        defer { giveUp() }
        guard finish() else {
            if isFragment { return true }
            if miss == nil, octets.count >= 4 {
                miss = TextMiss(
                    line: line,
                    reason: "a hex dump, but not of one whole HCI packet (attlas convert --as says what it is)")
            }
            return false
        }
        if isCertain { return true }
        miss = TextMiss(
            line: line, reason: "\(dialect.rawValue), but \(missing) of \(octets.count + missing) octets are missing")
        return false
    }
}

extension Bytes {
    /// Whether it has a time and a characteristic.
    fileprivate var isOfUnknownApp: Bool {
        mentions("haracteristic", or: "-0000-1000-8000-00805f9b34fb", "-0000-1000-8000-00805F9B34FB")
            && TextTime(self, end: count, takesUptime: false) != nil
    }
}

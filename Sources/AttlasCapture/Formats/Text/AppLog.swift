import AttlasWire

/// A log of an app: operations by UUID, as a conversation. `AppPhrase` lists the programs.
///
/// It begins with the first line that says something of a conversation, and ends at a code fence.
package final class AppLog: FormatReader {
    /// Octets of a value that lines of a dump give: more than an attribute has.
    private static let dumpLimit = 1024

    private let name: String
    package private(set) var frame = 0
    private var line = TextLine()
    private var lines = AppLines()
    private var clock = TextClock()
    private var time = Timestamp.epoch
    private var conversation = AppConversation()
    private var programs: [AppPhrase.Program] = []
    /// The next of the conversation's packets.
    private var next = 0
    private var isListing = false
    /// Whether the line before was the first of nRF Connect's.
    private var isHeading = false
    private var dump: (peer: AppPeer?, attribute: AppAttribute, octets: [UInt8])?
    private var isOver = false

    /// A text has no signature: `InputBuffer.findText` looks through it.
    package static func recognizes(_ bytes: borrowing Bytes) -> Bool { false }

    package init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
    }

    private init(continuing other: AppLog, after frame: Int) {
        name = other.name
        self.frame = frame
        lines = other.lines
        clock = other.clock
        time = other.time
        conversation = other.conversation
        programs = other.programs
        next = other.next
        isListing = other.isListing
        isHeading = other.isHeading
        dump = other.dump
        isOver = other.isOver
    }

    package func copy(after frame: Int) -> any RecordSource { AppLog(continuing: self, after: frame) }

    package var info: CaptureInfo {
        let names = (programs.map(\.rawValue) + ["rebuilt"]).joined(separator: ", ")
        var info = CaptureInfo(file: name, format: "text (\(names))", linkTypes: [])
        (info.isText, info.isRebuilt, info.isAppLog) = (true, true, true)
        return info
    }

    package func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        while next == conversation.packets.count {
            guard !isOver else { return false }
            next = 0
            conversation.removeAll()
            switch try input.line(at: 0) {
            case .octets(let length):
                line.set(input.bytes(at: input.place(0, length)))
                isOver = line.bytes.isTextBoundary
                if isOver { endLines() } else { takeLine() }
                input.consume(length)
            case .beyondLimit: _ = try input.skip(after: "\n")
            case .end:
                isOver = true
                endLines()
            }
        }
        let packet = conversation.packets[next]
        next += 1
        frame += 1
        if let fault = packet.fault {
            header = RecordHeader(frame: frame, offset: input.offset, time: time, broken: fault)
            return true
        }
        let options = packet.reported.map { PacketOptions.octets(comment: $0.comment) } ?? []
        let place = input.put(packet.octets + options)
        let end = place.upperBound - options.count
        header = RecordHeader(
            frame: frame, offset: input.offset, time: time,
            head: PacketHead(.packet(packet.type), packet.direction), place: place.lowerBound..<end, missing: 0,
            lost: 0)
        header.options = end..<place.upperBound
        header.isRebuilt = true
        header.reported = packet.reported
        return true
    }

    private func takeLine() {
        if isHeading {
            isHeading = false
            if let peer = line.bytes.peerInParentheses { return conversation.take(.heading, of: peer) }
        }
        if isListing, let item = AppListing(line.bytes) { return conversation.take(item) }
        if dump != nil, takeDump() { return }
        endLines()
        guard let line = lines.take(line.bytes) else { return }
        // The library below it has logged the same value.
        if line.program == .reactNative, programs.contains(.blePlx) || programs.contains(.rxBluetoothKit) { return }
        if let time = line.time { self.time = clock.moment(time) }
        if !programs.contains(line.program) { programs.append(line.program) }
        switch line.step {
        case .date(let day):
            clock.begin(on: day)
            isHeading = true
        case .listing: isListing = true
        case .octets(let attribute): dump = (line.peer, attribute, [])
        case let step: conversation.take(step, of: line.peer)
        }
    }

    private func takeDump() -> Bool {
        var octets: [UInt8] = []
        let start = line.bytes.endOfBlanks(from: 0)
        guard start > 0 else { return false }
        _ = line.readHexWords(from: start, hasColumns: true, into: &octets)
        guard !octets.isEmpty, (dump?.octets.count ?? 0) + octets.count <= Self.dumpLimit else { return false }
        dump?.octets += octets
        return true
    }

    /// Of a list and of a dump.
    private func endLines() {
        if isListing { conversation.endList() }
        isListing = false
        if let dump, !dump.octets.isEmpty {
            conversation.take(.operation(.received, dump.attribute, value: dump.octets), of: dump.peer)
        }
        dump = nil
    }
}

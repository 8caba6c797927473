import AttlasWire

/// A log as people paste it: packets as hexadecimal digits, in the ways that stacks and tools print them. `TextDialect` lists them.
///
/// It begins with the first line of its first packet and ends at a code fence or where a program began to print another log. Other
/// lines are passed over.
package final class TextLog: FormatReader {
    /// Octets of text that are kept of one packet.
    private static let packetTextLimit = 1 << 20

    /// Lines without a time before the first one with a time.
    private static let waitLimit = 64

    private let name: String
    package private(set) var frame = 0
    private var lastTime: Timestamp?
    private var assembler: TextAssembler
    private var isOver = false

    /// A text has no signature: `InputBuffer.findText` looks through it.
    package static func recognizes(_ bytes: borrowing Bytes) -> Bool { false }

    package init(_ input: inout InputBuffer) throws(CaptureError) {
        name = input.name
        assembler = TextAssembler(input.textKind)
    }

    private init(continuing other: TextLog, after frame: Int) {
        name = other.name
        self.frame = frame
        lastTime = other.lastTime
        assembler = other.assembler
        isOver = other.isOver
    }

    package func copy(after frame: Int) -> any RecordSource {
        TextLog(continuing: self, after: frame)
    }

    package var info: CaptureInfo {
        let dialects = assembler.dialects.map(\.rawValue).joined(separator: ", ")
        var info = CaptureInfo(file: name, format: dialects.isEmpty ? "text" : "text (\(dialects))", linkTypes: [])
        info.isText = true
        info.takenHandles = assembler.takenHandles
        info.lacksZone = assembler.lacksZone
        info.isRebuilt = assembler.dialects.contains { $0.isRebuilt }
        return info
    }

    package func next(_ input: inout InputBuffer, into header: inout RecordHeader) throws(CaptureError) -> Bool {
        // Where the next line begins: the lines of one packet stay in the buffer until it ends.
        var distance = 0
        while !isOver {
            var step = TextAssembler.Step.ended
            let rest = assembler.takeRest()
            if rest == .complete {
                step = .complete
            } else {
                switch try input.line(at: distance) {
                // It ends here: so much text is only hostile.
                case .octets where distance > Self.packetTextLimit: break
                case .octets(let length):
                    step = assembler.take(input.bytes(at: input.place(distance, length)))
                    if step == .collected || step == .complete { distance += length }
                    if step == .none { input.consume(length) }
                case .beyondLimit:
                    if !assembler.isCollecting { _ = try input.skip(after: "\n") }
                case .end: isOver = true
                }
            }
            switch step {
            case .none, .collected: continue
            case .boundary: isOver = true
            case .complete, .ended:
                if assembler.finish() {
                    if frame == 0, assembler.time == nil { lastTime = try firstTime(&input, from: distance) }
                    emit(&input, distance, &header)
                    return true
                }
                if assembler.refused > 0 {
                    frame += 1
                    header = RecordHeader(
                        frame: frame, offset: input.offset, time: lastTime ?? .epoch,
                        broken: .noPacketInDump(UInt32(clamping: assembler.refused)))
                    assembler.reset()
                    input.consume(distance)
                    return true
                }
                // A fragment is a frame, whose octets come with the last one.
                if assembler.isFragment { frame += 1 }
                assembler.giveUp()
                input.consume(distance)
                distance = 0
            }
        }
        guard assembler.takeFragment() else { return false }
        emit(&input, 0, &header)
        return true
    }

    /// The time of the next line that has one, for packets before it.
    private func firstTime(_ input: inout InputBuffer, from start: Int) throws(CaptureError) -> Timestamp? {
        var (line, distance) = (TextLine(), start)
        for _ in 0..<Self.waitLimit {
            guard distance - start < Self.packetTextLimit,
                case .octets(let length) = try input.line(at: distance)
            else { return nil }
            line.set(input.bytes(at: input.place(distance, length)))
            if let time = assembler.moment(of: line) { return time }
            distance += length
        }
        return nil
    }

    private func head(of bytes: borrowing Bytes) -> PacketHead {
        if let opcode = assembler.monitorOpcode {
            return PacketHead(monitorOpcode: opcode, adapter: assembler.controller)
        }
        switch assembler.framing {
        case .h4, .bare: return PacketHead(h4: bytes, direction: assembler.direction)
        case .monitor(let opcode): return PacketHead(monitorOpcode: opcode, adapter: assembler.controller)
        case .packetLogger:
            var head = PacketHead(PacketLoggerType(rawValue: bytes[0]))
            head.length = 1
            return head
        case .air(let framing): return PacketHead(framing, bytes, direction: assembler.direction)
        }
    }

    /// The octets of a packet are put where its text was.
    private func emit(_ input: inout InputBuffer, _ length: Int, _ header: inout RecordHeader) {
        frame += 1
        let time = assembler.time ?? lastTime ?? .epoch
        lastTime = time
        let offset = input.offset
        input.consume(length)
        guard assembler.hasOctets else {
            header = RecordHeader(frame: frame, offset: offset, time: time, broken: .noOctets)
            return assembler.reset()
        }
        let place = input.put(assembler.octets)
        let head = head(of: input.bytes(at: place))
        header = RecordHeader(
            frame: frame, offset: offset, time: time, head: head, controller: assembler.controller, place: place,
            missing: UInt32(assembler.monitorOpcode == nil ? assembler.missing : 0), lost: assembler.lost)
        if assembler.isRebuilt { header.making = .rebuilt }
        assembler.reset()
    }
}

import AttlasCapture
import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasWire

/// The life of a connection.
extension StatisticsText {
    private static let eventColumn = 14

    mutating func write(_ life: ConnectionLife) {
        // The first step is printed on the "connected" line.
        let steps = life.steps.first?.moment == life.begun ? life.steps.dropFirst() : life.steps[...]
        writeTitle(life, life.steps.count > steps.count ? life.steps.first : nil)
        for step in steps {
            beginLine(step.moment)
            piece.append(step.kind, names)
            putLine(margin: Self.eventColumn)
        }
        if life.stepsLeftOut > 0 {
            line.advance(to: Self.eventColumn)
            line.putFolded("and \(life.stepsLeftOut) more changes", .faint, margin: 2)
        }
        if let end = life.end { write(end, of: life) }
        writeNotes(life)
        if let radio = life.radio { write(radio) }
        writeLinks(life.directions.map { ($0, life[$0]) })
        write("Streams", model.streams(ofConnection: life.number))
        write(model.channels(ofConnection: life.number))
    }

    private mutating func writeTitle(_ life: ConnectionLife, _ first: ConnectionLife.Step?) {
        piece.removeAll()
        if let name = life.peer.name {
            piece.append(display: name)
        } else if life.peer.address == nil {
            piece.append(string: unknownPeer)
        }
        if let address = life.peer.address {
            if piece.count > 0 { piece.append("  ") }
            piece.append(address)
        }
        line.put(piece, .name)
        piece = TextBuffer(" · connection \(life.number)")
        if life.transport == .classic { piece.append(" over BR/EDR") }
        switch life.isCentral {
        case true where life.accessAddress != nil: appendCentral(of: life)
        case true: piece.append(" · this host is central")
        case false: piece.append(" · this host is peripheral")
        case nil: break
        }
        if !life.hasBeginning { piece.append(" · its beginning was not captured") }
        putLine()
        beginLine(life.begun)
        piece.append(life.hasBeginning ? "connected" : "first seen here")
        if let pause = life.previousEnd.flatMap({ life.begun.time.duration(since: $0) }) {
            piece.append(" · \(duration: pause) after the connection before ended")
        }
        if let duration = life.advertisedSince.flatMap({ life.begun.time.duration(since: $0) }) {
            piece.append(" · advertised for \(duration: duration)")
        }
        if let first {
            piece.append(" · ")
            piece.append(first.kind, names)
        }
        putLine(margin: Self.eventColumn)
    }

    private mutating func beginLine(_ moment: Moment) {
        piece.removeAll()
        piece.append(secondsFrom: origin ?? moment.time, to: moment.time)
        line.advance(to: 12 - piece.columns)
        line.put(piece, .faint)
        line.advance(to: Self.eventColumn)
        piece.removeAll()
    }

    private mutating func write(_ end: ConnectionLife.End, of life: ConnectionLife) {
        beginLine(end.moment)
        piece.append(
            end.end, after: end.moment.time.duration(since: life.begun.time), hasBeginning: life.hasBeginning,
            isHeard: life.accessAddress != nil)
        putLine(end.kind == .expected ? .plain : .bad, margin: Self.eventColumn)
    }

    /// Writes facts that are not events, and the controllers.
    private mutating func writeNotes(_ life: ConnectionLife) {
        for facts in [life.facts, life.controllers(names)] where facts.count > 0 {
            piece = facts
            line.advance(to: Self.eventColumn)
            putLine(.faint, margin: Self.eventColumn)
        }
    }

    // MARK: Both ways

    mutating func writeLinks(_ links: [(direction: Direction, traffic: LinkTraffic)]) {
        guard !links.isEmpty else { return }
        line.putTitle("Link")
        let columns = FigureColumn<LinkTraffic>.all
        let table = ColumnLayout(columns.compactMap(\.text), width: line.width)
        for heading in table.headings { line.putHeading(heading.title, before: heading.end) }
        line.advance(to: table.name)
        line.put("under", .faint)
        line.endLine()
        for (direction, traffic) in links {
            line.advance(to: 4)
            let (arrow, style) = ConversationText.arrow(direction)
            line.put(arrow, style)
            putFigures(of: traffic, columns, table)
            if let conditions = traffic.conditions {
                line.advance(to: table.name)
                line.put("\({ $0.append(conditions) })", .faint)
            }
            line.endLine()
        }
    }
}

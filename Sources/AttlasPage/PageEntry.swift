import AttlasCapture
import AttlasConversation
import AttlasDocuments
import AttlasMetrics
import AttlasText
import AttlasTrace

/// A row of the conversation.
struct PageEntry {
    enum Content {
        /// Or a PDU of a pairing.
        case operation(PageRows.Operation)
        /// An event of a connection, or of the capture.
        case event(String, isBad: Bool)
    }

    let frame: Int
    /// Nanoseconds since the first record.
    let offset: Int64
    let connection: Int?
    let content: Content
    /// Among the entries of one record: the beginning of a connection comes before the record's contents.
    var rank = 1

    /// Changes of connections that are shown.
    private static let limit = 1_000

    /// Operations, changes of the selected connections, and notes, in the order of their records.
    static func all(of model: ReportModel) -> [PageEntry] {
        var entries: [PageEntry] = (model.operations + model.pairing).map {
            PageEntry(
                frame: $0.frame, offset: model.offset(of: $0.time), connection: $0.connection, content: .operation($0))
        }
        var count = 0
        for life in model.connections {
            func add(
                _ moment: Moment, isBad: Bool = false, rank: Int = 1,
                _ write: (inout TextBuffer) -> Void
            ) {
                guard count < limit else { return }
                count += 1
                var text = TextBuffer()
                write(&text)
                entries.append(
                    PageEntry(
                        frame: moment.frame, offset: model.offset(of: moment.time), connection: life.number,
                        content: .event(text.text, isBad: isBad), rank: rank))
            }
            add(life.begun, rank: 0) { $0.append(life.beginning) }
            for step in life.steps { add(step.moment, isBad: step.isBad) { $0.append(step.kind, model.names) } }
            if let end = life.end {
                add(end.moment, isBad: end.kind != .expected) { $0.append(end, of: life) }
            }
        }
        entries += model.notes.map {
            PageEntry(
                frame: $0.frame, offset: model.offset(of: $0.time), connection: $0.connection,
                content: .event($0.text, isBad: true))
        }
        return entries.enumerated().sorted {
            ($0.element.frame, $0.element.rank, $0.offset) < ($1.element.frame, $1.element.rank, $1.offset)
        }
        .map(\.element)
    }
}

extension ConnectionLife.Step {
    var isBad: Bool {
        switch kind {
        case .pairingFailed: true
        case .encryption(_, let status): status != .success
        case .parameters, .mtu, .phy, .dataLength, .pairing, .subscription, .endpoint: false
        }
    }
}

extension TextBuffer {
    /// `ended by the peer after 2.0 s: Remote User Terminated Connection (0x13)`
    mutating func append(_ end: ConnectionLife.End, of life: ConnectionLife) {
        append(
            end.end, after: end.moment.time.duration(since: life.begun.time), hasBeginning: life.hasBeginning,
            isHeard: life.accessAddress != nil)
    }
}

extension ConnectionLife {
    /// Title of its peer.
    var title: String { peer.name ?? peer.address?.description ?? unknownPeer }

    var beginning: StaticString { hasBeginning ? "connected" : "first seen here; its beginning was not captured" }
}

import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

extension ScreenView {
    // MARK: Peers

    /// The rows of the first pane: peers, and the host itself where it has a table.
    func tables(_ model: ScreenModel, in trace: borrowing Trace) -> [TableSelection] {
        var tables = model.links.links.map {
            TableSelection(owner: .peer($0.peer), controller: $0.controller, transport: $0.transport)
        }
        for (index, controller) in trace.controllers.enumerated() {
            let owner = TableOwner.local(index)
            if controller.table.isEmpty && model.tree.activities.count(of: owner) == 0 { continue }
            tables.append(TableSelection(owner: owner, controller: controller.index, transport: nil))
        }
        return tables
    }

    /// The key of the row.
    func title(of table: TableSelection, in trace: borrowing Trace) -> String {
        switch table.owner {
        case .peer(let index):
            return trace.title(ofPeer: index)
        case .local(let index):
            guard index < trace.controllers.count, trace.controllers[index].isHeard else { return "This host" }
            return ["Central", trace.controllers[index].address?.description].compactMap(\.self).joined(separator: " ")
        }
    }

    private enum PeerColumn {
        static let name = 2
        static let address = 21
        static let rssi = 39
        static let mtu = 44
        static let interval = 49
        static let phy = 58
        static let encrypted = 64
        static let age = 69
        static let more = 84
    }

    func paintPeers(
        _ grid: inout Grid, _ layout: Layout, _ model: ScreenModel, _ now: Int64, in trace: borrowing Trace
    ) {
        guard let heading = layout.heading[.peers], let height = layout.height[.peers] else { return }
        grid.paintHeading(row: heading, isFocused: pane == .peers)
        for (title, column) in [
            (" Peers " as StaticString, PeerColumn.name - 1), (" Address ", PeerColumn.address - 1),
            ("RSSI", PeerColumn.rssi), ("MTU", PeerColumn.mtu), ("Interval", PeerColumn.interval),
            ("PHY", PeerColumn.phy), ("Enc", PeerColumn.encrypted), ("Age", PeerColumn.age),
        ] {
            grid.put(title, row: heading, column: column, style: Grid.headingStyle(isFocused: pane == .peers))
        }
        if tableRows.isEmpty {
            grid.put("no connection yet", row: heading + 1, column: PeerColumn.name, style: Grid.Style(.faint))
        }
        for offset in 0..<height {
            let index = tables.top + offset
            guard index < tableRows.count else { break }
            let row = heading + 1 + offset
            if index < model.links.links.count {
                paint(model.links.links[index], &grid, row: row, model, now, in: trace)
            } else {
                paintHost(tableRows[index], &grid, row: row, in: trace)
            }
            if index == tables.index { grid.markCursor(row: row, isFocused: pane == .peers) }
        }
    }

    private func paint(
        _ link: ScreenLinks.Link, _ grid: inout Grid, row: Int, _ model: ScreenModel, _ now: Int64,
        in trace: borrowing Trace
    ) {
        let state = model.links.state(link, in: trace)
        let address = link.peer < trace.peers.count ? trace.peerAddress(link.peer) : nil
        let style = Grid.Style(link.slot == nil ? .faint : .plain)
        func put(_ column: Int, _ end: Int, _ style: Grid.Style, _ write: (inout TextBuffer) -> Void) {
            var text = TextBuffer()
            write(&text)
            grid.put(text, row: row, column: column, end: end, style: style)
        }
        put(PeerColumn.name, PeerColumn.address - 1, link.slot == nil ? style : Grid.Style(.name)) {
            if link.peer < trace.peers.count, let name = trace.peerName(link.peer) {
                $0.append(display: name)
            } else {
                $0.append("unnamed")
            }
        }
        put(PeerColumn.address, PeerColumn.rssi - 1, style) {
            if let address { $0.append(address) } else { $0.append("unknown") }
        }
        put(PeerColumn.rssi, PeerColumn.mtu - 1, style) {
            if let rssi = model.links.signal(address, state.privateAddress) { $0.append(decimal: rssi) }
        }
        put(PeerColumn.mtu, PeerColumn.interval - 1, style) {
            if !state.isMTUKnown { $0.append("≥") }
            $0.append(decimal: state.mtu)
        }
        put(PeerColumn.interval, PeerColumn.phy - 1, style) {
            if let parameters = state.parameters {
                $0.append(exact: parameters.intervalMicroseconds)
            } else {
                $0.append("?")
            }
        }
        put(PeerColumn.phy, PeerColumn.encrypted - 1, style) { $0.append(state.transmitPHY, state.receivePHY) }
        put(PeerColumn.encrypted, PeerColumn.age - 1, state.isEncrypted ? Grid.Style(.good) : style) {
            $0.append(state.isEncrypted ? "yes" : "no")
        }
        let end = link.end
        put(PeerColumn.age, min(PeerColumn.more - 1, grid.size.columns), style) {
            let since = model.time(end?.time ?? link.begun)
            if end != nil { $0.append("gone ") }
            $0.append(duration: max(0, now &- since))
        }
        put(PeerColumn.more, grid.size.columns, style) {
            if let end {
                $0.append(string: end.reason)
                return
            }
            switch state.isCentral {
            case true where state.isHeard: $0.append("heard on the air")
            case true: $0.append("this host is central")
            case false: $0.append("this host is peripheral")
            case nil: $0.append("its beginning was not captured")
            }
            if link.transport == .classic { $0.append(" · BR/EDR") }
            $0.append(" · controller \(link.controller)")
            if let privateAddress = state.privateAddress {
                $0.append(" · as ")
                $0.append(privateAddress)
            }
        }
    }

    private func paintHost(_ table: TableSelection, _ grid: inout Grid, row: Int, in trace: borrowing Trace) {
        grid.put("This host", row: row, column: PeerColumn.name, end: PeerColumn.address - 1)
        var text = TextBuffer()
        if let address = trace.controllers.first(where: { $0.index == table.controller })?.address {
            text.append(address)
        }
        grid.put(text, row: row, column: PeerColumn.address, end: PeerColumn.rssi - 1)
        text.removeAll()
        text.append("its own GATT server, controller \(table.controller)")
        grid.put(text, row: row, column: PeerColumn.rssi, style: Grid.Style(.faint))
    }

    // MARK: Log

    func paintLog(_ grid: inout Grid, _ layout: Layout, _ model: ScreenModel) {
        guard let heading = layout.heading[.log], let height = layout.height[.log] else { return }
        grid.paintHeading(row: heading, isFocused: pane == .log)
        var title = TextBuffer()
        title.append(" Log")
        if followed != nil {
            title.append(" · only \(display: followedName)")
        }
        if !filter.isEmpty {
            title.append(" · filter \(display: filter)")
        }
        if let scope {
            title.append(" · only \(display: scope)")
        }
        title.append(" ")
        grid.put(title, row: heading, column: 1, style: Grid.headingStyle(isFocused: pane == .log))

        var lines: [Int] = []
        let log = model.followed.map { $0.place == followed ? $0.log : model.log } ?? model.log
        var line = log.end
        while lines.count < height, let next = log.line(before: line, about: followed) {
            lines.append(next)
            line = next
        }
        for (offset, number) in lines.reversed().enumerated() {
            grid.put(log[number], row: heading + 1 + offset, column: 0, skipping: logLeft)
        }
    }
}

extension TextBuffer {
    /// `1M`, `2M→1M` when the directions differ, `coded`.
    fileprivate mutating func append(_ transmit: UInt8?, _ receive: UInt8?) {
        func short(_ phy: UInt8?) -> StaticString {
            switch phy {
            case 1: "1M"
            case 2: "2M"
            case 3: "coded"
            default: "?"
            }
        }
        append(short(transmit))
        guard transmit != receive else { return }
        append("/")
        append(short(receive))
    }
}

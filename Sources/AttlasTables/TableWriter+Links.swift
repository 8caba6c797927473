import AttlasConversation
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Connections, their changes, their devices, and their servers' attributes.
extension TableWriter {
    mutating func noteBeginning(of slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        while begun.count <= slot { begun.append(nil) }
        let number = trace.connections[slot].number
        if begun[slot]?.number == number { return }
        begun[slot] = Begun(number: number, frame: event.frame)
    }

    mutating func note(_ identification: PeerIdentification, in trace: borrowing Trace) {
        peers.note(identification, in: trace)
    }

    mutating func write(_ change: ConnectionChange, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let slot = event.connection else { return }
        switch change {
        case .made:
            if trace.connections[slot].parameters != nil { write(parameters: slot, event, in: trace) }
        case .parametersUpdated: write(parameters: slot, event, in: trace)
        case .phyUpdated:
            begin("phy", event, in: trace)
            rows.addNulls(3)
            rows.addText { $0.append(phy: trace.connections[slot].transmitPHY) }
            rows.addText { $0.append(phy: trace.connections[slot].receivePHY) }
            rows.addNulls(5)
            rows.end()
        case .dataLengthUpdated:
            guard let length = trace.connections[slot].dataLength else { return }
            begin("data_length", event, in: trace)
            rows.addNulls(5)
            rows.add(length.maxTxOctets)
            rows.add(length.maxRxOctets)
            rows.addNulls(3)
            rows.end()
        case .encryption(let isEnabled, let status):
            begin("encryption", event, in: trace)
            rows.addNulls(8)
            rows.sink.add(isEnabled)
            rows.add(text: event.reported?.words ?? (status == .success ? nil : status.name))
            rows.end()
        case .ended, .presumed, .announced, .notReached, .decryption, .constantNumbers, .unheard, .version, .features,
            .channelMapUpdated, .rejected, .failed:
            break
        }
    }

    private mutating func begin(_ change: StaticString, _ event: borrowing Event, in trace: borrowing Trace) {
        rows.begin(.links)
        rows.add(event, in: trace)
        rows.add(text: change)
    }

    private mutating func write(parameters slot: Int, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let parameters = trace.connections[slot].parameters else { return }
        begin("parameters", event, in: trace)
        rows.add(parameters.intervalMicroseconds * 1_000)
        rows.add(Int(parameters.latency))
        rows.add(Int(parameters.supervisionTimeout) * 10_000_000)
        rows.addNulls(7)
        rows.end()
    }

    mutating func write(mtu exchange: MTUExchange, _ event: borrowing Event, in trace: borrowing Trace) {
        begin("mtu", event, in: trace)
        rows.addNulls(7)
        rows.add(exchange.inForce)
        rows.addNulls(2)
        rows.end()
    }

    // MARK: Connections

    private mutating func beginConnection(_ slot: Int, _ frame: Int, in trace: borrowing Trace) {
        let connection = trace.connections[slot]
        rows.begin(.connections)
        rows.add(connection.number)
        rows.add(peers.number(of: connection.peer, in: trace))
        let address = trace.peerAddress(connection.peer)
        if let address { rows.addText { $0.append(address) } } else { rows.addNulls(1) }
        rows.add(text: trace.peerName(connection.peer))
        rows.add(Int(connection.controller))
        rows.add(connection.isHeard ? nil : connection.handle)
        rows.add(connection.accessAddress)
        rows.add(text: connection.transport.rawValue)
        let role = connection.isHeard ? nil : connection.isCentral
        rows.add(text: role.map { $0 ? "central" : "peripheral" })
        rows.add(frame)
        rows.add(connection.begun)
        rows.sink.add(connection.hasBeginning)
    }

    mutating func writeConnection(_ end: ConnectionEnd, _ event: borrowing Event, in trace: borrowing Trace) {
        guard let slot = event.connection, let first = begun[slot] else { return }
        begun[slot] = nil
        beginConnection(slot, first.frame, in: trace)
        rows.add(event.frame)
        rows.add(event.time)
        switch end {
        case .disconnected(let reason, let party):
            rows.add(text: trace.connections[slot].isHeard ? party.nameOnAir : party.rawValue)
            rows.add(Int(reason.rawValue))
            rows.add(text: reason.name)
        case .reported(let status):
            rows.add(text: "unknown")
            rows.addNulls(1)
            rows.add(text: status.words)
        case .controller(let cause):
            rows.add(text: "host")
            rows.addNulls(1)
            rows.add(text: cause.rawValue)
        case .superseded:
            rows.add(text: "unknown")
            rows.addNulls(1)
            rows.add(text: "superseded")
        }
        writeFacts(of: first.number)
        rows.end()
    }

    private mutating func writeFacts(of number: Int) {
        guard let life = lives.life(of: number) else { return rows.addNulls(Table.connectionFacts) }
        add(life.end?.isLoss)
        rows.add(life.end.flatMap { life.after($0.moment) })
        rows.add(life.pause)
        add(life.previousEnd == nil ? nil : life.followsLoss)
        rows.add(life.failedAttempts)
        rows.add(life.first(.connectionAttempt)?.duration)
        rows.add(life.first(.discovery).flatMap { $0.isDone ? life.after($0.ended) : nil })
        rows.add(life.after(life.encrypted))
        rows.add(life.after(life.firstValue))
        add(life.isBonded)
        let settings = life.settings
        rows.add(settings.parameters.map { $0.intervalMicroseconds * 1_000 })
        rows.add(settings.parameters?.latency)
        rows.add(settings.parameters.map { Int($0.supervisionTimeout) * 10_000_000 })
        rows.add(settings.mtu)
        for phy in [settings.transmitPHY, settings.receivePHY] {
            if let phy { rows.addText { $0.append(phy: phy) } } else { rows.addNulls(1) }
        }
        rows.add(settings.maxTxOctets)
        rows.add(settings.maxRxOctets)
        rows.add(life.signal?.last.dBm)
        rows.add(life.signalAge)
        rows.add(life.signal?.change)
        rows.add(life[.tx].values)
        rows.add(life[.rx].values)
        rows.add(life[.tx].octets.value)
        rows.add(life[.rx].octets.value)
        rows.add(life.longestSilence?.nanoseconds)
        rows.add(life.failedProcedures)
        for version in [life.versions.own, life.versions.peer] {
            rows.add(text: version.map { $0.version.name ?? "\($0.version.rawValue)" })
            rows.add(text: version.map { text.values.companyName($0.companyIdentifier) })
            rows.add(version?.subversion)
        }
    }

    private mutating func add(_ isTrue: Bool?) {
        if let isTrue { rows.sink.add(isTrue) } else { rows.sink.addNull() }
    }

    /// A connection that outlived the capture.
    mutating func writeOpen(_ slot: Int, in trace: borrowing Trace) {
        guard let first = begun[slot], trace.connections[slot].number == first.number else { return }
        beginConnection(slot, first.frame, in: trace)
        rows.addNulls(5)
        writeFacts(of: first.number)
        rows.end()
    }

    // MARK: Attributes

    mutating func writeAttributes(in trace: borrowing Trace) {
        for (index, peer) in trace.peers.enumerated() where peer.mergedInto == nil && !peer.table.isEmpty {
            let number = peers.number(of: index, in: trace)
            write(TableTree(peer.table, used: []), of: number, controller: nil, in: trace)
        }
        for controller in trace.controllers where !controller.table.isEmpty {
            write(TableTree(controller.table, used: []), of: nil, controller: controller.index, in: trace)
        }
    }

    private mutating func write(_ tree: TableTree, of peer: Int?, controller: UInt16?, in trace: borrowing Trace) {
        func begin(_ handle: AttributeHandle, _ role: StaticString, _ rows: inout TableRows<Sink>) {
            rows.begin(.attributes)
            rows.add(peer)
            rows.add(controller)
            rows.add(Int(handle))
            rows.add(text: role)
        }
        for node in tree.services {
            let service = node.service?.uuid
            if let declared = node.service {
                begin(declared.handle, "service", &rows)
                rows.add(Int(declared.endHandle))
                rows.addNulls(1)
                add(declared.uuid, .service, in: trace)
                rows.addNulls(5)
                rows.end()
            }
            for item in node.characteristics {
                let characteristic = item.characteristic
                begin(characteristic.handle, "characteristic", &rows)
                rows.addNulls(1)
                rows.add(Int(characteristic.valueHandle))
                add(characteristic.uuid, .characteristic, in: trace)
                add(service, .service, in: trace)
                rows.addNulls(2)
                rows.addText { piece in
                    for (property, name) in CharacteristicProperties.names
                    where characteristic.properties.contains(property) {
                        if piece.count > 0 { piece.append(", ") }
                        piece.append(name)
                    }
                }
                rows.end()
                for descriptor in item.descriptors {
                    begin(descriptor.handle, "descriptor", &rows)
                    rows.addNulls(2)
                    add(descriptor.uuid, .descriptor, in: trace)
                    add(service, .service, in: trace)
                    add(characteristic.uuid, .characteristic, in: trace)
                    rows.addNulls(1)
                    rows.end()
                }
            }
            for attribute in node.others {
                begin(attribute.handle, "other", &rows)
                rows.addNulls(2)
                add(attribute.uuid, .descriptor, in: trace)
                add(service, .service, in: trace)
                rows.addNulls(3)
                rows.end()
            }
        }
    }

    /// UUID and name.
    mutating func add(_ index: UUIDIndex?, _ kind: NameKind, in trace: borrowing Trace) {
        guard let index else { return rows.addNulls(2) }
        rows.add(word: Int(index.value)) { $0.append(trace.uuids[index]) }
        // One UUID may be a service's and an attribute's.
        let number = Int(index.value) * 2 + (kind == .service ? 1 : 0)
        if rows.sink.add(known: number) { return }
        if let name = text.values.knownName(index, kind, in: trace) {
            rows.add(word: number) { $0.append(display: name) }
        } else {
            rows.addNulls(1)
        }
    }
}

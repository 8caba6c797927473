import AttlasCapture
import AttlasIncidents
import AttlasProcedures
import AttlasTrace
import AttlasValues
import AttlasWire

/// A capture's contribution to its group: figures of each device, and no events.
public struct FleetCapture: CaptureDocument {
    public let integrity: CaptureIntegrity
    package let devices: [Device]

    /// A device, or all of a capture that is about none.
    package struct Device: Sendable {
        package let name: String?
        /// Firmware Revision String, if it was read.
        package let firmware: String?
        var connections = 0
        var connectedHours = 0.0
        var samples: [FleetMeasure: [Double]] = [:]
        var counts: [FleetMeasure: Int] = [:]
        /// Procedures that ended, or that the capture did not end.
        var tries: [Procedure.Kind: Int] = [:]
        var firstFrames: [Incident.Kind: Int] = [:]

        fileprivate mutating func add(_ life: ConnectionLife, until last: Timestamp?) {
            func add(_ measure: FleetMeasure, seconds nanoseconds: Int64?) {
                if let nanoseconds { samples[measure, default: []].append(Double(nanoseconds) / 1e9) }
            }
            connections += 1
            let open = (life.end?.moment.time ?? last)?.duration(since: life.begun.time) ?? 0
            connectedHours += Double(open) / 3.6e12
            add(.firstValue, seconds: life.after(life.firstValue))
            if life.followsLoss { add(.reconnection, seconds: life.pause) }
            if life.end?.isLoss == true {
                counts[.losses, default: 0] += 1
                if let signal = life.signal { samples[.rssiBeforeLoss, default: []].append(Double(signal.last.dBm)) }
            }
            for row in life.procedures { self.add(row) }
        }

        fileprivate mutating func add(_ row: ProcedureRow) {
            tries[row.kind, default: 0] += row.count
            if row.failures > 0 { counts[.failures(row.kind), default: 0] += row.failures }
            // One of each connection: those of one are alike.
            if let median = row.durations.percentile(50) {
                samples[.duration(row.kind), default: []].append(Double(median) / 1e6)
            }
        }

        fileprivate mutating func add(_ incident: Incident) {
            counts[.incidents(incident.kind), default: 0] += incident.count
            firstFrames[incident.kind] = min(firstFrames[incident.kind] ?? .max, incident.frame)
        }
    }
}

/// Collects the figures of a capture that groups are compared by.
public struct FleetCollector: DocumentCollector {
    private var statistics = StatisticsCollector(measuresRows: false)
    private var incidents: IncidentCollector
    private var values: ValueInterpreter
    private var firmware: [BluetoothAddress: String] = [:]

    private static let firmwareLimit = 1_024

    /// - Parameter values: of the `Interpreted` that hands on the events.
    package init(values: ValueInterpreter) {
        self.values = values
        incidents = IncidentCollector(values: values)
    }

    public var wantsCompletedPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        statistics.receive(event, in: trace)
        incidents.receive(event, in: trace)
        if case .att(let operation) = event.detail,
            operation.opcode == .readResponse || operation.opcode == .readByTypeResponse
        {
            noteFirmware(event, in: trace)
        }
    }

    private mutating func noteFirmware(_ event: borrowing Event, in trace: borrowing Trace) {
        guard let slot = event.connection, let address = trace.peerAddress(trace.connections[slot].peer),
            firmware.count < Self.firmwareLimit || firmware[address] != nil
        else { return }
        event.forEachAttribute(in: trace) { value in
            guard let type = value.type, trace.uuids[type] == .firmwareRevisionString, value.isWhole,
                let octets = values.octets(of: value, in: trace)?.bytes
            else { return true }
            // Some devices end it with a NUL.
            let text = String(decoding: octets.copy().prefix { $0 != 0 }, as: UTF8.self)
            if !text.isEmpty { firmware[address] = text }
            return true
        }
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> FleetCapture {
        statistics.finish(in: trace)
        var devices: [BluetoothAddress?: FleetCapture.Device] = [:]
        func change(
            _ address: BluetoothAddress?, in trace: borrowing Trace, _ body: (inout FleetCapture.Device) -> Void
        ) {
            let address = address.map { trace.identity(of: $0) ?? $0 }
            var device =
                devices[address]
                ?? FleetCapture.Device(
                    name: address.flatMap { trace.name(of: $0) }, firmware: address.flatMap { firmware[$0] })
            body(&device)
            devices[address] = device
        }
        // Each capture counts, also one in which nothing happened.
        change(nil, in: trace) { _ in }
        for life in statistics.connections {
            change(life.peer.address, in: trace) { $0.add(life, until: integrity.extent.last) }
        }
        for row in statistics.attempts.merged() { change(nil, in: trace) { $0.add(row) } }
        for incident in incidents.finish(in: trace, integrity).incidents where incident.weight > .noted {
            change(incident.place.peer, in: trace) { $0.add(incident) }
        }
        return FleetCapture(
            integrity: integrity,
            devices: devices.sorted { ($0.key?.value ?? 0) < ($1.key?.value ?? 0) }.map(\.value))
    }
}

extension CaptureDocument {
    /// From the first record of the capture to the last; 0 if it is unknown.
    package var hours: Double { Double(integrity.duration ?? 0) / 3.6e12 }
}

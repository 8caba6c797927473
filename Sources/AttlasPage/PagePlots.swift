import AttlasCapture
import AttlasDissection
import AttlasDocuments
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Numbers over time that a report plots.
struct PagePlot: Sendable {
    enum Subject: Sendable, Equatable {
        /// A field of a characteristic's values.
        case field
        case roundTrip
        case throughput(Direction)
        case strength
    }

    let subject: Subject
    /// Whose: `HRM-7`, `All connections`.
    let device: String
    /// Name of the attribute, `Heart Rate › Heart Rate Measurement`; empty if `device` is enough.
    var path = ""
    let series: TimeSeries
    /// The flags and enumerations of the same values, at the first field of these.
    var states: [StateSeries] = []
    /// Whether the device never connected, in a capture with connections.
    var isOfStranger = false

    var owner: String { path.isEmpty ? device : "\(device) · \(path)" }

    var isThroughput: Bool {
        if case .throughput = subject { true } else { false }
    }
}

/// Gathers them, with bounded memory.
struct PagePlotCollector {
    private static let attributeLimit = 32
    private static let fieldLimit = 6
    private static let stateLimit = 8
    private static let statePieces = 256
    private static let deviceLimit = 12
    /// Pieces of time in a plot, each of which is drawn.
    private static let pieces = 512

    private struct Fields {
        let attribute: AttributeInfo
        var series: [TimeSeries] = []
        var states: [StateSeries] = []
    }

    private var finder: FieldFinder
    private var fields: [AttributePlace: Fields] = [:]
    /// By the opcode of the request.
    private var roundTrips: [UInt8: TimeSeries] = [:]
    private var received = TimeSeries(name: "Value octets received", unit: "B/s", isRate: true, limit: Self.pieces)
    private var sent = TimeSeries(name: "Value octets sent", unit: "B/s", isRate: true, limit: Self.pieces)
    private var strengths: [BluetoothAddress: TimeSeries] = [:]

    init(values: ValueInterpreter) {
        finder = FieldFinder(names: [], values: values)
    }

    mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        let time = event.time.nanoseconds(since: trace.start ?? event.time)
        switch event.detail {
        case .att(let operation):
            if let request = operation.request, let roundTrip = request.roundTrip {
                roundTrips[
                    request.opcode.rawValue,
                    default: TimeSeries(name: "\(request.opcode.shortName)", unit: "ms", limit: Self.pieces)
                ].note(Double(roundTrip) / 1e6, at: time)
            }
            if let octets = operation.valueOctets, octets > 0 {
                if event.direction == .tx {
                    sent.note(Double(octets), at: time)
                } else {
                    received.note(Double(octets), at: time)
                }
            }
        case .assembled: break
        case .advertising(let report): return note(report, at: time)
        default: return
        }
        guard let connection = event.connection, let server = event.server else { return }
        let owner = TableOwner(server, connection, in: trace)
        finder.beginEvent()
        event.forEachAttribute(in: trace) { value in
            note(value, owner, at: time, in: trace)
            return true
        }
    }

    private mutating func note(
        _ value: borrowing AttributeValue, _ owner: TableOwner, at time: Int64, in trace: borrowing Trace
    ) {
        guard let handle = value.handle, let attribute = value.attribute else { return }
        let place = AttributePlace(owner: owner, handle: handle)
        guard fields[place] != nil || fields.count < Self.attributeLimit,
            let dissector = finder.read(value, in: trace)
        else { return }
        func note(_ fields: inout Fields) {
            fields.series.note(
                finder.dissection, of: dissector, at: time, limit: Self.fieldLimit, pieces: Self.pieces)
            fields.states.note(
                finder.dissection, of: dissector, at: time, limit: Self.stateLimit, pieces: Self.statePieces)
        }
        note(&fields[place, default: Fields(attribute: attribute)])
    }

    private mutating func note(_ report: AdvertisingReport, at time: Int64) {
        guard let address = report.identity ?? report.address, let rssi = report.rssi,
            strengths[address] != nil || strengths.count < Self.deviceLimit
        else { return }
        strengths[address, default: TimeSeries(name: "RSSI", unit: "dBm", limit: Self.pieces)].note(
            Double(rssi), at: time)
    }

    /// Data gathered under another address belongs to the device.
    mutating func follow(_ identification: PeerIdentification) {
        fields.follow(identification)
    }

    /// Fields in the order of their handles, then plots of all connections together, then the devices.
    func plots(_ names: UUIDNames, in trace: borrowing Trace) -> [PagePlot] {
        var plots: [PagePlot] = []
        var named: [(device: String, path: String, handle: AttributeHandle, fields: Fields)] = []
        for (place, fields) in fields {
            var device = "This host"
            if case .peer(let index) = place.owner {
                device = trace.peerName(index) ?? trace.peerAddress(index)?.description ?? unknownPeer
            }
            let attribute = fields.attribute
            let path = attributePath(
                service: attribute.service.map { names.name($0, .service) },
                characteristic: attribute.characteristic.map { names.name($0, .characteristic) },
                descriptor: attribute.descriptor.map { names.name($0, .descriptor) })
            named.append((device, path, place.handle, fields))
        }
        named.sort { ($0.handle, $0.device, $0.path) < ($1.handle, $1.device, $1.path) }
        for (device, path, _, fields) in named {
            // A constant state needs no band.
            var states = fields.states.filter { $0.states.count > 1 }
            for series in fields.series {
                plots.append(PagePlot(subject: .field, device: device, path: path, series: series, states: states))
                states = []
            }
        }
        for (_, series) in roundTrips.sorted(by: { $0.key < $1.key }) {
            plots.append(PagePlot(subject: .roundTrip, device: "Round trips", series: series))
        }
        for (direction, series) in [(Direction.tx, sent), (.rx, received)] {
            plots.append(PagePlot(subject: .throughput(direction), device: "All connections", series: series))
        }
        let connected = Set(trace.connections.indices.compactMap { trace.peerAddress(trace.connections[$0].peer) })
        for (address, series) in strengths.sorted(by: { $0.key.value < $1.key.value }) {
            let device = [trace.name(of: address), address.description].compactMap(\.self).joined(separator: " · ")
            plots.append(
                PagePlot(
                    subject: .strength, device: device, series: series,
                    isOfStranger: !connected.isEmpty && !connected.contains(address)))
        }
        return plots.filter { $0.series.total.count > 0 }
    }
}

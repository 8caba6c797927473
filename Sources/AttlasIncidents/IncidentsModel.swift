import AttlasTrace
import AttlasValues
import AttlasWire

/// The incidents of one capture, ranked.
public struct IncidentsModel: CaptureDocument {
    /// The most important first, then in the order of their frames.
    package private(set) var incidents: [Incident]
    /// Incidents beyond the limit.
    package let leftOut: Int
    /// The UUIDs that incidents name by their numbers.
    package let names: UUIDNames
    public let integrity: CaptureIntegrity
    /// Kinds of incidents that this log cannot show, and why: sentences.
    package let hidden: [String]
    /// The data of the log that incidents need.
    package let met: CaptureConditions
    /// Ends that are no failure, and that this host had not asked for.
    package private(set) var closings: Closings
    private let peerNames: [BluetoothAddress: String]

    /// Connections that peers closed with Remote User Terminated Connection (0x13), where this host is not known to be the peripheral.
    package struct Closings: Sendable {
        package private(set) var count = 0
        /// At most 64.
        package private(set) var frames: [Int] = []

        mutating func note(_ frame: Int) {
            count += 1
            if frames.count < 64 { frames.append(frame) }
        }

        mutating func select(_ selected: ClosedRange<Int>) {
            frames.removeAll { !selected.contains($0) }
            count = frames.count
        }

        /// `The peer closed the connection in frame 9; this host had not asked for it.` nil if there was none.
        package var sentence: String? {
            guard count > 0 else { return nil }
            let named = frames.prefix(3).map { "\($0)" }.joined(separator: ", ")
            let what =
                count == 1
                ? "The peer closed the connection in frame \(named)"
                : "\(count) connections were closed by the peer, in frames \(named)\(count > 3 ? " and others" : "")"
            return "\(what); this host had not asked for it."
        }
    }

    init(
        _ list: IncidentList, _ closings: Closings, _ met: CaptureConditions, _ platform: Platform?, unheard: Int,
        _ names: UUIDNames,
        _ integrity: CaptureIntegrity, in trace: borrowing Trace
    ) {
        let platform = integrity.info.flatMap(Platform.init) ?? platform
        var incidents = list.ranked.filter { met.allow($0.kind.requires) }
        if let platform {
            for index in incidents.indices { incidents[index].addWay(on: platform) }
        }
        self.incidents = incidents
        self.met = met
        self.closings = closings
        var hidden: [String] = []
        if unheard > 0 {
            hidden.append(
                "\(counted(unheard, "connection")) \(unheard == 1 ? "was" : "were") not heard after CONNECT_IND: what happened on "
                    + "\(unheard == 1 ? "it" : "them") is not in the capture. Sniff closer, and follow the device.")
        }
        if integrity.extent.records > 0, integrity.damaged == nil {
            hidden += Incident.Kind.hidden(
                from: met, isOfAir: !met.contains(.hciEvents) && met.contains(.linkEvents),
                shown: Set(incidents.map(\.kind)), on: platform, isText: integrity.info?.isText ?? false)
        }
        self.hidden = hidden
        leftOut = list.leftOut
        self.names = names
        self.integrity = integrity
        var peerNames: [BluetoothAddress: String] = [:]
        for address in Set(incidents.compactMap(\.place.peer)) { peerNames[address] = trace.name(of: address) }
        self.peerNames = peerNames
    }

    /// The last name of an incident's peer.
    package func peerName(_ address: BluetoothAddress) -> String? { peerNames[address] }

    /// `4 things broke on 2 devices`, `Nothing broke; 1 thing was slow or repeated`: incidents are counted, not occurrences.
    package var headline: String {
        let broken = incidents(of: .broke)
        guard broken.isEmpty else {
            let devices = Set(broken.compactMap(\.place.peer)).count
            return "\(broken.count == 1 ? "1 thing" : "\(broken.count) things") broke"
                + (devices > 1 ? " on \(devices) devices" : "")
        }
        switch incidents(of: .hindered).count {
        // A text may have the headings of packets without their octets.
        case 0 where integrity.extent.records == 0: return "No packets to judge"
        case 0: return nothing
        case 1: return "\(nothing); 1 thing was slow or repeated"
        case let count: return "\(nothing); \(count) things were slow or repeated"
        }
    }

    private var nothing: String {
        if integrity.damaged != nil { return "Nothing can be said about what broke" }
        return hidden.isEmpty ? "Nothing broke" : "Nothing broke that this log can show"
    }

    /// Incidents of these are numbered from 1, in this order.
    package static let numberedWeights = [Incident.Weight.broke, .hindered]

    /// Those with a number.
    package var numbered: [Incident] { Self.numberedWeights.flatMap { incidents(of: $0) } }

    package func incidents(of weight: Incident.Weight) -> [Incident] { incidents.filter { $0.weight == weight } }

    /// Leaves out incidents without an occurrence in these frames, and those of other connections and their peers.
    package mutating func select(_ frames: ClosedRange<Int>, connections: Set<Int>) {
        let peers = Set(
            incidents.compactMap { incident in
                incident.place.connection.flatMap { connections.contains($0) ? incident.place.peer : nil }
            })
        incidents.removeAll { incident in
            let isOther = incident.place.connection.map { number in
                !connections.contains(number) && !(incident.place.peer.map(peers.contains) ?? false)
            }
            return isOther ?? false || !incident.occurrences.contains(where: frames.contains)
        }
        closings.select(frames)
    }

    /// How often each kind happened, those that broke something first, and the first frame.
    func kinds(of weight: Incident.Weight) -> [(kind: Incident.Kind, count: Int, frame: Int)] {
        var kinds: [(kind: Incident.Kind, count: Int, frame: Int)] = []
        for incident in incidents where incident.weight == weight {
            if let index = kinds.firstIndex(where: { $0.kind == incident.kind }) {
                kinds[index].count += incident.count
            } else {
                kinds.append((incident.kind, incident.count, incident.frame))
            }
        }
        return kinds
    }

    /// `link lost 6 times (first in frame 1558) · pairing failed (frame 9)`; nil if nothing has this weight.
    package func summary(of weight: Incident.Weight) -> String? {
        let kinds = kinds(of: weight).map { kind in
            kind.count == 1
                ? "\(kind.kind.rawValue) (frame \(kind.frame))"
                : "\(kind.kind.rawValue) \(kind.count) times (first in frame \(kind.frame))"
        }
        return kinds.isEmpty ? nil : kinds.joined(separator: " · ")
    }
}

extension BluetoothAddress {
    /// The device's identity across captures: a public or static address, else its name.
    package func lasting(named name: @autoclosure () -> String?) -> String? {
        [.public, .randomStatic].contains(kind) ? description : name()
    }
}

extension Trace {
    /// A public or static address, else the name.
    package func lastingName(of address: BluetoothAddress) -> String? {
        let identity = identity(of: address) ?? address
        return identity.lasting(named: name(of: address))
    }

    /// The last name of the device with this address.
    package func name(of address: BluetoothAddress) -> String? {
        let address = identity(of: address) ?? address
        return peers.lazy.compactMap { $0.address == address ? $0.name : nil }.first
    }
}

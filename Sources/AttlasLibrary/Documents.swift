import AttlasCapture
import AttlasConversation
import AttlasDocuments
import AttlasIncidents
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasValues
import AttlasWire

extension Capture {
    /// How long answers to requests took.
    public struct RoundTrips: Sendable, CustomStringConvertible {
        private let times: Distribution

        init(_ times: Distribution) { self.times = times }

        /// Answered requests.
        public var count: Int { times.count }
        /// The shortest; nil, like the others, without any.
        public var minimum: Duration? { times.minimum.map { .microseconds($0) } }
        /// The longest.
        public var maximum: Duration? { times.maximum.map { .microseconds($0) } }
        /// The median.
        public var p50: Duration? { percentile(50) }
        /// The time that 90 of 100 do not exceed.
        public var p90: Duration? { percentile(90) }
        /// The time that 99 of 100 do not exceed.
        public var p99: Duration? { percentile(99) }

        /// The time that this number of 100 do not exceed.
        public func percentile(_ percent: Double) -> Duration? {
            times.percentile(min(max(percent, 0), 100)).map { .microseconds($0) }
        }

        public var description: String {
            guard let p50, let p99, let maximum else { return "none" }
            return "\(count), p50 \(p50), p99 \(p99), maximum \(maximum)"
        }
    }

    /// Something that broke, slowed down or stopped.
    public struct Incident: Sendable, CustomStringConvertible {
        /// What happened; the raw value is its name in filters: `attlas help what-broke` describes each.
        public typealias Kind = AttlasIncidents.Incident.Kind
        /// How bad it is.
        public typealias Weight = AttlasIncidents.Incident.Weight
        /// How well the capture supports the cause.
        public typealias Certainty = AttlasIncidents.Incident.Cause.Certainty

        /// What happened.
        public let kind: Kind
        /// How bad it is.
        public let weight: Weight
        /// Where it became true first.
        public let frame: Int
        /// When it became true first.
        public let time: Timestamp
        /// All frames of its evidence.
        public let frames: [Int]
        /// How often it happened.
        public let count: Int
        /// The device that it is about.
        public let device: Device?
        /// The connection, counted from 1 over the capture.
        public let connection: Int?
        /// What happened the first time.
        public let what: String
        /// How well the capture supports the cause.
        public let certainty: Certainty
        /// The cause, or if it is unknown, what would show it.
        public let cause: String
        /// What to do.
        public let advice: String
        /// `HRM-7 F2:F2:F2:F2:F2:F2: System ID cannot be read: Insufficient Authentication · frame 136`
        public let description: String

        init(_ incident: AttlasIncidents.Incident, _ model: IncidentsModel) {
            (kind, weight) = (incident.kind, incident.weight)
            (frame, time, frames) = (incident.frame, incident.time, incident.frames)
            (count, connection, what) = (incident.count, incident.place.connection, incident.what)
            device = incident.place.peer.map { Device(address: $0, name: model.peerName($0)) }
            (certainty, cause) = (incident.cause.certainty, incident.cause.text)
            advice = incident.next
            var text = TextBuffer()
            text.append(lineOf: incident, model)
            description = text.text
        }
    }

    /// A rule of the specification that the conversation breaks.
    public struct Finding: Sendable, CustomStringConvertible {
        /// How bad it is: `error` if the specification forbids it.
        public enum Severity: String, Sendable, Comparable, CaseIterable {
            case info, warning, error

            public static func < (first: Severity, second: Severity) -> Bool {
                LintRule.Severity(first) < LintRule.Severity(second)
            }
        }

        /// `att/reserved-error-code`: `attlas help lint` lists them.
        public let rule: String
        /// How bad it is.
        public let severity: Severity
        /// Where it was seen first.
        public let frame: Int
        /// When it was seen first.
        public let time: Timestamp
        /// How often it was seen.
        public let count: Int
        /// What to do.
        public let advice: String
        /// Where the specification says so.
        public let section: String
        /// `error att/reserved-error-code: Error code 0x20. 2 times, last in frame 13.`
        public let description: String

        package init(_ finding: LintFinding) {
            rule = finding.rule.id
            severity = Severity(finding.rule.severity)
            (frame, time, count) = (finding.frame, finding.time, finding.count)
            (advice, section) = (finding.rule.advice, finding.rule.section)
            var text = TextBuffer()
            text.append(finding)
            description = text.text
        }
    }

    /// The GATT tables of a capture.
    public struct Tree: Sendable, CustomStringConvertible {
        private let model: TreeModel

        init(_ model: TreeModel) { self.model = model }

        /// Those of the peers, then those of the recorded host.
        public var servers: [Server] {
            model.peers.map { Server($0, isPeers: true, model.names) }
                + model.local.map { Server($0, isPeers: false, model.names) }
        }

        /// The tables as `attlas tree` prints them.
        public var description: String {
            var output = Output.keeping()
            var text = TreeText(model, width: nil, isColoured: false)
            text.write(file: nil, into: &output)
            var octets = output.kept ?? []
            while octets.last == UInt8(ascii: "\n") { octets.removeLast() }
            return String(decoding: octets, as: UTF8.self)
        }
    }

    /// The GATT table of one device.
    public struct Server: Sendable {
        /// The identity address, if it is known.
        public let address: BluetoothAddress?
        /// The last name.
        public let name: String?
        /// Whether it is a peer's, and not that of the recorded host.
        public let isPeers: Bool
        /// In the order of their handles.
        public let services: [Service]

        init(_ server: TreeModel.Server, isPeers: Bool, _ names: UUIDNames) {
            (address, name, self.isPeers) = (server.address, server.name, isPeers)
            services = server.tree.services.compactMap { node in
                guard let service = node.service else { return nil }
                return Service(
                    uuid: names[service.uuid], name: names.knownName(service.uuid, .service),
                    handles: service.handle...max(service.handle, service.endHandle),
                    characteristics: node.characteristics.map { item in
                        let characteristic = item.characteristic
                        return Characteristic(
                            uuid: names[characteristic.uuid],
                            name: names.knownName(characteristic.uuid, .characteristic),
                            handle: characteristic.valueHandle, properties: characteristic.properties,
                            descriptors: item.descriptors.map { names[$0.uuid] })
                    })
            }
        }
    }

    /// A service of a device.
    public struct Service: Sendable {
        /// Service UUID.
        public let uuid: BluetoothUUID
        /// nil if it has none.
        public let name: String?
        /// From its declaration to its last attribute.
        public let handles: ClosedRange<UInt16>
        /// In the order of their handles.
        public let characteristics: [Characteristic]
    }

    /// A characteristic of a service.
    public struct Characteristic: Sendable {
        /// Characteristic UUID.
        public let uuid: BluetoothUUID
        /// nil if it has none.
        public let name: String?
        /// Of its value.
        public let handle: UInt16
        /// What clients may do with it.
        public let properties: CharacteristicProperties
        /// Types of its descriptors.
        public let descriptors: [BluetoothUUID]
    }
}

extension Capture.Finding.Severity {
    fileprivate init(_ severity: LintRule.Severity) {
        self =
            switch severity {
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}

extension LintRule.Severity {
    package init(_ severity: Capture.Finding.Severity) {
        self =
            switch severity {
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}

extension Timestamp: CustomStringConvertible {
    /// `2026-11-21T06:41:45.885184Z`
    public var description: String {
        var text = TextBuffer()
        text.append(utc: self)
        return text.text
    }
}

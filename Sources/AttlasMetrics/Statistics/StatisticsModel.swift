import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// The statistics of one capture. Documentation/statistics.md defines every figure.
public struct StatisticsModel: CaptureDocument {
    private let collector: StatisticsCollector
    /// The UUIDs that rows and steps name by their numbers.
    public let names: UUIDNames
    /// Why a selection found nothing; nil if it found something.
    public let whyNothing: String?
    public let integrity: CaptureIntegrity

    init(
        _ collector: StatisticsCollector, _ names: UUIDNames, whyNothing: String?, _ integrity: CaptureIntegrity
    ) {
        self.collector = collector
        self.names = names
        self.whyNothing = whyNothing
        self.integrity = integrity
    }

    /// In the order of their beginnings.
    public var connections: [ConnectionLife] { collector.connections }
    public var connectionsLeftOut: Int { collector.connectionsLeftOut }
    public var operationsLeftOut: Int { collector.operationsLeftOut }
    /// Isochronous streams of the connection with the number; of nil broadcasts, and those whose connection is not known.
    public func streams(ofConnection number: Int?) -> [StreamFigures] {
        collector.streams.filter { $0.connection == number }
    }
    /// The reference of times.
    public var origin: Timestamp? { collector.origin }

    /// The rows of the connections of which something was selected, put together. Gaps, windows and round trips are those of
    /// single connections in any case.
    public func groups(by grouping: StatisticsGrouping) -> StatisticsGroups {
        collector.groups(by: grouping)
    }
}

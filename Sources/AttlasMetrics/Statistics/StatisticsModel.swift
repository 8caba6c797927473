import AttlasCapture
import AttlasTrace
import AttlasValues
import AttlasWire

/// The statistics of one capture. Documentation/statistics.md defines every figure.
public struct StatisticsModel: CaptureDocument {
    private let collector: StatisticsCollector
    private let channels: [Int: [ChannelFigures]]
    /// The UUIDs that rows and steps name by their numbers.
    package let names: UUIDNames
    /// Why a selection found nothing; nil if it found something.
    package let whyNothing: String?
    public let integrity: CaptureIntegrity

    init(
        _ collector: StatisticsCollector, _ names: UUIDNames, whyNothing: String?, _ integrity: CaptureIntegrity
    ) {
        self.collector = collector
        channels = Dictionary(grouping: collector.channels, by: \.connection)
        self.names = names
        self.whyNothing = whyNothing
        self.integrity = integrity
    }

    /// In the order of their beginnings.
    package var connections: [ConnectionLife] { collector.connections }
    package var connectionsLeftOut: Int { collector.connectionsLeftOut }
    package var operationsLeftOut: Int { collector.operationsLeftOut }
    /// The figures of both.
    package var others: OtherFigures { collector.others }
    /// Attempts that led to no connection.
    package var attempts: [ProcedureRow] { collector.attempts.merged() }
    /// Isochronous streams of the connection with the number; of nil broadcasts, and those whose connection is not known.
    package func streams(ofConnection number: Int?) -> [StreamFigures] {
        collector.streams.filter { $0.connection == number }
    }
    /// Those beyond the limit.
    package var streamsLeftOut: Int { collector.streamsLeftOut }
    /// Channels of the connection with the number whose data has no meaning to Bluetooth.
    package func channels(ofConnection number: Int) -> [ChannelFigures] { channels[number] ?? [] }
    /// Packets on channels beyond the limit.
    package var channelPacketsLeftOut: Int { collector.channelPacketsLeftOut }
    /// The reference of times.
    package var origin: Timestamp? { collector.origin }

    /// The rows of the connections of which something was selected, put together. Gaps, windows and round trips are those of
    /// single connections in any case.
    package func groups(by grouping: StatisticsGrouping) -> StatisticsGroups {
        collector.groups(by: grouping)
    }
}

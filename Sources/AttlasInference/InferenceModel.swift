import AttlasTrace
import AttlasValues

/// The proposed layouts of characteristics.
public struct InferenceModel: CaptureDocument {
    public let integrity: CaptureIntegrity
    /// The name of the characteristic that was asked for; nil for all of vendors.
    package let subject: String?
    package let characteristics: [Characteristic]
    /// Characteristics of vendors with too few values.
    package let tooFew: Int
    /// Characteristics over the limit, which have fewer values.
    package let notExamined: Int
    /// Values over the limit.
    package let leftOut: Int
    /// Why nothing was found.
    package let whyNothing: String?
    /// What the user did, as far as the capture has that time.
    let marks: Int

    /// What to know if no octet follows the marks; nil if one does, or without marks.
    package var marksSentence: String? {
        let relations = characteristics.flatMap { $0.layouts.flatMap(\.layout.relations) }
        guard marks > 0, !relations.contains(where: { if case .marks = $0.kind { true } else { false } }) else {
            return nil
        }
        return marks < MarkSearch.fewestMarks
            ? "\(marks == 1 ? "One mark is" : "\(marks) marks are") too few: at least \(MarkSearch.fewestMarks) are needed, and eight nearly always suffice."
            : "No octet changes at the \(marks) marks, and only there."
    }

    package struct Characteristic: Sendable {
        package let values: CharacteristicValues
        /// Only directions with values.
        package let layouts: [(direction: ValueDirection, layout: InferredLayout)]
    }
}

/// Collects the values of characteristics, and infers their layouts at the end.
public struct InferenceCollector: DocumentCollector {
    private var gatherer: ValueGatherer
    private let subject: String?
    private let marks: [UserMark]
    /// Frames with marks that are still to come, the first last.
    private var frames: [Int]
    private var times: [Int: Int64] = [:]

    /// - Parameters:
    ///   - subject: a handle, a UUID, its first digits, or a part of a name; nil for all characteristics of vendors.
    ///   - marks: what the user did.
    ///   - values: of the `Interpreted` that hands on the events.
    package init(_ subject: String?, marks: [UserMark] = [], values: ValueInterpreter) {
        self.subject = subject
        self.marks = marks
        frames = marks.compactMap(\.frame).sorted(by: >)
        gatherer = ValueGatherer(subject, keepsRequests: true, values: values)
    }

    @inlinable public var wantsPackets: Bool { false }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        while let frame = frames.last, frame <= event.frame {
            times[frame] = event.time.nanoseconds(since: .epoch)
            frames.removeLast()
        }
        gatherer.receive(event, in: trace)
    }

    public mutating func finish(in trace: borrowing Trace, _ integrity: CaptureIntegrity) -> InferenceModel {
        let start = integrity.extent.first ?? .epoch
        let marks = marks.compactMap { mark in
            mark.time(start: start, frames: times).map { (time: $0, note: mark.note) }
        }
        var addresses: Set<UInt64> = []
        for index in 0..<trace.peers.count {
            if let address = trace.peerAddress(index) { addresses.insert(address.value) }
        }
        // Those of the Bluetooth SIG have definitions.
        var tooFew = 0
        let (examined, more) = gatherer.characteristics { values in
            if subject != nil { return true }
            if case .characteristic(let uuid, _) = values.source, uuid.uint16.map({ 0x2A00...0x2CFF ~= $0 }) ?? false {
                return false
            }
            let isEnough = values.series.values.contains { $0.count >= InferenceLimits.fewest }
            if !isEnough { tooFew += 1 }
            return isEnough
        }
        return InferenceModel(
            integrity: integrity, subject: subject,
            characteristics: examined.map { values in
                InferenceModel.Characteristic(
                    values: values,
                    layouts: ValueDirection.allCases.compactMap { direction in
                        values.series[direction].map { series in
                            let requests = direction == .received ? gatherer.requests(of: values.service) : nil
                            return (
                                direction,
                                LayoutInference.layout(
                                    of: series,
                                    InferenceContext(
                                        requests: requests, marks: marks, addresses: addresses,
                                        isAdvertised: values.source.isAdvertised))
                            )
                        }
                    })
            },
            tooFew: tooFew, notExamined: more, leftOut: gatherer.leftOut,
            whyNothing: gatherer.whyNothing(in: trace, integrity), marks: marks.count)
    }
}

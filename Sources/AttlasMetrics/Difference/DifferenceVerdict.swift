/// The reason why `diff --fail-on` fails, and the comparisons that were not possible.
package struct DifferenceVerdict: Sendable {
    package enum Criterion: String, CaseIterable, Sendable {
        case tree, slower, incidents, incomplete
    }

    package enum Failure: Sendable {
        /// The trees of a peer.
        case tree(CaptureDifference.ServerDifference)
        /// A percentile of round trips, in microseconds.
        case slower(CaptureSnapshot.MeasureKey, percentile: Int, before: Int, after: Int)
        /// New, or more often.
        case incidents(CaptureDifference.IncidentDifference)
        case incomplete(CaptureSnapshot)

        package var criterion: Criterion {
            switch self {
            case .tree: .tree
            case .slower: .slower
            case .incidents: .incidents
            case .incomplete: .incomplete
            }
        }
    }

    /// The minimum number of round trips for a comparison.
    package static let leastCount = 20

    /// The increase, in percent, up to which nothing counts as slower, by default.
    package static let usualTolerance = 20.0

    package private(set) var failures: [Failure] = []
    /// With `slower`: round trips of one kind, of which a capture has too few.
    package private(set) var notCompared: [CaptureDifference.MeasuredPair<ExchangeRow>] = []

    /// - Parameter tolerance: the increase, in percent, that is not slower yet.
    package init(_ difference: CaptureDifference, failOn criteria: [Criterion], tolerance: Double) {
        if criteria.contains(.tree) {
            failures += difference.servers.filter { !$0.changes.isEmpty }.map { .tree($0) }
        }
        if criteria.contains(.slower) { compare(difference.exchanges, tolerance) }
        if criteria.contains(.incidents) {
            failures += difference.incidents.filter(\.isWorse).map { .incidents($0) }
        }
        if criteria.contains(.incomplete) {
            failures += [difference.first, difference.second].filter { !$0.integrity.isComplete }.map {
                .incomplete($0)
            }
        }
    }

    private mutating func compare(_ pairs: [CaptureDifference.MeasuredPair<ExchangeRow>], _ tolerance: Double) {
        for pair in pairs {
            guard let first = pair.first?.roundTrips, let second = pair.second?.roundTrips,
                min(first.count, second.count) >= Self.leastCount
            else {
                if (pair.first?.roundTrips.count ?? 0) + (pair.second?.roundTrips.count ?? 0) > 0 {
                    notCompared.append(pair)
                }
                continue
            }
            for percentile in [50, 99] {
                guard let before = first.percentile(Double(percentile)),
                    let after = second.percentile(Double(percentile)),
                    Double(after) > Double(before) * (1 + tolerance / 100)
                else { continue }
                failures.append(.slower(pair.key, percentile: percentile, before: before, after: after))
            }
        }
    }
}

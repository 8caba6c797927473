import AttlasCapture

/// How the clock of one capture differs from that of another one of the same session, from the ATT PDUs that both heard.
package struct ClockAlignment: Sendable {
    /// Equal PDUs of one capture that are still matched in their order.
    private static let repeatLimit = 64
    private static let mostDrift = 1_000_000.0
    private static let leastForOffset = 3
    private static let leastForDrift = 10
    /// Seconds.
    private static let spanForDrift = 10.0

    package let correction: ClockCorrection
    /// Whether the session is long enough to measure the drift.
    package let hasDrift: Bool
    /// Nanoseconds: the median distance of the PDUs' times after the correction.
    package let residual: Double
    /// PDUs that were used.
    package let count: Int

    /// A PDU in both captures.
    struct Anchor {
        /// Seconds from the reference, by the clock to correct.
        let time: Double
        /// Nanoseconds by which that clock is ahead.
        let ahead: Double
        let isReceived: Bool
    }

    /// - Parameters:
    ///   - reference: of the clock that is right.
    ///   - other: of the clock to correct.
    /// - Returns: nil if they have too few PDUs in common.
    package init?(_ reference: HeardPDUs, _ other: HeardPDUs) {
        let pairs = Self.pairs(reference.pdus, other.pdus)
        guard let first = pairs.first else { return nil }
        let start = other.pdus[first.other].time
        let anchors = pairs.map { pair in
            let (one, two) = (reference.pdus[pair.reference], other.pdus[pair.other])
            return Anchor(
                time: Double(two.time.nanoseconds(since: start)) / 1e9,
                ahead: Double(two.time.nanoseconds(since: one.time)), isReceived: one.isReceived)
        }
        // Sent packets wait for the next connection event, received ones do not: one side may be much better.
        let sides = [anchors, anchors.filter(\.isReceived), anchors.filter { !$0.isReceived }]
        let fits = sides.compactMap(Self.fit)
        guard let best = fits.min(by: { $0.residual < $1.residual }) else { return nil }
        (hasDrift, residual, count) = (best.hasDrift, best.residual, best.count)
        // Clocks that are 292 years apart: a Double rounds that up.
        let offset = Int64(exactly: best.offset.rounded()) ?? (best.offset < 0 ? .min : .max)
        correction = ClockCorrection(
            offset: offset, drift: best.hasDrift ? best.drift : 0, reference: start)
    }

    // MARK: Pairs

    private typealias Pair = (reference: Int, other: Int)

    /// PDUs that occur equally often in both, in the order of the other's. Runs of PDUs decide where single ones are ambiguous.
    private static func pairs(_ reference: [HeardPDUs.PDU], _ other: [HeardPDUs.PDU]) -> [Pair] {
        var found: [Int: Int] = [:]
        for (name, most) in [(\HeardPDUs.PDU.ownName, 1), (\.run, repeatLimit), (\.ownName, repeatLimit)] {
            let (places, others) = (places(reference, name), places(other, name))
            for (hash, places) in places where places.count <= most {
                guard let others = others[hash], others.count == places.count else { continue }
                for (one, two) in zip(places, others) where found[two] == nil { found[two] = one }
            }
        }
        return found.map { (reference: $0.value, other: $0.key) }.sorted { $0.other < $1.other }
    }

    private static func places(
        _ pdus: [HeardPDUs.PDU], _ name: KeyPath<HeardPDUs.PDU, UInt64?>
    ) -> [UInt64: [Int]] {
        var places: [UInt64: [Int]] = [:]
        for (index, pdu) in pdus.enumerated() {
            // One more than the limit shows that there are too many.
            guard let hash = pdu[keyPath: name], places[hash]?.count ?? 0 <= repeatLimit else { continue }
            places[hash, default: []].append(index)
        }
        return places
    }

    // MARK: Fit

    private struct Fit {
        let offset: Double
        let drift: Double
        let hasDrift: Bool
        let residual: Double
        let count: Int
    }

    /// A line through most of the anchors: the median slope (Theil and Sen), then least squares of the anchors near it.
    private static func fit(_ anchors: [Anchor]) -> Fit? {
        guard anchors.count >= leastForOffset, let first = anchors.first, let last = anchors.last else { return nil }
        let hasDrift = anchors.count >= leastForDrift && last.time - first.time >= spanForDrift
        var drift = 0.0
        if hasDrift {
            let half = anchors.count / 2
            let slopes = (0..<anchors.count - half).compactMap { index -> Double? in
                let (one, two) = (anchors[index], anchors[index + half])
                return two.time > one.time ? (two.ahead - one.ahead) / (two.time - one.time) : nil
            }
            drift = max(-mostDrift, min(median(slopes), mostDrift))
        }
        var offset = median(anchors.map { $0.ahead - drift * $0.time })
        func distance(_ anchor: Anchor) -> Double { abs(anchor.ahead - offset - drift * anchor.time) }
        let limit = max(5 * median(anchors.map(distance)), 1_000)
        let near = anchors.filter { distance($0) <= limit }
        guard near.count >= leastForOffset else { return nil }
        let mean = (
            time: near.reduce(0) { $0 + $1.time } / Double(near.count),
            ahead: near.reduce(0) { $0 + $1.ahead } / Double(near.count)
        )
        if hasDrift {
            let spread = near.reduce(0) { $0 + ($1.time - mean.time) * ($1.time - mean.time) }
            let common = near.reduce(0) { $0 + ($1.time - mean.time) * ($1.ahead - mean.ahead) }
            if spread > 0 { drift = max(-mostDrift, min(common / spread, mostDrift)) }
        }
        offset = mean.ahead - drift * mean.time
        return Fit(
            offset: offset, drift: drift, hasDrift: hasDrift, residual: median(near.map(distance)), count: near.count)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

extension HeardPDUs.PDU {
    fileprivate var ownName: UInt64? { own }
}

extension ClockAlignment {
    /// `clock offset +1.500003 s, drift +50.1 ppm; residual 0.213 ms over 412 PDUs`
    package var sentence: String {
        let drift =
            hasDrift
            ? "drift \(Self.signed(correction.drift / 1_000, 1)) ppm" : "drift not measured (it takes 10 PDUs in 10 s)"
        return "clock offset \(Self.signed(Double(correction.offset) / 1e9, 6)) s, \(drift); "
            + "residual \(Self.decimal(residual / 1e6, 3)) ms over \(count) PDUs"
    }

    private static func signed(_ number: Double, _ places: Int) -> String {
        (number < 0 ? "-" : "+") + decimal(abs(number), places)
    }

    private static func decimal(_ number: Double, _ places: Int) -> String {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let units = (number * scale).rounded()
        guard units < 9e15 else { return "\(number)" }
        let (whole, rest) = Int(units).quotientAndRemainder(dividingBy: Int(scale))
        let digits = String(rest)
        return "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }
}

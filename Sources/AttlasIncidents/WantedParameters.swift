import AttlasCapture
import AttlasTrace
import AttlasWire

/// Connection parameters that were requested, or that are in force. Core Specification, Vol 3, Part A, 4.20.
package struct WantedParameters: Equatable {
    /// Units of 1.25 ms.
    let intervalMin: UInt16
    let intervalMax: UInt16
    let latency: UInt16
    /// Units of 10 ms.
    let timeout: UInt16
    /// Microseconds of an interval that is not a multiple of 1.25 ms.
    private var exact: Int?
    private var subrateFactor = 1

    package init(_ request: L2CAPConnectionParameterUpdateRequest) {
        intervalMin = request.intervalMin
        intervalMax = request.intervalMax
        latency = request.latency
        timeout = request.timeout
    }

    package init(_ parameters: Connection.Parameters) {
        intervalMin = parameters.interval
        intervalMax = parameters.interval
        if parameters.intervalMicroseconds % 1_250 != 0 { exact = parameters.intervalMicroseconds }
        subrateFactor = max(1, Int(parameters.subrateFactor))
        latency = parameters.latency
        timeout = parameters.supervisionTimeout
    }

    package init(_ range: LEConnectionParameterRange) {
        intervalMin = range.intervalMin
        intervalMax = range.intervalMax
        latency = range.maxLatency
        timeout = range.supervisionTimeout
    }

    /// `interval 30 to 50 ms, latency 4, supervision timeout 5000 ms`
    package var words: String {
        let low = milliseconds(intervalMin)
        let range = intervalMin == intervalMax ? low : "\(low) to \(milliseconds(intervalMax))"
        let interval = exact.map { "\(Double($0) / 1_000) ms" } ?? range
        let subrate = subrateFactor > 1 ? ", subrate factor \(subrateFactor)" : ""
        return "interval \(interval)\(subrate), latency \(latency), supervision timeout \(Int(timeout) * 10) ms"
    }

    /// A violation of the specification's ranges; nil if there is none. Vol 3, Part A, 4.20; Vol 6, Part B, 4.5.1 and 4.5.2.
    package var mistake: String? {
        if intervalMin < 6 { return "the interval is below 7.5 ms" }
        if intervalMax > 3_200 { return "the interval is above 4 s" }
        if intervalMin > intervalMax { return "the minimum of the interval is above the maximum" }
        if latency > 499 { return "the latency is above 499" }
        if timeout < 10 || timeout > 3_200 { return "the supervision timeout is not 100 ms to 32 s" }
        if Int(timeout) * 10_000 <= silence * 2 {
            return subrateFactor > 1
                ? "the supervision timeout is not above (1 + latency) × interval × subrate factor × 2"
                : "the supervision timeout is not above (1 + latency) × interval × 2"
        }
        return nil
    }

    /// Violations of Apple's guidelines for accessories.
    ///
    /// - Parameter isInput: a keyboard or the like, for which 11.25 ms are allowed.
    package func appleMistakes(isInput: Bool) -> [String] {
        if fitsOlderGuidelines { return [] }
        var mistakes: [String] = []
        if latency > 30 { mistakes.append("latency above 30") }
        if timeout < 200 || timeout > 600 { mistakes.append("supervision timeout not 2 to 6 s") }
        if !(isInput && intervalMin >= 9) {
            if intervalMin < 12 { mistakes.append("interval below 15 ms") }
            if intervalMin % 12 != 0 { mistakes.append("minimum interval is not a multiple of 15 ms") }
            let isFast = intervalMin == 12 && intervalMax == 12
            if !isFast, Int(intervalMin) + 12 > Int(intervalMax) {
                mistakes.append("maximum interval less than 15 ms above the minimum")
            }
        }
        if silence > 2_000_000 { mistakes.append("interval × (latency + 1) above 2 s") }
        if silence * 3 >= Int(timeout) * 10_000 {
            mistakes.append("supervision timeout not above 3 × interval × (latency + 1)")
        }
        return mistakes
    }

    /// Those before them, by which many devices were made.
    private var fitsOlderGuidelines: Bool {
        latency <= 4 && timeout <= 600 && intervalMin >= 16 && Int(intervalMin) + 16 <= Int(intervalMax)
            && silence <= 2_000_000
            && silence * 3 < Int(timeout) * 10_000
    }

    /// In microseconds: how long a peripheral may be silent.
    private var silence: Int { (Int(latency) + 1) * subrateFactor * (exact ?? Int(intervalMax) * 1_250) }
}

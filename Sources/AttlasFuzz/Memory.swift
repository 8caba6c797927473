import AttlasCapture
import Foundation

/// This process's memory use.
package enum Memory {
    /// Octets resident now.
    package static var resident: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4_096 : 0
    }

    /// The most octets that were resident since `forgetPeak`.
    package static var peak: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return (line.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1_024
    }

    package static func forgetPeak() {
        SystemCalls.forgetPeakMemory()
    }
}

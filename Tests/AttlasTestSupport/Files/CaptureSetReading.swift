import AttlasInput

/// All captures of a file, and what was refused between them.
public struct CaptureSetReading: Sendable {
    public var readings: [Reading] = []
    public var errors: [CaptureError] = []

    public init(_ bytes: [UInt8], name: String = "test") {
        self.init(CaptureSet(bytes: bytes, name: name))
    }

    public init(path: String) {
        self.init(CaptureSet(path: path))
    }

    /// More errors than any file of a test has: there it ends.
    public static let errorLimit = 1_000

    package init(_ captures: consuming CaptureSet) {
        var isAtEnd = false
        while !isAtEnd, errors.count < Self.errorLimit {
            do throws(CaptureError) {
                if let reader = try captures.next() { readings.append(Reading(reader)) } else { isAtEnd = true }
            } catch {
                errors.append(error)
            }
        }
    }

    public var names: [String] { readings.compactMap { $0.info?.file } }
    /// Captures that were refused, and such as could not be read to their end.
    public var failures: [CaptureError] { errors + readings.compactMap(\.error) }
    public var records: [[PlainRecord]] { readings.map(\.records) }
}

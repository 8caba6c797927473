import AttlasWire

/// Extended advertisements that a controller reports in several parts. Core Specification, Vol 4, Part E, 7.7.65.13.
struct AdvertisingParts: Sendable {
    /// More than any controller puts together at once: at this many all are forgotten.
    private static let limit = 64
    /// Octets of one advertisement. Vol 4, Part E, 7.8.57.
    private static let lengthLimit = 1_650

    struct Key: Hashable {
        let controller: UInt16
        let address: BluetoothAddress?
        let sid: UInt8
        let isScanResponse: Bool

        init(_ report: borrowing LEExtendedAdvertisingReport, _ controller: UInt16) {
            self.controller = controller
            address = report.address
            sid = report.advertisingSID
            isScanResponse = report.isScanResponse
        }
    }

    struct Advertisement: Sendable {
        private(set) var data: [UInt8] = []
        /// Of its parts.
        private(set) var frames: [Int] = []
        /// Whether octets are missing behind these: what comes after them is not added.
        var isTruncated = false

        mutating func add(_ report: borrowing LEExtendedAdvertisingReport, frame: Int) {
            frames.append(frame)
            guard !isTruncated else { return }
            guard data.count + report.data.count <= AdvertisingParts.lengthLimit else {
                isTruncated = true
                return
            }
            report.data.append(to: &data)
            isTruncated = report.missing > 0
        }
    }

    private var advertisements: [Key: Advertisement] = [:]

    /// Keeps a part after which more is to come.
    mutating func add(_ report: borrowing LEExtendedAdvertisingReport, _ key: Key, frame: Int) {
        if advertisements[key] == nil, advertisements.count >= Self.limit { advertisements.removeAll() }
        advertisements[key, default: Advertisement()].add(report, frame: frame)
    }

    /// The parts so far, which are forgotten; nil when there are none.
    mutating func take(_ key: Key) -> Advertisement? {
        // Nearly all reports are whole.
        advertisements.isEmpty ? nil : advertisements.removeValue(forKey: key)
    }

    /// A part of each may have been among lost records: what comes later need not follow on what is there.
    mutating func noteLoss() {
        for key in advertisements.keys { advertisements[key]?.isTruncated = true }
    }

    mutating func forget(_ controller: UInt16) {
        advertisements = advertisements.filter { $0.key.controller != controller }
    }
}

import AttlasWire

extension AdvertisingData {
    /// Octets of one advertisement that comes in parts. Core Specification, Vol 4, Part E, 7.8.57 and 7.8.62, and Vol 6, Part B, 4.4.2.10.
    static let lengthLimit = 1_650
}

/// Extended advertisements that a controller reports in several parts. Core Specification, Vol 4, Part E, 7.7.65.13.
struct AdvertisingParts: Sendable {
    /// More than any controller puts together at once: at this many all are forgotten.
    private static let limit = 64

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
        /// Those of its controller when its first part came: in a later one, a part may have been lost.
        let losses: Int
        private(set) var data: [UInt8] = []
        /// Frames of its parts; no more than it can have octets.
        private(set) var frames: [Int] = []
        /// Whether octets are missing after these: later ones are not added.
        private(set) var isTruncated = false

        fileprivate init(losses: Int) {
            self.losses = losses
        }

        mutating func add(_ report: borrowing LEExtendedAdvertisingReport, frame: Int, losses: Int) {
            guard frames.count < AdvertisingData.lengthLimit else {
                isTruncated = true
                return
            }
            frames.append(frame)
            if losses != self.losses { isTruncated = true }
            guard !isTruncated else { return }
            guard data.count + report.data.count <= AdvertisingData.lengthLimit else {
                isTruncated = true
                return
            }
            report.data.append(to: &data)
            isTruncated = report.missing > 0
        }
    }

    private var advertisements: [Key: Advertisement] = [:]

    /// Keeps a part after which more is to come.
    mutating func add(_ report: borrowing LEExtendedAdvertisingReport, _ key: Key, frame: Int, losses: Int) {
        if advertisements[key] == nil, advertisements.count >= Self.limit { advertisements.removeAll() }
        advertisements[key, default: Advertisement(losses: losses)].add(report, frame: frame, losses: losses)
    }

    /// The parts so far, which are forgotten; nil when there are none.
    mutating func take(_ key: Key) -> Advertisement? {
        // Nearly all reports are whole.
        advertisements.isEmpty ? nil : advertisements.removeValue(forKey: key)
    }

    mutating func forget(_ controller: UInt16) {
        advertisements = advertisements.filter { $0.key.controller != controller }
    }
}

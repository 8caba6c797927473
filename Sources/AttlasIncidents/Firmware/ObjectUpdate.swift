import AttlasTrace
import AttlasWire

/// The objects of an update by Nordic's Secure DFU: how much of each the host wrote, and the device has.
struct ObjectUpdate: Sendable {
    /// Octets of an object that a response counts.
    struct Count {
        let octets: Int64
        let written: Int
        let moment: Moment
    }

    /// The largest object of each type, and where the device said so.
    var largest: [Int64: (octets: Int64, frame: Int)] = [:]
    var selected: Int64?
    var created: (type: Int64, octets: Int64, moment: Moment)?
    /// The last count that is lower than what was written.
    var short: Count?
}

/// Octets of Write Commands to one attribute, since a procedure began.
struct CommandCount: Sendable {
    private(set) var handle: AttributeHandle = 0
    private(set) var octets = 0

    @inline(__always)
    mutating func note(_ handle: AttributeHandle, _ count: Int) {
        if self.handle != handle { (self.handle, octets) = (handle, 0) }
        octets += count
    }

    mutating func restart() { octets = 0 }
}

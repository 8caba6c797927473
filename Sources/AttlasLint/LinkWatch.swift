import AttlasCapture
import AttlasIncidents
import AttlasTrace
import AttlasWire

/// The rules' memory of a link's parameters.
struct ParametersWatch {
    /// From LL_VERSION_IND of the central.
    var centralCompany: UInt16?
    /// The request that was sent last, how often in a row, and where first.
    var repeated: (wanted: WantedParameters, count: Int, frame: Int)?
    /// Changes within a while.
    var changes: (count: Int, frame: Int, time: Timestamp)?

    /// The clock jumped, or records were lost.
    mutating func forgetTimes() {
        changes = nil
    }
}

/// The rules' memory of a controller.
struct ControllerWatch {
    /// Units of 0.625 ms.
    var scanWindow: (window: UInt16, interval: UInt16)?
    /// Since when it scans.
    var scan: (frame: Int, time: Timestamp)?
    var hasReset = false
    /// The frame of the host's own Identity Resolving Key that was set last.
    var ownKey: Int?
    var resolvesAddresses = false
    /// LE features.
    var features: UInt64?

    /// Half of the time or more.
    var scansMuch: Bool { scanWindow.map { $0.interval > 0 && Int($0.window) * 2 >= Int($0.interval) } ?? false }
}

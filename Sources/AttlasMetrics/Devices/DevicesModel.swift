import AttlasCapture

/// The devices of one capture.
public struct DevicesModel: Sendable {
    /// In the order in which they were first seen.
    public let devices: [DeviceCollector.Device]
    /// The number of older devices that are no longer listed.
    public let forgotten: Int
    /// The time of the first record.
    public let start: Timestamp?
}

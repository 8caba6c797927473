import AttlasCapture

/// Who was seen in one capture.
public struct DevicesModel: Sendable {
    /// In the order in which they were first seen.
    public let devices: [DeviceCollector.Device]
    /// Older devices that are not listed any more.
    public let forgotten: Int
    /// The time of the first record.
    public let start: Timestamp?
}

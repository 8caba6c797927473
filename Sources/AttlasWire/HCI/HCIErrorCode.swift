/// Why a controller could not, or why a link ended. Core Specification, Vol 1, Part F, 1.3.
public struct HCIErrorCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Success (0x00).
    public static let success = HCIErrorCode(rawValue: 0x00)

    /// Whether the code is 0x00.
    public var isSuccess: Bool { rawValue == 0x00 }
}

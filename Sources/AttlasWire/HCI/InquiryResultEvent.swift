/// HCI_Inquiry_Result, HCI_Inquiry_Result_With_RSSI and HCI_Extended_Inquiry_Result. Core Specification, Vol 4, Part E, 7.7.2,
/// 7.7.33 and 7.7.38.
///
/// ```
///  0               1
/// +---------------+----
/// | Num_Responses | responses, 14 octets each …
/// +---------------+----
/// a response:
///  0             6                           7          9 (8)                 12 (11)         14 (13)
/// +-------------+---------------------------+----------+---------------------+---------------+------+----
/// | BD_ADDR (6) | Page_Scan_Repetition_Mode | Reserved | Class_Of_Device (3) | Clock_Offset  | RSSI | EIR data (240)
/// +-------------+---------------------------+----------+---------------------+---------------+------+----
/// ```
/// Reserved has two octets and there is no RSSI in an Inquiry Result; only an Extended Inquiry Result has data, and one response.
public struct InquiryResultEvent: ~Escapable, Copyable {
    private static let stride = 14

    let bytes: Bytes
    private let hasRSSI: Bool
    private let hasData: Bool

    @_lifetime(copy bytes)
    init(_ bytes: Bytes, code: HCIEventCode) throws(WireError) {
        try bytes.requireParameters(1, "Inquiry Result incomplete")
        try bytes.requireParameters(1 + Self.stride * Int(bytes[0]), "Inquiry Result incomplete")
        self.bytes = bytes
        hasRSSI = code != .inquiryResult
        hasData = code == .extendedInquiryResult
    }

    /// Num_Responses.
    public var count: Int { Int(bytes[0]) }

    /// BD_ADDR of a response; `index` is below the number of responses.
    public func address(_ index: Int) -> BluetoothAddress { bytes.address(at: 1 + Self.stride * index, type: 0) }

    /// dBm.
    public func rssi(_ index: Int) -> Int8? {
        hasRSSI ? Int8(bitPattern: bytes[1 + Self.stride * index + 13]) : nil
    }

    /// Extended_Inquiry_Response: structures as in advertising. Vol 3, Part C, 8.
    public var data: AdvertisingData {
        @_lifetime(copy self) get { AdvertisingData(hasData ? bytes.dropFirst(1 + Self.stride) : bytes.prefix(0)) }
    }
}

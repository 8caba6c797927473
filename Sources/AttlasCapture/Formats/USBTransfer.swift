import AttlasWire

/// The header before a transfer in a capture of USB.
enum USBFraming: Hashable, Sendable {
    /// Linux, 48 octets. LINKTYPE_USB_LINUX.
    case linux
    /// The same with 16 more. LINKTYPE_USB_LINUX_MMAPPED.
    case linuxMmapped
    /// The header of USBPcap, for Windows. LINKTYPE_USBPCAP.
    case usbPcap
}

/// One transfer in a capture of USB: its submission by the host, or its completion.
struct USBTransfer {
    enum Kind: UInt8 {
        case isochronous, interrupt, control, bulk
    }

    let kind: Kind
    let bus: UInt16
    let device: UInt16
    /// The number, without the direction.
    let endpoint: UInt8
    /// Whether the endpoint sends to the host.
    let isIn: Bool
    /// Octets of a control transfer's setup packet, if the record has it.
    private(set) var setup: Range<Int>?
    /// Where the data is in the record; nil if it is in another one: of what the host sends in the submission, of what it receives in
    /// the completion.
    private(set) var data: Range<Int>?
    /// Octets of data that were not captured.
    private(set) var missing = 0

    /// Whether it ends a packet: it is shorter than the endpoint's packets, which have at least 16 octets for events and 64 for data.
    var isLast: Bool {
        let length = (data?.count ?? 0) + missing
        return switch kind {
        case .interrupt: length == 0 || !length.isMultiple(of: 16)
        case .bulk: length == 0 || !length.isMultiple(of: 64)
        case .control, .isochronous: true
        }
    }

    /// - Parameter missing: Octets of the record that were not captured.
    init?(_ bytes: borrowing Bytes, _ framing: USBFraming, _ order: ByteOrder, missing: Int) {
        switch framing {
        case .linux: self.init(linux: bytes, headerLength: 48, order)
        case .linuxMmapped: self.init(linux: bytes, headerLength: 64, order)
        case .usbPcap: self.init(usbPcap: bytes, missing: missing)
        }
    }

    /// Linux, Documentation/usb/usbmon.rst: in the byte order of the capture, but for the setup packet.
    ///
    /// ```
    /// | id 64 | S, C or E 8 | kind 8 | endpoint 8 | device 8 | bus 16 | 0: setup 8 | 0: data 8 | time 96 | status 32 |
    /// | length 32 | captured length 32 | setup packet 64 | more for the isochronous … | data …
    /// ```
    private init?(linux bytes: borrowing Bytes, headerLength: Int, _ order: ByteOrder) {
        guard bytes.count >= headerLength, let kind = Kind(rawValue: bytes[9]) else { return nil }
        self.kind = kind
        (endpoint, isIn) = (bytes[10] & 0x0F, bytes[10] & 0x80 != 0)
        device = UInt16(bytes[11])
        bus = bytes.uint16(at: 12, order)
        let isSubmission = bytes[8] == UInt8(ascii: "S")
        if isSubmission, bytes[14] == 0 { setup = 40..<48 }
        guard isSubmission != isIn, bytes[15] == 0 else { return }
        let captured = min(Int(clamping: bytes.uint32(at: 36, order)), bytes.count - headerLength)
        data = headerLength..<headerLength + captured
        missing = max(0, Int(clamping: bytes.uint32(at: 32, order)) - captured)
    }

    /// USBPcap, USBPcapBuffer.h: little-endian. Old versions have the setup packet and the data of a control transfer in two records.
    ///
    /// ```
    /// | header length 16 | id 64 | status 32 | function 16 | 1: completion 8 | bus 16 | device 16 | endpoint 8 | kind 8 |
    /// | length 32 | stage 8, of control transfers … | data …
    /// ```
    private init?(usbPcap bytes: borrowing Bytes, missing: Int) {
        guard bytes.count >= 27, let kind = Kind(rawValue: bytes[22]) else { return nil }
        let start = Int(bytes.uint16(at: 0))
        guard start >= (kind == .control ? 28 : 27), bytes.count >= start else { return nil }
        self.kind = kind
        bus = bytes.uint16(at: 17)
        device = bytes.uint16(at: 19)
        (endpoint, isIn) = (bytes[21] & 0x0F, bytes[21] & 0x80 != 0)
        guard (bytes[16] & 1 != 0) == isIn else { return }
        if kind == .control, bytes[27] == 0 {
            guard bytes.count >= start + 8 else { return nil }
            setup = start..<start + 8
        }
        data = (setup?.upperBound ?? start)..<bytes.count
        self.missing = missing
    }
}

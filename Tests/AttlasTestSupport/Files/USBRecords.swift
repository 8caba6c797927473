import AttlasWire

/// Records of USB transfers, by Documentation/usb/usbmon.rst of Linux and by USBPcapBuffer.h.
public struct USBRecords: Sendable, CustomStringConvertible {
    /// LINKTYPE_USB_LINUX, LINKTYPE_USB_LINUX_MMAPPED or LINKTYPE_USBPCAP.
    public let linkType: UInt16
    /// Of Linux's header.
    public let order: OctetOrder
    public var device: UInt8 = 5
    public var bus: UInt16 = 1

    public init(_ linkType: UInt16, order: OctetOrder = .little) {
        self.linkType = linkType
        self.order = order
    }

    public static func all(_ order: OctetOrder) -> [USBRecords] {
        [189, 220, 249].map { USBRecords($0, order: order) }
    }

    public var description: String { "\(linkType)" }

    /// An endpoint of a controller: Vol 4, Part B, 2.1.1.
    public enum Pipe: Sendable {
        case control, event, sent, received

        fileprivate var address: UInt8 {
            switch self {
            case .control: 0x00
            case .event: 0x81
            case .sent: 0x02
            case .received: 0x82
            }
        }

        /// As in usbmon and USBPcap: 1 for interrupt, 2 for control, 3 for bulk.
        fileprivate var kind: UInt8 {
            switch self {
            case .control: 2
            case .event: 1
            case .sent, .received: 3
            }
        }
    }

    /// A command as a class-specific request: bmRequestType, bRequest, wValue, wIndex, wLength.
    public func command(_ octets: [UInt8], request: [UInt8] = [0x20, 0x00]) -> [UInt8] {
        transfer(.control, octets, setup: request + [0, 0, 0, 0, UInt8(octets.count), 0])
    }

    /// - Parameters:
    ///   - octets: Data. What the host sends is in its submission, what it receives in the completion.
    ///   - isOther: For the record of the transfer that has no data.
    ///   - address: Another endpoint.
    public func transfer(
        _ pipe: Pipe, _ octets: [UInt8] = [], setup: [UInt8] = [], isOther: Bool = false, stage: UInt8? = nil,
        address: UInt8? = nil
    ) -> [UInt8] {
        let address = address ?? pipe.address
        let isCompletion = (address & 0x80 != 0) != isOther
        guard linkType == 249 else {
            return order.octets(UInt64(0xFFFF_8888_0000_1234), 8)
                + [UInt8(ascii: isCompletion ? "C" : "S"), pipe.kind, address, device] + order.octets(bus, 2)
                + [setup.isEmpty ? UInt8(ascii: "-") : 0, isOther ? UInt8(ascii: isCompletion ? ">" : "<") : 0]
                + [UInt8](repeating: 0, count: 12) + order.octets(UInt32(0), 4)
                + order.octets(UInt32(octets.count), 4) + order.octets(UInt32(octets.count), 4)
                + (setup.isEmpty ? [UInt8](repeating: 0, count: 8) : setup)
                + [UInt8](repeating: 0, count: linkType == 220 ? 16 : 0) + octets
        }
        let data = setup + octets
        let isControl = pipe == .control
        return [isControl ? 28 : 27, 0] + [UInt8](repeating: 0x11, count: 8) + [0, 0, 0, 0, 0x09, 0x00]
            + [isCompletion ? 1 : 0] + little(bus) + [device, 0, address, pipe.kind] + little(data.count, 4)
            + (isControl ? [stage ?? (setup.isEmpty ? 3 : 0)] : []) + data
    }

    /// A packet in one transfer.
    func record(_ packet: Packet) -> [UInt8] {
        switch packet.type {
        case .command: command(packet.octets)
        case .event: transfer(.event, packet.octets)
        default: transfer(packet.isReceived ? .received : .sent, packet.octets)
        }
    }
}

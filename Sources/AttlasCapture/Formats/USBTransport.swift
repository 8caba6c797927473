import AttlasWire

/// The HCI packets in a capture of USB: those of the devices that are Bluetooth controllers.
///
/// Commands go to the control endpoint, events come from interrupt endpoint 1, and data takes the bulk endpoints 2. A packet takes one
/// transfer or several. Voice (isochronous) and other devices are passed over. Core Specification, Vol 4, Part B, 2.1.
struct USBTransport: Sendable {
    /// An HCI packet, put together from its transfers.
    struct Packet {
        let head: PacketHead
        /// Those of the packet, then those of the options of its last record.
        var octets: [UInt8]
        let length: Int
        var missing = 0
        /// The pcapng interface of its last record.
        let interface: Int
    }

    /// Devices that are followed. A bus has up to 127, and a device that is plugged in again has a new number.
    private static let deviceLimit = 1024

    private var devices: [Device] = []
    private var controllers: UInt16 = 0
    private var ready: [Packet] = []

    /// The next packet that is complete with the records so far.
    mutating func next() -> Packet? { ready.isEmpty ? nil : ready.removeFirst() }

    /// Reads a record. `next` returns the packets that it completes.
    ///
    /// - Parameters:
    ///   - order: The byte order of the capture.
    ///   - missing: Octets of the record that were not captured.
    ///   - options: Octets of the options of its block.
    mutating func take(
        _ bytes: borrowing Bytes, _ framing: USBFraming, _ order: ByteOrder, missing: UInt32, interface: Int = 0,
        options: [UInt8] = []
    ) {
        guard let transfer = USBTransfer(bytes, framing, order, missing: Int(missing)) else {
            let head = PacketHead(tooShort: bytes)
            return ready.append(Packet(head: head, octets: [], length: 0, interface: interface))
        }
        guard let index = index(of: transfer, interface) else { return }
        if let setup = transfer.setup { devices[index].expectsCommand = CommandRequest(bytes.slice(setup)) }
        guard let data = transfer.data, let (pipe, type) = devices[index].pipe(of: transfer) else { return }
        let before = ready.count
        devices[index].pipes[pipe].append(bytes.slice(data), missing: transfer.missing)
        while let (octets, missing) = devices[index].pipes[pipe].takePacket(type) {
            if devices[index].controller == nil {
                // It has to fill its transfers: other devices have such octets anywhere.
                let fills = missing == 0 && devices[index].pipes[pipe].isEmpty
                guard fills, Self.isTelling(type, octets, devices[index].expectsCommand) else {
                    _ = devices[index].pipes[pipe].takeRest()
                    break
                }
                devices[index].controller = controllers
                controllers += 1
            }
            guard let controller = devices[index].controller else { break }
            let head = PacketHead(
                .packet(devices[index].type(of: octets, type)), transfer.isIn ? .rx : .tx, controller: controller)
            ready.append(
                Packet(head: head, octets: octets, length: octets.count, missing: missing, interface: interface))
        }
        if transfer.isLast, let stray = devices[index].pipes[pipe].takeRest(),
            let controller = devices[index].controller
        {
            let fault = CaptureFault(.strayOctets(UInt32(clamping: stray)), offset: 0)
            let head = PacketHead(.broken(fault), .unknown, controller: controller)
            ready.append(Packet(head: head, octets: [], length: 0, interface: interface))
        }
        if ready.count > before { ready[ready.count - 1].octets += options }
    }

    /// Why the capture has no packet, at its end.
    func refusal(_ name: String) -> CaptureError? {
        guard !devices.isEmpty, controllers == 0 else { return nil }
        let number = devices.count == 1 ? "a USB device that is not" : "\(devices.count) USB devices, none of which is"
        return CaptureError(
            .unsupported, file: name, "a capture of \(number) a Bluetooth controller",
            advice: "Capture the bus that the Bluetooth adapter is on, while it is in use.")
    }

    private mutating func index(of transfer: USBTransfer, _ interface: Int) -> Int? {
        let known = devices.firstIndex {
            $0.number == transfer.device && $0.bus == transfer.bus && $0.interface == interface
        }
        guard known == nil, devices.count < Self.deviceLimit else { return known }
        devices.append(Device(bus: transfer.bus, number: transfer.device, interface: interface))
        return devices.count - 1
    }

    /// The class-specific requests that carry a command: to the device, or to the interface in a composite device. bRequest is 0, and was E0 in
    /// early devices. Part B, 2.2.2.
    private enum CommandRequest {
        case ofDevice, ofInterface

        init?(_ setup: borrowing Bytes) {
            guard setup[1] == 0 || setup[1] == 0xE0 else { return nil }
            switch setup[0] {
            case 0x20: self = .ofDevice
            case 0x21: self = .ofInterface
            default: return nil
            }
        }
    }

    /// Whether the packet shows that the device is a Bluetooth controller: a command, an event whose parameters make sense, or data with a
    /// whole frame on a channel that is defined.
    private static func isTelling(_ type: HCIPacketType, _ octets: [UInt8], _ request: CommandRequest?) -> Bool {
        let bytes = Bytes(octets.span)
        guard type.isDumped(bytes) else { return false }
        switch type {
        // Modems have the same request to an interface.
        case .command: return request == .ofDevice || isDefined(HCIOpcode(rawValue: bytes.uint16(at: 0)))
        case .acl: return bytes[1] >> 4 != 1 && bytes.uint16(at: 4) + 8 == bytes.count && 1...6 ~= bytes.uint16(at: 6)
        case .event: break
        case .synchronous, .isochronous: return false
        }
        switch HCIEventCode(rawValue: bytes[0]) {
        case .commandComplete:
            return bytes.count >= 6 && bytes[2] <= 0x20 && isDefined(HCIOpcode(rawValue: bytes.uint16(at: 3)))
                && bytes[5] <= 0x46
        case .commandStatus:
            return bytes.count == 6 && bytes[2] <= 0x46 && bytes[3] <= 0x20
                && isDefined(HCIOpcode(rawValue: bytes.uint16(at: 4)))
        case .numberOfCompletedPackets:
            return bytes.count >= 7 && bytes.count == 3 + 4 * Int(bytes[2]) && bytes.uint16(at: 3) <= 0x0EFF
                && 1...0xFF ~= bytes.uint16(at: 5)
        case .leMeta:
            return [
                LESubeventCode.advertisingReport, .extendedAdvertisingReport,
            ].contains(LESubeventCode(rawValue: bytes[2])) && bytes.count > 13 && 1...25 ~= bytes[3]
                && (bytes[2] == LESubeventCode.advertisingReport.rawValue
                    ? bytes[3] > 1 || Int(bytes[12]) + 14 == bytes.count && bytes[4] <= 4 && bytes[5] <= 3
                    : bytes.count >= 28 && (bytes[3] > 1 || Int(bytes[27]) + 28 == bytes.count))
        default: return false
        }
    }

    /// A command of the specification; those of vendors may have any number.
    private static func isDefined(_ opcode: HCIOpcode) -> Bool {
        1...8 ~= opcode.rawValue >> 10 && 1...0x00BF ~= opcode.rawValue & 0x03FF
    }

    /// A device, and what was read of it.
    private struct Device: Sendable {
        let bus: UInt16
        let number: UInt16
        let interface: Int
        /// Its number among the controllers; nil if it is none, as far as is known.
        var controller: UInt16?
        /// The last setup packet, if it was that of a command, whose octets may come in a record after it.
        var expectsCommand: CommandRequest?
        /// Handles of isochronous streams, whose data takes the bulk endpoints too.
        private var streams: [UInt16] = []
        /// Commands, events, and data to and from the controller.
        var pipes = [Pipe](repeating: Pipe(), count: 4)

        init(bus: UInt16, number: UInt16, interface: Int) {
            self.bus = bus
            self.number = number
            self.interface = interface
        }

        func pipe(of transfer: USBTransfer) -> (pipe: Int, type: HCIPacketType)? {
            switch (transfer.kind, transfer.endpoint, transfer.isIn) {
            case (.control, 0, false): expectsCommand == nil ? nil : (0, .command)
            case (.interrupt, 1, true): (1, .event)
            case (.bulk, 2, let isIn): (isIn ? 3 : 2, .acl)
            default: nil
            }
        }

        /// The type of a packet: data is isochronous if its handle got a data path. Vol 4, Part E, 7.8.109.
        mutating func type(of octets: [UInt8], _ type: HCIPacketType) -> HCIPacketType {
            let bytes = Bytes(octets.span)
            if type == .acl, bytes.count >= 2, streams.contains(bytes.uint16(at: 0) & 0x0FFF) { return .isochronous }
            if type == .command, bytes.count >= 5, bytes.uint16(at: 0) == HCIOpcode.leSetupISODataPath.rawValue {
                let handle = bytes.uint16(at: 3) & 0x0FFF
                if !streams.contains(handle) { streams = streams.suffix(31) + [handle] }
            }
            return type
        }
    }

    /// The octets of an endpoint that are no whole packet yet.
    private struct Pipe: Sendable {
        private var octets: [UInt8] = []
        /// Octets after them that were not captured.
        private var missing = 0

        mutating func append(_ data: borrowing Bytes, missing: Int) {
            if self.missing == 0 { data.append(to: &octets) } else { self.missing += data.count }
            self.missing += missing
        }

        /// The first packet, and how many of its octets are missing; nil if it continues in other transfers.
        mutating func takePacket(_ type: HCIPacketType) -> ([UInt8], missing: Int)? {
            guard let length = type.length(Bytes(octets.span)), octets.count + missing >= length else { return nil }
            let packet = Array(octets.prefix(length))
            octets.removeFirst(packet.count)
            missing -= length - packet.count
            return (packet, length - packet.count)
        }

        var isEmpty: Bool { octets.isEmpty && missing == 0 }

        /// Forgets the octets at the end of a packet; returns their number, nil if there are none.
        mutating func takeRest() -> Int? {
            defer { (octets, missing) = ([], 0) }
            return octets.isEmpty ? nil : octets.count
        }
    }
}

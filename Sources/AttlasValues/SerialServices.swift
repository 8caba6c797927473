import AttlasTrace
import AttlasWire

/// The services of BR/EDR that have a channel, as the devices listed them. Core Specification, Vol 3, Part B, 5.1.
package struct SerialServices: Sendable {
    /// One of them.
    package struct Service: Equatable, Sendable {
        /// The first is the most specific. ServiceClassIDList.
        package let classes: [BluetoothUUID]
        /// Empty if it has none. ServiceName of the primary language.
        package let name: String
    }

    /// Devices with services; when there are more, all are forgotten.
    private static let ownerLimit = 512
    /// Services of one device.
    private static let limit = 64
    /// Octets of a list that comes in parts.
    private static let octetLimit = 65_536

    private var services: [TableOwner: [SerialData.Channel.Number: Service]] = [:]
    /// Lists of which only a part has come.
    private var parts: [TableOwner: [UInt8]] = [:]

    package init() {}

    /// The service whose channel it is; nil if the device did not list it.
    package func service(of channel: SerialData.Channel, _ connection: Int, in trace: borrowing Trace) -> Service? {
        if services.isEmpty { return nil }
        return services[TableOwner(channel.server, connection, in: trace)]?[channel.number]
    }

    /// - Parameter sdu: of the Service Discovery Protocol, or another.
    package mutating func follow(
        _ sdu: borrowing ChannelSDU, _ direction: Direction, _ connection: Int, in trace: borrowing Trace
    ) {
        guard sdu.psm == ProtocolMultiplexer.sdp, direction != .unknown,
            let response = SDPAttributesResponse(sdu.bytes)
        else { return }
        let owner = TableOwner(direction == .rx ? .peer : .local, connection, in: trace)
        var list = parts.removeValue(forKey: owner) ?? []
        response.list.append(to: &list)
        guard list.count <= Self.octetLimit else { return }
        guard !response.hasMore else {
            if parts.count < Self.ownerLimit { parts[owner] = list }
            return
        }
        var records = SDPElements(Bytes(list.span))
        // The client may have dropped a list before its end: what is left of it does not fit another.
        guard let list = records.next(), records.isAtEnd else { return }
        guard response.isOfSeveral else { return note(list, of: owner) }
        var elements = list.elements
        while let record = elements.next() { note(record, of: owner) }
    }

    /// A sequence of the identifiers of attributes, each before its value.
    private mutating func note(_ record: SDPElement, of owner: TableOwner) {
        var (channel, classes, name) = (SerialData.Channel.Number?.none, [BluetoothUUID](), "")
        var elements = record.elements
        while let identifier = elements.next()?.number, let value = elements.next() {
            switch identifier {
            case Attribute.serviceClasses:
                var all = value.elements
                while let element = all.next() { if let uuid = element.uuid { classes.append(uuid) } }
            case Attribute.protocols: channel = Self.channel(value)
            case Attribute.name where value.kind == .text:
                // Some end with a zero.
                name = String(decoding: value.bytes.copy().prefix { $0 != 0 }, as: UTF8.self)
            default: break
            }
        }
        guard let channel, !classes.isEmpty || !name.isEmpty else { return }
        if services[owner] == nil, services.count >= Self.ownerLimit { services.removeAll() }
        guard services[owner]?[channel] != nil || services[owner]?.count ?? 0 < Self.limit else { return }
        services[owner, default: [:]][channel] = Service(classes: classes, name: name)
    }

    /// The lowest protocol comes first: L2CAP with its PSM, then RFCOMM with its channel.
    private static func channel(_ protocols: SDPElement) -> SerialData.Channel.Number? {
        var stack = protocols.elements
        var channel: SerialData.Channel.Number?
        while let layer = stack.next() {
            var parameters = layer.elements
            let uuid = parameters.next()?.uuid
            guard let number = parameters.next()?.number else { continue }
            switch uuid {
            case Attribute.l2cap: channel = .psm(number)
            case Attribute.rfcomm: channel = UInt8(exactly: number).map { .rfcomm($0) }
            default: break
            }
        }
        return channel
    }

    /// Attributes of services, and protocols of a stack. Assigned Numbers, 3.1 and 5.2.
    private enum Attribute {
        static let serviceClasses: UInt16 = 0x0001
        static let protocols: UInt16 = 0x0004
        static let name: UInt16 = 0x0100
        static let rfcomm = BluetoothUUID(0x0003 as UInt16)
        static let l2cap = BluetoothUUID(0x0100 as UInt16)
    }
}

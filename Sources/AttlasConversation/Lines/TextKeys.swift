import AttlasText
import AttlasTrace
import AttlasWire

/// An attribute of a device. Most lines of a capture are about few of them. Numbers of UUIDs are those of one trace.
struct AttributeTextKey: RenderedTextKey {
    let handle: AttributeHandle
    let attribute: AttributeInfo

    /// Devices number their attributes alike, but for different types.
    var place: Int {
        let uuids = Int(attribute.type.value) &* 37 &+ Int(attribute.service?.value ?? 0) &* 211
        return Int(handle) &+ uuids &+ Int(attribute.characteristic?.value ?? 0) &* 17
    }
}

/// The text before the value, for one attribute of a connection: sender, receiver, method and subject.
struct SubjectTextKey: RenderedTextKey {
    let link: LinkTextKey
    let opcode: ATTOpcode
    let handle: AttributeHandle?
    let attribute: AttributeInfo?
    /// From which it is aligned.
    let column: Int

    var place: Int { link.place &* 67 &+ Int(handle ?? 0) &* 5 &+ Int(opcode.rawValue) }
}

/// A direction of a connection, and its peer, whose name is added when it is read, and its address when it is resolved.
struct LinkTextKey: RenderedTextKey {
    let number: Int
    let direction: Direction
    let address: BluetoothAddress?
    let privateAddress: BluetoothAddress?
    let name: String?

    init(_ connection: Int, _ direction: Direction, in trace: borrowing Trace) {
        number = trace.connections[connection].number
        self.direction = direction
        privateAddress = trace.connections[connection].privateAddress
        let peer = trace.connections[connection].peer
        address = trace.peerAddress(peer)
        name = trace.peerName(peer)
    }

    var place: Int { number &* 3 &+ (direction == .tx ? 0 : direction == .rx ? 1 : 2) }
}

/// The text that ATT operations share: PDUs with one opcode, over one bearer, about one server.
struct MethodTextKey: RenderedTextKey {
    let bearer: Bearer.Kind
    let opcode: ATTOpcode
    let server: ServerSide

    var place: Int { Int(opcode.rawValue) &* 2 &+ (server == .peer ? 1 : 0) }
}

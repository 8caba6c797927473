import AttlasMetrics
import AttlasTrace
import AttlasWire

/// Text that an output says again and again, written once and kept for each key.
///
/// Subjects that share a place share it in turn.
struct RenderedTextCache<Key: RenderedTextKey> {
    private struct Entry {
        let key: Key
        let text: [UInt8]
        let columns: Int
    }

    private var entries: [Entry] = []
    /// Of the entry at each place, counted from 1; 0 where there is none yet.
    private var numbers = [UInt16](repeating: 0, count: 1_024)

    /// Appends the text of `key` to `buffer`.
    ///
    /// - Returns: the columns that were noted with it; nil when it is not here.
    func append(_ key: Key, to buffer: inout TextBuffer) -> Int? {
        let number = Int(numbers[key.place & (numbers.count - 1)])
        guard number > 0, entries.span[number - 1].key == key else { return nil }
        buffer.append(contentsOf: entries[number - 1].text)
        return entries[number - 1].columns
    }

    mutating func keep(_ text: ArraySlice<UInt8>, columns: Int = 0, of key: Key) {
        let place = key.place & (numbers.count - 1)
        let entry = Entry(key: key, text: Array(text), columns: columns)
        if numbers[place] > 0 {
            entries[Int(numbers[place]) - 1] = entry
        } else {
            entries.append(entry)
            numbers[place] = UInt16(entries.count)
        }
    }
}

/// All that a text is made of.
protocol RenderedTextKey: Equatable {
    /// A number that few others have.
    var place: Int { get }
}

/// An attribute of a device. Most lines of a capture are about few of them. Numbers of UUIDs are those of one trace.
struct AttributeTextKey: RenderedTextKey {
    let handle: AttributeHandle
    let attribute: AttributeInfo

    /// Devices number their attributes alike, and differ in what those are.
    var place: Int {
        let uuids = Int(attribute.type.value) &* 37 &+ Int(attribute.service?.value ?? 0) &* 211
        return Int(handle) &+ uuids &+ Int(attribute.characteristic?.value ?? 0) &* 17
    }
}

/// What a line says before the value, of one attribute of a connection: who sends to whom, by which method, and about what.
struct SubjectTextKey: RenderedTextKey {
    let link: LinkTextKey
    let opcode: ATTOpcode
    let handle: AttributeHandle?
    let attribute: AttributeInfo?
    /// From which it is aligned.
    let column: Int

    var place: Int { link.place &* 67 &+ Int(handle ?? 0) &* 5 &+ Int(opcode.rawValue) }
}

/// A direction of a connection, and who its peer is: that one gets its name when it is read, and its address when it is resolved.
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

/// What ATT operations have in common: PDUs with one opcode, over one bearer, about one server.
struct MethodTextKey: RenderedTextKey {
    let bearer: Bearer.Kind
    let opcode: ATTOpcode
    let server: ServerSide

    var place: Int { Int(opcode.rawValue) &* 2 &+ (server == .peer ? 1 : 0) }
}

/// What a table says of a row: its method, its direction and its attribute.
struct RowTextKey: RenderedTextKey {
    let key: RowKey
    /// From which it is written.
    let column: Int
    let isShort: Bool

    /// Devices number their attributes alike, and differ in what those are.
    var place: Int {
        let uuids =
            Int(key.attribute?.characteristic?.value ?? 0) &* 37 &+ Int(key.attribute?.service?.value ?? 0) &* 211
        return Int(key.attribute?.handle ?? 0) &* 5 &+ Int(key.opcode.rawValue) &+ column &* 67 &+ uuids
    }
}

import AttlasWire

/// A small number for each UUID seen, so that attributes stay small and a sink can keep its data about a UUID in an array.
public struct UUIDIndex: Hashable, Sendable {
    /// Position in `Trace.uuids`, from 0.
    public let value: Int32

    package init(value: Int32) {
        self.value = value
    }
}

/// Every UUID seen so far. At `limit` no more are taken: a hostile stream can invent 2^128 of them.
public struct UUIDTable: Sendable {
    static let limit = 65_536

    private var uuids: [BluetoothUUID] = []
    private var indexes: [BluetoothUUID: UUIDIndex] = [:]

    var isFull: Bool { uuids.count >= Self.limit }

    /// nil when the table is full.
    mutating func index(of uuid: BluetoothUUID) -> UUIDIndex? {
        if let index = indexes[uuid] { return index }
        guard !isFull else { return nil }
        let index = UUIDIndex(value: Int32(uuids.count))
        uuids.append(uuid)
        indexes[uuid] = index
        return index
    }

    /// Half of the table is for UUIDs in the capture itself.
    mutating func index(ofImported uuid: BluetoothUUID) -> UUIDIndex? {
        guard uuids.count < Self.limit / 2 else { return indexes[uuid] }
        return index(of: uuid)
    }

    /// Its number, when it was seen.
    public func known(_ uuid: BluetoothUUID) -> UUIDIndex? { indexes[uuid] }

    /// UUID of a number of this trace.
    public subscript(_ index: UUIDIndex) -> BluetoothUUID { uuids[Int(index.value)] }
    var count: Int { uuids.count }
    /// In the order of their numbers.
    public var all: [BluetoothUUID] { uuids }
}

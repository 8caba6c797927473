import AttlasCapture
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasTrace

/// A table of any size and order holds what one holds that looks at all of its entries each time.
@Suite struct AttributeTableTests {
    private let types: DeclarationTypes
    private let uuids: [UUIDIndex]
    private static let shorts: [UInt16] = [0x2800, 0x2801, 0x2802, 0x2803, 0x2902, 0x2A19, 0x180F, 0x180D]

    init() {
        var table = UUIDTable()
        types = DeclarationTypes(in: &table)
        uuids = Self.shorts.map { table.index(of: BluetoothUUID($0))! }
    }

    /// One handle in twenty is far away from the others.
    private func handle(_ random: inout SplitMix64) -> UInt16 {
        Int.random(in: 0..<20, using: &random) == 0
            ? UInt16.random(in: 0xFF00...0xFFFF, using: &random) : UInt16.random(in: 1...200, using: &random)
    }

    private func learned(_ connection: Int, _ frame: Int) -> AttributeTable.Learned {
        AttributeTable.Learned(
            frame: frame, connection: connection, time: Timestamp(seconds: 0, nanoseconds: 0, precision: 0),
            inference: nil)
    }

    @Test(arguments: 0..<8) func itHoldsWhatAPlainTableHolds(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var table = AttributeTable()
        var plain = PlainTable()
        for frame in 1...2_000 {
            let connection = frame / 500 + 1
            let learned = learned(connection, frame)
            let (first, second) = (handle(&random), handle(&random))
            let uuid = Int.random(in: 0..<uuids.count, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<5:
                let end =
                    Int.random(in: 0..<5, using: &random) == 0 ? 0xFFFF : min(0xFFFF, Int(first) + Int(second) % 9)
                let service = AttributeTable.Service(
                    handle: first, endHandle: AttributeHandle(end), uuid: uuids[uuid], isPrimary: true, learned: learned
                )
                table.insert(service)
                plain.insert(service)
            case 5..<7:
                let include = AttributeTable.Include(
                    handle: first, includedHandle: second, endHandle: second, uuid: uuid > 4 ? nil : uuids[uuid],
                    learned: learned)
                table.insert(include)
                plain.insert(include)
            case 7..<13:
                let value = uuid > 4 ? second : first &+ 1
                let characteristic = AttributeTable.Characteristic(
                    handle: first, valueHandle: value, properties: .read, uuid: uuids[uuid], learned: learned)
                table.insert(characteristic)
                plain.insert(characteristic)
            case 13..<19:
                let attribute = AttributeTable.TypedAttribute(
                    handle: first, uuid: uuids[uuid], type: BluetoothUUID(Self.shorts[uuid]), wasReadByType: false,
                    learned: learned)
                table.insert(attribute)
                plain.insert(attribute)
            default:
                let range = min(first, second)...max(first, second)
                guard range.count < 20 else { continue }
                table.forget(range, frame: 9, connection: 1)
                plain.forget(range)
            }
            expect(table.services.map(\.handle), equals: plain.services.map(\.handle))
            expect(table.services.map(\.endHandle), equals: plain.services.map(\.endHandle))
            expect(table.includes.map(\.handle), equals: plain.includes.map(\.handle))
            expect(table.characteristics.map(\.handle), equals: plain.characteristics.map(\.handle))
            expect(table.characteristics.map(\.valueHandle), equals: plain.characteristics.map(\.valueHandle))
            expect(table.typedAttributes.map(\.handle), equals: plain.typedAttributes.map(\.handle))
            expect(table.end(ofServiceAt: second, types: types), equals: plain.end(ofServiceAt: second, types: types))
            expect(
                table.includesUnnamed(second),
                equals: plain.includes.contains { $0.includedHandle == second && $0.uuid == nil })
        }
        #expect(!table.isEmpty)
    }

    /// 30 000 characteristics in any order, one of them with its value far away, discovered twice.
    @Test func manyCharacteristicsKeepTheirPlaces() {
        var table = AttributeTable()
        table.limit = 65_535
        var random = SplitMix64(seed: 3)
        for connection in 1...2 {
            for number in (0..<30_000 as Range<UInt16>).shuffled(using: &random) {
                let handle = 2 * number + 1
                table.insert(
                    AttributeTable.Characteristic(
                        handle: handle, valueHandle: number == 7 ? 0xFFF0 : handle + 1, properties: .read,
                        uuid: uuids[5],
                        learned: learned(connection, 1)))
            }
        }
        expect(table.characteristics.count, equals: 30_000)
        let handles = (0..<30_000 as Range<UInt16>).map { 2 * $0 + 1 }
        expect(table.characteristics.map(\.handle), equals: handles)
        expect(table.characteristics[15]?.valueHandle, equals: 0xFFF0)
        #expect(table.info(0xFFF0, connection: 2, types: types)?.role == nil)
        expect(table.info(59_998, connection: 2, types: types)?.knownFrom, equals: .discovery)
    }
}

/// The same table, which looks at all entries for each change.
private struct PlainTable {
    var services: [AttributeTable.Service] = []
    var includes: [AttributeTable.Include] = []
    var characteristics: [AttributeTable.Characteristic] = []
    var typedAttributes: [AttributeTable.TypedAttribute] = []

    private mutating func replace<Entry: Keyed>(_ list: WritableKeyPath<Self, [Entry]>, _ entry: Entry) {
        self[keyPath: list].removeAll { $0.key == entry.key }
        self[keyPath: list].append(entry)
        self[keyPath: list].sort { $0.key < $1.key }
    }

    mutating func insert(_ service: AttributeTable.Service) {
        guard service.handle > 0, service.endHandle >= service.handle else { return }
        if let index = services.firstIndex(where: { $0.handle < service.handle && $0.endHandle == 0xFFFF }) {
            services[index].endHandle = service.handle - 1
        }
        let overlapping = services.filter { $0.handle <= service.endHandle && $0.endHandle >= service.handle }
        let range = service.handle...service.endHandle
        if overlapping.contains(where: { $0.handle...$0.endHandle != range || $0.uuid != service.uuid }) {
            services.removeAll { $0.handle <= service.endHandle && $0.endHandle >= service.handle }
            let gone = [range] + overlapping.map { $0.handle...$0.endHandle }
            func isStale(_ handle: AttributeHandle, _ learned: AttributeTable.Learned) -> Bool {
                gone.contains { $0.contains(handle) } && learned.connection < service.learned.connection
            }
            includes.removeAll { isStale($0.handle, $0.learned) }
            characteristics.removeAll { isStale($0.handle, $0.learned) }
            typedAttributes.removeAll { isStale($0.handle, $0.learned) }
        }
        replace(\.services, service)
        typedAttributes.removeAll { $0.handle == service.handle }
    }

    mutating func insert(_ include: AttributeTable.Include) {
        guard include.handle > 0 else { return }
        replace(\.includes, include)
        typedAttributes.removeAll { $0.handle == include.handle }
    }

    mutating func insert(_ new: AttributeTable.Characteristic) {
        guard new.handle > 0, new.valueHandle > new.handle else { return }
        characteristics.removeAll {
            $0.handle != new.handle
                && ($0.handle == new.valueHandle || [new.handle, new.valueHandle].contains($0.valueHandle))
        }
        replace(\.characteristics, new)
        typedAttributes.removeAll { [new.handle, new.valueHandle].contains($0.handle) }
    }

    mutating func insert(_ attribute: AttributeTable.TypedAttribute) {
        let handle = attribute.handle
        guard handle > 0 else { return }
        let isDeclared =
            services.contains { $0.handle == handle } || includes.contains { $0.handle == handle }
            || characteristics.contains { $0.handle == handle }
        if attribute.isDeclaration, isDeclared { return }
        if let owner = characteristics.last(where: { $0.handle <= handle }),
            owner.handle == handle || owner.valueHandle == handle
        {
            if owner.valueHandle == handle && owner.uuid == attribute.uuid { return }
            characteristics.removeAll { $0.handle == owner.handle }
        }
        services.removeAll { $0.handle == handle }
        includes.removeAll { $0.handle == handle }
        replace(\.typedAttributes, attribute)
    }

    mutating func forget(_ range: ClosedRange<AttributeHandle>) {
        services.removeAll { range.contains($0.handle) }
        includes.removeAll { range.contains($0.handle) }
        characteristics.removeAll { range.contains($0.handle) || range.contains($0.valueHandle) }
        typedAttributes.removeAll { range.contains($0.handle) }
    }

    func end(ofServiceAt handle: AttributeHandle, types: DeclarationTypes) -> AttributeHandle {
        if let known = services.first(where: { $0.handle == handle }) { return known.endHandle }
        if let include = includes.first(where: { $0.includedHandle == handle }) { return include.endHandle }
        let declared = typedAttributes.filter { $0.uuid == types.primaryService || $0.uuid == types.secondaryService }
        let next = (services.map(\.handle) + declared.map(\.handle)).filter { $0 > handle }.min()
        return next.map { $0 - 1 } ?? 0xFFFF
    }
}

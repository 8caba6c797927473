import AttlasDissection
import AttlasTrace
import AttlasWire

/// The dissectors of one type of attribute, by the service that has it.
struct ServiceDissectors {
    /// A capture uses a characteristic in one service or in two; those that are met least are looked up again.
    private static let limit = 8

    private struct Choice {
        let service: UUIDIndex
        let dissector: Dissector?
    }

    private let isSameEverywhere: Bool
    /// In a service that is unknown.
    private let dissector: Dissector?
    private var choices: [Choice] = []

    init(of uuid: BluetoothUUID, in library: DissectorLibrary) {
        dissector = library.dissector(for: uuid)
        isSameEverywhere = library.dissectors(for: uuid).allSatisfy(\.services.isEmpty)
    }

    /// `.some(nil)`: no definition applies in the service; nil: `choose` it first.
    @inline(__always)
    func chosen(in service: UUIDIndex?) -> Dissector?? {
        guard let service, !isSameEverywhere else { return .some(dissector) }
        for choice in choices where choice.service == service { return .some(choice.dissector) }
        return nil
    }

    mutating func choose(
        _ uuid: BluetoothUUID, in service: UUIDIndex?, _ library: DissectorLibrary, _ trace: borrowing Trace
    ) -> Dissector? {
        if let chosen = chosen(in: service) { return chosen }
        guard let service else { return dissector }
        let dissector = library.dissector(for: uuid, in: trace.uuids[service])
        if choices.count == Self.limit { choices.removeFirst() }
        choices.append(Choice(service: service, dissector: dissector))
        return dissector
    }
}

import AttlasWire

/// Unknown handles to which 0x0001, 0x0002 or 0x0003 was written: they may be Client Characteristic Configurations. The
/// last few written.
struct ConfigurationCandidates: Sendable {
    static let limit = 16

    private struct Candidate {
        let server: ServerSide
        let handle: AttributeHandle
        let configuration: UInt16
    }

    private var candidates: [Candidate] = []

    var isEmpty: Bool { candidates.isEmpty }

    mutating func note(_ handle: AttributeHandle, _ server: ServerSide, _ configuration: UInt16) {
        candidates.removeAll { $0.handle == handle && $0.server == server }
        if candidates.count == Self.limit { candidates.removeFirst() }
        candidates.append(Candidate(server: server, handle: handle, configuration: configuration))
    }

    /// The value written to the handle, if it allows these values; the handle is not a candidate afterwards.
    ///
    /// - Parameter kind: 1 for notifications, 2 for indications.
    mutating func take(_ handle: AttributeHandle, _ server: ServerSide, kind: UInt16) -> UInt16? {
        guard
            let index = candidates.firstIndex(where: {
                $0.handle == handle && $0.server == server && $0.configuration & kind != 0
            })
        else { return nil }
        return candidates.remove(at: index).configuration
    }
}

import Testing

@testable import AttlasWire

extension [UInt8] {
    var wire: Bytes {
        @_lifetime(borrow self) get { Bytes(span) }
    }
}

/// What reading these octets fails with; nil when it does not.
func failure(_ octets: [UInt8], _ read: (Bytes) throws -> Void) -> WireError? {
    do {
        try read(octets.wire)
        return nil
    } catch {
        return error as? WireError
    }
}

/// Every prefix of less than `need` octets fails, saying how many it would take and how many there are; all from there
/// on can be read.
func expectNeed(
    _ need: Int, of octets: [UInt8], layer: WireError.Layer = .att, limit: WireError.Limit = .l2capLength,
    sourceLocation: SourceLocation = #_sourceLocation, _ read: (Bytes) throws -> Void
) {
    #expect(octets.count >= need, "a test that does not reach its subject", sourceLocation: sourceLocation)
    for length in 0...octets.count {
        let error = failure(Array(octets.prefix(length)), read)
        guard length < need else {
            #expect(error == nil, "\(length) octets", sourceLocation: sourceLocation)
            continue
        }
        #expect(error?.layer == layer, "\(length) octets", sourceLocation: sourceLocation)
        #expect(error?.limit == limit, "\(length) octets", sourceLocation: sourceLocation)
        #expect(error?.need == need, "\(length) octets", sourceLocation: sourceLocation)
        #expect(error?.have == length, "\(length) octets", sourceLocation: sourceLocation)
    }
}

import AttlasDissection
import AttlasIncidents
import AttlasProcedures
import AttlasTrace
import AttlasValues
import AttlasWire

/// A filter expression, ready to be evaluated.
///
/// A test is true or false of an event, or neither: `char == 2A37` is neither of a disconnection, which has no characteristic, and `not`
/// leaves it so. Only true events are selected, so that both an expression and its `not` concern events with the tested property.
indirect enum FilterExpression: Sendable {
    case test(FilterTest)
    case not(FilterExpression)
    case all([FilterExpression])
    case any([FilterExpression])
}

enum FilterTest: Sendable {
    /// The event has the property, or meets the condition.
    case has(FilterProperty)
    case number(FilterProperty, FilterComparison, Int64)
    case method(OctetSet)
    case error(codes: OctetSet, name: FoldedText)
    case direction(Direction)
    case server(ServerSide)
    case knownFrom(KnownFrom)
    case bearer(FilterBearer)
    case incident(Incident.Kind)
    /// An incident of this weight or more.
    case incidentOf(Incident.Weight)
    case procedure(Procedure.Kind)
    case outcome(Procedure.Outcome.Word)
    case reason(OctetSet)
    case peer(FilterComparison, FoldedText)
    case peerIsIn(PeerSet)
    case uuid(UUIDTest)
    case advertised(AdvertisedTest)
    case value(FilterComparison, [UInt8])
    case field(FieldTest)
}

/// A test of a service, a characteristic or a descriptor. The result for each UUID is remembered under `slot`.
struct UUIDTest: Sendable {
    let property: FilterProperty
    let comparison: FilterComparison
    let uuid: BluetoothUUID?
    let name: FoldedText
    let slot: Int

    func isMet(by uuid: BluetoothUUID, _ library: DissectorLibrary) -> Bool {
        if self.uuid == uuid { return true }
        // The first digits identify a vendor's UUID as well as all 32 do.
        if comparison == .contains, FoldedText(uuid.description).meets(.begins, name) { return true }
        let service =
            property == .service || property == .serviceData || property == .uuid
            ? library.serviceName(of: uuid) ?? library.assignee(of: uuid) : nil
        guard
            let known = service
                ?? (property == .service || property == .serviceData ? nil : library.attributeName(of: uuid))
        else {
            return false
        }
        return FoldedText(known).meets(comparison, name)
    }
}

/// A test of an advertisement's data: the company of manufacturer data, or the UUID of service data.
enum AdvertisedTest: Sendable {
    /// The number; nil if the test is for a name.
    case company(UInt16?, FilterComparison, FoldedText)
    case serviceData(UUIDTest)

    func isMet(by data: AdvertisedData, _ library: DissectorLibrary) -> Bool? {
        switch self {
        case .company(let number, let comparison, let name):
            let companies = data.manufacturerData.map(\.company)
            guard !companies.isEmpty else { return nil }
            return companies.contains { company in
                if let number { return company == number }
                return library.companyName(of: company).map { FoldedText($0).meets(comparison, name) } ?? false
            }
        case .serviceData(let test):
            return data.serviceData.isEmpty ? nil : data.serviceData.contains { test.isMet(by: $0.uuid, library) }
        }
    }
}

/// A test of a field of the value; which fields it means in each definition is remembered under `slot`.
struct FieldTest: Sendable {
    /// nil: the value has the field, or the flag is set.
    let comparison: FilterComparison?
    let number: FilterNumber?
    let text: FoldedText
    let slot: Int
}

enum FilterBearer: Sendable, Equatable {
    case unenhanced, classic
    case enhanced(L2CAPChannel?)

    func includes(_ kind: Bearer.Kind) -> Bool {
        switch (self, kind) {
        case (.unenhanced, .unenhanced), (.classic, .classic), (.enhanced(nil), .enhanced): true
        case (.enhanced(let wanted), .enhanced(let channel)): wanted == channel
        default: false
        }
    }
}

/// Some of the 256 values of an octet.
struct OctetSet: Sendable {
    private var bits = InlineArray<4, UInt64>(repeating: 0)

    var isEmpty: Bool { bits[0] | bits[1] | bits[2] | bits[3] == 0 }

    init(where isMember: (UInt8) -> Bool) {
        for octet in UInt8.min...UInt8.max where isMember(octet) {
            bits[Int(octet >> 6)] |= 1 << UInt64(octet & 63)
        }
    }

    func contains(_ octet: UInt8) -> Bool {
        bits[Int(octet >> 6)] & 1 << UInt64(octet & 63) != 0
    }
}

import AttlasCapture
import AttlasTrace
import AttlasWire

/// The requests and indications of one connection that wait for their answers: at most one of each on every bearer and side.
struct Outstanding: Sendable {
    struct Request: Sendable {
        let frame: Int
        let time: Timestamp
        /// The row that counts it; nil if it was not selected.
        let row: Int?
        /// Whether the answer may be among packets that the capture does not have.
        var mayBeAnswered = false
    }

    private struct Place: Equatable, Sendable {
        let bearer: UInt16
        let server: ServerSide
        let isIndication: Bool
    }

    /// More bearers than a connection can have.
    private static let limit = 512

    /// Almost always none or one.
    private var requests: [(place: Place, request: Request)] = []
    /// The losses of which it knows, of all controllers and of the connection's own.
    private(set) var losses = 0
    private var ownLosses = 0

    /// Notes a request, and gives the one in whose place it comes.
    mutating func note(_ request: Request, _ operation: borrowing ATTOperation, isIndication: Bool) -> Request? {
        let place = Place(bearer: operation.bearer.number, server: operation.server, isIndication: isIndication)
        if let index = requests.firstIndex(where: { $0.place == place }) {
            defer { requests[index].request = request }
            return requests[index].request
        }
        if requests.count < Self.limit { requests.append((place, request)) }
        return nil
    }

    /// The request that the operation answers.
    mutating func take(_ operation: borrowing ATTOperation, isIndication: Bool) -> Request? {
        let place = Place(bearer: operation.bearer.number, server: operation.server, isIndication: isIndication)
        guard let index = requests.firstIndex(where: { $0.place == place }) else { return nil }
        return requests.remove(at: index).request
    }

    /// What never was answered.
    mutating func takeAll() -> [Request] {
        defer { forget() }
        return requests.map(\.request)
    }

    mutating func forget() {
        requests.removeAll(keepingCapacity: true)
    }

    /// Packets are missing from the capture: of this server's side, or of both for nil.
    mutating func doubt(_ server: ServerSide? = nil) {
        for index in requests.indices where server == nil || requests[index].place.server == server {
            requests[index].request.mayBeAnswered = true
        }
    }

    /// The same if there was a loss since.
    mutating func doubt(after losses: Losses, of controller: UInt16) {
        let own = losses.count(of: controller)
        if own != ownLosses { doubt() }
        ownLosses = own
        self.losses = losses.count
    }
}

extension Bearer.Kind {
    fileprivate var number: UInt16 {
        switch self {
        case .unenhanced: 0
        case .classic: 1
        case .enhanced(let channel): channel.rawValue
        }
    }
}

import AttlasTrace
import AttlasValues
import AttlasWire

/// Requests to the control points of a connection, and the announcement of a restart. Bounded.
struct ProcedureState {
    /// Attributes whose values have no results, by the lowest bits of the handle: a newer one replaces an older one.
    private var plain = InlineArray<16, UInt32>(repeating: 0)
    private var requests: [Key: Request] = [:]
    /// Requests were left out.
    private(set) var isFull = false
    /// The device announced that it restarts or leaves.
    private(set) var restart: Restart?

    private static let requestLimit = 256

    /// A procedure of a control point.
    struct Key: Hashable {
        let server: ServerSide
        let handle: AttributeHandle
        /// The number of the procedure in the value; nil if no field names it.
        let number: Int64?
    }

    /// The last write that requested a procedure.
    struct Request {
        let moment: Moment
        /// `Request Control`
        let words: String?
        let asker: Direction
        /// With what the server said it can do.
        let conflict: AudioServers.Conflict?
    }

    struct Restart {
        let server: ServerSide
        let handle: AttributeHandle
        /// The frames of the announcement.
        var frames: [Int]
        let first: Moment
        var last: Moment
        /// `End was written to OTA`
        let words: String
    }

    /// Whether the PDU has a value that may have a result. Called for every PDU.
    @inline(__always)
    func mayHaveOutcome(_ operation: borrowing ATTOperation) -> Bool {
        guard let handle = operation.handle, operation.mayHaveReadableValue else { return false }
        return plain[Int(handle & 15)] != Self.mark(operation.server, handle)
    }

    /// Ignores the attribute's values from now on.
    mutating func leaveOut(_ server: ServerSide, _ handle: AttributeHandle) {
        plain[Int(handle & 15)] = Self.mark(server, handle)
    }

    private static func mark(_ server: ServerSide, _ handle: AttributeHandle) -> UInt32 {
        UInt32(handle) | (server == .peer ? 1 : 2) << 16
    }

    mutating func ask(_ key: Key, _ request: Request) {
        guard requests.count < Self.requestLimit || requests[key] != nil else {
            isFull = true
            return
        }
        requests[key] = request
    }

    /// The last request for this procedure.
    func request(_ key: Key) -> Request? { requests[key] }

    /// Where this procedure was requested last, of each control point of a server.
    func lastRequests(of number: Int64, to server: ServerSide) -> [(handle: AttributeHandle, moment: Moment)] {
        requests.lazy.filter { $0.key.number == number && $0.key.server == server }
            .map { ($0.key.handle, $0.value.moment) }
    }

    /// The last request that was written to the attribute.
    func lastRequest(_ server: ServerSide, _ handle: AttributeHandle) -> (key: Key, request: Request)? {
        requests.lazy.filter { $0.key.server == server && $0.key.handle == handle }
            .max { $0.value.moment.frame < $1.value.moment.frame }.map { ($0.key, $0.value) }
    }

    /// The write was refused, so there was no request.
    mutating func takeBack(_ server: ServerSide, _ handle: AttributeHandle) {
        if let last = lastRequest(server, handle) { requests[last.key] = nil }
        if restart?.server == server, restart?.handle == handle { restart = nil }
    }

    mutating func announce(_ new: Restart) {
        guard var known = restart, known.handle == new.handle, known.words == new.words, known.frames.count < 8 else {
            restart = new
            return
        }
        known.frames += new.frames
        known.last = new.last
        restart = known
    }

    /// A procedure failed, so the device does not restart.
    mutating func withdrawRestart() { restart = nil }
}

import AttlasWire

/// Finds octets that must not be in a capture, in streams that come in pieces: all secrets at once (Aho and Corasick, 1975).
public struct SecretSearch: Sendable {
    /// Shorter ones occur by chance.
    public static let leastLength = 4
    /// Octets of all secrets together: 40 MB.
    public static let octetLimit = 1 << 20

    /// Where a search is in a stream.
    public struct Place: Sendable {
        fileprivate var node: Int32 = 0

        public init() {}
    }

    /// The next node by node and octet.
    private var edges: [UInt64: Int32] = [:]
    /// Where the search continues when an octet does not fit.
    private var fallbacks: [Int32] = [0]
    /// The longest secret that ends at a node.
    private var ends: [Int32] = [-1]
    /// Of each secret.
    private var lengths: [Int] = []
    /// Secrets that are too short, or beyond the limit: they are not searched for.
    public private(set) var leftOut = 0
    /// The next node from the first one.
    private var first = [Int32](repeating: 0, count: 256)

    /// - Parameter secrets: Each is searched in both octet orders. Their numbers are those of this list.
    public init(_ secrets: [[UInt8]]) {
        var left = Self.octetLimit
        for (index, secret) in secrets.enumerated() {
            lengths.append(secret.count)
            guard secret.count >= Self.leastLength, 2 * secret.count <= left else {
                leftOut += 1
                continue
            }
            left -= 2 * secret.count
            insert(secret, index)
            insert(secret.reversed(), index)
        }
        link()
    }

    private static func edge(_ node: Int32, _ octet: UInt8) -> UInt64 { UInt64(node) << 8 | UInt64(octet) }

    private mutating func insert(_ octets: [UInt8], _ index: Int) {
        var node: Int32 = 0
        for octet in octets {
            let edge = Self.edge(node, octet)
            if let next = edges[edge] {
                node = next
            } else {
                let next = Int32(fallbacks.count)
                fallbacks.append(0)
                ends.append(-1)
                edges[edge] = next
                if node == 0 { first[Int(octet)] = next }
                node = next
            }
        }
        if ends[Int(node)] < 0 { ends[Int(node)] = Int32(index) }
    }

    /// The fallback of a node is the longest other beginning of a secret that its octets end with.
    private mutating func link() {
        var children = [[(octet: UInt8, node: Int32)]](repeating: [], count: fallbacks.count)
        for (edge, node) in edges { children[Int(edge >> 8)].append((UInt8(truncatingIfNeeded: edge), node)) }
        var queue: [Int32] = [0]
        var place = 0
        while place < queue.count {
            let parent = queue[place]
            place += 1
            for (octet, node) in children[Int(parent)] {
                if parent != 0 { fallbacks[Int(node)] = next(fallbacks[Int(parent)], octet) }
                // A shorter secret at the end of a longer one's beginning.
                if ends[Int(node)] < 0 { ends[Int(node)] = ends[Int(fallbacks[Int(node)])] }
                queue.append(node)
            }
        }
    }

    private func next(_ node: Int32, _ octet: UInt8) -> Int32 {
        var node = node
        while node != 0 {
            if let next = edges[Self.edge(node, octet)] { return next }
            node = fallbacks[Int(node)]
        }
        return first[Int(octet)]
    }

    /// Searches the next piece of a stream.
    ///
    /// - Parameter found: Gets the number of a secret, its length, and where in this piece it ends. It may begin in an earlier piece.
    public func search(
        _ bytes: borrowing Bytes, from place: inout Place, found: (_ secret: Int, _ length: Int, _ end: Int) -> Void
    ) {
        for index in 0..<bytes.count {
            place.node = next(place.node, bytes[index])
            let secret = ends[Int(place.node)]
            if secret >= 0 { found(Int(secret), lengths[Int(secret)], index + 1) }
        }
    }
}

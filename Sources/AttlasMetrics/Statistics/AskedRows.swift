/// The rows of the requests and indications of a connection that wait, by their records. Almost always none or one.
struct AskedRows: Sendable {
    /// More bearers than a connection can have.
    private static let limit = 1_024
    private var rows: [(frame: Int, row: Int)] = []

    subscript(frame: Int) -> Int? {
        get { rows.first { $0.frame == frame }?.row }
        set { if let newValue, rows.count < Self.limit { rows.append((frame, newValue)) } }
    }

    mutating func take(_ frame: Int) -> Int? {
        guard let index = rows.firstIndex(where: { $0.frame == frame }) else { return nil }
        return rows.remove(at: index).row
    }
}

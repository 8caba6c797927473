/// Views for the questions that people ask.
package enum SQLiteView: String, CaseIterable {
    case conversation, errors, disconnections, throughput, devices, problems
    case valuesOverTime = "values_over_time"
    case heartRate = "heart_rate"
    case slowRequests = "slow_requests"
    case roundTrips = "round_trips"

    package var meaning: String {
        switch self {
        case .conversation: "Operations with connection, device and time as text."
        case .valuesOverTime:
            "Numeric fields of values without faults, with time, device and characteristic."
        case .heartRate: "Heart rates of values without faults, in bpm."
        case .slowRequests: "Round trips of 100 ms or more, the longest first."
        case .roundTrips: "Count and duration of the round trips of each method and characteristic."
        case .errors: "Error Responses that do not end a search."
        case .disconnections: "Ends of connections by device and reason."
        case .throughput: "Octets of values each way, by connection and second."
        case .devices: "Advertisers: count, signal strength and last name."
        case .problems: "Findings of lint, errors first, with the file."
        }
    }

    /// A time as text, in UTC.
    static func utc(_ column: String) -> String {
        "strftime('%Y-%m-%dT%H:%M:%S', \(column) / 1000000000, 'unixepoch') || format('.%06dZ', \(column) / 1000 % 1000000)"
    }

    var statement: String { "CREATE VIEW \(rawValue) AS \(query)" }

    private var query: String {
        switch self {
        case .conversation:
            """
            SELECT o.capture, o.operation, o.frame, \(Self.utc("o.time")) AS utc, o.connection, c.peer, c.peer_address,
                c.peer_name, o.direction, o.method, o.service, o.characteristic, o.descriptor, o.handle, o.text, o.value,
                o.round_trip / 1000 AS round_trip_us, o.error
            FROM operations o LEFT JOIN connections c USING (capture, connection)
            """
        case .valuesOverTime:
            """
            SELECT o.capture, o.operation, o.frame, o.time, c.peer_address, c.peer_name, o.service, o.characteristic, f.path,
                f.name, f.number, f.unit
            FROM fields f JOIN operations o USING (operation) LEFT JOIN connections c USING (capture, connection)
            WHERE f.number IS NOT NULL AND NOT f.faulty
            """
        case .heartRate:
            """
            SELECT o.capture, o.frame, \(Self.utc("o.time")) AS utc, c.peer_address, c.peer_name, f.number AS bpm
            FROM operations o JOIN fields f USING (operation) LEFT JOIN connections c USING (capture, connection)
            WHERE o.characteristic_uuid = '2A37' AND f.unit = 'bpm' AND NOT f.faulty
            """
        case .slowRequests:
            """
            SELECT o.capture, o.request_frame, o.frame, \(Self.utc("o.time")) AS utc, c.peer_address, c.peer_name, o.method,
                o.characteristic, o.round_trip / 1000 AS round_trip_us
            FROM operations o LEFT JOIN connections c USING (capture, connection)
            WHERE o.round_trip >= 100000000 ORDER BY o.round_trip DESC
            """
        case .roundTrips:
            """
            SELECT o.capture, c.peer_address, o.method, o.service, o.characteristic, count(*) AS count,
                min(o.round_trip) / 1000 AS minimum_us, round(avg(o.round_trip) / 1000) AS mean_us,
                max(o.round_trip) / 1000 AS maximum_us
            FROM operations o LEFT JOIN connections c USING (capture, connection)
            WHERE o.round_trip IS NOT NULL GROUP BY o.capture, c.peer_address, o.method, o.service, o.characteristic
            """
        case .errors:
            """
            SELECT o.capture, o.frame, \(Self.utc("o.time")) AS utc, c.peer_address, c.peer_name, o.service, o.characteristic,
                o.descriptor, o.handle, o.error_code, o.error
            FROM operations o LEFT JOIN connections c USING (capture, connection)
            WHERE o.error_code IS NOT NULL AND o.error_code <> 10
            """
        case .disconnections:
            """
            SELECT capture, peer_address, peer_name, coalesce(reason, 'outlived the capture') AS reason, ended_by,
                count(*) AS count, sum(ended_time - begun_time) / 1000000000 AS connected_s
            FROM connections GROUP BY capture, peer_address, peer_name, reason, ended_by
            """
        case .throughput:
            """
            SELECT o.capture, o.connection, o.time / 1000000000 AS second, o.direction, count(*) AS operations,
                sum(length(o.value)) AS octets
            FROM operations o WHERE o.value IS NOT NULL GROUP BY o.capture, o.connection, second, o.direction
            """
        case .devices:
            """
            SELECT capture, coalesce(identity_address, address) AS device, max(name) AS name, max(company) AS company,
                count(*) AS advertisements, min(rssi) AS weakest_dbm, max(rssi) AS strongest_dbm
            FROM advertisements GROUP BY capture, device
            """
        case .problems:
            """
            SELECT f.capture, c.file, f.severity, f.rule, f.frame, f.peer_address, f.count, f.message
            FROM findings f JOIN captures c USING (capture)
            ORDER BY CASE f.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, f.capture, f.frame
            """
        }
    }
}

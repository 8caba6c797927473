import ArgumentParser
import AttlasTrace

/// `--limit NAME=NUMBER …`: the memory limits of a capture.
struct LimitOptions: ParsableArguments {
    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp(
            "Raise or lower a memory limit: connections, peers, attributes, attributes-of-a-server, channels, "
                + "unfinished-octets or measured-connections. attlas help limits describes them. May be repeated.",
            valueName: "name=number"))
    var settings: [String] = []

    func validate() throws {
        for setting in settings { _ = try parse(setting) }
    }

    var limits: TraceLimits {
        var limits = TraceLimits.standard
        for setting in settings {
            if let (limit, number) = try? parse(setting) { limits[limit] = number }
        }
        return limits
    }

    private func parse(_ setting: String) throws -> (TraceLimit, Int) {
        let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
        let known = TraceLimits.settable.map(\.limit.rawValue)
        guard parts.count == 2,
            let (limit, range) = TraceLimits.settable.first(where: { $0.limit.rawValue == parts[0] })
        else {
            throw ValidationError(
                "--limit takes a name, \"=\" and a number; the names are \(known.joined(separator: ", ")).")
        }
        guard let number = Int(parts[1]), range.contains(number) else {
            throw ValidationError(
                "--limit \(limit.rawValue) takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return (limit, number)
    }
}

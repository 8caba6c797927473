// A program that asks a capture what was said and what broke.
import Attlas

let capture = try Capture(CommandLine.arguments[1])
for value in try capture.values(of: "Heart Rate Measurement").prefix(3) {
    print(value.frame, value.time, try value["Heart Rate Measurement Value"]?.number ?? .nan, value)
}
for operation in capture.operations where operation.error != nil {
    print(operation.frame, operation.connection ?? 0, operation)
}
let reads = capture.operations.filter { $0.method == .readResponse }
print(reads.count, reads.compactMap { $0.request?.roundTrip }.max() ?? .zero, try capture.roundTrips(.read, of: "2A00"))
for operation in try capture.operations(where: "error").prefix(1) {
    print("error:", operation.device?.description ?? "")
}
print(capture.tree)
for server in capture.tree.servers {
    for service in server.services { print(service.uuid, service.name ?? "", service.characteristics.count) }
}
for incident in capture.incidents where incident.weight == .broke || incident.kind == .requestRefused {
    print(incident, incident.cause, incident.advice, separator: "\n  ")
}
for finding in capture.findings { print(finding) }
print(capture.error as Any, capture.missing)
do {
    _ = try capture.values(of: "Hart Rate Measurement")
} catch {
    print(error)
}
do {
    _ = try Capture("/dev/null")
} catch {
    print(error)
}

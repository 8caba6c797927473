import AttlasCapture
import AttlasDefinitions
import AttlasIncidents
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import Foundation
import Testing

/// tshark's list of what went wrong, in captures: each frame is in an incident, and every incident that a single packet proves is in the list.
@Suite struct RealCaptureTests {
    fileprivate static let paths: [String] = {
        let folder = ProcessInfo.processInfo.environment["ATTLAS_CAPTURES"]
        let real = folder.map { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".log") }
                .map { "\(folder)/\($0)" }
        }
        return (Repository.captureNames.filter { $0.hasSuffix(".btsnoop") }.map(Repository.capture) + (real ?? []))
            .sorted()
    }()

    /// What a packet alone shows to have failed.
    private static let filters = [
        "bthci_evt.code == 0x05 && !(bthci_evt.reason in {0x13, 0x14, 0x15, 0x16})",
        "(bthci_evt.code == 0x03 || bthci_evt.le_meta_subevent in {0x01, 0x0a}) && bthci_evt.status != 0 && bthci_evt.status != 0x02",
        "bthci_evt.code in {0x08, 0x30} && bthci_evt.status != 0",
        "btsmp.opcode == 0x05",
        "bthci_evt.code in {0x0e, 0x0f} && bthci_evt.status != 0",
        "btatt.opcode == 0x01 && !(btatt.error_code == 0x0a && btatt.req_opcode_in_error in {0x04, 0x06, 0x08, 0x10})",
    ]

    private static let provedByOne: Set<Incident.Kind> = [
        .linkLost, .instantPassed, .noLinkLayerResponse, .integrityFailed, .neverEstablished, .attemptFailed,
        .endedWithError, .pairingFailed, .encryptionFailed, .requestRefused, .readPastEnd, .databaseOutOfSync,
        .subscriptionRefused, .commandFailed, .scanNotStarted, .advertisingNotStarted,
    ]

    @Test(arguments: Repository.someCaptureNames.map(Repository.capture)) func tsharkAgrees(_ path: String) throws {
        guard let tshark = Tool("tshark") else { return }
        let filter = Self.filters.map { "(\($0))" }.joined(separator: " || ")
        let output = try tshark.run(["-r", path, "-Y", filter, "-T", "fields", "-e", "frame.number"])
        let expected = Set(String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { Int($0) })
        var reader = try CaptureReader(path: path)
        var trace = Trace()
        var collector = Interpreted(library: .shipped) { IncidentCollector(values: $0) }
        let extent = try trace.decode(&reader, into: &collector)
        trace.finish(into: &collector)
        let incidents = collector.finish(in: trace, CaptureIntegrity(extent, in: trace)).incidents
        let frames = Set(incidents.flatMap(\.frames))
        #expect(expected.subtracting(frames).isEmpty, "\(expected.subtracting(frames).sorted())")
        let proved = Set(incidents.filter { Self.provedByOne.contains($0.kind) }.flatMap(\.occurrences))
        #expect(proved.subtracting(expected).isEmpty, "\(proved.subtracting(expected).sorted())")
        print(
            "\(path.split(separator: "/").last ?? ""): tshark \(expected.count), in incidents \(expected.intersection(frames).count)"
        )
    }
}

/// The same in all captures of the project and, with `ATTLAS_CAPTURES`, of real devices.
@Suite struct RealCaptureLongTests {
    @Test(arguments: RealCaptureTests.paths) func tsharkAgrees(_ path: String) throws {
        try RealCaptureTests().tsharkAgrees(path)
    }
}

@Suite struct KindTests {
    /// The page has a row for each kind, in the order of the list, and the schemas have its name.
    @Test func everyKindIsDocumented() throws {
        let kinds = Incident.Kind.allCases.map(\.rawValue)
        let rows = try Repository.text("Documentation/what-broke.md").split(separator: "\n").compactMap { line in
            kinds.first { line.hasPrefix("| \($0) |") }
        }
        expect(rows, equals: kinds)
        for name in ["common", "configuration", "expectations"] {
            let schema = try Repository.text("Documentation/schemas/\(name).schema.json")
            for kind in kinds { #expect(schema.contains("\"\(kind)\""), "\(name)") }
        }
    }
}

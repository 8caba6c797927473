import AttlasInput
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasCapture

/// A folder of captures recorded from real devices, which may be anywhere: `ATTLAS_CAPTURES=folder swift test`.
@Suite struct RealCapturesTests {
    static let folder = ProcessInfo.processInfo.environment["ATTLAS_CAPTURES"]
    static let tshark = ["/usr/bin/tshark", "/usr/local/bin/tshark", "/opt/homebrew/bin/tshark"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(
        .enabled("set ATTLAS_CAPTURES to a folder of captures, and install tshark") { folder != nil && tshark != nil })
    func framesAreNumberedAsTsharkNumbersThem() throws {
        let folder = try #require(Self.folder)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            let path = "\(folder)/\(name)"
            let reading = Reading { () throws(CaptureError) in try CaptureReader(path: path) }
            switch reading.error?.kind {
            case .unknownFormat, .unsupported, .empty: print("refused: \(reading.error?.detailedDescription ?? "")")
            default:
                let frames = try tsharkFrames(path)
                let cuts = reading.info?.cuts.map(\.sentence) ?? []
                print("\(name): \(reading.records.count) records, tshark \(frames) \(cuts.joined(separator: ", "))")
                #expect(reading.error == nil && reading.faults.isEmpty, "\(name)")
                expect(reading.records.last?.frame ?? 0, equals: frames, "\(name)")
            }
        }
    }

    private func tsharkFrames(_ path: String) throws -> Int {
        let tshark = Process()
        tshark.executableURL = URL(filePath: try #require(Self.tshark))
        tshark.arguments = ["-r", path, "-T", "fields", "-e", "frame.number"]
        let output = Pipe()
        tshark.standardOutput = output
        tshark.standardError = FileHandle.nullDevice
        try tshark.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        tshark.waitUntilExit()
        return text.count { $0 == UInt8(ascii: "\n") }
    }
}

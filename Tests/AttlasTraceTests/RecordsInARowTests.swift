import AttlasInput
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasTrace

/// Records in a row, with any limit, are the records that come one by one, and say as much of their capture.
@Suite struct RecordsInARowTests {
    private struct Outcome: Equatable {
        var frames: [Int] = []
        var octets = 0
        var extent = ""
        var cuts: [CaptureTruncation] = []
        var failure: CaptureError?
    }

    private func oneByOne(_ path: String) throws -> Outcome {
        var outcome = Outcome()
        var extent = CaptureExtent()
        var reader = try CaptureReader(path: path)
        do throws(CaptureError) {
            while let record = try reader.next() {
                outcome.frames.append(record.frame)
                outcome.octets += record.bytes.count
                extent.note(record)
            }
        } catch {
            outcome.failure = error
        }
        outcome.extent = "\(extent)"
        outcome.cuts = reader.info.cuts
        return outcome
    }

    private func inRows(_ path: String, limit: Int) throws -> Outcome {
        var outcome = Outcome()
        var extent = CaptureExtent()
        var reader = try CaptureReader(path: path)
        do throws(CaptureError) {
            while let row = try reader.nextRow(limit: limit) {
                #expect(row.count <= limit)
                for index in 0..<row.count {
                    outcome.frames.append(row[index].frame)
                    outcome.octets += row[index].bytes.count
                }
                extent.note(row)
            }
        } catch {
            outcome.failure = error
        }
        outcome.extent = "\(extent)"
        outcome.cuts = reader.info.cuts
        return outcome
    }

    @Test(arguments: [1, 3, 64, .max]) func captures(limit: Int) throws {
        let malformed = try FileManager.default.contentsOfDirectory(atPath: Repository.capture("malformed"))
        let paths = (Repository.captureNames + malformed.map { "malformed/\($0)" }).map { Repository.capture($0) }
        var isSeveral = false
        for path in paths {
            guard let expected = try? oneByOne(path) else { continue }
            try expect(inRows(path, limit: limit), equals: expected, "\(path)")
            isSeveral = isSeveral || expected.frames.count > 64
        }
        #expect(isSeveral)
    }
}

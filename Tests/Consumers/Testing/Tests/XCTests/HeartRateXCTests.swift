import AttlasTesting
import XCTest

/// With Foundation's names next to those of the library.
final class HeartRateXCTests: XCTestCase {
    private func capture(wait: Int) throws -> Capture {
        try Conversation(
            """
            connect
            > 08 0100 FFFF 0328
            < 09 07 0200 10 0300 372A
            > 04 0400 0400
            < 05 01 0400 0229
            > 12 0400 0100
            < 13
            wait \(wait)
            < 1B 0300 06 48
            """
        ).capture()
    }

    func testSubscribes() throws {
        try expect(capture(wait: 100)) {
            After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
            Never(.incident)
        }
    }

    /// Failures of `expect` that the test wants.
    private var recorded: [(line: Int, text: String)]?

    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        guard recorded != nil else {
            return super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
        recorded?.append((lineNumber, description))
    }

    func testEachFailureHasItsLine() throws {
        recorded = []
        let line = #line
        try expect(capture(wait: 350)) {
            After(.subscribed("2A37")) { Notified().within(.milliseconds(200)) }
            Never(.incident)
            After(.subscribed("2A37")) { Notified().within(.milliseconds(300)) }
        }
        let failures = recorded ?? []
        recorded = nil
        XCTAssertEqual(failures.map(\.line), [line + 2, line + 4])
        XCTAssertTrue(failures.allSatisfy { $0.text.contains("72 bpm") })
        print(failures)
    }

    func testValues() throws {
        let value = try XCTUnwrap(capture(wait: 1).values(of: "Heart Rate Measurement").first { _ in true })
        XCTAssertEqual(value.octets, [0x06, 0x48])
        XCTAssertEqual(try value["Heart Rate Measurement Value"]?.number, 72)
    }
}

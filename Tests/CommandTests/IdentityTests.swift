import AttlasTestSupport
import Foundation
import Testing

/// `--irk`: private addresses.
@Suite struct IdentityTests {
    /// An LE Connection Complete with 70:81:94:0D:FB:AA, as the only record of a btsnoop log.
    private var privateConnection: Data {
        let event: [UInt8] = [
            0x04, 0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 0xAA, 0xFB, 0x0D, 0x94, 0x81, 0x70, 0x18, 0x00, 0x00,
            0x00, 0x48, 0x00, 0x00,
        ]
        let header: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
        let length: [UInt8] = [0, 0, 0, UInt8(event.count)]
        let record: [UInt8] = length + length + [0, 0, 0, 3, 0, 0, 0, 0, 0, 0xE0, 0x3A, 0xB4, 0x4A, 0x67, 0x60, 0]
        return Data(header + record + event)
    }

    @Test func aGivenKeyResolvesAPrivateAddress() throws {
        let key = "EC0234A357C8AD05341010A60A397D9B"
        let named = try attlas("show", "--json", "--irk", key + "=F2:F2:F2:F2:F2:F2", "-", input: privateConnection)
        #expect(named.status == 0)
        #expect(
            named.output.contains(
                #""peer":{"address":"F2:F2:F2:F2:F2:F2","address_type":"random-static","resolved_from":"70:81:94:0D:FB:AA"}"#
            ))
        let other = try attlas("devices", "--irk", key + "=f2:f2:f2:f2:f2:f2/public", "-", input: privateConnection)
        #expect(other.output.contains("F2:F2:F2:F2:F2:F2  public"))
        #expect(other.output.contains("as 70:81:94:0D:FB:AA"))
        let wrong = try attlas("tree", "--irk", String(key.reversed()), "-", input: privateConnection)
        #expect(wrong.output.contains("70:81:94:0D:FB:AA random-resolvable"))
    }

    @Test(arguments: [
        "EC0234A357C8AD05341010A60A397D9", "XC0234A357C8AD05341010A60A397D9B", "+C0234A357C8AD05341010A60A397D9B",
        "EC0234A357C8AD05341010A60A397D9B=", "EC0234A357C8AD05341010A60A397D9B=F2:F2:F2:F2:F2",
        "EC0234A357C8AD05341010A60A397D9B=F2:F2:F2:F2:F2:F2/static",
    ])
    func whatIsNoKeyIsWrongUsageAndNotRepeated(_ key: String) throws {
        let result = try attlas("show", "--irk", key, "-", input: privateConnection)
        #expect(result.status == 64)
        #expect(result.errors.contains("--irk takes 32 hexadecimal digits"))
        #expect(!result.errors.contains("C0234A357C8AD05341010A60A397D9"))
    }

    @Test func keysOfTheCaptureAreNotShown() throws {
        // LE Enable Encryption stands in frame 113, with the Long Term Key behind handle, random number and diversifier.
        for arguments in [["show", "--hci"], ["show", "--hci", "--hex"], ["show", "--hci", "--json"]] {
            let result = try Command.attlas(arguments + [capture("pairing.btsnoop")])
            #expect(result.output.contains("LE Enable Encryption"))
            let digits = result.output.filter { !$0.isWhitespace }.lowercased()
            #expect(!digits.contains("31147a5834d4829b54b32baa3583c9fa"))
        }
    }

    private func capture(_ name: String) -> String { Repository.capture(name) }

    private func attlas(_ arguments: String..., input: Data? = nil) throws -> Command.Result {
        try Command.attlas(arguments, input: input)
    }
}

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
        expect(named.status, equals: 0)
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
        expect(result.status, equals: 64)
        #expect(result.errors.contains("--irk takes 32 hexadecimal digits"))
        #expect(!result.errors.contains("C0234A357C8AD05341010A60A397D9"))
    }

    @Test(arguments: [
        "7dd7364cd842ad18c17c2b820c84c3d", "7dd7364cd842ad18c17c2b820c84c3d6@",
        "7dd7364cd842ad18c17c2b820c84c3d6@123456789",
    ])
    func whatIsNoNetKeyIsWrongUsageAndNotRepeated(_ key: String) throws {
        let result = try attlas("show", "--netkey", key, "-", input: privateConnection)
        expect(result.status, equals: 64)
        #expect(result.errors.contains("--netkey takes 32 hexadecimal digits"))
        #expect(!result.errors.contains("7dd7364cd842ad18c17c2b820c84c3d"))
    }

    @Test func keysOfTheCaptureAreNotShown() throws {
        // LE Enable Encryption is in frame 113, with the Long Term Key after handle, random number and diversifier.
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

    // MARK: Files with keys

    private static let key = "EC0234A357C8AD05341010A60A397D9B"

    /// Another program's line ends, words in capitals, and a file that can be read once.
    @Test func aFileGivesKeys() throws {
        let folder = try TemporaryFolder()
        let text = "# of the strap\r\n\r\nIRK \(Self.key)=F2:F2:F2:F2:F2:F2\r\ntk 123456\nltk \(Self.key)"
        let path = try folder.write(Array(text.utf8), to: "keys")
        let capture = try folder.write(Array(privateConnection), to: "capture")
        for command in ["--keys \(path) \(capture)", "--keys <(cat \(path)) \(capture)", capture] {
            let environment = command == capture ? "ATTLAS_KEYS=\(path)" : ""
            let result = try Command.run("/bin/bash", ["-c", "\(environment) \(Command.binary) devices \(command)"])
            expect(result.status, equals: 0)
            #expect(result.output.contains("F2:F2:F2:F2:F2:F2  random-static"), "\(command): \(result)")
        }
    }

    @Test func whoElseReadsAFileIsSaid() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("tk 1".utf8), to: "keys")
        for (mode, isSaid) in [(0o600, false), (0o640, true), (0o604, true)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let result = try attlas("devices", "--keys", path, "-", input: privateConnection)
            expect(result.status, equals: 0)
            expect(result.errors.contains("chmod 600"), equals: isSaid)
        }
    }

    @Test(arguments: [
        ("irk \(key.dropLast())", "line 1: irk takes 32 hexadecimal digits"),
        ("\nirk \(key) F2:F2:F2:F2:F2:F2", "line 2: irk takes"), ("tk 1\nltk", "line 2: ltk takes"),
        ("tk 1234567", "line 1: tk takes a passkey"), (key, "line 1: a line begins with one of irk, ltk, tk"),
    ])
    func aMistakeInAFileHasItsLineAndNoKey(text: String, message: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(text.utf8), to: "keys")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let result = try attlas("show", "--keys", path, "-", input: privateConnection)
        expect(result.status, equals: 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("attlas: \(path): \(message)"), "\(result.errors)")
        #expect(!result.errors.contains("EC0234A3") && !result.errors.contains("1234567"))
    }

    @Test(arguments: [("/nowhere/keys", "No such file"), ("/dev/zero", "larger than"), ("-", "standard input")])
    func aFileThatCannotBeRead(path: String, reason: String) throws {
        let result = try attlas("show", "--keys", path, "-", input: privateConnection)
        expect(result.status, equals: 1)
        #expect(result.errors.contains(reason))
    }

    /// What other processes see of this one while it waits for a capture.
    @Test func otherProcessesSeeNoKeys() throws {
        let script = """
            mkfifo input
            \(Command.binary) show --netkey \(Self.key)@12345678 --irk \(Self.key)=F2:F2:F2:F2:F2:F2 --ltk=\(Self.key) --tk 123456 - < input 2> /dev/null &
            exec 3> input
            for i in $(seq 600); do
                tr '\\0' ' ' < /proc/$!/cmdline > arguments
                if grep -q -- '--tk \\*\\*\\*\\*\\*\\* -' arguments; then break; fi
                sleep 0.1
            done
            cat arguments
            grep 'core file' /proc/$!/limits
            stat -c 'owner %u' /proc/$!
            exec 3>&-
            wait
            """
        let folder = try TemporaryFolder()
        let result = try Command.run("/bin/bash", ["-c", "cd '\(folder.url.path)'\n\(script)"])
        #expect(result.output.contains("--ltk=\(String(repeating: "*", count: 32)) --tk ****** -"), "\(result.output)")
        #expect(!result.output.contains(Self.key))
        #expect(result.output.contains(/Max core file size +0 +0/))
        // The files of a process that cannot be dumped belong to root.
        #expect(result.output.contains("owner 0"))
    }
}

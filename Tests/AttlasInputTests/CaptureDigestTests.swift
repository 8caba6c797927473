import AttlasTestSupport
import Testing

@testable import AttlasCapture
@testable import AttlasInput

/// Which files a capture was read from, and their SHA-256.
@Suite struct CaptureDigestTests {
    @Test func itIsOfTheFileAsItLiesThere() throws {
        let folder = try TemporaryFolder([
            ("abc", Array("abc".utf8)), ("long", [UInt8](repeating: 0x61, count: 1_000_000)),
        ])
        expect(
            CaptureDigest(path: folder.path("abc")).sha256,
            equals: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        expect(
            CaptureDigest(path: folder.path("long")).sha256,
            equals: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        for path in ["-", folder.path("none"), folder.url.path, "/dev/null"] {
            #expect(CaptureDigest(path: path).sha256 == nil)
        }
    }

    @Test func theFilesOfACapture() throws {
        let folder = try TemporaryFolder([("a!/b", [])])
        var info = CaptureInfo(file: folder.path("a.log"), format: "btsnoop", linkTypes: [])
        expect(info.paths, equals: [folder.path("a.log")])
        info.file = folder.path("bugreport.zip!/FS/btsnoop_hci.log")
        expect(info.paths, equals: [folder.path("bugreport.zip")])
        // A file of that name.
        info.file = folder.path("a!/b")
        expect(info.paths, equals: [folder.path("a!/b")])
        for name in ["standard input", "standard input!/a.log"] {
            info.file = name
            expect(info.paths, equals: [])
        }
        info.joined = ["one", "two"]
        expect(info.paths, equals: ["one", "two"])
    }
}

import AttlasText
import CArchive
import CBuild
import CLZMA
import CNcurses
import CPcap
import CSQLite
import CZlib

/// The output of `attlas --version --verbose`, for a bug report.
enum Versions {
    static func areAsked(by arguments: [String]) -> Bool {
        arguments.count == 2 && Set(arguments) == ["--version", "--verbose"]
    }

    /// A name and a version on each line: for attlas, the linked libraries and the loaded ones.
    static var lines: [String] {
        let facts = unsafe String(cString: attlas_build_facts())
        return ["attlas \(AttlasVersion.text)"]
            + (facts.isEmpty
                ? ["commit unknown: a build for development"] : facts.split(separator: "\n").map(String.init))
            + (unsafe [
                "glibc " + String(cString: gnu_get_libc_version()),
                String(cString: archive_version_details()),
                String(cString: pcap_lib_version()),
                "zlib " + String(cString: zlibVersion()),
                "liblzma " + String(cString: lzma_version_string()),
                "sqlite " + String(cString: sqlite3_libversion()),
                String(cString: curses_version()),
            ])
    }
}

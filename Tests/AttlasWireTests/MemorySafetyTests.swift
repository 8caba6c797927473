import AttlasTestSupport
import Foundation
import Testing

/// `unsafe` and `@unchecked` are used only in the files listed here. Others use `Bytes`, `Span`, `OutputSpan` or arrays, and make
/// system calls through `SystemCalls`.
@Suite struct MemorySafetyTests {
    /// The files, and what is unsafe in each.
    private static let listed = [
        "AttlasWire/Bytes.swift": "integers and copies out of borrowed octets; the octets of a literal",
        "AttlasSystem/SystemCalls.swift": "calls of the C library that take or give memory",
        "AttlasCapture/Input/SHA256.swift": "the sum and the blocks, for the processor's instructions",
        "AttlasInput/Containers/Archive.swift": "libarchive",
        "AttlasInput/Containers/CompressedInput.swift": "octets that a C library holds on to",
        "AttlasInput/Containers/Inflater.swift": "zlib",
        "AttlasInput/Containers/XZDecoder.swift": "liblzma",
        "AttlasWire/AES128.swift": "the key, for the processor's instructions",
        "AttlasSources/MonitorSocket.swift": "the kernel's HCI monitor socket",
        "AttlasSources/PacketDevice.swift": "libpcap",
        "AttlasRecords/Outputs/ScratchFolder.swift": "the name of a folder, for C",
        "AttlasRecords/Privileges.swift": "the name of a folder, for C",
        "AttlasDefinitionFiles/YAMLParser.swift": "libyaml",
        "AttlasGenerate/Form/CodeName.swift": "a word that generated code does not have as a name",
        "AttlasValues/SharedValueHistory.swift":
            "a history that is not checked for exclusive access; saves 60 instructions of each record",
        "AttlasText/Writers/TextBuffer.swift":
            "copies into the current line: 70 instructions; with Array.append it is 115",
        "AttlasThreads/Worker.swift": "threads",
        "AttlasText/Writers/CharacterWidth.swift": "the C library's locale",
        "AttlasSQLite/SQLiteConnection.swift": "SQLite",
        "AttlasSQLite/SQLiteRows.swift": "the functions by which SQLite reads columns",
        "AttlasArrow/ArrowExport.swift": "what Arrow's C interface takes, and its callbacks give back",
        "AttlasFuzz/CommandRun.swift": "the status of a file",
        "AttlasArrow/CapsuleRelease.swift": "what Python's capsules hold",
        "AttlasArrow/PythonSignals.swift": "functions of Python, and what its capsules hold",
        "AttlasArrow/TableExport.swift":
            "the reader of several tables that C holds, and who takes the rows of what is happening",
        "AttlasArrow/DocumentExport.swift": "texts that come from C, and that C gives back",
        "attlas/EndingSignals.swift": "signal handlers",
        "attlas/Screen/Terminal.swift": "ncurses",
        "attlas/Screen/TerminalRescue.swift": "restoring the terminal in a signal handler",
        "attlas/Screen/DecodingThread.swift": "the state that two threads use in turn (HandoverLock)",
        "attlas/Versions.swift": "the names that libraries have for their versions",
        "attlas-bench/ChildProcess.swift": "posix_spawn",
        "attlas-bench/PcapLoop.swift": "libpcap for comparison, and the sum of all octets",
    ]

    /// What is in code before a comment.
    private func isUnsafe(_ line: Substring) -> Bool {
        // A regular expression takes long in a debug build.
        guard line.contains("unsafe") || line.contains("@unchecked") else { return false }
        let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        return code.contains(/\bunsafe\b/) || code.contains("@unchecked")
    }

    @Test func onlyListedFilesHaveUnsafeCode() throws {
        let sources = Repository.root.appending(path: "Sources")
        let names = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
        let found = try names.filter { $0.hasSuffix(".swift") }.filter { name in
            let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            return text.split(separator: "\n").contains { isUnsafe($0) }
        }
        let change = Set(found).symmetricDifference(Self.listed.keys)
        expect(change, equals: [], "Avoid unsafe code, or list the file here with what is unsafe in it.")
    }

    @Test func everyTargetIsCompiledStrictly() throws {
        let package = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(package.contains(".strictMemorySafety()"))
        let targets = package.matches(of: /\.(?:target|executableTarget|testTarget)\(\s*name: "(\w[^"]*)"/)
        // Those of C have no setting.
        let swift = targets.map { String($0.1) }.filter {
            !["CMonitor", "CConfinement", "CAllocations", "CBuild"].contains($0)
        }
        #expect(swift.count > 20)
        expect(package.matches(of: /swiftSettings: settings/).count, equals: swift.count)
    }
}

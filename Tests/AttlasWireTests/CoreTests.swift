import AttlasTestSupport
import Foundation
import Testing

/// The modules of the product AttlasCore depend on each other, on Synchronization, and on what is listed here. All decoding belongs to it,
/// and so does every library module that can.
@Suite struct CoreTests {
    /// The files that import more, and what for.
    private static let listed: Set = [
        "AttlasSystem/SystemCalls.swift Glibc",  // calls of the C library, and its functions for numbers
        "AttlasSystem/SystemCalls.swift Darwin",  // the same on systems of Apple
        "AttlasSystem/SystemCalls.swift Musl",  // the same in a static Linux program
        "AttlasCapture/Input/SHA256.swift CSHA",  // the processor's instructions for SHA-256: a header of ours
        "AttlasWire/AES128.swift CAES",  // the processor's instructions for AES: a header of ours
        "AttlasMetrics/Statistics/Distribution.swift Histogram",  // percentiles
        "AttlasMetrics/Fleet/Significance.swift RealModule",  // Γ and erfc, of statistical tests
    ]

    /// What SwiftPM reports about Package.swift.
    private struct Package: Decodable {
        let products: [Product]
        let targets: [Target]

        struct Product: Decodable {
            let name: String
            let targets: Set<String>
        }

        struct Target: Decodable {
            let name: String
            /// nil for Sources/ and the name.
            let path: String?
            /// Of modules, libraries of the system and products of other packages. Each has one key, which says of which kind it
            /// is, and the name first.
            let dependencies: [[String: [Text?]]]
            let settings: [Setting]

            var dependencyNames: Set<String> {
                Set(dependencies.compactMap { $0.values.first?.first??.value })
            }
        }

        /// Nothing for what is none.
        struct Text: Decodable {
            let value: String?

            init(from decoder: any Decoder) throws {
                value = try? decoder.singleValueContainer().decode(String.self)
            }
        }

        struct Setting: Decodable {
            /// "swift" or "linker".
            let tool: String
        }

        init() throws {
            // A separate folder, as SwiftPM, which runs the tests, holds the other one.
            let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: scratch) }
            let swift = Process()
            let output = Pipe()
            swift.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            swift.arguments = [
                "swift", "package", "--package-path", Repository.root.path, "--scratch-path", scratch.path,
                "dump-package",
            ]
            swift.standardOutput = output
            try swift.run()
            let description = try output.fileHandleForReading.readToEnd() ?? Data()
            swift.waitUntilExit()
            self = try JSONDecoder().decode(Package.self, from: description)
        }

        func targets(of product: String) throws -> [Target] {
            let names = try #require(products.first { $0.name == product }).targets
            return targets.filter { names.contains($0.name) }
        }
    }

    private let core: [Package.Target]
    private let coreNames: Set<String>
    /// What the library has besides.
    private let others: [Package.Target]

    init() throws {
        let package = try Package()
        core = try package.targets(of: "AttlasCore")
        let names = Set(core.map(\.name))
        coreNames = names
        others = try ["Attlas", "AttlasFiles", "AttlasLive", "AttlasTesting"].flatMap(package.targets)
    }

    /// "AttlasMetrics/Statistics/Distribution.swift Histogram" for each import of what is not in the core.
    private func imports(_ target: Package.Target) throws -> Set<String> {
        let module = target.name
        let folder = Repository.root.appending(path: target.path ?? "Sources/\(module)")
        let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        var imports: Set<String> = []
        for name in names where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for line in text.split(separator: "\n") {
                // Attributes and access before it; then the kind of what is imported, when it is not all of the module.
                let words = line.split { $0 == " " || $0 == "\t" }
                guard let place = words.firstIndex(of: "import"), words[..<place].allSatisfy(Self.isModifier) else {
                    continue
                }
                let rest = words[(place + 1)...].prefix { !$0.hasPrefix("//") }
                let imported = String(rest.last?.prefix { $0 != "." } ?? "")
                if !coreNames.contains(imported), imported != "Synchronization" {
                    imports.insert("\(module)/\(name) \(imported)")
                }
            }
        }
        return imports
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
    }

    @Test func theModulesThatDecodeAreInTheCore() {
        let decoding: Set = [
            "AttlasWire", "AttlasCapture", "AttlasTrace", "AttlasDissection", "AttlasValues", "AttlasIncidents",
            "AttlasFilter",
            "AttlasMetrics", "AttlasLint",
        ]
        expect(decoding.subtracting(coreNames), equals: [])
    }

    @Test func filesOfTheCoreImportWhatIsListed() throws {
        let found = try core.reduce(into: Set()) { $0.formUnion(try imports($1)) }
        expect(
            found.symmetricDifference(Self.listed), equals: [],
            "The core needs no more libraries: list a new import only with a reason.")
    }

    @Test func modulesOfTheCoreDependOnEachOtherAndOnWhatIsListed() {
        for module in core {
            let packages = Self.listed.filter { $0.hasPrefix("\(module.name)/") }.compactMap {
                $0.split(separator: " ").last
            }
            let more = module.dependencyNames.subtracting(coreNames).subtracting(packages.map(String.init))
            expect(more, equals: [], "\(module.name)")
            #expect(!module.settings.contains { $0.tool == "linker" }, "\(module.name)")
        }
    }

    /// So that no module stays outside without a reason.
    @Test func theOtherModulesNeedMore() throws {
        for module in others {
            let isAlone = try module.dependencyNames.isSubset(of: coreNames) && imports(module).isEmpty
            #expect(!isAlone, "\(module.name)")
        }
    }
}

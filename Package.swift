// swift-tools-version: 6.2
import PackageDescription

// Of every target: views over borrowed bytes are ~Escapable, and their initializers need lifetime annotations; and what
// the compiler cannot check says `unsafe`, or does not build. `MemorySafetyTests` lists the files that may.
let settings: [SwiftSetting] = [
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
    .treatWarning("StrictMemorySafety", as: .error),
]

let package = Package(
    name: "attlas",
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        // Captures and values as owned Swift values. Needs no library of the system: libyaml is linked in.
        .library(name: "Attlas", targets: ["Attlas"]),
        // The same from archives and compressed files, with libarchive, zlib and liblzma.
        .library(name: "AttlasFiles", targets: ["AttlasFiles", "AttlasInput"]),
        // The same of what is happening, on Linux.
        .library(name: "AttlasLive", targets: ["AttlasLive"]),
        // Expectations of captures, and conversations written as text, for tests of other packages.
        .library(name: "AttlasTesting", targets: ["AttlasTesting"]),
        // What decodes, with borrowed events: nothing is copied. `CoreTests`.
        .library(
            name: "AttlasCore",
            targets: [
                "AttlasWire", "AttlasLocks", "AttlasSystem", "AttlasCapture", "AttlasTrace", "AttlasDissection",
                "AttlasGenerate", "AttlasDefinitions", "AttlasProcedures", "AttlasValues", "AttlasIncidents",
                "AttlasFilter",
                "AttlasInference",
                "AttlasMetrics", "AttlasLint",
            ]
        ),
        .executable(name: "attlas", targets: ["attlas"]),
        // Types for the definition files in a target of a client.
        .plugin(name: "GenerateCodecs", targets: ["GenerateCodecs"]),
        // libattlas.so, for programs in other languages: Sources/CArrow/attlas.h.
        .library(name: "attlas-tables", type: .dynamic, targets: ["AttlasArrow"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
        // What that depends on, here for its exact version; a target has to name it.
        .package(url: "https://github.com/apple/swift-numerics", exact: "1.1.1"),
    ],
    targets: [
        // System libraries: archives, zst, bz2 and lz4; gz and Android's btsnooz; xz.
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        // Live sources: libpcap's devices, and the kernel's HCI monitor socket.
        .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
        .target(
            name: "CMonitor", cSettings: [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]),
        // What a process gives up before it reads: capabilities, files, system calls.
        .target(
            name: "CConfinement", cSettings: [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]),
        // Of which commit a binary was made, and with what.
        .target(name: "CBuild"),
        // The parser of YAML, linked in as well.
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLZMA", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // The full screen; and how many columns of a terminal a character takes.
        .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(name: "CWidth"),
        // prctl, which Swift cannot call.
        .systemLibrary(name: "CProcess"),

        // The pipeline, in its order: each target imports only targets above it.
        .target(name: "AttlasWire", dependencies: ["CAES"], swiftSettings: settings),
        .target(name: "AttlasLocks", swiftSettings: settings),
        // The one file of the core that imports the C library.
        .target(name: "AttlasSystem", swiftSettings: settings),
        // The processor's instructions for SHA-256 and AES, which Swift cannot name.
        .systemLibrary(name: "CSHA"),
        .systemLibrary(name: "CAES"),
        .target(
            name: "AttlasCapture", dependencies: ["AttlasWire", "AttlasLocks", "AttlasSystem", "CSHA"],
            exclude: ["Readers"], swiftSettings: settings, plugins: ["EmbedPages"]),
        .target(name: "AttlasTrace", dependencies: ["AttlasWire", "AttlasCapture"], swiftSettings: settings),
        .target(
            name: "AttlasDissection", dependencies: ["AttlasWire", "AttlasLocks", "AttlasSystem"],
            swiftSettings: settings),
        .target(
            name: "AttlasDefinitionFiles",
            dependencies: ["AttlasWire", "AttlasDissection", "CYAML"],
            swiftSettings: settings,
            linkerSettings: [.linkedLibrary(":libyaml.a")]
        ),
        // Definitions as source code of programs that read and write the values.
        .target(
            name: "AttlasGenerate", dependencies: ["AttlasWire", "AttlasDissection"],
            swiftSettings: settings),
        // Dissectors/ as Swift source: the plugin runs the tool.
        .executableTarget(name: "embed-dissectors", dependencies: ["AttlasDefinitionFiles"], swiftSettings: settings),
        .plugin(name: "EmbedDissectors", capability: .buildTool(), dependencies: ["embed-dissectors"]),
        // Documentation/ likewise, for `attlas help PAGE`, and the fixed part of a report's page.
        .executableTarget(name: "embed-pages", swiftSettings: settings),
        .plugin(name: "EmbedPages", capability: .buildTool(), dependencies: ["embed-pages"]),
        .target(
            name: "AttlasDefinitions",
            dependencies: ["AttlasDissection"],
            swiftSettings: settings,
            plugins: ["EmbedDissectors"]
        ),
        // Code for the definition files of a client's target.
        .executableTarget(
            name: "generate-codecs", dependencies: ["AttlasGenerate", "AttlasDefinitionFiles", "AttlasDefinitions"],
            swiftSettings: settings),
        .plugin(name: "GenerateCodecs", capability: .buildTool(), dependencies: ["generate-codecs"]),
        // From the first PDU of what two devices do to its last one.
        .target(name: "AttlasProcedures", dependencies: ["AttlasTrace"], swiftSettings: settings),
        .target(name: "AttlasValues", dependencies: ["AttlasTrace", "AttlasDissection"], swiftSettings: settings),
        .target(name: "AttlasIncidents", dependencies: ["AttlasValues"], swiftSettings: settings),
        // Replacements for what identifies a device or a person, and the search that proves that nothing of it is left.
        .target(name: "AttlasAnonymize", dependencies: ["AttlasValues"], swiftSettings: settings),
        .target(name: "AttlasFilter", dependencies: ["AttlasProcedures", "AttlasIncidents"], swiftSettings: settings),
        // Layouts that are inferred from values.
        .target(name: "AttlasInference", dependencies: ["AttlasFilter"], swiftSettings: settings),
        .target(
            name: "AttlasMetrics",
            dependencies: [
                "AttlasFilter", .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "RealModule", package: "swift-numerics"),
            ],
            swiftSettings: settings
        ),
        .target(name: "AttlasLint", dependencies: ["AttlasIncidents"], swiftSettings: settings),
        // The files of a project that say what is expected of its captures.
        .target(
            name: "AttlasCheck", dependencies: ["AttlasMetrics", "AttlasLint", "AttlasDefinitionFiles"],
            swiftSettings: settings),
        // Writers of text, JSON and CSV, and values, packets and missing data with them.
        .target(name: "AttlasText", dependencies: ["AttlasValues", "CWidth"], swiftSettings: settings),
        // What was said, line by line, with findings and incidents; and the layers of a packet.
        .target(
            name: "AttlasConversation", dependencies: ["AttlasText", "AttlasLint", "AttlasMetrics"],
            swiftSettings: settings),
        // The models as text, JSON and the formats of other programs.
        .target(
            name: "AttlasDocuments", dependencies: ["AttlasConversation", "AttlasInference", "AttlasGenerate"],
            swiftSettings: settings),
        // The conversation as rows of tables, and as tracks of a timeline.
        .target(name: "AttlasTables", dependencies: ["AttlasConversation"], swiftSettings: settings),
        // A report as a page and as Markdown.
        .target(
            name: "AttlasPage", dependencies: ["AttlasDocuments", "AttlasTables"],
            exclude: ["report.html", "report.css", "report.js"], swiftSettings: settings, plugins: ["EmbedPages"]),
        // The screens: what passes, and a recording to move in.
        .target(name: "AttlasScreen", dependencies: ["AttlasDocuments"], swiftSettings: settings),
        // The decoded conversation as columns and streams of Arrow.
        .target(name: "AttlasColumns", dependencies: ["AttlasTables"], swiftSettings: settings),
        // … and in a database, with SQLite's library.
        .target(name: "AttlasSQLite", dependencies: ["AttlasColumns", "CSQLite"], swiftSettings: settings),
        // These for programs in other languages, through a C interface.
        .systemLibrary(name: "CArrow"),
        .target(
            name: "AttlasArrow",
            dependencies: [
                "AttlasColumns", "AttlasDocuments", "AttlasCheck", "AttlasImport", "AttlasDefinitions",
                "AttlasDefinitionFiles", "CArrow",
            ],
            swiftSettings: settings),
        // What opens captures: paths, archives, bug reports. Nothing that decodes or prints depends on it.
        .target(
            name: "AttlasInput",
            dependencies: ["AttlasWire", "AttlasLocks", "AttlasCapture", "CArchive", "CZlib", "CLZMA"],
            swiftSettings: settings),
        // The library's first level: owned values of the modules above.
        .target(
            name: "Attlas", dependencies: ["AttlasDocuments", "AttlasDefinitions", "AttlasDefinitionFiles"],
            // Not "Attlas": where file names have no case, that is the folder of the command.
            path: "Sources/AttlasLibrary", swiftSettings: settings),
        .target(name: "AttlasFiles", dependencies: ["Attlas", "AttlasInput"], swiftSettings: settings),
        // Conversations written as text, and the expectations of AttlasCheck as Swift.
        .target(name: "AttlasTesting", dependencies: ["Attlas", "AttlasCheck"], swiftSettings: settings),
        .target(name: "AttlasThreads", dependencies: ["AttlasLocks"], swiftSettings: settings),
        // Records in files, with what the process gives up before it reads.
        .target(
            name: "AttlasRecords", dependencies: ["AttlasCapture", "CConfinement"], swiftSettings: settings),
        // Live sources, and recordings of them.
        .target(
            name: "AttlasSources",
            dependencies: ["AttlasInput", "AttlasRecords", "AttlasThreads", "CPcap", "CMonitor"],
            swiftSettings: settings),
        // The library's first level, of what is happening.
        .target(name: "AttlasLive", dependencies: ["AttlasFiles", "AttlasSources"], swiftSettings: settings),
        // The decode path, timed: for `attlas bench` and for attlas-bench.
        .target(name: "CAllocations"),
        .target(
            name: "AttlasBench",
            dependencies: [
                "AttlasInput", "AttlasMetrics", "AttlasText", "AttlasThreads", "CAllocations",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "Numerics", package: "swift-numerics"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "AttlasImport", dependencies: ["AttlasInput", "AttlasTrace", "AttlasFilter"],
            swiftSettings: settings),
        .executableTarget(
            name: "attlas",
            dependencies: [
                "AttlasDefinitionFiles",
                "AttlasDefinitions",
                "AttlasAnonymize",
                "AttlasCheck",
                "AttlasGenerate",
                "AttlasInference",
                "AttlasPage",
                "AttlasScreen",
                "AttlasSQLite",
                "AttlasColumns",
                "AttlasInput",
                "AttlasRecords",
                "AttlasSources",
                "AttlasImport",
                "AttlasLocks",
                "AttlasThreads",
                "AttlasBench",
                "CNcurses",
                "CProcess",
                "CBuild",
                "CArchive",
                "CPcap",
                "CZlib",
                "CLZMA",
                "CSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings,
            plugins: ["EmbedPages"]
        ),
        // What takes octets from strangers, to be tried with all of them: by tests, by attlas-fuzz, and by libFuzzer (make fuzz).
        .target(
            name: "AttlasFuzz",
            dependencies: [
                "AttlasAnonymize", "AttlasPage", "AttlasScreen", "AttlasColumns", "AttlasInference", "AttlasMetrics",
                "AttlasDefinitionFiles", "AttlasDefinitions", "AttlasGenerate", "AttlasInput", "AttlasImport",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "attlas-fuzz",
            dependencies: ["AttlasFuzz", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings
        ),
        // attlas compared with its peers, in one run.
        .executableTarget(
            name: "attlas-bench",
            dependencies: [
                "AttlasBench",
                "AttlasDefinitions",
                "AttlasInput",
                "CPcap",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),

        // Conversations written in hexadecimal, and what decodes them: for tests only.
        .target(
            name: "AttlasTestSupport",
            dependencies: ["AttlasInput", "AttlasTesting"],
            path: "Tests/AttlasTestSupport", swiftSettings: settings),
        .testTarget(
            name: "AttlasWireTests", dependencies: ["AttlasWire", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasCaptureTests", dependencies: ["AttlasCapture", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasInputTests",
            dependencies: ["AttlasInput", "AttlasLocks", "AttlasThreads", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasRecordsTests",
            dependencies: ["AttlasRecords", "AttlasInput", "AttlasLocks", "AttlasThreads", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasSourcesTests",
            dependencies: ["AttlasSources", "AttlasLocks", "AttlasThreads", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasLiveTests", dependencies: ["AttlasLive", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasTraceTests", dependencies: ["AttlasTrace", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasProceduresTests", dependencies: ["AttlasProcedures", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasDissectionTests",
            dependencies: [
                "AttlasDissection", "AttlasDefinitionFiles", "AttlasDefinitions", "AttlasDocuments", "AttlasThreads",
                "AttlasTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasGenerateTests",
            dependencies: ["AttlasGenerate", "AttlasDefinitionFiles", "AttlasDefinitions", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasDefinitionFilesTests",
            dependencies: ["AttlasDefinitionFiles", "AttlasDefinitions", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasValuesTests", dependencies: ["AttlasValues", "AttlasDefinitionFiles", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasInferenceTests",
            dependencies: [
                "AttlasInference", "AttlasDocuments", "AttlasDefinitionFiles", "AttlasGenerate", "AttlasTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasIncidentsTests", dependencies: ["AttlasIncidents", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasAnonymizeTests", dependencies: ["AttlasAnonymize", "AttlasTestSupport"],
            exclude: ["judgements.tsv"], swiftSettings: settings),
        .testTarget(
            name: "AttlasFilterTests", dependencies: ["AttlasFilter", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasMetricsTests", dependencies: ["AttlasMetrics", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasLintTests", dependencies: ["AttlasLint", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasCheckTests", dependencies: ["AttlasCheck", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasTextTests", dependencies: ["AttlasText", "AttlasDefinitionFiles", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasConversationTests", dependencies: ["AttlasConversation", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasDocumentsTests",
            dependencies: ["AttlasDocuments", "AttlasDefinitionFiles", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasTablesTests", dependencies: ["AttlasTables", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasPageTests", dependencies: ["AttlasPage", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasScreenTests",
            dependencies: ["AttlasScreen", "AttlasDefinitionFiles", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasSQLiteTests", dependencies: ["AttlasSQLite", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasColumnsTests", dependencies: ["AttlasColumns", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttlasImportTests", dependencies: ["AttlasImport", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasTestingTests", dependencies: ["AttlasTesting"], swiftSettings: settings),
        .testTarget(
            name: "AttlasTests", dependencies: ["AttlasFiles", "AttlasTestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AttlasFuzzTests", dependencies: ["AttlasFuzz", "AttlasCheck", "AttlasSQLite", "AttlasTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "CommandTests", dependencies: ["attlas", "AttlasFuzz", "AttlasTestSupport"],
            exclude: ["check-schema.py", "compare-tables.py", "compare-tshark.py"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// SwiftPM looks at a target again when a module changes that the target names. So each names all that it is built from: otherwise a property added to a
// struct leaves modules further up with the old layout, and they crash.
extension Target {
    var named: [String] {
        dependencies.compactMap {
            if case .byNameItem(let name, _) = $0, name.hasPrefix("Attlas") { name } else { nil }
        }
    }
}
let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
for target in package.targets where target.type != .plugin {
    var (all, next) = (Set(target.named), target.named)
    while let name = next.popLast() {
        for name in targets[name]?.named ?? [] where all.insert(name).inserted { next.append(name) }
    }
    target.dependencies += all.subtracting(target.named).sorted().map { .byName(name: $0) }
}

// A sanitizer recompiles everything, so only the test targets that it is to run. Makefile, sanitize.
if let names = Context.environment["ATTLAS_TEST_TARGETS"]?.split(separator: " "), !names.isEmpty {
    package.targets.removeAll { target in target.type == .test && !names.contains { $0 == target.name } }
}

// swift-tools-version: 6.2
import PackageDescription

// Views over borrowed bytes are ~Escapable; their initializers need lifetime annotations.
let borrowing: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

let package = Package(
    name: "attlas",
    targets: [
        // The pipeline, in its order: each target imports only what stands above it.
        .target(name: "AttlasWire", swiftSettings: borrowing),
        .target(name: "AttlasCapture", dependencies: ["AttlasWire"], swiftSettings: borrowing),
        .target(name: "AttlasTrace", dependencies: ["AttlasWire", "AttlasCapture"], swiftSettings: borrowing),
        .testTarget(name: "AttlasWireTests", dependencies: ["AttlasWire"], swiftSettings: borrowing),
        .testTarget(
            name: "AttlasTraceTests", dependencies: ["AttlasTrace", "AttlasCapture"], swiftSettings: borrowing),
    ],
    swiftLanguageModes: [.v6]
)

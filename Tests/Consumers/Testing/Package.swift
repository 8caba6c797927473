// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "testing",
    platforms: [.macOS(.v26), .iOS(.v26)],
    dependencies: [.package(name: "attlas", path: "../../..")],
    targets: [
        .testTarget(name: "SwiftTests", dependencies: [.product(name: "AttlasTesting", package: "attlas")]),
        .testTarget(name: "XCTests", dependencies: [.product(name: "AttlasTesting", package: "attlas")]),
    ]
)

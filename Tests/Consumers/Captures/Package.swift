// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "captures",
    platforms: [.macOS(.v26), .iOS(.v26)],
    dependencies: [.package(name: "attlas", path: "../../..")],
    targets: [
        .executableTarget(name: "Captures", dependencies: [.product(name: "Attlas", package: "attlas")])
    ]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "dissect",
    platforms: [.macOS(.v26), .iOS(.v26)],
    dependencies: [.package(name: "attlas", path: "../../..")],
    targets: [
        .executableTarget(name: "Dissect", dependencies: [.product(name: "Attlas", package: "attlas")])
    ]
)

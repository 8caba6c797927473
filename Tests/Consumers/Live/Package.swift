// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "live",
    dependencies: [.package(name: "attlas", path: "../../..")],
    targets: [
        .executableTarget(
            name: "Live",
            dependencies: [
                .product(name: "Attlas", package: "attlas"), .product(name: "AttlasFiles", package: "attlas"),
                .product(name: "AttlasLive", package: "attlas"),
            ])
    ]
)

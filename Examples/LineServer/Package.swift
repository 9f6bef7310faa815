// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

let package = Package(
    name: "LineServer",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "LineServer", targets: ["LineServer"]),
        .executable(name: "lines", targets: ["lines"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-service-context", from: "1.5.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(name: "swift-async-bridge", path: "../..", traits: ["NIO"]),
    ],
    targets: [
        .target(
            name: "LineServer",
            dependencies: [
                .product(name: "AsyncBridgeFutures", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeNIO", package: "swift-async-bridge"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOExtras", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "lines",
            dependencies: [
                "LineServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "LineServerTests",
            dependencies: [
                "LineServer",
                .product(name: "AsyncBridgeFutures", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeNIO", package: "swift-async-bridge"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceContextModule", package: "swift-service-context"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

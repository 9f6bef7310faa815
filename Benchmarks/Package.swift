// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-async-bridge", path: "..", traits: ["Combine", "NIO"]),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(path: "../Examples"),
    ],
    targets: [
        // MARK: Programs

        .executableTarget(
            name: "HubBenchmarks",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ]
        ),

        .executableTarget(
            name: "EngineBenchmarks",
            dependencies: [
                "BenchmarkSupport",
                "CSwitchBaselines",
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
            ]
        ),

        .executableTarget(
            name: "FuturesBenchmarks",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ]
        ),

        .executableTarget(
            name: "PublisherBenchmarks",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeCombine", package: "swift-async-bridge"),
                .product(name: "OpenCombineShim", package: "OpenCombine"),
            ]
        ),

        .executableTarget(
            name: "NIOBenchmarks",
            dependencies: [
                "BenchmarkSupport",
                .product(name: "AsyncBridgeFutures", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeNIO", package: "swift-async-bridge"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
                .product(name: "LineServer", package: "Examples"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),

        // MARK: What they share

        .target(name: "BenchmarkSupport", dependencies: ["CAllocationCounter"]),
        .target(name: "CAllocationCounter"),
        .target(name: "CSwitchBaselines"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        // SE-0335
        .enableUpcomingFeature("ExistentialAny"),
        // SE-0444
        .enableUpcomingFeature("MemberImportVisibility"),
        // SE-0409
        .enableUpcomingFeature("InternalImportsByDefault"),
        // SE-0461
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

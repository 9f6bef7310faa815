// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

let package = Package(
    name: "Quotes",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "QuotableServer", targets: ["QuotableServer"]),
        .executable(name: "quotable", targets: ["quotable"]),
        .library(name: "QuoteKit", targets: ["QuoteKit"]),
        .library(name: "QuoteKitAsyncHTTPClient", targets: ["QuoteKitAsyncHTTPClient"]),
        .executable(name: "quotes", targets: ["quotes"]),
        .executable(name: "Tour", targets: ["Tour"]),
    ],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(name: "swift-async-bridge", path: "../..", traits: ["Combine"]),
    ],
    targets: [
        // MARK: The server

        .target(
            name: "QuotableServer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // Compiled in: `Bundle.module` would keep the path of the build folder, and the server must be one file.
            resources: [.embedInCode("Resources/quotes.json")]
        ),
        .executableTarget(
            name: "quotable",
            dependencies: [
                "QuotableServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),

        // MARK: The client

        .target(
            name: "QuoteKit",
            dependencies: [
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeCombine", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeFoundation", package: "swift-async-bridge"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
            ]
        ),
        .target(
            name: "QuoteKitAsyncHTTPClient",
            dependencies: [
                "QuoteKit",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .executableTarget(
            name: "quotes",
            dependencies: [
                "QuotableServer",
                "QuoteKit",
                "QuoteKitAsyncHTTPClient",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeCombine", package: "swift-async-bridge"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),

        // MARK: The tour

        .executableTarget(
            name: "Tour",
            dependencies: [
                "QuotableServer",
                "QuoteKit",
                "QuoteKitAsyncHTTPClient",
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeCombine", package: "swift-async-bridge"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "OpenCombineShim", package: "OpenCombine"),
            ]
        ),

        // MARK: Tests

        .testTarget(
            name: "QuotableServerTests",
            dependencies: [
                "QuotableServer",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "QuoteKitTests",
            dependencies: [
                "QuotableServer",
                "QuoteKit",
                "QuoteKitAsyncHTTPClient",
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeCombine", package: "swift-async-bridge"),
                .product(name: "AsyncBridgeTesting", package: "swift-async-bridge"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "OpenCombineShim", package: "OpenCombine"),
            ]
        ),
        .testTarget(
            name: "QuotesCommandTests",
            dependencies: [
                "QuotableServer",
                // Not imported, but started.
                "quotes",
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
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

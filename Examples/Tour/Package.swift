// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

// A package of its own, without dependencies: what a newcomer starts first fetches and compiles nothing else.
let package = Package(
    name: "Tour",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-async-bridge", path: "../..")],
    targets: [
        .executableTarget(
            name: "Tour",
            dependencies: [
                .product(name: "AsyncBridge", package: "swift-async-bridge"),
                .product(name: "Coroutines", package: "swift-async-bridge"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

let package = Package(
    name: "LeanConsumer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-async-bridge", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "LeanConsumer",
            dependencies: [.product(name: "AsyncBridge", package: "swift-async-bridge")]
        ),
        .executableTarget(
            name: "LeanFutures",
            dependencies: [.product(name: "AsyncBridgeFutures", package: "swift-async-bridge")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

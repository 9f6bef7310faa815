// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

let package = Package(
    name: "Starter",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // In a copy: the address from which you take the package, or your own clone's folder.
        .package(name: "swift-async-bridge", path: "../..")
    ],
    targets: [
        .target(name: "Starter", dependencies: [.product(name: "AsyncBridge", package: "swift-async-bridge")]),
        .testTarget(
            name: "StarterTests",
            dependencies: ["Starter", .product(name: "AsyncBridge", package: "swift-async-bridge")]
        ),
    ]
)

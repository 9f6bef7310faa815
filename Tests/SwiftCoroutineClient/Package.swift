// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

// One program, `Sources/Client`, in two language modes: each target has a link to it.
let coroutines = Target.Dependency.product(name: "SwiftCoroutine", package: "swift-async-bridge")

let package = Package(
    name: "SwiftCoroutineClient",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-async-bridge", path: "../..")
    ],
    targets: [
        .executableTarget(name: "SwiftFive", dependencies: [coroutines], swiftSettings: [.swiftLanguageMode(.v5)]),
        .executableTarget(name: "SwiftSix", dependencies: [coroutines], swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)

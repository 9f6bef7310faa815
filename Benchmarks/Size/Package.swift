// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

// Programs that use one thing each, for `Scripts/bench size`.
let package = Package(
    name: "Size",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-async-bridge", path: "../..")],
    targets: [
        .executableTarget(name: "Continuation"),
        program("OneCallback", uses: "AsyncBridgeCore"),
        program("OneSequence", uses: "AsyncBridge"),
        program("OneCoroutine", uses: "Coroutines"),
        program("OneRequest", uses: "AsyncBridgeFoundation"),
    ],
    swiftLanguageModes: [.v6]
)

func program(_ name: String, uses product: String) -> Target {
    .executableTarget(name: name, dependencies: [.product(name: product, package: "swift-async-bridge")])
}

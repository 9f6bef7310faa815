// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

// Foundation alone, without this package: what goes wrong here is not ours.
let package = Package(
    name: "FoundationRepro",
    targets: [.executableTarget(name: "Repro")],
    swiftLanguageModes: [.v6]
)

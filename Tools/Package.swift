// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

let syntax = ["SwiftParser", "SwiftSyntax"].map { Target.Dependency.product(name: $0, package: "swift-syntax") }

let package = Package(
    name: "asyncbridge-tools",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "asyncbridge", targets: ["asyncbridge"]),
        .plugin(name: "CheckPlugin", targets: ["CheckPlugin"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"605.0.0"),
        // What writes twins; the macros use it too.
        .package(name: "swift-async-bridge", path: "..", traits: ["Macros"]),
    ],
    targets: [
        // What is found: pure functions from source text to findings.
        .target(name: "ExactlyOnce", dependencies: syntax),
        // How findings are shown and compared: text, JSON, SARIF, baselines. Pure as well.
        .target(name: "CheckReports", dependencies: ["ExactlyOnce"]),
        // Which functions of a package get twins, and what is written for them: pure functions from sources to a plan.
        .target(
            name: "AsyncTwins",
            dependencies: [
                "CheckReports", "ExactlyOnce", .product(name: "_AsyncBridgeSyntax", package: "swift-async-bridge"),
            ] + syntax
        ),
        // The command: reads files, writes answers.
        .executableTarget(
            name: "asyncbridge",
            dependencies: [
                "ExactlyOnce", "CheckReports", "AsyncTwins",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ] + syntax
        ),
        .plugin(
            name: "CheckPlugin",
            capability: .command(
                intent: .custom(
                    verb: "asyncbridge-check",
                    description: "Reports continuations and handlers that some path delivers never or twice."
                )
            ),
            dependencies: ["asyncbridge"]
        ),
        .testTarget(name: "ExactlyOnceTests", dependencies: ["ExactlyOnce"], exclude: ["Shapes"]),
        .testTarget(
            name: "AsyncTwinsTests",
            dependencies: [
                "AsyncTwins", "CheckReports", "ExactlyOnce",
                .product(name: "_AsyncBridgeSyntax", package: "swift-async-bridge"),
            ],
            exclude: ["Declarations"]
        ),
        .testTarget(
            name: "CheckReportsTests",
            dependencies: ["CheckReports", "ExactlyOnce", "asyncbridge"],
            exclude: ["Golden"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .plugin {
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
    if target.type != .test {
        // SE-0458
        target.swiftSettings?.append(.strictMemorySafety())
    }
}

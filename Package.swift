// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CompilerPluginSupport
import PackageDescription

let combine = Target.Dependency.product(
    name: "OpenCombineShim",
    package: "OpenCombine",
    condition: .when(traits: ["Combine"])
)

let nio = ["NIOCore", "NIOEmbedded", "NIOPosix"].map { name in
    Target.Dependency.product(name: name, package: "swift-nio", condition: .when(traits: ["NIO"]))
}

func syntax(_ products: String...) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "swift-syntax", condition: .when(traits: ["Macros"])) }
}

// What declarations with macros import.
let bridgedFixtures: [Target.Dependency] = [
    "AsyncBridgeMacros", "AsyncBridgeFutures", "AsyncBridgeCombine", "AsyncBridgeTesting",
]

let package = Package(
    name: "swift-async-bridge",
    platforms: [
        // The first systems with `Synchronization`. On watchOS with 32 bits (arm64_32) there are no coroutines.
        .macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2),
    ],
    products: [
        .library(name: "AsyncBridge", targets: ["AsyncBridge"]),
        .library(name: "AsyncBridgeCore", targets: ["AsyncBridgeCore"]),
        .library(name: "AsyncBridgeFutures", targets: ["AsyncBridgeFutures"]),
        .library(name: "Coroutines", targets: ["Coroutines"]),
        .library(name: "AsyncBridgeFoundation", targets: ["AsyncBridgeFoundation"]),
        .library(name: "AsyncBridgeCombine", targets: ["AsyncBridgeCombine"]),
        .library(name: "AsyncBridgeNIO", targets: ["AsyncBridgeNIO"]),
        .library(name: "AsyncBridgeMacros", targets: ["AsyncBridgeMacros"]),
        .library(name: "_AsyncBridgeSyntax", targets: ["AsyncBridgeSyntax"]),
        .library(name: "SwiftCoroutine", targets: ["SwiftCoroutine"]),
        .library(name: "AsyncBridgeTesting", targets: ["AsyncBridgeTesting"]),
        .library(name: "AsyncBridgeCombineTesting", targets: ["AsyncBridgeCombineTesting"]),
    ],
    traits: [
        .trait(name: "Combine", description: "Bridges for publishers: Combine, or OpenCombine elsewhere."),
        .trait(name: "NIO", description: "Bridges for SwiftNIO's event loops and futures."),
        .trait(name: "Macros", description: "Macros that write bridges: @Bridged and others. Builds swift-syntax."),
        .default(enabledTraits: []),
    ],
    dependencies: [
        // Not fetched without their traits. OpenCombine is Combine on Apple systems, through its shim.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"605.0.0"),
    ],
    targets: [
        // MARK: Libraries

        .target(name: "CAsyncBridge"),
        .target(name: "AsyncBridgeCore", dependencies: ["CAsyncBridge"]),
        .target(name: "AsyncBridge", dependencies: ["AsyncBridgeCore", "CAsyncBridge"]),
        .target(name: "AsyncBridgeFutures", dependencies: ["AsyncBridge", "AsyncBridgeCore", "CAsyncBridge"]),
        .target(name: "CProcesses"),
        .target(name: "AsyncBridgeFoundation", dependencies: ["AsyncBridge", "AsyncBridgeFutures", "CProcesses"]),
        .target(name: "CStackSwitch"),
        .target(name: "CCoroutines", dependencies: ["CAsyncBridge", "CStackSwitch"]),
        .target(name: "CoroutineCalls"),
        .target(
            name: "Coroutines",
            dependencies: [
                "AsyncBridge", "AsyncBridgeCore", "AsyncBridgeFutures", "CCoroutines", "CoroutineCalls", "CStackSwitch",
            ]
        ),
        .target(name: "AsyncBridgeCombine", dependencies: ["AsyncBridge", "AsyncBridgeFutures", combine]),
        .target(name: "AsyncBridgeNIO", dependencies: ["AsyncBridge", "AsyncBridgeFutures", nio[0]]),
        .target(
            name: "AsyncBridgeSyntax",
            dependencies: syntax("SwiftSyntax", "SwiftParser")
        ),
        .macro(
            name: "AsyncBridgeMacrosPlugin",
            dependencies: ["AsyncBridgeSyntax"]
                + syntax(
                    "SwiftCompilerPlugin",
                    "SwiftDiagnostics",
                    "SwiftSyntax",
                    "SwiftSyntaxBuilder",
                    "SwiftSyntaxMacros"
                )
        ),
        .target(
            name: "AsyncBridgeMacros",
            dependencies: [
                "AsyncBridge", .target(name: "AsyncBridgeMacrosPlugin", condition: .when(traits: ["Macros"])),
            ]
        ),
        .target(
            name: "SwiftCoroutine",
            dependencies: [
                "AsyncBridge", "AsyncBridgeCombine", "AsyncBridgeFoundation", "AsyncBridgeFutures", "Coroutines",
                combine,
            ]
        ),
        .target(name: "AsyncBridgeTesting", dependencies: ["AsyncBridge"]),
        .target(name: "AsyncBridgeCombineTesting", dependencies: ["AsyncBridge", "AsyncBridgeTesting", combine]),

        // MARK: Tests

        .target(name: "TestSupport", dependencies: ["AsyncBridge", "AsyncBridgeTesting"], path: "Tests/TestSupport"),
        .target(
            name: "FuturesTestSupport",
            dependencies: ["TestSupport", "AsyncBridgeFutures", "AsyncBridge", "AsyncBridgeTesting"],
            path: "Tests/FuturesTestSupport"
        ),
        .target(
            name: "CStackSwitchTestSupport",
            dependencies: ["CStackSwitch"],
            path: "Tests/CStackSwitchTestSupport",
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
        ),
        .testTarget(name: "CStackSwitchTests", dependencies: ["CStackSwitch", "CStackSwitchTestSupport"]),
        .target(
            name: "UnannotatedLibrary",
            path: "Tests/UnannotatedLibrary",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "HandlerShapesInSwift5",
            dependencies: ["AsyncBridge"],
            path: "Tests/HandlerShapes",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "AsyncBridgeTests",
            dependencies: [
                "AsyncBridge", "AsyncBridgeTesting", "HandlerShapesInSwift5", "TestSupport", "UnannotatedLibrary",
            ]
        ),
        .testTarget(
            name: "AsyncBridgeFuturesTests",
            dependencies: [
                "AsyncBridgeFutures", "AsyncBridge", "AsyncBridgeTesting", "FuturesTestSupport", "TestSupport",
            ]
        ),
        .target(name: "CFrames", path: "Tests/CFrames"),
        .testTarget(
            name: "CoroutinesTests",
            dependencies: [
                "Coroutines", "AsyncBridgeFutures", "AsyncBridge", "AsyncBridgeTesting", "CCoroutines", "CFrames",
                "FuturesTestSupport", "TestSupport", "UnannotatedLibrary",
            ]
        ),
        .testTarget(
            name: "AsyncBridgeFoundationTests",
            dependencies: [
                "AsyncBridgeFoundation", "AsyncBridge", "AsyncBridgeTesting", "CProcesses", "Coroutines", "TestSupport",
            ]
        ),
        .testTarget(
            name: "AsyncBridgeCombineTests",
            dependencies: [
                "AsyncBridgeCombine", "AsyncBridgeCombineTesting", "AsyncBridge", "AsyncBridgeFutures",
                "AsyncBridgeTesting", "Coroutines", "SwiftCoroutine", "TestSupport", combine,
            ]
        ),
        .target(
            name: "MutationTestSupport",
            dependencies: ["AsyncBridgeTesting"],
            path: "Tests/MutationTestSupport"
        ),
        .testTarget(
            name: "AsyncBridgeCombineTestingTests",
            dependencies: [
                "AsyncBridgeCombineTesting", "AsyncBridgeTesting", "AsyncBridge", "MutationTestSupport", "TestSupport",
                combine,
            ]
        ),
        .testTarget(
            name: "AsyncBridgeNIOTests",
            dependencies: [
                "AsyncBridgeNIO", "AsyncBridge", "AsyncBridgeCombine", "AsyncBridgeFutures", "AsyncBridgeTesting",
                "Coroutines", "TestSupport", combine,
            ] + nio
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "AsyncBridge", "AsyncBridgeTesting", "AsyncBridgeCombine", "AsyncBridgeCombineTesting",
                "UnannotatedLibrary", combine,
            ]
        ),
        .testTarget(
            name: "AsyncBridgeSyntaxTests",
            dependencies: ["AsyncBridgeSyntax"] + syntax("SwiftSyntax", "SwiftParser"),
            exclude: ["Expected", "Refused", "Uncompiled"]
        ),
        // One set of declarations with macros, in four language modes: the folders are links to the first.
        .target(
            name: "BridgedFixtures",
            dependencies: bridgedFixtures,
            path: "Tests/BridgedFixtures",
            swiftSettings: [
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .strictMemorySafety(),
            ]
        ),
        .target(name: "BridgedInSwift6", dependencies: bridgedFixtures, path: "Tests/BridgedInSwift6"),
        .target(
            name: "BridgedInSwift5",
            dependencies: bridgedFixtures,
            path: "Tests/BridgedInSwift5",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "BridgedInSwift5Nonsending",
            dependencies: bridgedFixtures,
            path: "Tests/BridgedInSwift5Nonsending",
            swiftSettings: [.swiftLanguageMode(.v5), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        .testTarget(
            name: "AsyncBridgeMacrosTests",
            dependencies: [
                "AsyncBridgeMacros", "AsyncBridge", "AsyncBridgeTesting", "BridgedFixtures", "BridgedInSwift6",
                "BridgedInSwift5", "BridgedInSwift5Nonsending",
            ]
        ),
        .testTarget(
            name: "AsyncBridgeTestingTests",
            dependencies: ["AsyncBridge", "AsyncBridgeTesting", "MutationTestSupport", "TestSupport"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// What stands beside the code, for its readers.
let explainedTargets = [
    "AsyncBridge", "AsyncBridgeCore", "AsyncBridgeFoundation", "AsyncBridgeFutures", "AsyncBridgeSyntax",
    "AsyncBridgeTesting", "Coroutines",
]
for target in package.targets where explainedTargets.contains(target.name) { target.exclude.append("README.md") }

// Not those that are as code of others is: from before Swift 6, or without its upcoming features.
let plainTargets = [
    "HandlerShapesInSwift5", "UnannotatedLibrary", "BridgedFixtures", "BridgedInSwift6", "BridgedInSwift5",
    "BridgedInSwift5Nonsending",
]
for target in package.targets where !plainTargets.contains(target.name) {
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
    // What tests share is in targets of this kind too.
    if target.type == .regular, target.path == nil {
        // SE-0458
        target.swiftSettings?.append(.strictMemorySafety())
    }
    // Some calls of the engine rest on what no compiler checks (OperationCall.swift). The variable is for running the
    // tests with them where they have not passed yet.
    if target.name == "Coroutines", Context.environment["BRIDGE_WORD_CALLS"] == "1" {
        target.swiftSettings?.append(.define("COROUTINES_WORD_CALLS"))
    }
    #if compiler(<6.3)
    // The optimiser of 6.2.3 ends with an assertion (DeadObjectElimination) in what `@Test` makes of some of them.
    if target.name == "AsyncBridgeCombineTests" { target.swiftSettings?.append(.unsafeFlags(["-Onone"])) }
    #endif
    if target.name == "CoroutinesTests" {
        // Tests use a `Mutex` before and after a wait: see the guide SynchronousCode, "Keep nothing of the thread
        // across a wait".
        target.swiftSettings?.append(.unsafeFlags(["-Xcc", "-fno-inline"]))
    }
}

// The test targets to build, with blanks between them; all of them by default. SwiftPM makes one program of all, which
// takes minutes in release.
if let chosen = Context.environment["BRIDGE_TEST_TARGETS"]?.split(separator: " ") {
    package.targets.removeAll { $0.type == .test && !chosen.contains(Substring($0.name)) }
}

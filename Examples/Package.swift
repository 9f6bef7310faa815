// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PackageDescription

// One package for all examples: each library that they share is compiled once. A command builds what it needs alone.

extension Target.Dependency {
    fileprivate static func bridge(_ name: String) -> Self { .product(name: name, package: "swift-async-bridge") }

    fileprivate static func nio(_ name: String) -> Self { .product(name: name, package: "swift-nio") }

    fileprivate static var argumentParser: Self { .product(name: "ArgumentParser", package: "swift-argument-parser") }

    /// Behind a trait: its TLS library takes a minute to compile.
    fileprivate static var asyncHTTPClient: Self {
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["AsyncHTTPClient"]))
    }

    fileprivate static var database: Self { .product(name: "GRDB", package: "GRDB.swift") }

    fileprivate static var hummingbird: Self { .product(name: "Hummingbird", package: "hummingbird") }
    fileprivate static var hummingbirdCore: Self { .product(name: "HummingbirdCore", package: "hummingbird") }

    fileprivate static var httpTypes: Self { .product(name: "HTTPTypes", package: "swift-http-types") }

    fileprivate static var logging: Self { .product(name: "Logging", package: "swift-log") }

    fileprivate static var combine: Self { .product(name: "OpenCombineShim", package: "OpenCombine") }

    fileprivate static func server(_ name: String) -> Self { .product(name: name, package: "QuotableServer") }

    fileprivate static var serviceLifecycle: Self {
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    }

    fileprivate static var signals: Self { .product(name: "UnixSignals", package: "swift-service-lifecycle") }

    fileprivate static var system: Self { .product(name: "SystemPackage", package: "swift-system") }
}

// MARK: What commands share

let commandSupport: [Target] = [
    .target(
        name: "CommandSupport",
        dependencies: [.signals, .system]
    ),
    .testTarget(name: "CommandSupportTests", dependencies: ["CommandSupport"]),
]

// MARK: What tests share

let exampleTesting: [Target] = [
    .target(name: "ExampleTesting"),
    .testTarget(name: "ExampleSourcesTests", dependencies: ["ExampleTesting"]),
]

// MARK: Contacts

/// The steps 3 to 6, which use the same libraries.
let contactsStepsWithBridges = [
    "Contacts3AsyncPublishers", "Contacts4SendableHandlers", "Contacts5AsyncCore", "Contacts6CallersMoved",
]

/// What uses every step.
let contactsSteps: [Target.Dependency] =
    ["Contacts1AsFound", "Contacts2AsyncBeside", "Contacts7CallbacksRemoved"]
    + contactsStepsWithBridges.map { .target(name: $0) }

var contacts: [Target] = [
    // What does not change
    .target(name: "VCard"),
    .target(name: "ContactsModel", dependencies: ["VCard", .database]),

    // The migration, step by step
    .target(name: "Contacts1AsFound", dependencies: ["ContactsModel", "VCard", .combine, .database]),
    .target(
        name: "Contacts2AsyncBeside",
        dependencies: ["ContactsModel", "VCard", .bridge("AsyncBridge"), .combine, .database]
    ),
    .target(name: "Contacts7CallbacksRemoved", dependencies: ["ContactsModel", "VCard", .database]),

    // The command
    .target(
        name: "ContactsSteps",
        dependencies: [
            "ContactsModel", "VCard", .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .combine, .database,
        ] + contactsSteps
    ),
    .executableTarget(
        name: "contacts",
        dependencies: [
            "CommandSupport", "ContactsModel", "ContactsSteps", "VCard", .argumentParser, .bridge("AsyncBridge"),
            .database, .system,
        ],
        // Compiled in: `Bundle.module` would keep the path of the build folder, and the command must be one file.
        resources: [.embedInCode("Resources/people.vcf")]
    ),

    // Tests
    .testTarget(name: "VCardTests", dependencies: ["VCard"]),
    .testTarget(
        name: "ContactsTests",
        dependencies: [
            "ContactsModel", "ContactsSteps", "ExampleTesting", "VCard",
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("AsyncBridgeFoundation"),
            .bridge("AsyncBridgeTesting"), .combine, .database,
        ] + contactsSteps
    ),
    // `contacts` is not imported, but started.
    .testTarget(name: "ContactsCommandTests", dependencies: ["VCard", "contacts", .bridge("AsyncBridgeFoundation")]),
]
contacts += contactsStepsWithBridges.map { name in
    .target(
        name: name,
        dependencies: [
            "ContactsModel", "VCard", .combine, .database,
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("AsyncBridgeFutures"),
        ]
    )
}

// Callers that are older than step 4, which makes handlers `Sendable`, each in the language mode of its name. Those on
// the main actor get warnings, as step 4 promises: silenced, because a build with warnings as errors would fail.
let contactsCallers: [(name: String, mode: SwiftLanguageMode, hasWarnings: Bool)] = [
    ("ContactsSwift5Tests", .v5, false), ("ContactsMainActorSwift5Tests", .v5, true),
    ("ContactsMainActorSwift6Tests", .v6, true),
]
for caller in contactsCallers {
    contacts.append(
        .testTarget(
            name: caller.name,
            dependencies: [
                "Contacts4SendableHandlers", "ContactsModel", "VCard", .bridge("AsyncBridge"), .database,
            ],
            swiftSettings: [.swiftLanguageMode(caller.mode)]
                + (caller.hasWarnings ? [.unsafeFlags(["-Xfrontend", "-suppress-warnings"])] : [])
        )
    )
}

// With EXAMPLES_WITH_MACROS=1: step 2 written with macros. They need swift-syntax, which takes a minute to compile.
let hasMacros = Context.environment["EXAMPLES_WITH_MACROS"] == "1"
let bridgeTraits: Set<Package.Dependency.Trait> = hasMacros ? ["Combine", "NIO", "Macros"] : ["Combine", "NIO"]
if hasMacros {
    contacts += [
        .target(
            name: "Contacts2bMacros",
            dependencies: ["ContactsModel", "VCard", .bridge("AsyncBridgeMacros"), .combine, .database]
        ),
        .testTarget(name: "Contacts2bTests", dependencies: ["Contacts2bMacros", "ContactsModel", "VCard", .database]),
    ]
    // One step more, for the command and for the tests of every step.
    for target in contacts where ["ContactsSteps", "contacts"].contains(target.name) {
        target.swiftSettings = [.define("CONTACTS_WITH_MACROS")]
        if target.name == "ContactsSteps" { target.dependencies.append("Contacts2bMacros") }
    }
}

// Code as it was before Swift 6, which step 4 adopts.
let contactsBeforeSwift6 = [
    "Contacts1AsFound", "Contacts2AsyncBeside", "Contacts2bMacros", "Contacts3AsyncPublishers",
]
for target in contacts where contactsBeforeSwift6.contains(target.name) {
    target.swiftSettings = [.swiftLanguageMode(.v5)]
}

// MARK: LineServer

let lineServer: [Target] = [
    .target(
        name: "LineServer",
        dependencies: [
            .bridge("AsyncBridgeFutures"), .bridge("AsyncBridgeNIO"), .bridge("Coroutines"),
            .nio("NIOCore"), .nio("NIOPosix"), .product(name: "NIOExtras", package: "swift-nio-extras"),
            .server("ConnectionLimits"),
        ]
    ),
    .executableTarget(name: "lines", dependencies: ["LineServer", .argumentParser, .nio("NIOCore"), .signals]),
    .testTarget(
        name: "LineServerTests",
        dependencies: [
            "ExampleTesting", "LineServer", "lines",
            .bridge("AsyncBridge"), .bridge("AsyncBridgeFoundation"), .bridge("AsyncBridgeFutures"),
            .bridge("AsyncBridgeNIO"), .bridge("Coroutines"),
            .logging, .nio("NIOCore"), .nio("NIOPosix"),
            .product(name: "ServiceContextModule", package: "swift-service-context"), .serviceLifecycle,
        ]
    ),
]

// MARK: Quotes

let quotes: [Target] = [
    // The client
    .target(
        name: "QuoteKit",
        dependencies: [
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("AsyncBridgeFoundation"),
            .bridge("Coroutines"),
        ]
    ),
    .target(
        name: "QuoteKitAsyncHTTPClient",
        dependencies: [
            "QuoteKit", .asyncHTTPClient, .nio("NIOCore"), .nio("NIOFoundationCompat"), .nio("NIOHTTP1"),
        ]
    ),
    .executableTarget(
        name: "quotes",
        dependencies: [
            "CommandSupport", "QuoteKit", "QuoteKitAsyncHTTPClient", .server("QuotableServer"),
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("Coroutines"),
            .argumentParser, .asyncHTTPClient,
        ]
    ),

    // The tour's second part
    .executableTarget(
        name: "QuotesTour",
        dependencies: [
            "QuoteKit", .server("QuotableServer"),
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("Coroutines"),
            .logging, .combine,
        ]
    ),

    // Tests
    .testTarget(
        name: "QuoteKitTests",
        dependencies: [
            "QuoteKit", "QuoteKitAsyncHTTPClient", .server("QuotableServer"),
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("AsyncBridgeTesting"), .bridge("Coroutines"),
            .asyncHTTPClient, .combine, .logging, .nio("NIOCore"), .nio("NIOPosix"),
        ]
    ),
    // `quotes` is not imported, but started.
    .testTarget(
        name: "QuotesCommandTests",
        dependencies: [
            "quotes", .server("QuotableServer"), .bridge("AsyncBridge"), .bridge("AsyncBridgeFoundation"),
        ]
    ),
]

// MARK: LocationService

let locationService: [Target] = [
    // The old API: a manager with a delegate, over gpsd.
    .target(
        name: "GPSLocation",
        dependencies: [
            .nio("NIOCore"), .nio("NIOPosix"), .product(name: "NIOExtras", package: "swift-nio-extras"),
        ]
    ),
    // The service over it, in all styles.
    .target(
        name: "LocationServices",
        dependencies: [
            "GPSLocation",
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("AsyncBridgeFutures"), .bridge("Coroutines"),
            .combine,
        ]
    ),
    .executableTarget(
        name: "whereami",
        dependencies: [
            "CommandSupport", "GPSLocation", "LocationServices", .argumentParser, .bridge("AsyncBridge"),
        ]
    ),
    // `whereami` is not imported, but started.
    .testTarget(
        name: "LocationServiceTests",
        dependencies: [
            "GPSLocation", "LocationServices", "whereami",
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("AsyncBridgeFutures"),
            .bridge("AsyncBridgeTesting"), .bridge("Coroutines"),
            .combine, .nio("NIOCore"), .nio("NIOPosix"),
        ]
    ),
]

// MARK: WhatsThat

let whatsThat: [Target] = [
    // What others have written in C
    .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CSpng", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    // ONNX Runtime itself is loaded while the program runs: all is built without it.
    .target(name: "COnnxRuntime"),
    .target(name: "CWhatsThatModel"),

    // What the services need
    .target(name: "OnnxRuntime", dependencies: ["COnnxRuntime"]),
    .target(name: "PictureDecoding", dependencies: ["CTurboJPEG", "CSpng", "CWebP"]),
    .target(
        name: "WhatsThatServices",
        dependencies: [
            "CWhatsThatModel", "OnnxRuntime", "PictureDecoding",
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("AsyncBridgeFutures"), .bridge("Coroutines"),
            .combine,
        ]
    ),

    // The server
    .target(
        name: "WhatsThatServer",
        dependencies: [
            "OnnxRuntime", "PictureDecoding", "WhatsThatServices",
            .server("ConnectionLimits"), .server("ServerSupport"),
            .bridge("AsyncBridge"), .bridge("AsyncBridgeFutures"),
            .hummingbird, .hummingbirdCore, .httpTypes, .logging, .nio("NIOCore"),
            .product(name: "NIOHTTPTypes", package: "swift-nio-extras"), .serviceLifecycle,
        ],
        // Compiled in: `Bundle.module` would keep the path of the build folder, and the command must be one file.
        resources: [.embedInCode("Resources/page.html")]
    ),

    // The command
    .executableTarget(
        name: "whatsthat",
        dependencies: [
            "CommandSupport", "OnnxRuntime", "PictureDecoding", "WhatsThatServer", "WhatsThatServices",
            .argumentParser, .bridge("AsyncBridgeFutures"), .bridge("Coroutines"),
            .logging, .serviceLifecycle, .signals, .system,
        ]
    ),

    // The tour's third part
    .executableTarget(
        name: "WhatsThatTour",
        dependencies: ["WhatsThatServices", .bridge("AsyncBridge"), .bridge("Coroutines")]
    ),

    // Tests
    .target(
        name: "WhatsThatTesting",
        dependencies: ["CTurboJPEG", "CSpng", "CWebP", "OnnxRuntime", "WhatsThatServices"]
    ),
    .testTarget(name: "WhatsThatPictureTests", dependencies: ["PictureDecoding", "WhatsThatTesting"]),
    .testTarget(
        name: "WhatsThatServiceTests",
        dependencies: [
            "ExampleTesting", "OnnxRuntime", "PictureDecoding", "WhatsThatServices", "WhatsThatTesting",
            .bridge("AsyncBridge"), .bridge("AsyncBridgeCombine"), .bridge("AsyncBridgeFutures"),
            .bridge("AsyncBridgeTesting"), .bridge("Coroutines"), .combine,
        ]
    ),
    .testTarget(
        name: "WhatsThatServerTests",
        dependencies: [
            "WhatsThatServer", "WhatsThatServices", "WhatsThatTesting",
            .bridge("AsyncBridge"), .bridge("AsyncBridgeFoundation"), .bridge("AsyncBridgeTesting"),
            .logging, .nio("NIOCore"), .nio("NIOPosix"),
        ]
    ),
    // `whatsthat` is not imported, but started.
    .testTarget(
        name: "WhatsThatCommandTests",
        dependencies: [
            "ExampleTesting", "WhatsThatTesting", "whatsthat",
            .bridge("AsyncBridgeFoundation"), .bridge("AsyncBridgeFutures"), .bridge("AsyncBridgeNIO"),
            .nio("NIOCore"), .nio("NIOPosix"),
        ]
    ),
]

// MARK: -

let examples = [
    "CommandSupport": commandSupport, "Contacts": contacts, "ExampleTesting": exampleTesting, "LineServer": lineServer,
    "LocationService": locationService, "Quotes": quotes, "WhatsThat": whatsThat,
]

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "VCard", targets: ["VCard"]),
        .executable(name: "contacts", targets: ["contacts"]),
        .library(name: "LineServer", targets: ["LineServer"]),
        .executable(name: "lines", targets: ["lines"]),
        .library(name: "GPSLocation", targets: ["GPSLocation"]),
        .library(name: "LocationServices", targets: ["LocationServices"]),
        .executable(name: "whereami", targets: ["whereami"]),
        .library(name: "QuoteKit", targets: ["QuoteKit"]),
        .library(name: "QuoteKitAsyncHTTPClient", targets: ["QuoteKitAsyncHTTPClient"]),
        .executable(name: "quotes", targets: ["quotes"]),
        .executable(name: "QuotesTour", targets: ["QuotesTour"]),
        .library(name: "WhatsThatServices", targets: ["WhatsThatServices"]),
        .executable(name: "whatsthat", targets: ["whatsthat"]),
        .executable(name: "WhatsThatTour", targets: ["WhatsThatTour"]),
    ],
    traits: [
        .trait(name: "AsyncHTTPClient", description: "A second transport for Quotes, over async-http-client."),
        .default(enabledTraits: []),
    ],
    dependencies: [
        // Without its support for configuration files, which is not used here.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-service-context", from: "1.5.1"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(name: "swift-async-bridge", path: "..", traits: bridgeTraits),
        .package(path: "QuotableServer"),
    ],
    targets: examples.flatMap { folder, targets in
        for target in targets { target.path = "\(folder)/\(target.type == .test ? "Tests" : "Sources")/\(target.name)" }
        return targets
    },
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}

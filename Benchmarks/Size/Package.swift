// swift-tools-version: 6.3

import PackageDescription

// Programs that use one thing each, for `Scripts/bench size`.
let package = Package(
    name: "Size",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-async-bridge", path: "../..")],
    targets: [
        .executableTarget(name: "Continuation"),
        .executableTarget(
            name: "OneCallback",
            dependencies: [.product(name: "AsyncBridge", package: "swift-async-bridge")]
        ),
        .executableTarget(
            name: "OneSequence",
            dependencies: [.product(name: "AsyncBridge", package: "swift-async-bridge")]
        ),
        .executableTarget(
            name: "OneCoroutine",
            dependencies: [.product(name: "Coroutines", package: "swift-async-bridge")]
        ),
        .executableTarget(
            name: "OneRequest",
            dependencies: [.product(name: "AsyncBridgeFoundation", package: "swift-async-bridge")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
